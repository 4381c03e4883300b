package transcript_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/internal/transcript"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

var games = rules.Games{dawn1989.Game(), rulestest.Game(), council.Game()}

// sampleTurn is the text of the rulebook's sample turn, whose beginning docs/import.md shows.
func sampleTurn(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "sample-turn.txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestManualShowsSampleTurn checks that docs/import.md shows the beginning of the sample turn.
func TestManualShowsSampleTurn(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile(filepath.Join("..", "..", "docs", "import.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(manual), "begins with\n\n")
	shown, _, _ := strings.Cut(strings.ReplaceAll(after, "\n    ", "\n"), "\n\nAbove the first order")
	if shown = strings.TrimPrefix(shown, "    "); len(shown) < 400 || !strings.HasPrefix(sampleTurn(t), shown) {
		t.Errorf("docs/import.md shows\n%s", shown)
	}
}

// ends is the JSON of the position where a record ends. It can be written and read again.
func ends(t *testing.T, rec *record.Record) (rules.Position, []byte) {
	t.Helper()
	var file bytes.Buffer
	if err := rec.Write(&file); err != nil {
		t.Fatal(err)
	}
	again, err := record.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	g, err := games.Find(again.Header.Game)
	if err != nil {
		t.Fatal(err)
	}
	final, err := record.Replay(again, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := final.Position.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return final.Position, data
}

// TestSampleTurn: the sample turn of the manual leads where the rulebook's record does.
func TestSampleTurn(t *testing.T) {
	t.Parallel()
	made, err := transcript.Read(games, sampleTurn(t))
	if err != nil {
		t.Fatal(err)
	}
	want, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	_, current := ends(t, made.Record)
	_, should := ends(t, want)
	if !bytes.Equal(current, should) {
		t.Errorf("it ends at\n%s\nwant\n%s", current, should)
	}
	if h := made.Record.Header; h.Chance != record.ChanceRecorded || h.Seats["communist"] != "Ben" || h.Match != "sample" {
		t.Errorf("the header is %+v", h)
	}
	if !strings.HasPrefix(made.Summary(), `The text ends before an outcome that the match needs: a draw from "strategy" for communist (deal)`) {
		t.Errorf("it stands: %s", made.Summary())
	}
}

// TestUnknownDeal: where nobody wrote down what was dealt, every order is legal all the same,
// and the record says what was filled in.
func TestUnknownDeal(t *testing.T) {
	t.Parallel()
	var rows []string
	for row := range strings.Lines(sampleTurn(t)) {
		if !strings.HasPrefix(row, "!draw") {
			rows = append(rows, row)
		} else if last := rows[len(rows)-1]; last != "!draw ?\n" {
			rows = append(rows, "!draw ?\n")
		}
	}
	made, err := transcript.Read(games, strings.Join(rows, ""))
	if err != nil {
		t.Fatal(err)
	}
	_, current := ends(t, made.Record)
	for _, want := range []string{`"vp":5`, `"Budapest":{"democrat":1,"communist":4}`} {
		if !bytes.Contains(current, []byte(want)) {
			t.Errorf("%s is not in %s", want, current)
		}
	}
	notes := 0
	for _, e := range made.Record.Entries() {
		if e.Note != "" {
			notes++
		}
	}
	if notes != 2 {
		t.Errorf("%d entries say that something was filled in", notes)
	}
}

// TestComplaints: each thing that can be wrong is told with its line, what is wrong, and where
// it helps what was asked and what would be legal.
func TestComplaints(t *testing.T) {
	t.Parallel()
	text := sampleTurn(t)
	for _, tt := range []struct {
		name, from, to string
		says           []string
	}{
		{"no such card", "PLAY 27 OPS", "PLAY 28 OPS", []string{"line 37: communist: PLAY 28", "is not in your hand", "asked: communist: Which card", "legal: ", "PLAY 27"}},
		{"no such space", "CHOOSE Poznan", "CHOOSE Szeged", []string{"line 21: ", "You cannot choose", "asked: communist: Card 1", "legal: CHOOSE Gdansk; "}},
		{"unreadable", "CHOOSE Poznan", "CHOOSE Gera", []string{"line 21: ", `"Gera" is not a space`}},
		{"every unreadable line", "CHOOSE Poznan\ncommunist: CHECK Gdansk", "CHOOSE Gera\ncommunist: CHECK Gera", []string{"line 21: ", "line 22: "}},
		{"too short", "PLACE Budapest 3", "PLACE Budapest 2", []string{"line 30: ", "incomplete order", "asked: communist: "}},
		{"too long", "PLACE Budapest 3", "PLACE Budapest 4", []string{"line 30: ", "legal: PLACE"}},
		{"other question", "communist: CHECK Gdansk", "communist: ATTACK Rally", []string{"line 22: ", "does not answer the question", "asked: ", "legal: CHECK Gdansk"}},
		{"other seat", "communist: CHOOSE Poznan", "democrat: CHOOSE Poznan", []string{"line 21: ", "democrat has no open question here; expected an order of communist", "asked: communist:"}},
		{"no such seat", "communist: CHOOSE Poznan", "Carl: CHOOSE Poznan", []string{"line 21: ", `unknown seat "Carl"; the seats are democrat and communist`}},
		{"no order", "communist: CHOOSE Poznan", "communist:", []string{"line 21: ", "missing order"}},
		{"asked later", "EVENT FIRST\ncommunist: PLACE Brasov 2", "EVENT FIRST PLACE Lodz\ncommunist: PLACE Brasov 2", []string{"line 23: ", "answers a later question"}},
		{"no die", "CHECK Gdansk  !roll 3", "CHECK Gdansk", []string{"line 22: ", `missing outcome: a die (support check in Gdansk): write "!roll"`}},
		{"a die too many", "CHECK Gdansk  !roll 3", "CHECK Gdansk !roll 3, 4", []string{"line 22: ", "unexpected !roll 4: the order in line 22 needs no further outcome"}},
		{"a die for something else", "CHECK Gdansk  !roll 3", "CHECK Gdansk !roll 3 for Lodz", []string{"line 22: ", `the die in line 22 is for "Lodz"`}},
		{"no such die", "!roll 3", "!roll 7", []string{"line 22: ", `invalid die "7": expected 1 to 6`}},
		{"an empty die", "!roll 3", "!roll", []string{"line 22: ", `"!roll 4"`}},
		{"no such mark", "!roll 3", "!throw 3", []string{"line 22: ", "expected !roll or !draw"}},
		{"a card twice", "39, 40", "39, 39", []string{"line 8: ", `39 cannot be drawn from "strategy" now (deal)`}},
		{"a card too few", "39, 40", "39", []string{"line 7: ", `missing outcome before the first order: a draw from "strategy" for democrat (deal)`, "(found 15 outcomes)"}},
		{"a card too many", "39, 40", "39, 40, 41", []string{"line 8: ", "unexpected !draw 41: no further outcome is needed before the first order"}},
		{"an empty draw", "!draw to democrat 9, 10, 12, 26, 33, 35, 39, 40", "!draw to democrat", []string{"line 8: ", `"!draw ?"`}},
		{"nobody draws", "!draw to democrat 9", "!draw to carl 9", []string{"line 8: ", `unknown seat "carl"`}},
		{"no such game", "game 1989", "game chess", []string{"line 1: game chess", "unknown game"}},
		{"no such rules", "rules 1", "rules 99", []string{"line 2: rules 99", "the newest is"}},
		{"rules in words", "rules 1", "rules new", []string{"line 2: rules new", `invalid rules revision "new"`}},
		{"no such option", "match sample", "option sun yes", []string{"line 3: option sun yes", "invalid option"}},
		{"an option without a value", "match sample", "option sun", []string{"line 3: ", `"option NAME VALUE"`}},
		{"no such seat in the header", "seat communist Ben", "seat west Ben", []string{"line 5: ", `unknown seat "west"`}},
		{"a seat twice", "seat communist Ben", "seat democrat Ben", []string{"line 5: ", "seat democrat already has the player Ada"}},
		{"too many seats", "seat communist Ben", "seat communist Ben\nseat west Carl", []string{"line 4: ", "seats, not 3"}},
		{"after the end", "communist: CHOOSE Poznan", "communist: RESIGN", []string{"line 22: ", "the match is already over"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(text, tt.from) {
				t.Fatalf("%q is not in the sample turn", tt.from)
			}
			_, err := transcript.Read(games, strings.Replace(text, tt.from, tt.to, 1))
			var bad transcript.Complaints
			if !errors.As(err, &bad) {
				t.Fatalf("no complaint: %v", err)
			}
			for _, want := range tt.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in\n%v", want, err)
				}
			}
		})
	}
}

// TestWays: what may be written in more than one way means the same.
func TestWays(t *testing.T) {
	t.Parallel()
	text := sampleTurn(t)
	_, want := ends(t, must(t, text))
	for name, is := range map[string]string{
		"beginnings":       strings.NewReplacer("communist:", "c:", "democrat:", "Dem:").Replace(text),
		"players":          strings.NewReplacer("communist:", "Ben:", "democrat:", "ada:").Replace(text),
		"no seats":         strings.NewReplacer("communist: ", "", "democrat: ", "").Replace(text),
		"lower case":       strings.ToLower(text),
		"marks below":      strings.ReplaceAll(text, "  !roll", "\n!roll"),
		"remarks":          strings.ReplaceAll(text, "\n!draw", "  // and so\n# on\n!draw"),
		"purposes":         strings.Replace(text, "CHECK Gdansk  !roll 3", "CHECK Gdansk !roll 3 for gdansk", 1),
		"names of cards":   strings.Replace(text, "39, 40", "Eco-Glasnost, Hungarian Democratic Forum", 1),
		"semicolons":       strings.Replace(text, "CHOOSE Poznan\n", "CHOOSE Poznan; ", 1),
		"carriage returns": strings.ReplaceAll(text, "\n", "\r\n"),
		"and":              strings.Replace(text, "PLACE Miskolc, Debrecen", "PLACE Miskolc\nAND Debrecen", 1),
		"dealt in turn":    strings.Replace(text, "!draw to communist 1, 14, 15, 19, 22, 27, 34, 36\n!draw to democrat 9, 10, 12, 26, 33, 35, 39, 40", "!draw 1 9 14 10 15 12 19 26 22 33 27 35 34 39 36 40 from strategy", 1),
	} {
		if _, got := ends(t, must(t, is)); !bytes.Equal(got, want) {
			t.Errorf("%s: it ends at\n%s", name, got)
		}
	}
}

func must(t *testing.T, text string) *record.Record {
	t.Helper()
	made, err := transcript.Read(games, text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return made.Record
}

// TestResign: who gives up ends the match, and the record is whole.
func TestResign(t *testing.T) {
	t.Parallel()
	text, _, _ := strings.Cut(sampleTurn(t), "communist: CHOOSE Poznan")
	made, err := transcript.Read(games, text+"communist: resign\n")
	if err != nil {
		t.Fatal(err)
	}
	if pos, _ := ends(t, made.Record); made.Result != "won by democrat" {
		r, isOver := pos.Result()
		t.Errorf("%s; %+v, %t", made.Summary(), r, isOver)
	}
}

// FuzzRead: whatever the text is, it becomes a record that can be played again, or
// complaints that name lines of it.
func FuzzRead(f *testing.F) {
	f.Add(sampleTurn(f))
	f.Add("game orchards\n!draw ?\nnorth: PLAY 1 SOW Mill Lane, Long Acre !roll 6\n")
	f.Add("game council\nseat a b\n!draw ?\n!roll 1\nRESIGN")
	f.Add("!draw ?\nc: PLACE Miskolc, Debrecen\n: ! !draw\n\x00\xff")
	f.Fuzz(func(t *testing.T, text string) {
		made, err := transcript.Read(games, text)
		if err == nil {
			ends(t, made.Record)
			return
		}
		var bad transcript.Complaints
		if !errors.As(err, &bad) || len(bad) == 0 {
			t.Fatalf("no complaint: %v", err)
		}
		for _, c := range bad {
			if c.Line < 1 || c.Line > strings.Count(text, "\n")+1 || c.Problem == "" {
				t.Errorf("a complaint without a line: %s", c)
			}
		}
	})
}
