package letter_test

import (
	"testing"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// TestReadSentences: greetings stand around orders, and polite words within them.
func TestReadSentences(t *testing.T) {
	t.Parallel()
	r := letter.MemberReader{Games: rules.Games{dawn1989.Game()}}
	for text, want := range map[string][]letter.Word{
		"Please ENTER autumn-cup":                     {letter.Enter},
		"accept 1 please":                             {letter.Accept},
		"I would like to accept 1, thank you":         {letter.Accept},
		"Hi,\n\nPAIR ME 1989 UP TO 2\n\nThanks,\nAda": {letter.PairMe},
		"Dear all,\nLADDER\nBest regards\nAda":        {letter.Ladder},
		"please register me as Ada":                   {""},
		"I want to leave":                             {""},
		"I won't ENTER autumn-cup":                    {""},
		"PAIR ME 1989\nbut not this week":             {letter.PairMe, ""},
		"ok":                                          {letter.Yes},
		"No, thanks":                                  {letter.No},
		"Thanks!":                                     {},
	} {
		lines := r.Read(text)
		if len(lines) != len(want) {
			t.Errorf("%q: %d lines, want %d: %+v", text, len(lines), len(want), lines)
			continue
		}
		for i, l := range lines {
			if (l.Kind == letter.KindRefereeOrder) != (want[i] != "") || l.Command.Word != want[i] {
				t.Errorf("%q, line %d: kind %d, %q %s, want %q", text, i, l.Kind, l.Command.Word, l.Why, want[i])
			}
		}
	}
}

// TestNumbersAreAskedFor: a number that is missing, or is 0 where none can be, is asked for, and
// stands for nothing else.
func TestNumbersAreAskedFor(t *testing.T) {
	t.Parallel()
	r := letter.MemberReader{Games: rules.Games{dawn1989.Game(), revolution1789.Game()}}
	for _, text := range []string{
		"MOST", "MOST 0", "ACCEPT 0", "WITHDRAW", "DECLINE",
		"OFFER 1789 SEATS", "OFFER 1789 SEATS 0", "OFFER 1789 FOR", "OFFER 1789 FOR 0 DAYS", "PAIR ME 1989 UP TO", "PAIR ME 1989 UP TO 0", "OFFER 1989 EXTRA",
	} {
		lines := r.Read(text)
		if len(lines) != 1 || lines[0].Kind != letter.KindUnreadable || lines[0].Why == "" {
			t.Errorf("%q is read as %+v", text, lines)
		}
	}
}
