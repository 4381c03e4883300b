package report

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/internal/test/long"
	"samizdat/internal/test/recordtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// toldMatch is a match that a program of ours has played, with some of its letters.
type toldMatch struct {
	name    string
	game    *rules.Game
	rec     *record.Record
	letters Letters
}

// toldMatches are those of three programs, none of which knew that its letters would be read back.
func toldMatches(t *testing.T) (out []toldMatch) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "letters", "*.mbox.gz"))
	if err != nil || len(files) < 5 {
		t.Fatal("letters are missing", err)
	}
	for _, file := range files {
		path := filepath.Join(t.TempDir(), "box")
		if err := os.WriteFile(path, recordtest.Unpacked(t, file), 0o600); err != nil {
			t.Fatal(err)
		}
		m := toldMatch{name: filepath.Base(file), game: dawn1989.Game()}
		if strings.HasPrefix(m.name, "1789") {
			m.game = revolution1789.Game()
		}
		if m.letters, err = ReadLetters([]string{path}); err != nil {
			t.Fatal(err)
		}
		if m.rec, err = record.ReadFile(strings.Replace(file, ".mbox.", ".jsonl.", 1)); err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

// refused are the letters whose facts are refused, with what is said of them.
func (m toldMatch) refused(t *testing.T, list []letterEvidence) (said map[string]string, checked *factCheck) {
	t.Helper()
	var out bytes.Buffer
	f := newFactCheck(&out, m.game, m.rec, Letters{hasMailboxes: true, byMatch: map[string][]letterEvidence{m.rec.Header.Match: list}})
	if _, err := record.Replay(m.rec, m.game, f.checkEntry); err != nil {
		t.Fatal(err)
	}
	said = map[string]string{}
	for line := range strings.Lines(out.String()) {
		for _, letter := range list {
			if strings.HasPrefix(line, "  "+f.describeLetter(letter)+": ") {
				said[f.describeLetter(letter)] = line
			}
		}
	}
	return said, f
}

// TestFactsTrue: letters of programs of before state what the record has, also where the page alone
// was kept.
func TestFactsTrue(t *testing.T) {
	t.Parallel()
	for _, m := range toldMatches(t) {
		list := m.letters.byMatch[m.rec.Header.Match]
		pages := slices.Clone(list)
		for i := range pages {
			pages[i].text, pages[i].page = pages[i].page, ""
		}
		for _, list := range [][]letterEvidence{list, pages} {
			said, f := m.refused(t, list)
			for _, s := range said {
				t.Errorf("%s: %s", m.name, s)
			}
			if f.letterTotal < 12 || f.factTotal < 10*f.letterTotal {
				t.Errorf("%s: only %d facts in %d letters are read", m.name, f.factTotal, f.letterTotal)
			}
		}
	}
}

// TestFactsNames: what players are called states nothing.
func TestFactsNames(t *testing.T) {
	t.Parallel()
	for _, m := range toldMatches(t) {
		list := slices.Clone(m.letters.byMatch[m.rec.Header.Match])
		for i := range list {
			list[i].text = strings.Replace(list[i].text, "\nTurn ", "\nThe match waits for Turn 99 and VP 9.\nTurn ", 1)
		}
		said, _ := m.refused(t, list)
		for _, s := range said {
			t.Errorf("%s: %s", m.name, s)
		}
	}
}

// lie is a way to change one fact in the text or the page of a letter: what is in the first
// group, where the pattern matches behind a mark.
type lie struct {
	what    string
	behind  *regexp.Regexp
	pattern *regexp.Regexp
	change  func(r *rand.Rand, before string) string
}

// digit is another number of one digit.
func digit(r *rand.Rand, before string) string {
	n, _ := strconv.Atoi(before)
	return strconv.Itoa((n + 1 + r.IntN(5)) % 7)
}

// oneOf is another word of a list.
func oneOf(words ...string) func(r *rand.Rand, before string) string {
	return func(r *rand.Rand, before string) string {
		remaining := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == before })
		return remaining[r.IntN(len(remaining))]
	}
}

