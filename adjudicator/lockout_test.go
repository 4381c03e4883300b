package adjudicator_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
)

// answerable fails unless the newest letter that a seat has got bears a token which the
// seat's key made.
func (c *club) answerable(t *testing.T, id, name string) {
	t.Helper()
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	seat := seatNumber(t, name)
	s := m.Seats[seat]
	if want, got := c.codec.ReplyTo(c.codec.Token(s.Key, exchange.Token{Match: id, Seat: seat, Number: s.LastLetter})), c.lastOfMatch(name).ReplyTo[0]; got != want {
		t.Fatalf("the newest letter to %s is to be answered to %s, and only %s is good", name, got, want)
	}
}

// lastOfMatch is the newest letter to a seat that is one of the match's.
func (c *club) lastOfMatch(name string) message.Letter {
	c.t.Helper()
	box := c.mailbox[address(name)]
	for i := len(box) - 1; i >= 0; i-- {
		if len(box[i].ReplyTo) > 0 && !strings.HasPrefix(box[i].MessageID, "address-") {
			return box[i]
		}
	}
	c.t.Fatalf("%s has no letter of the match", name)
	return message.Letter{}
}

// allowance is a limiter with so many permissions left, for whatever they are taken.
type allowance int

// Allow implements conversation.Limiter.
func (n *allowance) Allow(context.Context, string, string) time.Duration {
	if *n == 0 {
		return time.Hour
	}
	*n--
	return 0
}

// exhausted is a match whose next player has used up the answers of every sort.
func exhausted(t *testing.T) (c *club, id, seat, line string) {
	t.Helper()
	c, id, seat, line = inTurn(t, rulestest.Game())
	c.adj.ReplyLimits = new(allowance)
	return c, id, seat, line
}

// key is the key of a seat's tokens.
func (c *club) key(t *testing.T, id, name string) string {
	t.Helper()
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return string(m.Seats[seatNumber(t, name)].Key)
}

const copied = "Cc: tickets@players.test\n"

// TestNoNewTokenWithoutLetter: a letter whose answer is left out leaves the token good
// that its writer has, whatever it says. The next letter to him, whatever brings it,
// makes up for it: it has a new token, and the old one is good for nothing.
func TestNoNewTokenWithoutLetter(t *testing.T) {
	t.Parallel()
	unanswered := map[string]struct{ more, text string }{
		"talk that others got":         {copied, "We have received your request."},
		"a question that others got":   {copied, "STATUS"},
		"a format that others got":     {copied, "FORMAT TEXT"},
		"orders held back, others got": {copied, "GRACE 1 hour\nLINE"},
		"new token":                    {"", "NEW TOKEN"},
		"new token, and others got it": {copied, "NEW TOKEN\nHELP"},
	}
	makesUp := map[string]func(c *club, id, seat, line string){
		"a question": func(c *club, _, seat, _ string) {
			c.adj.ReplyLimits = nil
			c.sends(seat, "STATUS")
		},
		"an order": func(c *club, _, seat, line string) { c.sends(seat, line+"\nNOW") },
		"a message of another": func(c *club, _, seat, _ string) {
			c.adj.ReplyLimits = nil
			other := orchards[0]
			if other == seat {
				other = orchards[1]
			}
			c.sends(other, "MESSAGE\nhello\nEND MESSAGE")
		},
		"a letter of the operator": func(c *club, id, seat, _ string) {
			if _, err := c.adj.Resend(t.Context(), id, seatNumber(t, seat)); err != nil {
				t.Fatal(err)
			}
			c.deliver()
		},
	}
	for name, h := range unanswered {
		for how, makeUp := range makesUp {
			t.Run(strings.ReplaceAll(name+", then "+how, " ", "-"), func(t *testing.T) {
				t.Parallel()
				c, id, seat, line := exhausted(t)
				before, had := c.key(t, id, seat), c.last(seat)
				for i := range 3 {
					if n := c.writes(t, address(seat), had.ReplyTo[0], i, h.more, strings.ReplaceAll(h.text, "LINE", line)); n != 0 {
						t.Fatalf("letter %d is answered %d times", i, n)
					}
					if c.key(t, id, seat) != before {
						t.Fatalf("letter %d has changed the key, and nobody was told", i)
					}
					c.answerable(t, id, seat)
				}
				makeUp(c, id, seat, line)
				if c.key(t, id, seat) == before {
					t.Error("the key is what it was")
				}
				c.answerable(t, id, seat)
				wants(t, c.last(seat).Text, "Our reply address for you has changed")
				if n := c.writes(t, address(seat), had.ReplyTo[0], 10, "", "FORMAT HTML"); n == 1 && strings.Contains(c.last(seat).Text, "FORMAT") {
					t.Errorf("the old token is good still:\n%s", c.last(seat).Text)
				}
			})
		}
	}
}

