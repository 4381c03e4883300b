package adjudicator_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

const aYear = 365 * 24 * time.Hour

// waits are the ways in which something of a match waits for the clock. Each begins in
// a fresh match, and is over after its span at most, with another history or with
// another address.
var waits = []struct {
	name string
	span time.Duration
	// after is after how many letters of the sample turn it begins.
	after int
	begin func(c *club, id string)
}{
	{"grace", 2 * time.Hour, 0, func(c *club, _ string) {
		c.sends("communist", "GRACE 2 hours\nPLACE Miskolc, Debrecen")
	}},
	{"delay", 6 * time.Hour, 12, func(c *club, _ string) {
		c.sends("communist", "DELAY 6 hours\nANSWER 10 PLACE Brasov 2, Ploiesti 2")
		c.sends("democrat", "PLAY 10 OPS EVENT FIRST")
	}},
	{"address", 3 * 24 * time.Hour, 0, func(c *club, id string) {
		if _, err := c.adj.StartAddressChange(c.t.Context(), id, rules.Seat(1), "new@players.test"); err != nil {
			c.t.Fatal(err)
		}
		c.deliver()
	}},
}

// stands is what is other when a wait is over.
func (c *club) stands(id string) string {
	c.t.Helper()
	m, err := c.db.Match(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return fmt.Sprint(m.EntryCount, m.Seats[1].Player.Address)
}

// over is when something of a match is due next.
func (c *club) over(id string) time.Time {
	c.t.Helper()
	m, err := c.db.Match(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	if at := m.Seats[1].Player.Due(); !at.IsZero() {
		return at
	}
	return m.NextDue()
}

// TestClockJumps: what waits is over after its own time from the moment when a clock
// that ran ahead is right, and not before. A clock that goes back less far than to the
// beginning changes nothing, and one that leaps ahead ends the wait, but for a change of
// address: then it begins anew.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	for _, w := range waits {
		for _, restart := range []bool{false, true} {
			for _, ahead := range []time.Duration{time.Minute, 5 * time.Hour, 100 * time.Hour, 30 * aYear} {
				t.Run(fmt.Sprintf("%s, %v ahead, restart %v", w.name, ahead, restart), func(t *testing.T) {
					t.Parallel()
					c, id := sampleAfter(t, w.after)
					right := c.now.Add(time.Hour)
					c.now = right.Add(ahead)
					w.begin(c, id)
					began, before := c.now, c.stands(id)
					if n := c.due(0); n != 0 || c.stands(id) != before {
						t.Fatal("it does not wait")
					}
					if restart {
						c.reopen()
					}
					c.now = began.Add(-ahead)
					set := c.now
					if n := c.due(0); n != 0 || c.stands(id) != before {
						t.Fatal("it was over when the clock was set back")
					}
					// Another look must not let it begin once more.
					for range 3 {
						c.due(w.span / 8)
					}
					if restart {
						c.reopen()
					}
					if at := c.over(id); at.After(set.Add(w.span)) || !at.After(set) {
						t.Errorf("it is over at %v, the clock was set at %v", at, set)
					}
					remaining := set.Add(w.span).Sub(c.now)
					if w.name == "address" && ahead < w.span {
						// The notice seems to have gone out so much later: the old address gets that
						// time on top, and no more.
						if c.due(remaining); c.stands(id) != before {
							t.Error("it was over before the notice was old enough")
						}
						remaining = ahead
					}
					if n := c.due(remaining); n != 1 || c.stands(id) == before {
						t.Errorf("%d things were done, it stands %v", n, c.stands(id))
					}
					if n := c.due(2 * aYear); n != 0 {
						t.Errorf("%d things were done once more", n)
					}
				})
			}
		}
		t.Run(w.name+", a little back", func(t *testing.T) {
			t.Parallel()
			c, id := sampleAfter(t, w.after)
			w.begin(c, id)
			told := c.over(id)
			c.due(time.Minute)
			c.due(-30 * time.Second)
			if at := c.over(id); !at.Equal(told) {
				t.Errorf("it is over at %v and not at %v", at, told)
			}
		})
		t.Run(w.name+", a leap ahead", func(t *testing.T) {
			t.Parallel()
			c, id := sampleAfter(t, w.after)
			w.begin(c, id)
			before := c.stands(id)
			c.due(0)
			if n := c.due(30 * aYear); n != 1 || (c.stands(id) == before) != (w.name == "address") {
				t.Errorf("%d things were done", n)
			}
			if w.name == "address" {
				if c.due(w.span - time.Minute); c.stands(id) != before {
					t.Error("it was over too early")
				}
				if c.due(time.Minute); c.stands(id) == before {
					t.Error("it was not over")
				}
			}
			if n := c.due(-30 * aYear); n != 0 {
				t.Errorf("%d things were done once more when the clock was right", n)
			}
		})
	}
}