var (
	anywhere    = regexp.MustCompile(``)
	inHappened  = regexp.MustCompile(`(?i)(?:^|\n)what happened\n`)
	inHand      = regexp.MustCompile(`(?i)(?:^|\n)your hand\n`)
	inMap       = regexp.MustCompile(`(?i)(?:^|\n)the map\n`)
	inKnown     = regexp.MustCompile(`(?i)(?:^|\n)what is known\n`)
	inStruggle  = regexp.MustCompile(`(?i)(?:^|\n)the power struggle in .*\n`)
	inCrises    = regexp.MustCompile(`(?i)(?:^|\n)the crises\n`)
	inCitizens  = regexp.MustCompile(`(?i)(?:^|\n)the citizens, clockwise\n`)
	inAssembly  = regexp.MustCompile(`(?i)(?:^|\n)the assembly\n`)
	inObjective = regexp.MustCompile(`(?i)(?:^|\n)your objective\n`)
	sides       = oneOf("Democrat", "Communist")
	colours     = oneOf("Monarchist", "Republican")
	lies        = []lie{
		{"a die", inHappened, regexp.MustCompile(`\bdie (\d)\b`), digit},
		{"what is added to a die", inHappened, regexp.MustCompile(`\bdie \d \+ (\d)\b`), digit},
		{"the sum of a die", inHappened, regexp.MustCompile(`\bdie \d [^=\n]*= (\d)\b`), digit},
		{"VP that were told", inHappened, regexp.MustCompile(`\): VP [+-]?(\d+)\.`), digit},
		{"a move of VP", inHappened, regexp.MustCompile(`VP move by [+-]?(\d+) `), digit},
		{"VP of the head", anywhere, regexp.MustCompile(`^[^#]{0,400}?\bVP [+-](\d+)`), digit},
		{"VP that are known", inKnown, regexp.MustCompile(`^(?:-+\n)?VP: [+-](\d+)`), digit},
		{"who is ahead", inKnown, regexp.MustCompile(`\((Democrat|Communist) ahead\)`), sides},
		{"the number of a card", inHand, regexp.MustCompile(`(?m)^ *(\d+) +[A-Z0-9].*(?:\d Ops|scoring)`), digit},
		{"Ops of a card", inHand, regexp.MustCompile(`(?m)^ *\d+ +[A-Z].* (\d) Ops`), digit},
		{"the title of a card", inHand, regexp.MustCompile(`(?m)^ *\d+ +([A-Z][^\n]*?) +(?:\d Ops|scoring)`), oneOf("Li Peng", "Walesa", "Michnik")},
		{"the points of the Democrat", inMap, regexp.MustCompile(`(?m)^[A-Z]\d!? +\D+? (\d+|\.) +[\d.]`), oneOf(".", "1", "2", "3", "11")},
		{"the points of the Communist", inMap, regexp.MustCompile(`(?m)^[A-Z]\d!? +\D+? [\d.]+ +(\d+|\.)`), oneOf(".", "1", "2", "3", "11")},
		{"who controls a space", inMap, regexp.MustCompile(`(?m)^[A-Z]\d!? +\D+? [\d.]+ +[\d.]+ ([DC])\b`), oneOf("D", "C")},
		{"the name of a space", inMap, regexp.MustCompile(`(?m)^[A-Z]\d!? +([A-Z]\w+) +[\d.]+ `), oneOf("Gdansk", "Sofia", "Praha", "Bonn")},
		{"stability", inMap, regexp.MustCompile(`(?m)^[A-Z](\d)!? +\D+? [\d.]+ +[\d.]+ `), digit},
		{"Power", inMap, regexp.MustCompile(`\(Power: (Democrat|Communist)`), sides},
		{"cards in hand", inKnown, regexp.MustCompile(`Cards in hand: Democrat (\d+)`), digit},
		{"struggle cards", inStruggle, regexp.MustCompile(`Your cards: [^\n]*?(?:Strike|March|Petition)-(\d)`), digit},
		{"who is to play", anywhere, regexp.MustCompile(`^[^#]{0,400}?The (Democrat|Communist) is to [a-z]`), sides},
		{"who wins", anywhere, regexp.MustCompile(`^[^#]{0,400}?The (Democrat|Communist) wins: `), sides},
		{"whether you have won", anywhere, regexp.MustCompile(`^[^#]{0,300}?you have( not)? won`), func(_ *rand.Rand, before string) string {
			if before == "" {
				return " not"
			}
			return ""
		}},
		{"whose move it is", anywhere, regexp.MustCompile(`^[^#]{0,200}?(It is your move\.)\n`), oneOf("Nothing is asked of you now. The match waits for the others.")},
		{"whose move it is not", anywhere, regexp.MustCompile(`^[^#]{0,200}?(Nothing is asked of you now\. The match waits for [^.\n]*\.)`), oneOf("It is your move.")},
		{"the turn", anywhere, regexp.MustCompile(`^[^#]{0,300}?\bTurn (\d+)`), digit},

		{"the chair", anywhere, regexp.MustCompile(`^[^#]{0,300}?\bTurn \d+: (\w+) `), oneOf("Arch", "Bell", "Lamp", "Cheese")},
		{"a minister", inAssembly, regexp.MustCompile(`(?m)^(?:Economical|Social|Political):? +(Monarchist|Republican)`), colours},
		{"a reform", inCrises, regexp.MustCompile(`(?m)^ *\d+ .*?(Economical|Social|Political)`), oneOf("Economical", "Social", "Political")},
		{"who sits at a crisis", inCrises, regexp.MustCompile(`(?m)^ *\d+ .* ([A-Z][a-z]) [A-Z.]`), oneOf("Ar", "Be", "La", "Ch")},
		{"a verdict", inCrises, regexp.MustCompile(`voted (Monarchist|Republican)`), colours},
		{"a citizen's seat", inCitizens, regexp.MustCompile(`(?m)^[A-Z][a-z] .*?(\d)-\d`), digit},
		{"the objective", inObjective, regexp.MustCompile(`^(?:-+\n)?[^\n]*?, an? (Monarchist|Republican|Bonaparte)`), oneOf("Monarchist", "Republican", "Bonaparte")},
		{"a ballot", inHappened, regexp.MustCompile(`\(space \d+\): (\d) for`), digit},
		{"a seat that is taken", inHappened, regexp.MustCompile(`seat (\d)-\d`), digit},
	}
)

