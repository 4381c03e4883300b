package dawn1989_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"samizdat/rules"
)

// canonical are answers to every decision of the game, one order each.
var canonical = strings.Split(strings.TrimSpace(`
CHOOSE Poznan
CHECK Gdansk
PLACE Krakow 2, Lodz 2
PASS
PLAY 35 STRIKE
PLAY 22 EVENT
REMOVE Krakow 2, Gdansk, Lodz
PLACE Brasov 2, Targu Mures 2
CHOOSE Polish Writers
CHOOSE 13
REMOVE Polish Catholic Church, Krakow
TAKE 8
CHOOSE CLEAR
CHOOSE Czech Catholic Church
OPS PLACE Lodz 2, Krakow
OPS CHECK Lodz
OPS TIANANMEN
PLAY 21 WITH 27 OPS PLACE Lodz 3
PLAY 21 WITH 27 OPS CHECK Lodz
RAISE March-3, Rally, Rally
RAISE Elite Leader, March-3, Strike-4
ATTACK Petition-6
ATTACK Elite Leader AS March
ATTACK Scare Tactics IN Krakow
DEFEND Petition-5
DEFEND Tactic Fails
CONCEDE
CHOOSE KEEP POWER
CHOOSE SURRENDER POWER
PLACE Polish Writers 2, Czech Writers 2
CHOOSE Poland
DISCARD 35
DISCARD 12, 35
OPS CHECK Leipzig BONUS
CHECK Polish Writers
CHOOSE Harghita/Covasna
OPS CHECK Cluj-Napoca
CHOOSE DECLARE
CHOOSE Romania
CHOOSE East Germany
BID COMMUNIST GIVE 0
BID DEMOCRAT GIVE 2
CHOOSE DEMOCRAT
CHOOSE COMMUNIST
PLAY 27 OPS TIANANMEN
PLAY 28 EVENT
PLAY 12 OPS EVENT FIRST
PLAY 12 OPS PLACE Lodz, Wroclaw EVENT AFTER
PLAY 12 OPS CHECK Lodz NO EVENT
PLAY 40 BOTH CHECK Debrecen EVENT AFTER
PLAY 40 BOTH EVENT FIRST
PLAY 40 OPS
`), "\n")

// readLine reads an order as a question of every kind at once would be answered.
func readLine(text string) ([]rules.Answer, error) {
	o, err := parser.ParseOrder(text)
	if err != nil {
		return nil, err
	}
	return game.Answers(o, nil)
}

// written are the answers of a line, in canonical form.
func written(t rapid.TB, text string) []string {
	t.Helper()
	answers, err := readLine(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var out []string
	for _, a := range answers {
		out = append(out, game.FormatOrder(a.Atoms))
	}
	return out
}

// Every canonical line is read, and written as it was.
func TestCanonicalForms(t *testing.T) {
	t.Parallel()
	for _, line := range canonical {
		if got := written(t, line); len(got) != 1 || got[0] != line {
			t.Errorf("%q is read as %q", line, got)
		}
		if !parser.IsOrder(line) {
			t.Errorf("%q is taken for talk", line)
		}
	}
}

// anyLine draws a canonical line with names of any kind, spelt out or not.
func anyLine(t *rapid.T) string {
	names := func(kind rules.NameKind) func() string {
		var list []string
		for _, n := range game.Names() {
			if n.Kind == kind && !n.NoAbbreviation {
				list = append(list, n.Text)
				for _, a := range n.Aliases {
					if !strings.HasSuffix(a, "Church") { // There are several of these.
						list = append(list, a)
					}
				}
			}
		}
		return func() string { return rapid.SampledFrom(list).Draw(t, string(kind)) }
	}
	space, card, struggle := names("space"), names("card"), names("struggle card")
	several := func(item func() string, counts bool) string {
		var out []string
		for range rapid.IntRange(1, 4).Draw(t, "names") {
			name := item()
			if n := rapid.IntRange(1, 4).Draw(t, "count"); counts && n > 1 {
				name += " " + string(rune('0'+n))
			}
			out = append(out, name)
		}
		return strings.Join(out, ", ")
	}
	switch rapid.IntRange(0, 8).Draw(t, "verb") {
	case 0:
		return "PLACE " + several(space, true)
	case 1:
		return "REMOVE " + several(space, true)
	case 2:
		return "CHECK " + several(space, false)
	case 3:
		return "DISCARD " + several(card, false)
	case 4:
		return "PLAY " + card() + " OPS PLACE " + several(space, true) + " EVENT AFTER"
	case 5:
		return "PLAY " + card() + " OPS CHECK " + space() + ", " + space() + " EVENT FIRST"
	case 6:
		return "RAISE " + struggle() + ", " + struggle() + ", " + struggle()
	case 7:
		return "ATTACK Elite Leader AS " + names("suit")() + ", Scare Tactics IN " + space()
	}
	return rapid.SampledFrom(canonical).Draw(t, "line")
}

// The examples of the players' guide are read as it says.
func TestGuideExamples(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/orders.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "## How orders are read")
	n := 0
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*`) \\| `([^`]+)` \\|$").FindAllStringSubmatch(section, -1) {
		for _, text := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			n++
			if !parser.IsOrder(text[1]) {
				t.Errorf("%q is taken for talk", text[1])
			}
			if d := cmp.Diff(written(t, row[2]), written(t, text[1])); d != "" {
				t.Errorf("%q is not read as %q: %s", text[1], row[2], d)
			}
		}
	}
	if n < 25 {
		t.Errorf("only %d examples were found", n)
	}
}

