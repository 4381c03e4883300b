package adjudicator_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/test/rulestest"
)

// TestObserversSeeNothingHidden exchanges hidden cards, as TestHiddenStaysHidden
// does, with the same letters by both players. What waits for an observer, down to
// the dates and the Message-IDs, is the same to the byte, but for the tokens.
func TestObserversSeeNothingHidden(t *testing.T) {
	t.Parallel()
	// The line between the parts is made from the Message-ID.
	token := regexp.MustCompile(`(-o\d+-\d+-)[a-z2-7]{16}|=_[0-9a-f]{25}`)
	for _, tt := range hiddenCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var all [2]string
			var hands [2]string
			for i, change := range []change{taskNone, tt.change} {
				c, id := watched(t, daysLate, change)
				c.watches("ann", id)
				c.joinAll(dawnSeats...)
				for n := range tt.letters {
					c.adj.LetterOptions.HTML = n >= tt.since
					sampleLetter(t, c, n)
				}
				c.sends("ann", "STATUS\nHISTORY\nSTATS\nDISCARDS\nMAP")
				all[i] = string(bytes.Join(c.waiting("ann"), nil)) + c.last("ann").Text
				hands[i] = c.last("democrat").Text + c.last("communist").Text
			}
			if d := cmp.Diff(token.ReplaceAllString(all[0], "$1"), token.ReplaceAllString(all[1], "$1")); d != "" {
				t.Errorf("an observer is told what he must not know:\n%s", d)
			}
			if hands[0] == hands[1] || len(all[0]) < 1000 {
				t.Error("the exchange has changed nothing: the test proves nothing")
			}
		})
	}
}

// TestObserversHearNothingPrivate: what only one player knows brings no letter, and
// no number is left out for it.
func TestObserversHearNothingPrivate(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	id := c.inviteObserved(openly, "orchards", nil, orchards...)
	c.watches("ann", id)
	c.joinAll(orchards...)
	g := rulestest.Game()
	silent := func(what string, f func()) {
		t.Helper()
		had := c.got("ann")
		f()
		if n := c.got("ann") - had; n != 0 {
			t.Errorf("%s brought %d letters:\n%s", what, n, c.last("ann").Text)
		}
	}
	silent("a message", func() { c.sends("north", "MESSAGE\nHi\nEND MESSAGE") })
	silent("a query", func() { c.sends("east", "HISTORY") })
	silent("a format", func() { c.sends("east", "PLAIN") })
	silent("a refused order", func() { c.sends("east", "PLAY 99") })
	for range 400 {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		owed := pos.OpenDecisions(nil)
		if len(owed) > 1 {
			break
		}
		c.sends(orchards[owed[0].Seat], g.FormatOrder(rulestest.Pick(pos, owed[0], func(int) int { return 0 })))
	}
	silent("a sealed ballot", func() { c.sends("north", "VOTE SUN") })
	silent("another ballot", func() { c.sends("north", "VOTE RAIN") })
	silent("a private answer", func() {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range pos.OpenDecisions(nil) {
			if d.Private && !d.Sealed {
				c.sends(orchards[d.Seat], g.FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 })))
				return
			}
		}
		t.Fatal("no private question is open")
	})
	had := c.got("ann")
	c.sends("east", "VOTE SUN")
	c.sends("west", "VOTE SUN")
	if n := c.got("ann") - had; n != 1 {
		t.Errorf("the opened ballots brought %d letters", n)
	}
	for i, l := range c.mailbox[address("ann")][1:] {
		if want := fmt.Sprintf("%s-o1-%d-", id, i+1); !strings.HasPrefix(l.MessageID, want) {
			t.Errorf("letter %d is called %s, want %s", i, l.MessageID, want)
		}
	}
}

// TestObserversHearNothingAhead: a conditional order is nobody's business.
func TestObserversHearNothingAhead(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	c.watches("ann", id)
	c.joinAll(dawnSeats...)
	sampleLetters(t, c, 6)
	had := c.got("ann")
	if a := c.sends("democrat", "ANSWER LOSS REMOVE Poznan 2, Lodz 2\nSHOW ORDERS"); !strings.Contains(a.Text, "ANSWER LOSS") {
		t.Fatalf("nothing is kept:\n%s", a.Text)
	}
	if n := c.got("ann") - had; n != 0 {
		t.Errorf("an order ahead brought %d letters", n)
	}
}

// TestObserveLate: with a delay nothing is told early: no letter, no answer, and not
// whether anything waits.
func TestObserveLate(t *testing.T) {
	t.Parallel()
	c, id := watched(t, daysLate, taskNone)
	golden(t, "observe/invitation-late.txt", c.last("democrat").Text)
	c.receive(c.toReferee("ann", "OBSERVE "+id))
	golden(t, "observe/first-late.txt", c.sends("ann", "YES").Text)
	c.joinAll(dawnSeats...)
	c.watches("ben", id)
	if a, b := c.last("ann").Text, c.last("ben").Text; a != b {
		t.Errorf("the first letter tells whether the match has begun:\n%s", cmp.Diff(a, b))
	}
	had := c.got("ann")
	sampleLetters(t, c, 6)
	if c.got("ann") != had {
		t.Fatal("a letter came early")
	}
	early := c.sends("ann", "STATUS")
	golden(t, "observe/early.txt", early.Text)
	if !strings.Contains(early.ReplyTo[0], "-o1-1-") {
		t.Errorf("the answer tells how many letters wait: %s", early.ReplyTo[0])
	}
	wait := len(c.waiting("ann"))
	c.reopen()
	for range 4 {
		c.now = c.now.Add(24 * time.Hour)
		c.deliver()
	}
	if n := c.got("ann") - had - 1; n != wait || n < 3 {
		t.Errorf("%d letters came after the delay, want %d", n, wait)
	}
	if n := len(c.waiting("ben")); n != 0 {
		t.Errorf("%d letters still wait", n)
	}
	if text := c.sends("ann", "HISTORY").Text; !strings.Contains(text, "WHAT HAPPENED IN TURN 1") {
		t.Errorf("the history is not told after the delay:\n%s", text)
	}
}