// tell changes a text by the lie; false where it cannot.
func (l lie) tell(r *rand.Rand, text string) (changed string, ok bool) {
	from := l.behind.FindStringIndex(text)
	if from == nil {
		return "", false
	}
	all := l.pattern.FindAllStringSubmatchIndex(text[from[1]:], -1)
	if len(all) == 0 {
		return "", false
	}
	m := all[r.IntN(len(all))]
	a, b := from[1]+max(m[2], 0), from[1]+max(m[3], 0)
	if m[2] < 0 { // What may stand there and does not: before " won".
		a = from[1] + m[1] - len(" won")
		b = a
	}
	current := l.change(r, text[a:b])
	return text[:a] + current + text[b:], current != text[a:b]
}

// TestFactsChanged changes one fact in each of many letters, in the text or on the page; each of them
// is found.
func TestFactsChanged(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(34, 1989))
	matches := toldMatches(t)
	told, missed := map[string]int{}, map[string]int{}
	for remaining := long.N(500, 5000); remaining > 0; {
		m := matches[r.IntN(len(matches))]
		list := slices.Clone(m.letters.byMatch[m.rec.Header.Match])
		lied := map[string]string{}
		_, f := m.refused(t, nil)
		for i := range list {
			s := &list[i]
			if position, isKnown := newLetterCheck(f.names, m.rec, m.letters).places[s.hash]; !isKnown || position.seq < 0 {
				continue
			}
			for range 20 {
				l := lies[r.IntN(len(lies))]
				where := &s.text
				if what := l.what; s.page != "" && r.IntN(4) == 0 {
					where = &s.page
					l.what = "on the page, " + what
				}
				if changed, ok := l.tell(r, *where); ok {
					*where = changed
					lied[f.describeLetter(*s)] = l.what
					told[l.what]++
					remaining--
					break
				}
			}
		}
		said, _ := m.refused(t, list)
		for letter, what := range lied {
			if said[letter] == "" {
				if missed[what]++; missed[what] == 1 {
					t.Errorf("%s: %s of %s is not found", m.name, what, letter)
				}
			}
		}
	}
	for what, n := range missed {
		t.Errorf("%s: %d of %d are not found", what, n, told[what])
	}
	t.Log(fmt.Sprint(told))
	for _, l := range lies {
		if told[l.what] == 0 {
			t.Errorf("%s was never changed", l.what)
		}
	}
}

