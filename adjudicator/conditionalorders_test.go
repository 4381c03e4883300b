package adjudicator_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// ahead is Three Orchards with conditional orders: PLAY ... WATER ... answers the
// question to water as well, if it comes.
type ahead struct{ rules.Language }

func aheadGame() *rules.Game {
	g := rulestest.Game()
	g.Language = ahead{g.Language}
	return g
}

func (g ahead) Answers(o rules.Order, owed []rules.Decision) ([]rules.Answer, error) {
	i := slices.IndexFunc(o.Clauses, func(c rules.Clause) bool { return c.Word == "WATER" })
	if i < 1 {
		return g.Language.Answers(o, owed)
	}
	first, err := g.Language.Answers(rules.Order{Text: o.Text, Clauses: o.Clauses[:i]}, owed)
	if err != nil {
		return nil, err
	}
	later, err := g.Language.Answers(rules.Order{Text: o.Text, Clauses: o.Clauses[i:]}, owed)
	return append(first, later...), err
}

// TestOrdersAhead lets every seat water ahead. A die decides what becomes of the
// order: done at once, lapsed at once, or kept while another seat is asked, and
// then lapsed in a letter to its owner. All three happen, each is told once and
// to the owner alone, and only what was done is in the history.
func TestOrdersAhead(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range byte(4) {
		c := newClub(t, aheadGame())
		c.rand = rand.NewChaCha8([32]byte{seed})
		c.reopen()
		id := c.match("orchards", nil, orchards...)
		for backup := ""; ; {
			pos, err := rulestest.Game().Decode(c.position(id))
			if err != nil {
				t.Fatal(err)
			}
			owed := pos.OpenDecisions(nil)
			if len(owed) != 1 {
				break
			}
			seat, line := orchards[owed[0].Seat], rulestest.Game().FormatOrder(rulestest.Pick(pos, owed[0], func(int) int { return 0 }))
			if owed[0].Kind == "play" {
				line += " WATER Swit Meadow"
			}
			a := c.sends(seat, line).Text
			for _, other := range orchards {
				switch notified := strings.Contains(c.last(other).Text, "\n- WATER Swit Meadow: "); {
				case other == backup && strings.Contains(c.last(other).Text, "\n- WATER Swit Meadow: lapsed"):
					seen["lapsed later"]++
				case other != seat && notified:
					t.Errorf("%s is told of the order of %s:\n%s", other, seat, c.last(other).Text)
				}
			}
			backup = ""
			switch {
			case owed[0].Kind != "play":
			case strings.Contains(a, "\n- WATER Swit Meadow: done"):
				seen["done"]++
			case strings.Contains(a, "\n- WATER Swit Meadow: lapsed"):
				seen["lapsed"]++
			case strings.Contains(a, "\n- WATER Swit Meadow: saved"):
				backup = seat
				seen["kept"]++
				if s := c.sends(seat, "STATUS").Text; !strings.Contains(s, "\n- WATER Swit Meadow: saved") {
					t.Errorf("STATUS does not show the kept order:\n%s", s)
				}
				c.reopen()
			default:
				t.Fatalf("the answer to %q does not say what became of WATER:\n%s", line, a)
			}
		}
		done := bytes.Count(c.export(id, true), []byte(`"orders":["WATER`))
		if seen["done"] -= done; seen["done"] != 0 {
			t.Errorf("%d orders ahead were reported as done and are not in the history", seen["done"])
		}
		seen["in all"] += done
		verified(t, c, aheadGame(), id)
	}
	if seen["in all"] == 0 || seen["lapsed"] == 0 || seen["kept"] == 0 || seen["lapsed later"] != seen["kept"] {
		t.Errorf("seen: %v", seen)
	}
}

// TestExchangedCards exchanges cards between two hands, and between a hand and
// the deck, before they are played: the third seat's letters are the same to the
// byte but for the hash, which is keyed.
func TestExchangedCards(t *testing.T) {
	t.Parallel()
	plain := newClub(t, rulestest.Game())
	id := plain.match("orchards", nil, orchards...)
	rec, err := record.Read(bytes.NewReader(plain.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	deal := rec.Entries()[0].Chance
	owner := func(seat string) []int {
		var at []int
		for i, o := range deal {
			if o.To == seat {
				at = append(at, i)
			}
		}
		return at
	}
	for i, reader := range orchards {
		a, b := orchards[(i+1)%3], orchards[(i+2)%3]
		letters := func(change func(list []record.Outcome)) []string {
			list := slices.Clone(deal)
			for k := range list {
				list[k].I, list[k].N = nil, nil
			}
			change(list)
			c := newClub(t, rulestest.Game())
			id := c.match("orchards", list, orchards...)
			// STATUS by everybody: the reader's letters must not tell.
			for _, s := range orchards {
				c.sends(s, "STATUS")
			}
			pos, err := rulestest.Game().Decode(c.position(id))
			if err != nil {
				t.Fatal(err)
			}
			if pos.OpenDecisions(nil)[0].Seat == rules.Seat(i) {
				// The reader's own play stalls at its die: no outcome is left.
				c.sends(reader, rulestest.Game().FormatOrder(rulestest.Pick(pos, pos.OpenDecisions(nil)[0], func(int) int { return 0 })))
			}
			var out []string
			for _, l := range c.mailbox[address(reader)] {
				out = append(out, l.Subject+"\n"+l.MessageID+"\n"+l.Date+"\n"+hash.ReplaceAllString(l.Text, "(hash)"))
			}
			return out
		}
		before := letters(func([]record.Outcome) {})
		now := letters(func(list []record.Outcome) {
			x, y := owner(a)[0], owner(b)[0]
			list[x].Draw, list[y].Draw = list[y].Draw, list[x].Draw
			used := map[any]bool{}
			for _, o := range list {
				used[o.Draw] = true
			}
			for card := 1; card <= 14; card++ {
				if !used[card] {
					list[owner(a)[1]].Draw = card
					break
				}
			}
		})
		if d := cmp.Diff(before, now); d != "" {
			t.Errorf("the letters of %s tell what %s and %s hold:\n%s", reader, a, b, d)
		}
	}
}
