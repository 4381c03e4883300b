package adjudicator_test

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/contact"
	"samizdat/mail/message"
)

// TestOperatorAgainstForger: whoever forges a player's letters does not keep the operator
// from helping him, neither by a request that is open nor by as many as count.
func TestOperatorAgainstForger(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	for i := range 3 {
		if i > 0 {
			c.sends("democrat", "ADDRESS KEEP")
		}
		c.asks("democrat", fmt.Sprintf("ADDRESS thief%d@players.test", i))
	}
	yes := c.letter("thief2", "YES")
	c.receive(yes)
	had := c.got("thief2")
	due, err := c.adj.StartAddressChange(t.Context(), id, 0, "true@players.test")
	if err != nil || !due.Equal(c.now.Add(3*day)) {
		t.Fatalf("due %s, %v", due, err)
	}
	c.deliver()
	wants(t, c.last("democrat").Text, "to true@players.test from now on", "The earlier requested change is cancelled.")
	if c.got("thief2") != had+1 {
		t.Errorf("the address that said YES got %d letters", c.got("thief2")-had)
	}
	wants(t, c.take("thief2").Text, "The change of address requested in match "+id+" is cancelled.")
	yes.MessageID = "again@x"
	c.receive(yes)
	if n := len(c.seat(id, "democrat").Player.RequestTimes); n != 3 {
		t.Errorf("%d requests are counted", n)
	}
	wants(t, c.sends("democrat", "ADDRESS thief3@players.test").Text, "is asked for already")
	// The operator has mistyped it.
	if _, err := c.adj.StartAddressChange(t.Context(), id, 0, "new@players.test"); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.due(4 * day)
	if c.at(id) != "new@players.test" {
		t.Errorf("the letters go to %s", c.at(id))
	}
}

// unnumbered is the number that a letter says it has.
var unnumbered = regexp.MustCompile(`letter \d+ to you`)

// TestKeepSeat: the operator ends a request as the player would, in reply to the notice.
func TestKeepSeat(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"forger", "operator"} {
		t.Run(by, func(t *testing.T) {
			t.Parallel()
			c, id := sampleClub(t)
			rival, key := c.letters("communist"), c.seat(id, "democrat").Key
			leaked := c.letter("democrat", "ADDRESS more@players.test")
			if by == "operator" {
				if _, err := c.adj.StartAddressChange(t.Context(), id, 0, "new@players.test"); err != nil {
					t.Fatal(err)
				}
				c.deliver()
			} else {
				c.asks("democrat", "ADDRESS new@players.test")
				c.receive(c.letter("new", "YES"))
			}
			had := c.got("new")
			if err := c.adj.CancelAddressChange(t.Context(), id, 0); err != nil {
				t.Fatal(err)
			}
			c.deliver()
			golden(t, "addresses/kept-by-operator.txt", unnumbered.ReplaceAllString(cutMap(c.last("democrat").Text), "letter N to you"))
			if want := map[string]int{"forger": 1}[by]; c.got("new") != had+want {
				t.Errorf("the new address got %d letters, want %d", c.got("new")-had, want)
			}
			seatState := c.seat(id, "democrat")
			if seatState.Player.Request != nil || bytes.Equal(seatState.Key, key) {
				t.Errorf("the seat is %+v", seatState)
			}
			c.receive(leaked)
			if c.seat(id, "democrat").Player.Request != nil {
				t.Error("a letter from before is still good")
			}
			c.mailbox[address("democrat")] = slicesWith(c.mailbox[address("democrat")], func(l message.Letter) bool { return strings.Contains(l.Subject, id) })
			wants(t, c.sends("democrat", "STATUS").Text, "STATUS: done")
			c.due(8 * day)
			if c.at(id) != "democrat@players.test" || c.letters("communist") != rival {
				t.Errorf("the letters go to %s; the other player got %d", c.at(id), c.letters("communist")-rival)
			}
			if err := c.adj.CancelAddressChange(t.Context(), id, 0); !errors.Is(err, contact.ErrNoRequest) {
				t.Errorf("twice: %v", err)
			}
			if err := c.adj.CancelAddressChange(t.Context(), id, 7); err == nil {
				t.Error("there is a seat 7")
			}
		})
	}
}

// TestOperatorDelayed: what another player asks the old address does not hold the
// operator's change up.
func TestOperatorDelayed(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	if _, err := c.adj.StartAddressChange(t.Context(), id, 0, "new@players.test"); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	for range 2 {
		c.due(29 * time.Hour)
		c.asks("communist", "ADDRESS democrat@players.test")
		c.sends("communist", "ADDRESS KEEP")
	}
	c.due(14 * time.Hour)
	if c.at(id) != "new@players.test" {
		t.Error("the other player's question holds it up")
	}
}

// TestOperatorExact: three days are three days after the notice went out.
func TestOperatorExact(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	if _, err := c.adj.StartAddressChange(t.Context(), id, 0, "new@players.test"); err != nil {
		t.Fatal(err)
	}
	c.now = c.now.Add(50*time.Minute + 300*time.Millisecond)
	c.deliver()
	c.due(3*day - 200*time.Millisecond)
	if c.at(id) != "democrat@players.test" {
		t.Error("it has happened too early")
	}
	c.due(200 * time.Millisecond)
	if c.at(id) != "new@players.test" {
		t.Error("it has not happened")
	}
}

// TestClockBehind: three days do not pass in a moment when the clock ran behind and is
// set right.
func TestClockBehind(t *testing.T) {
	t.Parallel()
	for _, behind := range []time.Duration{19 * 365 * day, 4 * day} {
		for _, by := range []string{"operator", "player", "player, late YES"} {
			t.Run(fmt.Sprint(by, behind), func(t *testing.T) {
				t.Parallel()
				c, id := sampleClub(t)
				right := c.now.Add(time.Hour)
				c.now = c.now.Add(-behind)
				c.due(0)
				if by == "operator" {
					if _, err := c.adj.StartAddressChange(t.Context(), id, 0, "new@players.test"); err != nil {
						t.Fatal(err)
					}
					c.deliver()
				} else {
					c.asks("democrat", "ADDRESS new@players.test")
				}
				if by == "player" {
					c.receive(c.letter("new", "YES"))
				}
				c.due(0)
				c.now = right
				c.due(0)
				if by == "player, late YES" {
					if behind > 7*day {
						return // It has expired.
					}
					c.receive(c.letter("new", "YES"))
				}
				c.due(3*day - 2*time.Minute)
				if c.at(id) != "democrat@players.test" {
					t.Fatal("it has happened too early")
				}
				c.due(2 * time.Minute)
				if c.at(id) != "new@players.test" {
					t.Error("it has not happened")
				}
			})
		}
	}
}
