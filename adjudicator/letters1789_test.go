package adjudicator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

// TestLettersOf1789 compares letters with files, text and page: the first question, a seat, a
// vote, the question for a revolution to a leader, gifts and the end, at tables of four, seven
// and twelve.
func TestLettersOf1789(t *testing.T) {
	t.Parallel()
	for n, moments := range map[int][]string{4: {"name", "vote"}, 7: {"seat", "purge", "call"}, 12: {"give", "over"}} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			c, seats := newClub(t, revolution1789.Game()), citizensOf(n)
			a := pages(c)
			id := c.match("1789", nil, seats...)
			dice, seen := rulestest.NewDice(uint64(n)), []string{}
			keep := func(kind string, s string) {
				if slices.Contains(moments, kind) && !slices.Contains(seen, kind) {
					seen = append(seen, kind)
					name := fmt.Sprintf("1789/%s-%d", kind, n)
					golden(t, name+".txt", c.last(s).Subject+"\n\n"+c.last(s).Text)
					golden(t, name+".html", a.last(s).HTML)
				}
			}
			plays1789(t, c, id, seats, func(d rules.Decision, lines []string) string {
				leads := slices.Contains(lines, "REVOLUTION")
				if d.Kind != "call" || leads {
					keep(d.Kind, seats[d.Seat])
				}
				switch {
				case len(seen) == len(moments):
					return enough
				case d.Kind == "call" && leads:
					return "REVOLUTION"
				case d.Kind == "call":
					return "HOLD"
				}
				return lines[dice.Intn(len(lines))]
			})
			if slices.Contains(moments, "over") {
				keep("over", seats[0])
			}
			if len(seen) != len(moments) {
				t.Errorf("only %s came: take another seed", strings.Join(seen, ", "))
			}
		})
	}
}
