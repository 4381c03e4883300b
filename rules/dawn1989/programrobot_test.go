package dawn1989

import (
	"slices"
	"strings"
	"testing"

	"samizdat/rules"
)

// TestAheadSeesItsView: the orders ahead of the sensible robot do not depend on
// cards that are hidden from it, nor on what it thought of before.
func TestAheadSeesItsView(t *testing.T) {
	t.Parallel()
	var used sensible
	written := map[string]int{}
	for seed := range uint64(4) {
		for _, kind := range []Ask{AskRound, AskAttack, AskPlace} {
			p := middle(t, seed, int8(2+seed), kind)
			for seat := range rules.Seat(2) {
				v := p.View(seat)
				lines := used.Ahead(v)
				for _, l := range lines {
					written[strings.Fields(l)[0]]++
				}
				for _, w := range (Game{}).Imagine(v) {
					var fresh sensible
					if got := fresh.Ahead(w.View(seat)); !slices.Equal(got, lines) {
						t.Fatalf("seed %d, %v, seat %d: with other hidden cards it writes\n%s\nnot\n%s", seed, kind, seat,
							strings.Join(got, "\n"), strings.Join(lines, "\n"))
					}
				}
			}
		}
	}
	for _, word := range []string{"ANSWER", "NEXT", wordAttack, wordDefend} {
		if written[word] == 0 {
			t.Errorf("it never writes %s: %v", word, written)
		}
	}
}

// TestAheadForEachSource: a line that is asked for by its source is the one that is
// written among all, whatever was asked for before.
func TestAheadForEachSource(t *testing.T) {
	t.Parallel()
	p := middle(t, 3, 3, AskRound)
	for seat := range rules.Seat(2) {
		v := p.View(seat)
		var all, one sensible
		whole := all.Ahead(v)
		parts := one.Plans(v)
		var sources []string
		for _, c := range append(v.(*View).hiddenCards(), cardsOf(v.(*View).told)...) {
			sources = append(sources, Source(c).String())
		}
		sources = append(sources, Game{}.Labels()...)
		sources = append(sources, "")
		slices.Reverse(sources)
		if lines := one.AheadFor(v, "of no use"); lines != nil {
			t.Errorf("a source that there is not: %v", lines)
		}
		for _, s := range sources {
			parts = append(parts, one.AheadFor(v, s)...)
		}
		slices.Sort(whole)
		slices.Sort(parts)
		if !slices.Equal(whole, parts) {
			t.Errorf("seat %d: one by one\n%s\nand all together\n%s", seat, strings.Join(parts, "\n"), strings.Join(whole, "\n"))
		}
	}
}
