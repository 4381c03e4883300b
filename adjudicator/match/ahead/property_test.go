package ahead_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"samizdat/adjudicator/match/ahead"
)

// conditions to put before any line.
var conditions = []string{"Gdansk MINE", "NOT Lodz THEIRS", "Harghita/Covasna FREE", "VP -3 OR LESS", "HOLD 68 AND HAPPENED 2",
	"TURN 4 OR MORE AND NOT ROUND 5", "German Writers 3", "Hungarian Catholic Church MINE AND HOLD 104"}

// speech are things that change nothing of what a line says.
var speech = []func(string) string{
	strings.ToLower,
	strings.ToUpper,
	func(s string) string { return s + "." },
	func(s string) string { return s + "\r" },
	func(s string) string { return "  " + strings.ReplaceAll(s, " ", "  ") + "\t" },
	func(s string) string { return strings.ReplaceAll(s, ", ", " , ") },
	func(s string) string { return strings.ReplaceAll(s, ", ", ",") },
	func(s string) string { return strings.ReplaceAll(s, "Lodz", "Łódź") },
	func(s string) string {
		return strings.NewReplacer("Gdansk", "Gdańsk", "Krakow", "Kraków", "Poznan", "Poznań").Replace(s)
	},
	func(s string) string { return strings.ReplaceAll(s, "ANSWER ", "Answer: ") },
	func(s string) string { return strings.ReplaceAll(s, "NEXT ", "Next, ") },
	func(s string) string { return strings.ReplaceAll(s, " ELSE ", ", else: ") },
}

// everyLine draws a line of orders ahead and its form as it is shown.
func everyLine(t *rapid.T) string {
	sources := make([]string, 0, len(everyOrder))
	for s := range everyOrder {
		sources = append(sources, s)
	}
	slices.Sort(sources)
	s := rapid.SampledFrom(sources).Draw(t, "source")
	order := rapid.SampledFrom(everyOrder[s])
	line := order.Draw(t, "order")
	text := "ANSWER " + s + " "
	next := strings.HasPrefix(line, "PLAY ") && rapid.Bool().Draw(t, "next")
	if next {
		text = "NEXT "
	}
	if rapid.Bool().Draw(t, "if") {
		text += "IF " + rapid.SampledFrom(conditions).Draw(t, "condition") + ": "
		if other := order.Draw(t, "else"); rapid.Bool().Draw(t, "or") && (!next || strings.HasPrefix(other, "PLAY ")) {
			line += " ELSE " + other
		}
	}
	text += line
	if !next && rapid.Bool().Draw(t, "always") {
		text += " ALWAYS"
	}
	if rapid.Bool().Draw(t, "anyway") {
		text += " ANYWAY"
	}
	return text
}

// meaning is a line without its text.
func meaning(l *ahead.Line) ahead.Line {
	m := *l
	m.Text = ""
	return m
}

// TestEveryOrder: every order to every question can be kept for it; it is shown in a
// form that is read the same and shown the same, however it was written.
func TestEveryOrder(t *testing.T) {
	t.Parallel()
	for source, list := range everyOrder {
		for _, o := range list {
			l, err := reader.Parse("ANSWER " + source + " " + o)
			if err != nil {
				t.Errorf("ANSWER %s %s: %v", source, o, err)
			} else if l.Source != source {
				t.Errorf("ANSWER %s %s is for %q", source, o, l.Source)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := everyLine(t)
		l, err := reader.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := reader.Parse(l.Text)
		if err != nil {
			t.Fatalf("%s is shown as %s: %v", text, l.Text, err)
		}
		if d := cmp.Diff(l, again); d != "" {
			t.Fatalf("%s is shown as %s and read otherwise:\n%s", text, l.Text, d)
		}
		other := text
		for _, i := range rapid.SliceOfN(rapid.IntRange(0, len(speech)-1), 1, 4).Draw(t, "speech") {
			other = speech[i](other)
		}
		same, err := reader.Parse(other)
		if err != nil {
			t.Fatalf("%q, which says %s: %v", other, text, err)
		}
		if d := cmp.Diff(meaning(l), meaning(same)); d != "" || l.Text != same.Text {
			t.Fatalf("%q is not read as %s: %s\n%s", other, text, same.Text, d)
		}
	})
}

// FuzzRead: whatever is written, nothing panics, and what is read is shown in a form
// that is read the same.
func FuzzRead(f *testing.F) {
	for source, list := range everyOrder {
		for i, o := range list {
			f.Add("ANSWER " + source + " IF " + conditions[i%len(conditions)] + ": " + o + " ELSE " + list[0] + " ALWAYS")
		}
	}
	f.Add("NEXT IF HOLD Klaus and Komarek AND VP 1: PLAY 14 EVENT ELSE ASK ANYWAY")
	f.Add("ATTACK March-6, Elite Leader AS Rally, Rally x2")
	f.Fuzz(func(t *testing.T, text string) {
		if ahead.IsConditional(text) {
			reader.LooksConditional(text)
		}
		l, err := reader.Parse(text)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Errorf("%q is refused without a reason", text)
			}
			return
		}
		again, err := reader.Parse(l.Text)
		if err != nil {
			t.Fatalf("%q is shown as %q: %v", text, l.Text, err)
		}
		if d := cmp.Diff(l, again); d != "" {
			t.Fatalf("%q is shown as %q and read otherwise:\n%s", text, l.Text, d)
		}
	})
}
