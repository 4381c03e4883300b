package order_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/adjudicator/order"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// Every line that a game writes is read back as the answer it was written from.
func TestLineParsesBack(t *testing.T) {
	t.Parallel()
	game := rulestest.Game()
	p := order.New(game)
	rapid.Check(t, func(rt *rapid.T) {
		dice := rulestest.NewDice(rapid.Uint64().Draw(rt, "seed"))
		pos, err := game.Begin(rules.Setup{Seats: 3})
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := pos.Resume(dice, nil); err != nil {
			rt.Fatal(err)
		}
		for owed := pos.OpenDecisions(nil); len(owed) > 0; owed = pos.OpenDecisions(nil) {
			d := owed[dice.Intn(len(owed))]
			atoms := rulestest.Pick(pos, d, dice.Intn)
			line := game.FormatOrder(atoms)
			o, err := p.ParseOrder(line)
			if err != nil {
				rt.Fatalf("%q: %v", line, err)
			}
			answers, err := game.Answers(o, []rules.Decision{d})
			if err != nil {
				rt.Fatalf("%q: %v", line, err)
			}
			if got := game.FormatOrder(answers[0].Atoms); got != line {
				rt.Fatalf("%q is read as %q", line, got)
			}
			if !p.IsOrder(line) {
				rt.Fatalf("%q is taken for talk", line)
			}
			answered := answers[0].Atoms
			if atoms[len(atoms)-1] != answered[len(answered)-1] {
				answered = append(answered, atoms[len(atoms)-1]) // Stop is not written.
			}
			if diff := cmp.Diff(answered, atoms); diff != "" {
				rt.Fatalf("%q: got - want +\n%s", line, diff)
			}
			for _, a := range atoms {
				for _, o := range pos.OpenDecisions(nil) {
					if o.Seat == d.Seat && (o.ID == d.ID || o.Midway) {
						d = o
					}
				}
				if _, err := pos.Apply(d.ID, a, dice, nil); err != nil {
					rt.Fatal(err)
				}
			}
		}
	})
}

// Whatever comes by mail, the parser neither panics nor takes an order for talk
// that it can read.
func FuzzOrder(f *testing.F) {
	for _, s := range []string{"PLAY 12 OPS PLACE Lodz 2, Wroclaw EVENT FIRST", "ATTACK Elite Leader AS Rally IN Krakow",
		"CHECK Berlin 2", "BID COMMUNIST GIVE 2", "PLAY New Year's Eve Party; PASS // no", "BEGIN\nPLACE Łódź\nAND Praha\nEND",
		"SEAT 1-2 FIRST church", "PLACE and and and", "VOTE M", "PLAY #", "x2 PLACE \xff\xfe", "DISCARD Klaus and"} {
		f.Add(s)
	}
	for _, s := range []string{"EVENT FIRST, play 36 for ops, 2 in Krakow and one in Lodz", "place two SPs in Krakow and a point in Lodz",
		"36 ops place krakow2, 2x lodz event frist", "PLACE:\n- Krakow 2\n- Lodz", "raise two rallies & march3", "PLACE Krakow, 2, Lodz, 1 each",
		"I would like to put 2 each in Targumures, Cluj", "PLAY dash west (#36), event after ops; 2) CHECK Berlin twice", "attack with petition six as a",
		"surender power", "PLAY 36 (Stasi) EVENT", "a) play thirty-six (3 ops) to place 2 in Krakow", "one hundred and twenty nine, card nine",
		"1\ufe0f\u20e3 attack w/ march 6 or rally", "play36event", "Def: march-3", "attack w/ m rally", "Sorry, I mean PLAY 36 EVENT", "in in in PLACE in", "2 2 2 each each", "my my my orders: PLAY a an the 12 card card"} {
		f.Add(s)
	}
	languages := []rules.Language{speech{}, dawn1989.Game(), rulestest.Game()}
	var parsers []*order.Parser
	verbs := map[string]bool{}
	for _, l := range languages {
		parsers = append(parsers, order.New(l))
		for _, k := range l.Keywords() {
			verbs[order.Words(k.Word)[0]] = k.IsVerb || verbs[order.Words(k.Word)[0]]
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, p := range parsers {
			for _, l := range p.SplitLines(s) {
				o, err := p.ParseOrder(l.Text)
				isOrder := p.IsOrder(l.Text)
				_, _ = order.ParseNumber(l.Text)
				_ = p.ExactKeyword(l.Text)
				switch {
				case err != nil && err.Error() == "":
					t.Errorf("%q: refused without a word", l.Text)
				case err == nil && !isOrder && !strings.HasSuffix(l.Text, "?") && verbs[order.Words(l.Text)[0]]:
					t.Errorf("%q: read as %s, but taken for talk", l.Text, show(o))
				case err == nil && len(o.Clauses) == 0:
					t.Errorf("%q: read as nothing", l.Text)
				}
				if again, err2 := p.ParseOrder(l.Text); show(again) != show(o) || fmt.Sprint(err2) != fmt.Sprint(err) {
					t.Errorf("%q: read as %s (%v), and then as %s (%v)", l.Text, show(o), err, show(again), err2)
				}
				if plain, err := p.ParsePlain(l.Text); err == nil && show(plain) != show(o) {
					t.Errorf("%q: stands for %s, and was read as %s", l.Text, show(plain), show(o))
				}
			}
		}
	})
}

// Even lines that are made to be slow are read in a few milliseconds each, and a letter has few of that length.
func BenchmarkWorstLines(b *testing.B) {
	for name, s := range map[string]string{"numbers": "PLACE 2 3 4 5 6 7 8 9 ", "slips": "PLACE Krakwo Lozd Gdnask ", "commas": "PLACE Krakow, ",
		"talk": "I will play the game of the east and the west ", "spoken": "one hundred and twenty one ", "verbs": "PLAY PLACE CHECK "} {
		line := strings.Repeat(s, 990/len(s))
		b.Run(name, func(b *testing.B) {
			p := order.New(dawn1989.Game())
			for b.Loop() {
				_ = p.IsOrder(line)
				_, _ = p.ParseOrder(line)
			}
		})
	}
}
