package order_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/rules/rulestest"
)

// Every line that a game writes is read back as the answer it was written from.
func TestLineParsesBack(t *testing.T) {
	t.Parallel()
	game := rulestest.Game{}
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
		for owed := pos.Owed(nil); len(owed) > 0; owed = pos.Owed(nil) {
			d := owed[dice.Intn(len(owed))]
			atoms := rulestest.Pick(pos, d, dice.Intn)
			line := game.Line(atoms)
			o, err := p.Order(line)
			if err != nil {
				rt.Fatalf("%q: %v", line, err)
			}
			answers, err := game.Answers(o, []rules.Decision{d})
			if err != nil {
				rt.Fatalf("%q: %v", line, err)
			}
			if got := game.Line(answers[0].Atoms); got != line {
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
				for _, o := range pos.Owed(nil) {
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
	p := order.New(speech{})
	f.Fuzz(func(t *testing.T, s string) {
		for _, l := range order.Split(s) {
			o, err := p.Order(l.Text)
			isOrder := p.IsOrder(l.Text)
			switch {
			case err != nil && err.Error() == "":
				t.Errorf("%q: refused without a word", l.Text)
			case err == nil && !isOrder:
				t.Errorf("%q: read as %s, but taken for talk", l.Text, show(o))
			case err == nil && len(o.Clauses) == 0:
				t.Errorf("%q: read as nothing", l.Text)
			}
		}
	})
}