// TestClockJumpsObserved: the same of letters to those who observe, and of the history
// that they can ask for.
func TestClockJumpsObserved(t *testing.T) {
	t.Parallel()
	for _, ahead := range []time.Duration{5 * time.Hour, 30 * aYear} {
		for _, restart := range []bool{false, true} {
			c, id := watched(t, daysLate, taskNone)
			c.joinAll(dawnSeats...)
			c.watches("ann", id)
			right := c.now
			c.now = right.Add(ahead)
			sampleLetters(t, c, 3)
			c.now = right
			goesOut := func(at time.Time) (n int) {
				out, err := c.box().Due(t.Context(), at, 1000)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range out {
					if o.To == address("ann") {
						n++
					}
				}
				return n
			}
			if n := goesOut(right); n != 0 {
				t.Errorf("%v: %d letters go out when the clock is set back", ahead, n)
			}
			if restart {
				c.reopen()
			}
			if n := goesOut(right.Add(3*24*time.Hour - time.Minute)); n != 0 {
				t.Errorf("%v: %d letters go out early", ahead, n)
			}
			if n := goesOut(right.Add(3 * 24 * time.Hour)); n < 3 {
				t.Errorf("%v: %d letters go out", ahead, n)
			}
			// With the next entry, what was written by the wrong clock can be told.
			if got := c.sends("ann", "HISTORY").Text; !strings.Contains(got, "There is nothing to show yet.") {
				t.Errorf("%v: the history is told early:\n%s", ahead, got)
			}
			sampleLetter(t, c, 3)
			c.now = c.now.Add(3 * 24 * time.Hour)
			c.deliver()
			if got := c.sends("ann", "HISTORY").Text; !strings.Contains(got, "WHAT HAPPENED IN TURN 1") {
				t.Errorf("%v: the history is not told:\n%s", ahead, got)
			}
		}
	}
}

// TestDueOfOthers: a match that fails does not stop another; one that is not to be
// tried yet is left alone; and a panic is an error.
func TestDueOfOthers(t *testing.T) {
	t.Parallel()
	c, bad := sampleClub(t)
	c.sends("communist", "GRACE 1 hour\nPLACE Miskolc, Debrecen")
	c.store = func(s exchange.Store) exchange.Store { return &halfBroken{s, bad} }
	c.reopen()
	c.now = c.now.Add(2 * time.Hour)
	asked := 0
	notYet := func(id string) bool {
		asked++
		return false
	}
	n, failed, err := c.adj.RunDueTasks(t.Context(), c.now, notYet)
	var p *adjudicator.PanicError
	if err != nil || n != 0 || asked != 1 || !errors.As(failed[bad], &p) || p.Value != "broken" || !strings.Contains(p.Stack, "runDueTask") {
		t.Errorf("%d done, %d asked, failed: %v; %v", n, asked, failed, err)
	}
	n, failed, err = c.adj.RunDueTasks(t.Context(), c.now, func(string) bool { return true })
	if err != nil || n != 0 || len(failed) != 0 {
		t.Errorf("%d done, failed: %v; %v", n, failed, err)
	}
}

// halfBroken is a store with a match that cannot be read.
type halfBroken struct {
	exchange.Store
	bad string
}

func (h *halfBroken) Match(ctx context.Context, id string) (*match.Match, error) {
	if id == h.bad {
		panic("broken")
	}
	return h.Store.Match(ctx, id)
}
