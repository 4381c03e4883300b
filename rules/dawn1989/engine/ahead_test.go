package engine_test

import (
	"slices"
	"strings"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// planner is a robot that can be asked for the orders ahead of one source.
type planner interface {
	rules.ConditionalRobot
	Plans(v rules.View) []string
	AheadFor(v rules.View, source string) []string
}

func foresight(t *testing.T) planner {
	t.Helper()
	return sensible(t).(planner)
}

// TestAheadSeesItsView: the orders ahead of the sensible robot do not depend on
// cards that are hidden from it, nor on what it thought of before.
func TestAheadSeesItsView(t *testing.T) {
	t.Parallel()
	used := foresight(t)
	written := map[string]int{}
	for seed := range uint64(long.N(2, 4)) {
		for _, kind := range []engine.Ask{engine.AskRound, engine.AskAttack, engine.AskPlace} {
			p := middle(t, seed, int8(2+seed), kind)
			for seat := range rules.Seat(2) {
				v := p.View(seat)
				lines := used.Ahead(v)
				for _, l := range lines {
					written[strings.Fields(l)[0]]++
				}
				for _, w := range (dawn1989.Game{}).Imagine(v) {
					fresh := foresight(t)
					if got := fresh.Ahead(w.View(seat)); !slices.Equal(got, lines) {
						t.Fatalf("seed %d, %v, seat %d: with other hidden cards it writes\n%s\nnot\n%s", seed, kind, seat,
							strings.Join(got, "\n"), strings.Join(lines, "\n"))
					}
				}
			}
		}
	}
	for _, word := range []string{"ANSWER", "NEXT", "ATTACK", "DEFEND"} {
		if written[word] == 0 {
			t.Errorf("it never writes %s: %v", word, written)
		}
	}
}

// TestAheadForEachSource: a line that is asked for by its source is the one that is
// written among all, whatever was asked for before.
func TestAheadForEachSource(t *testing.T) {
	t.Parallel()
	p := middle(t, 3, 3, engine.AskRound)
	for seat := range rules.Seat(2) {
		v := p.View(seat)
		all, one := foresight(t), foresight(t)
		whole := all.Ahead(v)
		parts := one.Plans(v)
		var sources []string
		for _, c := range append(v.(*engine.View).HiddenCards(), v.(*engine.View).EnemyHolds.List()...) {
			sources = append(sources, engine.Source(c).String())
		}
		sources = append(sources, dawn1989.Game{}.Labels()...)
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