// What is written of a line is read as the same again.
func TestWrittenIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		for _, line := range written(t, anyLine(t)) {
			if again := written(t, line); len(again) != 1 || again[0] != line {
				t.Fatalf("%q is read as %q", line, again)
			}
		}
	})
}

// Case, accents, white space, line ends and the punctuation behind a line change
// nothing.
func TestDressChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := anyLine(t)
		want, err := readLine(line)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		dressed := line
		switch rapid.IntRange(0, 5).Draw(t, "dress") {
		case 0:
			dressed = strings.ToLower(line)
		case 1:
			dressed = strings.ToUpper(line)
		case 2:
			dressed = strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			}, norm.NFD.String(line))
		case 3:
			dressed = norm.NFD.String(line)
		case 4:
			dressed = strings.ReplaceAll(line, " ", "  ")
		case 5:
			dressed = strings.ReplaceAll(line, ", ", " ,")
		}
		dressed += rapid.SampledFrom([]string{"", ".", "!", ",", ";", " ", "\r", "\r\n", " // so there", " ..."}).Draw(t, "end")
		lines := parser.SplitLines(dressed)
		if len(lines) != 1 {
			t.Fatalf("%q is %d lines", dressed, len(lines))
		}
		got, err := readLine(lines[0].Text)
		if err != nil {
			t.Fatalf("%q: %v", dressed, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q (-%q)\n%s", dressed, line, d)
		}
	})
}

// A slip of the pen is mended or refused, and never makes another thing of a
// name: in full names one wrong letter leaves no other name.
func TestSlips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(game.Names()).Filter(func(n rules.Name) bool {
			return n.Kind == "space" && len(n.Text) > 4
		}).Draw(t, "space")
		typed := []rune(strings.ToLower(s.Text))
		i := rapid.IntRange(0, len(typed)-1).Draw(t, "where")
		if !unicode.IsLetter(typed[i]) {
			return
		}
		c := rune(rapid.IntRange('a', 'z').Draw(t, "letter"))
		switch slip := rapid.IntRange(0, 3).Draw(t, "slip"); {
		case slip == 0:
			typed[i] = c
		case slip == 1 && i > 0 && i < len(typed)-1:
			typed = append(typed[:i:i], typed[i+1:]...)
		case slip == 2:
			typed = append(typed[:i:i], append([]rune{c}, typed[i:]...)...)
		case i+1 < len(typed) && unicode.IsLetter(typed[i+1]):
			typed[i], typed[i+1] = typed[i+1], typed[i]
		}
		line := "PLACE " + string(typed) + " 2"
		got, err := readLine(line)
		if err != nil {
			return
		}
		if want := "PLACE " + s.Text + " 2"; game.FormatOrder(got[0].Atoms) != want {
			t.Fatalf("%q is read as %q, and not as %q", line, game.FormatOrder(got[0].Atoms), want)
		}
	})
}

