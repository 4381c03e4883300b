package templates

import (
	"strings"
	"testing"
	"unicode/utf8"

	"samizdat/internal/test/goldentest"
	"samizdat/rules"
)

var letters = map[string]Letter{
	"begin": {
		Heading: Heading{MarkerLine: "=== nothing below ===", Match: "mabc", Title: "A Game", Credit: "A Game is a game by Somebody.", ToMove: "It is your move.", Status: "Turn 1."},
		Proof:   Proof{Commitment: strings.Repeat("ab", 32), HistoryHash: strings.Repeat("cd", 32), Words: []DiceWords{{"north", "łódka na wietrze"}, {"south", "two words"}}},
		Prompts: []Prompt{{"Place two tokens.", []string{"PLACE Lodz 2"}, []string{"Legal: Lodz, Krakow."}, true, false, false}},
	},
	"answer": {
		Heading: Heading{MarkerLine: "=== nothing below ===", Match: "mabc", Credit: "A Game is a game by Somebody.", ToMove: "It is not your move."},
		AnswerResult: AnswerResult{Lines: []Line{
			{"place lodz 2", "done", "PLACE Lodz 2"}, {"Hold on", "ignored", "It is not an order."},
			{"PLACE " + strings.Repeat("Wien, ", 30) + "Wien", "refused", strings.Repeat("Nothing is called Wien. ", 8)}, {"", "refused", "There were no orders."}, {strings.Repeat("x", 200), "ignored", "It is not an order."},
		}, Problems: []string{"An attachment was not read."}},
		Proof:    Proof{HistoryHash: "ff"},
		Events:   []string{"Support check in Lodz: die 3 + 2 Ops = 5 against 6. " + strings.Repeat("And so on. ", 12)},
		Sections: []rules.Section{{Title: "The map", Lines: []string{"Lodz  1 2", "Krakow  0 0"}}},
	},
}

func TestText(t *testing.T) {
	t.Parallel()
	for name, l := range letters {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := l.Text()
			for line := range strings.Lines(got) {
				if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > Width {
					t.Errorf("a line of %d columns: %s", n, line)
				}
			}
			goldentest.Compare(t, name+".txt", got)
		})
	}
}
