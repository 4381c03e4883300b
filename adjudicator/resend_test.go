package adjudicator_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// seatNumber is the number of a seat of Three Orchards.
func seatNumber(t *testing.T, name string) rules.Seat {
	t.Helper()
	for i, s := range orchards {
		if s == name {
			return rules.Seat(i)
		}
	}
	t.Fatalf("there is no seat %s", name)
	return rules.NoSeat
}

// TestResend: a player who has lost his letters gets one that says what STATUS says, and
// that he can answer. Nobody else is told, and the match stays as it is.
func TestResend(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	status := c.sends(seat, "STATUS").Text
	before, kept := c.mailed(), c.export(id, true)
	was, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.adj.Resend(t.Context(), id, seatNumber(t, seat))
	if err != nil {
		t.Fatal(err)
	}
	if r.To != address(seat) {
		t.Errorf("it goes to %s", r.To)
	}
	c.deliver()
	if n := c.mailed(); n != before+1 {
		t.Errorf("%d letters went out, want 1", n-before)
	}
	if string(c.export(id, true)) != string(kept) {
		t.Error("the match has another record")
	}
	is, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	was.Seats[seatNumber(t, seat)].LastLetter++
	was.Version++
	if d := cmp.Diff(was, is, cmp.AllowUnexported(record.Secret{})); d != "" {
		t.Errorf("the match has changed (-was +is):\n%s", d)
	}
	l := c.last(seat)
	narrow(t, l.Text)
	golden(t, "resend/letter.txt", l.Text)
	_, stands, ok := strings.Cut(status, "\nYOUR DECISION")
	n := is.Seats[seatNumber(t, seat)].LastLetter
	stands = strings.Replace(stands, fmt.Sprintf("letter %d to you", n-1), fmt.Sprintf("letter %d to you", n), 1)
	if !ok || !strings.HasSuffix(l.Text, stands) || !strings.Contains(l.Text, "It is your move.") {
		t.Errorf("the letter:\n%s\nSTATUS says:\n%s", l.Text, status)
	}
	if a := c.sends(seat, line); !strings.Contains(a.Text, ": done") {
		t.Errorf("an order in reply to it is answered with\n%s", a.Text)
	}
}

// mailed counts the letters that all have got.
func (c *club) mailed() int {
	n := 0
	for _, box := range c.mailbox {
		n += len(box)
	}
	return n
}

// TestResendBeforeTheBeginning: before a match begins the letter tells how to join,
// without the addresses that others may have now.
func TestResendBeforeTheBeginning(t *testing.T) {
	t.Parallel()
	c, id := invited(t)
	resend := func(name string) string {
		t.Helper()
		if _, err := c.adj.Resend(t.Context(), id, seatNumber(t, name)); err != nil {
			t.Fatal(err)
		}
		c.deliver()
		return c.last(name).Text
	}
	invitation := resend("north")
	golden(t, "resend/invitation.txt", invitation)
	narrow(t, invitation)
	if strings.Contains(invitation, address("east")) {
		t.Errorf("it names another's address:\n%s", invitation)
	}
	c.sends("north", "JOIN")
	if text := resend("north"); strings.Contains(text, "write JOIN") || !strings.Contains(text, "waiting for the east and the west to join") {
		t.Errorf("who has joined gets\n%s", text)
	}
}

// TestResendNowhere: what there is not is not written to.
func TestResendNowhere(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	if _, err := c.adj.Resend(t.Context(), "mnowhere", 0); !errors.Is(err, exchange.ErrNoMatch) {
		t.Errorf("of no match: %v", err)
	}
	if _, err := c.adj.Resend(t.Context(), id, 3); err == nil {
		t.Error("there is a fourth seat")
	}
}

// beaten is a store in which another letter is taken up between reading and writing,
// so many times.
type beaten struct {
	exchange.Store
	times int
}

func (o *beaten) Apply(ctx context.Context, c exchange.Change) error {
	if o.times > 0 {
		o.times--
		return match.ErrConflict
	}
	return o.Store.Apply(ctx, c)
}

// TestResendMeanwhile: when the match moves on meanwhile the letter is written anew, and
// one is queued.
func TestResendMeanwhile(t *testing.T) {
	t.Parallel()
	c, id, seat, _ := inTurn(t, rulestest.Game())
	c.adj.Store = &beaten{Store: c.db, times: 3}
	before := c.mailed()
	if _, err := c.adj.Resend(t.Context(), id, seatNumber(t, seat)); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	if n := c.mailed() - before; n != 1 {
		t.Errorf("%d letters went out, want 1", n)
	}
	c.adj.Store = &beaten{Store: c.db, times: 1000}
	if _, err := c.adj.Resend(t.Context(), id, seatNumber(t, seat)); !errors.Is(err, match.ErrConflict) {
		t.Errorf("without end: %v", err)
	}
}