// A count may stand before its name.
func TestCountsBeforeNames(t *testing.T) {
	t.Parallel()
	numerals := []string{"", "one", "two", "three", "four"}
	rapid.Check(t, func(t *rapid.T) {
		var canonical, spoken []string
		for range rapid.IntRange(1, 4).Draw(t, "names") {
			s := rapid.SampledFrom(game.Names()).Filter(func(n rules.Name) bool {
				return n.Kind == "space" && !slices.ContainsFunc(canonical, func(c string) bool { return strings.HasPrefix(c, n.Text+" ") })
			}).Draw(t, "space").Text
			n := rapid.IntRange(1, 4).Draw(t, "count")
			canonical = append(canonical, s+" "+string(rune('0'+n)))
			spoken = append(spoken, rapid.SampledFrom([]string{string(rune('0' + n)), numerals[n]}).Draw(t, "number")+
				rapid.SampledFrom([]string{" in ", " SP in ", " points in the ", " to "}).Draw(t, "words")+s)
		}
		a, b := written(t, "PLACE "+strings.Join(canonical, ", ")), written(t, "place "+strings.Join(spoken, " and "))
		if d := cmp.Diff(a, b); d != "" {
			t.Fatalf("%q and %q: %s", canonical, spoken, d)
		}
	})
}

// Two readings are never chosen between: both are shown.
func TestTwoReadings(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"place 2 in Krakow and Lodz": "can be meant in two ways",
		"place Krakow, 2 Lodz":       "can be meant in two ways",
		"PLACE Sleven":               "Pleven or Sliven",
		"PLACE Writers":              "German Writers, Polish Writers, Czech Writers, Hungarian Writers, Romanian Writers or Bulgarian Writers",
		"PLAY 36 (Stasi) EVENT":      "36 Dash for the West or 13 Stasi",
		"PLAY Gorbatchev EVENT":      "14 Gorbachev Charms the West or 62 Yakovlev Counsels Gorbachev",
		"CHECK Berlin 2":             "CHECK Berlin, Berlin",
		"PLACE Hungary 3":            "\"Hungary\" is not a space; it is a country",
		"PLACE East Germany 3":       "is not a space",
	} {
		_, err := readLine(in)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
}

// What cannot be undone is read only as it is written.
func TestExactWords(t *testing.T) {
	t.Parallel()
	for _, in := range []string{"conceed", "conc", "I concede", "please concede", "concede please", "surrender", "surr power", "surrender pow",
		"please surrender power", "I surrender power", "surender power", "surrender the power", "CHOOSE SURRENDER", "CHOOSE surr power"} {
		if got, err := readLine(in); err == nil {
			t.Errorf("%q is read as %q", in, game.FormatOrder(got[0].Atoms))
		}
	}
}

// letter is a letter of ten lines of all sorts, as a player may write it.
const letter = `Hi Bob, well done last time!
play 36 for ops, two SPs in Bydgoszcz and one in Warszawa, event first
PLAY 14 OPS PLACE Krakow 2, Lodz EVENT AFTER
CHECK Gdanks, Polish Catolic Church
I would like to place 2 SP in Cracow & 1 in the Jagiellonian University please
ATTACK March-6, Elite Leader AS Rally, Scare Tactics IN Krakow
take card 33
put 1 each in Timisoara, Iasi and Targumures
I will think about the rest on Sunday, when the children are asleep.
Best regards, Ann`

// Reading a letter of ten lines takes less than a millisecond.
func BenchmarkReadLetter(b *testing.B) {
	for b.Loop() {
		for _, l := range parser.SplitLines(letter) {
			if !parser.IsOrder(l.Text) {
				continue
			}
			if _, err := parser.ParseOrder(l.Text); err != nil {
				b.Fatal(err)
			}
		}
	}
}