// TestRobotAnsweredSlowly: a robot that copies somebody in, or asks for a new token, and
// is no answer to any letter, is answered now and then; what it was sent last can be
// answered all the time.
func TestRobotAnsweredSlowly(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]struct{ more, text string }{"copies": {copied, "Received."}, "new token": {"", "NEW TOKEN"}} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			c, id, seat, _ := inTurn(t, rulestest.Game())
			c.limited()
			answers, keys := 0, map[string]bool{}
			hours := long.N(20, 50)
			for i := range 6 * hours {
				c.now = c.now.Add(10 * time.Minute)
				answers += c.writes(t, address(seat), c.last(seat).ReplyTo[0], i, l.more, l.text)
				keys[c.key(t, id, seat)] = true
				c.answerable(t, id, seat)
			}
			// 20 of each of two sorts, and of each one in the hour.
			if answers < 10+hours || answers > 2*(20+hours+1) {
				t.Errorf("it is answered %d times in %d hours", answers, hours)
			}
			if len(keys) != answers && len(keys) != answers+1 {
				t.Errorf("%d answers and %d keys", answers, len(keys))
			}
		})
	}
}

// TestAddressesAreAnswered: orders about addresses that change the token are answered
// also when there were too many: how often they can be given is bounded, and the player's
// other addresses are told as well.
func TestAddressesAreAnswered(t *testing.T) {
	t.Parallel()
	t.Run("KEEP by the notice", func(t *testing.T) {
		t.Parallel()
		c, id := sampleClub(t)
		_, n := c.asks("democrat", "ADDRESS ada@elsewhere.test")
		c.adj.ReplyLimits = new(allowance)
		had := c.last("democrat")
		c.receive(c.reply(n, "democrat", "ADDRESS KEEP"))
		a := c.last("democrat")
		if a.MessageID == had.MessageID || !strings.Contains(a.Text, "The requested change of address is cancelled.") {
			t.Fatalf("it is answered with\n%s", a.Text)
		}
		m, err := c.db.Match(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.codec.ReplyTo(c.codec.Token(m.Seats[0].Key, exchange.Token{Match: id, Number: m.Seats[0].LastLetter})); a.ReplyTo[0] != got {
			t.Error("the answer has no good token")
		}
		// It cannot be repeated.
		if f := c.receive(c.reply(n, "democrat", "ADDRESS KEEP")); f == mail.Done {
			t.Errorf("a second one is filed in %s", f)
		}
	})
	t.Run("copied to others", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleClub(t)
		c.adj.ReplyLimits = new(allowance)
		if n := c.writes(t, address("democrat"), c.last("democrat").ReplyTo[0], 1, copied, "ADDRESS ada@elsewhere.test"); n == 0 {
			t.Fatal("do not answer it")
		}
		*c.adj.ReplyLimits.(*allowance) = 1
		if n := c.writes(t, address("democrat"), c.lastOfMatch("democrat").ReplyTo[0], 2, "", "STATUS"); n != 1 {
			t.Error("what came cannot be answered")
		}
	})

}
