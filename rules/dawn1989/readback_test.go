package dawn1989_test

import (
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// TestEveryAnswerReadsBack: all through random matches, an order is written for every
// option of every question, completed at random, and read: it is the same answer,
// however the line is dressed.
func TestEveryAnswerReadsBack(t *testing.T) {
	t.Parallel()
	dresses := []func(string) string{
		strings.ToLower,
		func(s string) string { return "  " + s + " \t\r\n" },
		func(s string) string { return strings.ReplaceAll(s, " ", "\t") + "." },
		func(s string) string { return "- " + strings.ReplaceAll(s, ",", " ,") + " // so" },
		func(s string) string { return strings.ToUpper(s) + "!" },
	}
	questions, kinds := 0, map[string]bool{}
	for seed := range uint64(long.N(3, 10)) {
		chance := rulestest.NewDice(seed)
		pos, err := game.Begin(rules.Setup{Seats: 2, Revision: game.Revision()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pos.Resume(chance, nil); err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			decisions := pos.OpenDecisions(nil)
			if len(decisions) == 0 {
				break
			}
			d := decisions[0]
			kinds[d.Kind] = true
			options := pos.Options(nil, d.ID)
			for i := range options {
				isFirst := true
				atoms := rulestest.Pick(pos, d, func(n int) int {
					if isFirst {
						isFirst = false
						return i
					}
					return chance.Intn(n)
				})
				line := game.FormatOrder(atoms)
				questions++
				same(t, pos, d, atoms, line, line)
				same(t, pos, d, atoms, line, dresses[questions%len(dresses)](line))
			}
			for i, a := range rulestest.Pick(pos, d, chance.Intn) {
				for _, o := range pos.OpenDecisions(nil) {
					if o.Seat == d.Seat && (o.ID == d.ID || i > 0 && o.Midway) {
						d = o
					}
				}
				if _, err := pos.Apply(d.ID, a, chance, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if questions < long.N(3000, 10000) || len(kinds) < 15 {
		t.Errorf("only %d answers to %d kinds of questions", questions, len(kinds))
	}
}

// same fails unless a line is read as the answer.
func same(t *testing.T, pos rules.Position, d rules.Decision, atoms []rules.Atom, line, written string) {
	t.Helper()
	lines := parser.SplitLines(written)
	if len(lines) != 1 || !parser.IsOrder(lines[0].Text) {
		t.Fatalf("%q is no order", written)
	}
	o, err := parser.ParseOrder(lines[0].Text)
	if err != nil {
		t.Fatalf("%q: %v", written, err)
	}
	answers, err := game.Answers(o, []rules.Decision{d})
	if err != nil {
		t.Fatalf("%q: %v", written, err)
	}
	if got := game.FormatOrder(answers[0].Atoms); got != line || len(answers) != 1 {
		t.Fatalf("%q is read as %q and %d more", written, got, len(answers)-1)
	}
	got, want := slices.Clone(answers[0].Atoms), slices.Clone(atoms)
	if len(want) == len(got)+1 {
		want = want[:len(got)] // What ends a list is not written.
	}
	if !slices.Equal(got, want) {
		// The order of entries may be the parser's; what they come to is not.
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%q is read as %x, not %x", written, got, want)
		}
	}
	if _, err := gate.Check(pos, d.Seat, answers[0]); err != nil {
		t.Fatalf("%q is refused: %v", written, err)
	}
}
