package playout_test

import (
	"fmt"
	"slices"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// TestDice: what a game says of whose dice were rolled has every die of a record, in events
// that all may know.
func TestDice(t *testing.T) {
	t.Parallel()
	g := dawn1989.Game()
	for revision := range recorded {
		for _, m := range recorded[revision] {
			rec := recordOf(t, g, revision, m.robot, m.seed)
			_, err := record.Replay(rec, g, func(v record.Visit) error {
				var want []int
				for _, o := range v.Entry.Chance {
					if o.Roll > 0 {
						want = append(want, o.Roll)
					}
				}
				public := slices.DeleteFunc(slices.Clone(v.Events), func(e rules.Event) bool { return !e.Audience.Has(rules.NoSeat) })
				var got []int
				for _, d := range g.Counts.Dice(v.Position.View(rules.NoSeat), public) {
					got = append(got, d.N)
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) {
					return fmt.Errorf("entry %d has the dice %v, its events tell of %v", v.Entry.Seq, want, got)
				}
				return nil
			})
			if err != nil {
				t.Errorf("rules %d, %s, seed %d: %v", revision, m.robot, m.seed, err)
			}
		}
	}
}
