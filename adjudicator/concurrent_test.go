package adjudicator_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
)

// together hands in letters at the same time.
func together(t *testing.T, c *club, letters []message.Draft) {
	t.Helper()
	handler := c.handler()
	var wg sync.WaitGroup
	for i, m := range letters {
		raw, err := m.Render()
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if _, err := handler.Handle(t.Context(), mail.Received{UID: uint32(i), Arrived: c.now, Raw: raw}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	c.deliver()
}

// TestManyMatches: letters of many matches at the same time are each carried
// out, and every chain holds.
func TestManyMatches(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	var ids []string
	var letters []message.Draft
	for range 6 {
		id := c.match("orchards", nil, orchards...)
		pos, err := rulestest.Game().Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		d := pos.OpenDecisions(nil)[0]
		letters = append(letters, c.letter(orchards[d.Seat], rulestest.Game().FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 }))))
		ids = append(ids, id)
	}
	together(t, c, letters)
	for _, id := range ids {
		rec, err := record.Read(bytes.NewReader(c.export(id, true)))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(rec.Entries()); n != 2 {
			t.Errorf("match %s has %d entries, want the deal and an order", id, n)
		}
		if err := record.VerifyChain(rec); err != nil {
			t.Error(err)
		}
	}
}

// TestOneMatchAtOnce: letters of one match at the same time are carried out one
// after the other, whichever comes first; of an order sent in many letters, one
// is carried out.
func TestOneMatchAtOnce(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	var letters []message.Draft
	for i := range 6 {
		m := c.letter(seat, line)
		m.MessageID = fmt.Sprintf("%d@players.test", i)
		letters = append(letters, m)
	}
	letters = append(letters, letters[0])
	had := len(c.mailbox[address(seat)])
	together(t, c, letters)
	rec, err := record.Read(bytes.NewReader(c.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(rec.Entries()); n != 2 {
		t.Errorf("%d entries, want the deal and one order", n)
	}
	if n := len(c.mailbox[address(seat)]) - had; n != 6 {
		t.Errorf("%d answers, want one to each of 6 letters", n)
	}
	if err := record.VerifyChain(rec); err != nil {
		t.Error(err)
	}
}

// TestDueTogether: what is due in two matches is carried out at the same time, and each goes on
// as it would alone.
func TestDueTogether(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	var ids []string
	for range 2 {
		ids = append(ids, c.match("orchards", nil, orchards...))
		pos, err := rulestest.Game().Decode(c.position(ids[len(ids)-1]))
		if err != nil {
			t.Fatal(err)
		}
		d := pos.OpenDecisions(nil)[0]
		c.sends(orchards[d.Seat], "GRACE 1 hour\n"+rulestest.Game().FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 })))
	}
	c.adj.Store = pairs{c.adj.Store, make(chan struct{})}
	if n := c.due(2 * time.Hour); n != len(ids) {
		t.Errorf("%d things were due", n)
	}
	for _, id := range ids {
		if n := len(entriesOf(t, c, id)); n != 1 {
			t.Errorf("match %s has %d orders, want one", id, n)
		}
	}
}

// pairs is a store that changes nothing before two changes are there.
type pairs struct {
	exchange.Store
	met chan struct{}
}

func (p pairs) Apply(ctx context.Context, c exchange.Change) error {
	select {
	case p.met <- struct{}{}:
	case <-p.met:
	case <-time.After(10 * time.Second):
		return errors.New("the change is alone")
	}
	return p.Store.Apply(ctx, c)
}
