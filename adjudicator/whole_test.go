package adjudicator_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// TestCopiedOrders plays by copying orders out of the letters: whichever form a
// letter shows first is legal as it stands. The record of what came of it
// verifies.
func TestCopiedOrders(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		game    *rules.Game
		seats   []string
		letters int
	}{{rulestest.Game(), orchards, 400}, {dawn1989.Game(), dawnSeats, long.N(60, 2000)}} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s %d", tt.game.Name(), seed), func(t *testing.T) {
				t.Parallel()
				c := newClub(t, tt.game)
				c.rand = rand.NewChaCha8([32]byte{byte(seed)})
				c.reopen()
				id := c.match(tt.game.Name(), nil, tt.seats...)
				n, over := copyOrders(t, c, tt.game, id, tt.seats, tt.letters, rand.New(rand.NewPCG(seed, 1)))
				t.Logf("%d letters, over: %v", n, over)
				verified(t, c, tt.game, id)
			})
		}
	}
}

// copyOrders answers open questions, in any order, with the forms that the
// letters show.
func copyOrders(t *testing.T, c *club, g *rules.Game, id string, seats []string, maximum int, rnd *rand.Rand) (n int, over bool) {
	t.Helper()
	voted := map[rules.DecisionID]bool{}
	for n = range maximum {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, over := pos.Result(); over {
			return n, true
		}
		var owed []rules.Decision
		for _, d := range pos.OpenDecisions(nil) {
			if !voted[d.ID] {
				owed = append(owed, d)
			}
		}
		if len(owed) == 0 {
			t.Fatalf("after %d letters nobody is asked anything: %s", n, c.position(id))
		}
		d := owed[rnd.IntN(len(owed))]
		voted[d.ID] = d.Sealed
		options := pos.Options(nil, d.ID)
		if len(options) == 0 {
			return n, false // The game has no answer to this question yet.
		}
		forms := g.Prompt(pos.View(d.Seat), d, options).Forms
		if len(forms) == 0 {
			t.Fatalf("after %d letters no form is shown for %+v:\n%s", n, d, c.last(seats[d.Seat]).Text)
		}
		form := forms[0]
		if l := c.last(seats[d.Seat]); !strings.Contains(oneLine(l.Text), oneLine(form)) {
			t.Fatalf("letter of %s does not show %q:\n%s", seats[d.Seat], form, l.Text)
		}
		a := c.sends(seats[d.Seat], form)
		if strings.Contains(a.Text, ": refused") || strings.Contains(a.Text, ": ignored") {
			t.Fatalf("letter %d: %q is not taken as it stands:\n%s", n, form, a.Text)
		}
		narrow(t, a.Text)
	}
	return maximum, false
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestAnyLetters sends letters of every sort, good and bad, from any seat, with
// restarts, duplicates and replies to old letters in between. Every letter gets
// one answer, nothing is an error, and the record verifies.
func TestAnyLetters(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		game  *rules.Game
		seats []string
	}{{rulestest.Game(), orchards}, {dawn1989.Game(), dawnSeats}} {
		for seed := range uint64(2) {
			t.Run(fmt.Sprintf("%s %d", tt.game.Name(), seed), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(seed, 2))
				c := newClub(t, tt.game)
				id := c.match(tt.game.Name(), nil, tt.seats...)
				var old []message.Draft
				for range long.N(30, 300) {
					seat := rnd.IntN(len(tt.seats))
					m := c.letter(tt.seats[seat], anyText(t, c, tt.game, id, rules.Seat(seat), rnd))
					if len(old) > 0 && rnd.IntN(8) == 0 {
						// A reply to an older letter, or the same letter again.
						o := old[rnd.IntN(len(old))]
						if rnd.IntN(2) == 0 {
							o.Text, o.MessageID = m.Text, m.MessageID
						}
						m = o
					}
					again := slices.ContainsFunc(old, func(o message.Draft) bool { return o.MessageID == m.MessageID })
					had := len(c.mailbox[m.From])
					c.receive(m)
					want := 1
					if again {
						want = 0
					}
					if n := len(c.mailbox[m.From]) - had; n != want {
						t.Fatalf("%d answers to this letter, want %d:\n%s", n, want, m.Text)
					}
					narrow(t, c.last(tt.seats[seat]).Text)
					old = append(old, m)
					if rnd.IntN(40) == 0 {
						c.reopen()
					}
				}
				verified(t, c, tt.game, id)
			})
		}
	}
}

// anyText is a letter of one to four lines: answers to what is asked of the seat
// or of another, orders seen before, host's verbs, talk and rubbish.
func anyText(t *testing.T, c *club, g *rules.Game, id string, seat rules.Seat, rnd *rand.Rand) string {
	t.Helper()
	pos, err := g.Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	owed := pos.OpenDecisions(nil)
	mine := slices.DeleteFunc(slices.Clone(owed), func(d rules.Decision) bool { return d.Seat != seat })
	answer := func(list []rules.Decision) string {
		if len(list) == 0 {
			return "PASS"
		}
		d := list[rnd.IntN(len(list))]
		if len(pos.Options(nil, d.ID)) == 0 {
			return "PASS"
		}
		return g.FormatOrder(rulestest.Pick(pos, d, rnd.IntN))
	}
	fixed := []string{"STATUS", "HELP", "RESIGN", "Hold on, please.", "PLAY 4", "PLAY 300 EVENT", "PASS", "BEGIN", "END", "// nothing",
		"MESSAGE hello", "VOTE SUN", "\u0000\u202e\u00a0", strings.Repeat("x", 90), "KEEP", "JOIN me", "PLACE Lodz 99999999999999999999"}
	var lines []string
	for range 1 + rnd.IntN(4) {
		switch rnd.IntN(6) {
		case 0, 1, 2:
			lines = append(lines, answer(mine))
		case 3:
			lines = append(lines, answer(owed))
		case 4:
			l := []rune(answer(owed))
			l[rnd.IntN(len(l))] = rune('a' + rnd.IntN(26))
			lines = append(lines, string(l))
		default:
			lines = append(lines, fixed[rnd.IntN(len(fixed))])
		}
	}
	return strings.Join(lines, "\n")
}

// verified checks a match's record: played again, chain, and every outcome.
func verified(t *testing.T, c *club, g *rules.Game, id string) {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(c.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	keep(t, c, id)
	final, err := record.Replay(rec, g, nil)
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	data, err := final.Position.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	want, err := g.Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	if w, err := want.MarshalJSON(); err != nil || !bytes.Equal(data, w) {
		t.Errorf("the record leads to another position than the one stored (%v)", err)
	}
	if err := record.VerifyChain(rec); err != nil {
		t.Errorf("chain: %v", err)
	}
	if err := record.VerifySeals(rec); err != nil {
		t.Errorf("seals: %v", err)
	}
	if err := record.VerifyStream(rec); err != nil {
		t.Errorf("stream: %v", err)
	}
	summed(t, c, g, id)
	archived(t, c, id)
}
