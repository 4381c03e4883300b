package club_test

import (
	"testing"

	"samizdat/adjudicator/club"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// TestReadSentences: greetings stand around orders, and polite words within them.
func TestReadSentences(t *testing.T) {
	t.Parallel()
	r := &club.Reader{Games: rules.Games{dawn1989.Game{}}}
	for text, want := range map[string][]club.Word{
		"Please ENTER autumn-cup":                     {club.Enter},
		"accept 1 please":                             {club.Accept},
		"I would like to accept 1, thank you":         {club.Accept},
		"Hi,\n\nPAIR ME 1989 UP TO 2\n\nThanks,\nAda": {club.PairMe},
		"Dear all,\nLADDER\nBest regards\nAda":        {club.LadderW},
		"please register me as Ada":                   {""},
		"I want to leave":                             {""},
		"I won't ENTER autumn-cup":                    {""},
		"PAIR ME 1989\nbut not this week":             {club.PairMe, ""},
		"ok":                                          {club.Yes},
		"No, thanks":                                  {club.No},
		"Thanks!":                                     {},
	} {
		lines := r.Read(text)
		if len(lines) != len(want) {
			t.Errorf("%q: %d lines, want %d: %+v", text, len(lines), len(want), lines)
			continue
		}
		for i, l := range lines {
			if (l.Kind == club.Order) != (want[i] != "") || l.Command.Word != want[i] {
				t.Errorf("%q, line %d: kind %d, %q %s, want %q", text, i, l.Kind, l.Command.Word, l.Why, want[i])
			}
		}
	}
}
