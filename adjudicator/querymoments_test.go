package adjudicator_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/mail"
	"samizdat/rules/dawn1989"
)

// questions are all that a letter may ask.
var questions = []string{"STATUS", "HISTORY", "HISTORY 1", "STATS", "HAND", "CARD 40", "CARD Walesa", "DISCARDS", "RULES", "RULES scoring", "MAP", "MAP BIG",
	"RESEND", "RESEND 1", "RESEND 2", "POSITION", "HELP", "SHOW ORDERS", "PREVIEW"}

// TestQuestionsAtAnyMoment: every question is answered at every moment of a match,
// in reply to the newest letter and to the oldest, and changes nothing.
func TestQuestionsAtAnyMoment(t *testing.T) {
	t.Parallel()
	for moment, tt := range []struct {
		name  string
		reach func(t *testing.T) (*club, string)
		// dealt: the match has begun.
		dealt bool
	}{
		{"before the deal", func(t *testing.T) (*club, string) {
			c := newClub(t, dawn1989.Game())
			m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{address("democrat"), address("communist")}})
			if err != nil {
				t.Fatal(err)
			}
			c.deliver()
			c.sends("democrat", "JOIN")
			return c, m.ID
		}, false},
		{"set-up", func(t *testing.T) (*club, string) {
			c, id := sampleAfter(t, 2)
			return c, id
		}, true},
		{"action rounds", func(t *testing.T) (*club, string) {
			c, id := sampleAfter(t, 9)
			return c, id
		}, true},
		{"power struggle", func(t *testing.T) (*club, string) {
			c, id := sampleAfter(t, 38)
			return c, id
		}, true},
		{"over", func(t *testing.T) (*club, string) {
			c, id := begun(t, dawn1989.Game(), dawnSeats...)
			answerOften(t, c, dawn1989.Game(), id, dawnSeats, 2000, rand.New(rand.NewPCG(13, 3))) // a short match
			if m, err := c.db.Match(t.Context(), id); err != nil || m.State != match.Over {
				t.Fatalf("the match is not over: %v", err)
			}
			return c, id
		}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := tt.reach(t)
			before := c.export(id, true)
			for s, seat := range dawnSeats {
				other := dawnSeats[0]
				if seat == other {
					other = dawnSeats[1]
				}
				oldest := c.mailbox[address(seat)][0].ReplyTo[0]
				had := len(c.mailbox[address(other)])
				for i, q := range questions {
					if (i+2*s+moment)%long.N(4, 1) > 0 {
						continue // In an ordinary run a question is asked of one seat at every second moment.
					}
					m := c.letter(seat, q)
					times := 2
					if i%long.N(3, 1) > 0 {
						times = 1 // In an ordinary run the oldest is answered with every third.
					}
					for range times {
						f := c.receive(m)
						text := c.last(seat).Text
						answered := strings.Contains(text, "\n- "+q+": done")
						if tt.dealt && (f != mail.Done || !answered) || !tt.dealt && !answered && !strings.Contains(text, "\n- \""+q+"\": ignored") && !strings.Contains(text, "\n- \""+q+"\": not understood") {
							t.Errorf("%s to the %s is filed in %s:\n%.900s", q, seat, f, text)
						}
						narrow(t, text)
						m = c.letter(seat, q)
						m.To = oldest
					}
				}
				if len(c.mailbox[address(other)]) != had {
					t.Errorf("the questions of the %s are told to the %s", seat, other)
				}
			}
			if !bytes.Equal(before, c.export(id, true)) {
				t.Error("a question changed the match")
			}
		})
	}
}

// TestBeforeTheDeal: whoever is invited can read about the rules and write to the
// others, and nothing in a message joins.
func TestBeforeTheDeal(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{address("democrat"), address("communist")}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	wants(t, c.sends("democrat", "RULES scoring").Text, "- RULES scoring: done", "RULES: SCORING", "Presence")
	wants(t, c.sends("democrat", "MAP").Text, "- MAP: done There is nothing to show before the match begins.")
	c.sends("democrat", "MESSAGE\nJOIN me on Sunday?\nEND MESSAGE")
	wants(t, c.last("communist").Text, "The Democrat has written to you", "| JOIN me on Sunday?")
	now, err := c.db.Match(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	if now.Seats[0].Joined {
		t.Error("a message has joined")
	}
}

// TestQueriesHide exchanges what a seat must not know: the answers to its
// questions, asked one by one and all together, stay the same to the byte.
func TestQueriesHide(t *testing.T) {
	t.Parallel()
	for n, tt := range []struct {
		name    string
		letters int
		reader  string
		change  func(o *record.Outcome) bool
	}{
		{"the Democrat's hand", 6, "communist", swap("democrat", 35, 5, 39, 38, 12, 29)},
		{"the Democrat's scoring card", 6, "communist", swap("democrat", 35, 23)},
		{"the Communist's hand", 5, "democrat", swap("communist", 27, 20, 22, 23, 34, 11)},
		{"the Democrat's struggle hand", 35, "communist", swap("democrat", "Church Leader", "Support Surges", "March-5", "March-6")},
		{"the Communist's struggle hand", 35, "democrat", swap("communist", "Worker Leader", "Support Falters", "Strike-6", "Scare Tactics")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			one, _ := sampleAfter(t, tt.letters)
			two, _ := changedSample(t, tt.name, tt.change, tt.letters)
			for i, q := range append([]string{strings.Join(questions[:len(questions)-1], "\n"), "PREVIEW\nPLAY 27 OPS PLACE Lodz\nPASS"}, questions...) {
				if i > 1 && (i+n)%long.N(2, 1) > 0 {
					continue // In an ordinary run every second is asked alone.
				}
				a, b := one.sends(tt.reader, q), two.sends(tt.reader, q)
				if unhashed(a).Text != unhashed(b).Text {
					t.Errorf("the answer to %s tells what it must not:\n%s\n\n%s", q, a.Text, b.Text)
				}
			}
			if owner := other(tt.reader); one.sends(owner, "POSITION\nRESEND 2").Text == two.sends(owner, "POSITION\nRESEND 2").Text {
				t.Error("the exchange has changed nothing for its owner: the test proves nothing")
			}
		})
	}
}

// TestPosition: the answer to POSITION holds what the seat sees, whatever its letters
// look like, and no more.
func TestPosition(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 8)
	for _, format := range []string{"FORMAT TEXT", "FORMAT UTF8", "PLAIN", "FORMAT HTML"} {
		c.sends("communist", format)
		text := c.sends("communist", "POSITION").Text
		narrow(t, text)
		for name, written := range map[string]string{"as it came": text, "quoted": "Hello\n> " + strings.ReplaceAll(text, "\n", "\n> "),
			"with other line ends": strings.ReplaceAll(text, "\n", "\r\n")} {
			p, err := compose.FindSeatView(written)
			if err != nil {
				t.Fatalf("%s, %s: %v", format, name, err)
			}
			view, err := dawn1989.Game().DecodeView(p.View, 1)
			if err != nil || p.Seat != "communist" {
				t.Fatalf("%s, %s: %v", format, name, err)
			}
			if n := len(dawn1989.Game().Imagine(view)); n == 0 {
				t.Errorf("%s, %s: nothing can be imagined", format, name)
			}
		}
	}
	golden(t, "query/position.txt", answerText(c.sends("democrat", "POSITION")))
	if _, err := compose.FindSeatView("Hello"); err == nil {
		t.Error("a position was found where there is none")
	}
}
