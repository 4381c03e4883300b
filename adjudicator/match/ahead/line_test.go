package ahead_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match/ahead"
	"samizdat/rules"
)

// TestRead: lines are shown back in one form, and read again from it.
func TestRead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ANSWER 45 REMOVE Praha 2, Brno":                               "ANSWER 45 REMOVE Praha 2, Brno",
		"answer always 45 remove praha":                                "ANSWER 45 REMOVE Praha ALWAYS",
		"Answer Walesa PLACE Gdansk 2":                                 "ANSWER 3 PLACE Gdansk 2",
		"answer box 6 check Leipzig anyway":                            "ANSWER BOX 6 CHECK Leipzig ANYWAY",
		"IF VP 3: ANSWER LOSS REMOVE Lodz":                             "ANSWER LOSS IF VP 3: REMOVE Lodz",
		"ANSWER LOSS IF VP 3: REMOVE Lodz ELSE REMOVE Berlin":          "ANSWER LOSS IF VP 3: REMOVE Lodz ELSE REMOVE Berlin",
		"NEXT PLAY 14 EVENT":                                           "NEXT PLAY 14 EVENT",
		"Next: PLAY 14 EVENT":                                          "NEXT PLAY 14 EVENT",
		"NEXT, IF VP 3: PLAY 14 EVENT":                                 "NEXT IF VP 3: PLAY 14 EVENT",
		"PLAY 14 EVENT":                                                "NEXT PLAY 14 EVENT",
		"IF Gdansk MINE:PLAY 14 EVENT, ELSE ASK.":                      "NEXT IF Gdansk MINE: PLAY 14 EVENT",
		"NEXT IF NOT HOLD 14 AND VP -3 OR LESS: ASK ELSE PLAY 5 EVENT": "NEXT IF NOT HOLD 14 AND VP -3 OR LESS: ASK ELSE PLAY 5 EVENT",
		"NEXT IF HOLD Klaus and Komarek AND VP 1: PLAY 14 EVENT":       "NEXT IF HOLD 68 AND VP 1: PLAY 14 EVENT",
		"ATTACK March-6, Elite Leader AS Rally":                        "ATTACK March-6, Elite Leader AS Rally",
		"ANSWER STRUGGLE DEFEND March-3, CONCEDE":                      "DEFEND March-3, CONCEDE",
		// What was guessed can be seen.
		"ANSWER 45 take away 2 from Prha, one from Brno":                "ANSWER 45 REMOVE Praha 2, Brno",
		"ANSWER 19 select the Czech Cath Church please":                 "ANSWER 19 CHOOSE Czech Catholic Church",
		"NEXT use 36 for ops: checking Lodz and Krakow, event after":    "NEXT PLAY 36 OPS CHECK Lodz, Krakow EVENT AFTER",
		"NEXT PLAY Dash EVENT":                                          "NEXT PLAY 36 EVENT",
		"NEXT PLAY 36 EVENT FIRST OPS PLACE Lodz x2":                    "NEXT PLAY 36 EVENT FIRST OPS PLACE Lodz 2",
		"NEXT IF hold National and gda mine: PLAY 14 EVENT":             "NEXT IF HOLD 102 AND Gdansk MINE: PLAY 14 EVENT",
		"NEXT IF (Gdańsk mine) and not \"lodz\" theirs.: PLAY 14 EVENT": "NEXT IF Gdansk MINE AND NOT Lodz THEIRS: PLAY 14 EVENT",
		"NEXT IF not not vp -3 or less: PLAY 14 EVENT":                  "NEXT IF VP -3 OR LESS: PLAY 14 EVENT",
		// What stands around a source says nothing.
		"ANSWER to card #45: REMOVE Praha": "ANSWER 45 REMOVE Praha",
		"answer, box-6 - CHECK Leipzig":    "ANSWER BOX 6 CHECK Leipzig",
		"ANSWER 40th CHOOSE Lodz":          "ANSWER 51 CHOOSE Lodz",
		"IF VP 3:NEXT:PLAY 14 EVENT":       "NEXT IF VP 3: PLAY 14 EVENT",
	} {
		l, err := reader.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		again, err := reader.Parse(l.Text)
		if err != nil {
			t.Errorf("%s: %v", l.Text, err)
			continue
		}
		if d := cmp.Diff(l, again); l.Text != want || d != "" {
			t.Errorf("%s: %s\n%s", text, l.Text, d)
		}
	}
	for text, want := range map[string]string{
		"PASS":                                            "say what it answers",
		"CHECK Lodz":                                      "say what it answers",
		"ANSWER 45":                                       "ANSWER <source> <order>",
		"ANSWER 45 REMOVE Lodz ELSE PASS":                 "needs an IF",
		"IF Lodz MINE PLAY 14 EVENT":                      "a colon",
		"IF : PLAY 14 EVENT":                              "no condition",
		"IF Lodz MINE: ":                                  "no order",
		"IF VP 3: NEXT IF VP 4: PLAY 14 EVENT":            "one IF",
		"NEXT IF VP 21 OR MORE: PLAY 14 EVENT":            `"VP 21 OR MORE" can never hold: VP is between -20 and 20`,
		"NEXT IF NOT TURN 11: PLAY 14 EVENT":              "TURN is between 1 and 10",
		"NEXT PLAY 14":                                    "played for",
		"ANSWER Wall REMOVE Praha":                        `"Wall" can be 9 The Wall or 86`,
		"ANSWER 200 REMOVE Praha":                         `"200" is not a card`,
		"NEXT IF HOLD Wall: PLAY 14 EVENT":                `"Wall" can be 9 The Wall or 86`,
		"NEXT IF Berli mne: PLAY 14 EVENT":                "these are: Gdansk MINE, THEIRS or FREE",
		"NEXT IF Gdanks MINE: PLAY 14 EVENT":              "did you mean Gdansk?",
		"NEXT IF Gdansk -3: PLAY 14 EVENT":                "these are:",
		"NEXT IF Gdansk 0: PLAY 14 EVENT":                 "these are:",
		"NEXT IF Gdansk MINE OR Lodz MINE: PLAY 14 EVENT": "OR joins no conditions",
		"NEXT IF NOT: PLAY 14 EVENT":                      "missing after NOT",
		"NEXT IF Gdansk MINE: PLAY 14 EVENT ELSE":         "missing after ELSE",
		"NEXT IF VP 3: PLAY 14 EVENT ELSE IF VP 4: PLAY 5 EVENT ELSE ASK":    "one IF and one ELSE",
		"NEXT IF VP 3: PLAY 14 EVENT ELSE PLAY 5 EVENT ELSE PLAY 22":         "one IF and one ELSE",
		"NEXT PLAY 14 EVENT, PLAY 5 EVENT":                                   "give it a line of its own below",
		"NEXT IF " + strings.Repeat("VP 3 AND ", 40) + "VP 3: PLAY 14 EVENT": "at most 16 tests",
		"ANSWER 45 REMOVE " + strings.Repeat("Praha, ", 200) + "Brno":        "at most 1000 bytes",
	} {
		if l, err := reader.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v %v, want %q", text, l, err, want)
		}
	}
}