// TestFactsRead: whatever letters of this program state of a position, and of what happened, is
// read back out of their words. A table whose rows or title are written otherwise would not be.
func TestFactsRead(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "letters", "*.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join("..", "..", "testdata", "records", "*.gz"))
	if err != nil || len(more) == 0 {
		t.Fatal("records are missing", err)
	}
	known := rules.Games{dawn1989.Game(), revolution1789.Game()}
	for _, file := range append(files, more[:long.N(2, len(more))]...) {
		rec, err := record.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g, err := known.Find(rec.Header.Game)
		if err != nil {
			t.Fatal(err)
		}
		_, err = record.Replay(rec, g, func(v record.Visit) error {
			for i := range g.SeatNames(rec.Header.Setup(g)) {
				seat := rules.Seat(i)
				heard := slices.DeleteFunc(slices.Clone(v.Events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
				if err := readBack(g, v.Position.View(seat), heard); err != nil {
					return fmt.Errorf("entry %d, seat %d: %w", v.Entry.Seq, i, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// readBack reads facts out of the words of a view and of events.
func readBack(g *rules.Game, view rules.View, events []rules.Event) error {
	s := g.Facts
	var sentences []string
	for _, x := range g.Sentences(view, events) {
		sentences = append(sentences, order.ASCII(x))
	}
	spoken := slices.Clone(sentences)
	for i := range spoken {
		spoken[i] = g.Speech.SpeakText(spoken[i])
	}
	for _, list := range [][]string{sentences, spoken} {
		if told, tells := s.EventFacts(view, events), s.ReadEventFacts(list); !slices.Equal(told, tells) {
			return fmt.Errorf("told %v, read %v in %q", told, tells, list)
		}
	}
	stated := map[string]string{}
	for _, x := range s.ReadFacts("", []string{order.ASCII(g.Status(view))}) {
		stated[x.Name] = x.Value
	}
	for _, sec := range g.Sections(view) {
		var lines []string
		for _, l := range sec.Lines {
			lines = append(lines, order.ASCII(l))
		}
		for _, x := range s.ReadFacts(strings.ToUpper(order.ASCII(sec.Title)), lines) {
			stated[x.Name] = x.Value
		}
	}
	// What stands in the head is not always there.
	head := []string{"turn", "round", "ahead", "winner", "to move", "chair"}
	for _, x := range s.Facts(view) {
		x.Name, x.Value = order.ASCII(x.Name), order.ASCII(x.Value)
		value, ok := stated[x.Name]
		if ok && value != x.Value || !ok && !slices.Contains(head, x.Name) && !strings.HasPrefix(x.Name, "worth of ") {
			return fmt.Errorf("%s: %q, and it reads %q (%t)", x.Name, x.Value, value, ok)
		}
		delete(stated, x.Name)
	}
	if len(stated) > 0 {
		return fmt.Errorf("it reads %v, and no fact is so called", stated)
	}
	return nil
}
