package adjudicator_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
)

// TestTakebackLateLetter: after a take-back the same question has the same id again. A
// letter that was written before answers the old one, legal as its order would be.
func TestTakebackLateLetter(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	late := c.letter("communist", "PLACE Gyor, Debrecen")
	plan := c.letter("communist", "GRACE 1 hour\nPLACE Gyor, Debrecen")
	c.sends("communist", "PLACE Miskolc, Debrecen")
	c.sends("communist", "TAKEBACK")
	c.sends("democrat", "TAKEBACK YES")
	for _, m := range []message.Draft{late, plan} {
		if f := c.receive(m); f != mail.Refused {
			t.Errorf("it was filed in %s", f)
		}
		if n := c.due(2 * time.Hour); n != 0 || len(entriesOf(t, c, id)) != 1 {
			t.Errorf("%d things were due, %d orders", n, len(entriesOf(t, c, id)))
		}
	}
	wants(t, c.sends("communist", "GRACE OFF\nPLACE Gyor, Debrecen").Text, "PLACE Gyor, Debrecen: done")
}

// TestTakebackRecord: the record of a match with the sealed stream, of which an order
// was taken back, verifies with its chain and its dice, before the end and after; an
// epoch that is not the next does not.
func TestTakebackRecord(t *testing.T) {
	t.Parallel()
	c, id := begun(t, dawn1989.Game(), dawnSeats...)
	for range 3 {
		c.sends("communist", "PLACE Miskolc, Debrecen")
		c.sends("communist", "TAKEBACK")
		c.sends("democrat", "TAKEBACK YES")
	}
	c.sends("communist", "PLACE Gyor, Debrecen")
	read := func(hidden bool) *record.Record {
		rec, err := record.Read(bytes.NewReader(c.export(id, hidden)))
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	rec := read(true)
	final, err := record.Replay(rec, dawn1989.Game(), nil)
	if err = errors.Join(err, record.VerifyChain(rec), record.VerifyStream(rec), record.VerifyChain(read(false))); err != nil {
		t.Fatal(err)
	}
	if data, err := final.Position.MarshalJSON(); err != nil || !bytes.Equal(data, c.position(id)) {
		t.Errorf("played again it comes to another position (%v)", err)
	}
	var epochs []int
	for _, entry := range rec.Entries() {
		epochs = append(epochs, entry.Epoch)
	}
	for i, want := range []int{0, 0, 1, 1, 2, 2, 3, 3} {
		if i >= len(epochs) || epochs[i] != want {
			t.Fatalf("the epochs are %v", epochs)
		}
	}
	rec.Entries()[2].Epoch = 5
	if record.VerifyChain(rec) == nil {
		t.Error("the chain does not bind the epoch")
	}
}

// TestTakebackOften: a player may ask three times a day, and another player's requests
// do not count. A request that is refused asks nobody, and does not count either.
func TestTakebackOften(t *testing.T) {
	t.Parallel()
	c, _ := sampleClub(t)
	wants(t, c.sends("communist", "TAKEBACK").Text, "TAKEBACK: refused You have no order to take back")
	sampleLetters(t, c, 2)
	for i := range 3 {
		wants(t, c.sends("communist", "TAKEBACK").Text, "TAKEBACK: done The Democrat has been asked")
		if i == 1 {
			c.reopen()
		}
		wants(t, c.sends("democrat", "TAKEBACK NO").Text, "TAKEBACK NO: done")
	}
	had := c.letters("democrat")
	wants(t, c.sends("communist", "TAKEBACK").Text, "TAKEBACK: refused You have asked 3 times today to take something back. You may ask again tomorrow (UTC).")
	if c.letters("democrat") != had {
		t.Error("the Democrat got a letter")
	}
	wants(t, c.sends("democrat", "TAKEBACK").Text, "TAKEBACK: done The Communist has been asked")
	wants(t, c.sends("democrat", "TAKEBACK OFF").Text, "TAKEBACK OFF: done")
	c.now = c.now.Add(15 * time.Hour)
	wants(t, c.sends("communist", "TAKEBACK").Text, "TAKEBACK: done The Democrat has been asked")
	// A clock that was set back lets nobody wait for days.
	c.now = c.now.Add(-100 * 24 * time.Hour)
	wants(t, c.sends("communist", "TAKEBACK OFF\nTAKEBACK").Text, "TAKEBACK: done The Democrat has been asked")
}

// dying is a store whose next change is the last: it fails before it is made, or is
// made and nobody hears of it.
type dying struct {
	exchange.Store
	before, after bool
}

var errDied = errors.New("the power is gone")

func (d *dying) Apply(ctx context.Context, c exchange.Change) error {
	if d.before {
		return errDied
	}
	if err := d.Store.Apply(ctx, c); err != nil || !d.after {
		return err
	}
	return errDied
}

// TestDueOnce: whenever the daemon dies over a letter that is due, the orders are
// carried out and answered once.
func TestDueOnce(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		c, id := sampleClub(t)
		c.sends("communist", "GRACE 1 hour\nPLACE Miskolc, Debrecen")
		had := c.letters("communist")
		c.store = func(s exchange.Store) exchange.Store { return &dying{s, !after, after} }
		c.reopen()
		c.now = c.now.Add(2 * time.Hour)
		if n, failed, err := c.adj.RunDueTasks(t.Context(), c.now, nil); err != nil || n != 0 || !errors.Is(failed[id], errDied) {
			t.Fatalf("%d things were done, %v failed, %v", n, failed, err)
		}
		c.store = nil
		c.reopen()
		for range 3 {
			c.due(time.Minute)
		}
		if n := len(entriesOf(t, c, id)); n != 1 || c.letters("communist") != had+1 {
			t.Errorf("after %v: %d orders, %d letters", after, n, c.letters("communist")-had)
		}
	}
}

// overtaken is a store in which something else happens just before a change is made.
type overtaken struct {
	exchange.Store
	meanwhile func()
}

func (o *overtaken) Apply(ctx context.Context, c exchange.Change) error {
	if f := o.meanwhile; f != nil {
		o.meanwhile = nil
		f()
	}
	return o.Store.Apply(ctx, c)
}

// TestDueAgainstLetter: a letter that comes while what is due is carried out makes a
// conflict: what was due finds that the letter has taken its place.
func TestDueAgainstLetter(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.sends("communist", "GRACE 1 hour\nPLACE Miskolc, Debrecen")
	m := c.letter("communist", "GRACE OFF\nPLACE Gyor, Debrecen")
	c.store = func(s exchange.Store) exchange.Store {
		return &overtaken{s, func() {
			if f, err := c.try(m); err != nil || f != mail.Done {
				t.Errorf("the letter was filed in %s (%v)", f, err)
			}
		}}
	}
	c.reopen()
	c.due(2 * time.Hour)
	if got := entriesOf(t, c, id); len(got) != 1 || got[0] != "communist PLACE Gyor, Debrecen" {
		t.Errorf("carried out: %q", got)
	}
}

// TestTakebackOfOver: a match that ends by an act asks for no take-back any more, so that it can be archived.
func TestTakebackOfOver(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.sends("communist", "PLACE Miskolc, Debrecen")
	c.sends("communist", "TAKEBACK")
	last := c.sends("democrat", "RESIGN "+id)
	wants(t, last.Text, "RESIGN "+id+": done")
	lacks(t, last.Text, "take back")
	if m := c.stored(id); m.State != match.Over || m.Takeback != nil {
		t.Errorf("the match is %s and asks for %+v", m.State, m.Takeback)
	}
}