// rounds plays on to an action round of a seat in a turn, and returns the table and
// the seat.
func rounds(t *testing.T, seed uint64) (*table, rules.Seat) {
	t.Helper()
	x := newTable(t, seed)
	if !x.until(func(d rules.Decision) bool { return d.Kind == "round" }) {
		t.Fatal("no action round")
	}
	return x, x.owed().Seat
}

// playOf is a legal play of the seat that is asked.
func playOf(x *table) string { return game.FormatOrder(x.robot()) }

// TestNext: a line for the next action answers neither the round that was open when
// it was written nor the round after the next.
func TestNext(t *testing.T) {
	t.Parallel()
	x, seat := rounds(t, 4)
	lines := []ahead.Line{read(t, x.pos, seat, "NEXT "+playOf(x))}
	if fired, _, _ := reader.Fire(x.pos, lines); fired != nil {
		t.Fatal("it answers the round in which it was written")
	}
	first := x.owed().ID
	next := func() {
		t.Helper()
		if !x.until(func(d rules.Decision) bool { return d.Kind == "round" && d.Seat == seat && d.ID > first }) {
			t.Fatal("no further round")
		}
		first = x.owed().ID
	}
	before := x.pos
	next()
	line := playOf(x)
	for text, want := range map[string]string{
		"NEXT " + line:                                     line,
		"NEXT IF TURN 1: " + line:                          line,
		"NEXT IF NOT TURN 1: " + line:                      "ask",
		"NEXT IF TURN 1: ASK ELSE " + line:                 "ask",
		"NEXT IF TURN 9: PLAY 110 EVENT ELSE " + line:      line,
		"NEXT IF TURN 1 AND ROUND 1 OR MORE: " + line:      line,
		"NEXT PLAY 110 EVENT":                              "disarmed",
		"NEXT IF TURN 9: " + line + " ELSE PLAY 110 EVENT": "disarmed",
	} {
		lines := []ahead.Line{read(t, before, seat, text), read(t, before, seat, "NEXT "+line), read(t, before, seat, "ANSWER LOSS REMOVE Lodz"),
			read(t, before, 1-seat, "ANSWER LOSS REMOVE Lodz")}
		fired, remaining, dropped := reader.Fire(x.pos, lines)
		got := "ask"
		switch {
		case fired != nil:
			got = line
			if fired.Line.Text != lines[0].Text || len(remaining) != 3 || len(dropped) != 0 {
				t.Errorf("%s: %+v, kept %+v, dropped %+v", text, fired.Line, remaining, dropped)
			}
		case len(remaining) == 1 && len(dropped) == 3:
			got = "disarmed"
		case len(remaining) != 2 || len(dropped) != 2:
			t.Errorf("%s: kept %+v, dropped %+v", text, remaining, dropped)
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestPeriod: lines end with the turn, unless they say ALWAYS.
func TestPeriod(t *testing.T) {
	t.Parallel()
	x, seat := rounds(t, 4)
	lines := []ahead.Line{read(t, x.pos, seat, "ANSWER LOSS REMOVE Lodz"), read(t, x.pos, seat, "ANSWER POWER KEEP POWER ALWAYS"),
		read(t, x.pos, seat, "ATTACK March-6")}
	if remaining, _ := reader.Review(x.pos, nil, lines); len(remaining) != 3 {
		t.Fatalf("kept %+v", remaining)
	}
	if !x.until(func(rules.Decision) bool { return reader.Period(x.pos) == 2 }) {
		t.Fatal("the match ended in turn 1: take another seed")
	}
	remaining, dropped := reader.Review(x.pos, nil, lines)
	if len(remaining) != 1 || !remaining[0].Always || len(dropped) != 2 {
		t.Errorf("kept %+v, dropped %+v", remaining, dropped)
	}
}

// TestFill: a list runs from the left, what is not legal is skipped, and a list that
// does not do is not used at all.
func TestFill(t *testing.T) {
	t.Parallel()
	x := newTable(t, 1)
	d := x.owed()
	if d.Kind != "setup" {
		t.Fatalf("%+v", d)
	}
	place := func(text string) rules.Answer {
		o, err := orders.ParseOrder(text)
		if err != nil {
			t.Fatal(err)
		}
		a, err := game.Answers(o, []rules.Decision{d})
		if err != nil {
			t.Fatal(err)
		}
		return a[0]
	}
	robot := x.robot()
	line := game.FormatOrder(robot)
	long := strings.Replace(line, "PLACE ", "PLACE Timisoara 9, ", 1) + ", Debrecen 9, Lodz"
	a, ok := ahead.CompleteAnswer(x.pos, d, place(long))
	if !ok || len(a.Atoms) != len(robot) {
		t.Fatalf("%s: %t %s", long, ok, game.FormatOrder(a.Atoms))
	}
	short := game.FormatOrder(robot[:1])
	if _, ok := ahead.CompleteAnswer(x.pos, d, place(short)); ok {
		t.Errorf("%s does for %s", short, line)
	}
}

// TestReplaces: a line takes the place of one with the same source and verb only.
func TestReplaces(t *testing.T) {
	t.Parallel()
	x, seat := rounds(t, 4)
	l := func(text string) *ahead.Line { line := read(t, x.pos, seat, text); return &line }
	for _, test := range []struct {
		by, old string
		want    bool
	}{
		{"ATTACK March-6", "ATTACK Rally", true},
		{"ATTACK March-6", "DEFEND Rally", false},
		{"NEXT PLAY 14 EVENT", "NEXT PLAY 5 EVENT", true},
		{"ANSWER 45 REMOVE Lodz", "ANSWER 45 REMOVE Brno", true},
		{"ANSWER 45 REMOVE Lodz", "ANSWER 7 REMOVE Brno", false},
		{"ANSWER 14 REMOVE Lodz", "ANSWER 14 CHECK Lodz", false},
		// What answers the same question otherwise takes its place too.
		{"ANSWER STAKES PASS", "ANSWER STAKES RAISE Rally, Rally, March-3", true},
		{"ANSWER STAKES RAISE Rally, Rally, March-3", "ANSWER STAKES PASS", true},
		{"ANSWER POWER CHOOSE SURRENDER POWER", "ANSWER POWER KEEP POWER", true},
		{"ANSWER POWER KEEP POWER", "ANSWER POWER SURRENDER POWER", true},
		{"ANSWER STRUGGLE CONCEDE", "DEFEND March-3", true},
		{"ANSWER STRUGGLE CONCEDE", "ATTACK March-3", false},
		{"ANSWER 75 PASS", "ANSWER 75 DISCARD 12", true},
		{"ANSWER 16 CHOOSE CLEAR", "ANSWER 16 PLACE Lodz", true},
		{"ANSWER EXTRA PASS", "ANSWER EXTRA PLAY 14 EVENT", true},
		{"ANSWER 90 CHECK Praha", "ANSWER 90 PLACE Brno", false},
	} {
		if got := l(test.by).Replaces(l(test.old)); got != test.want {
			t.Errorf("%s, %s: %t", test.by, test.old, got)
		}
	}
}

// TestExamples: every example of the page on orders ahead can be read.
func TestExamples(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/orders.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n## Orders ahead\n")
	section, _, _ = strings.Cut(section, "\n## ")
	n := 0
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "    ") {
			continue
		}
		if _, err := reader.Parse(strings.TrimSpace(line)); err != nil {
			t.Errorf("%s%v", line, err)
		}
		n++
	}
	if !found || n < 8 {
		t.Errorf("%d examples", n)
	}
}
