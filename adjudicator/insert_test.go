package adjudicator_test

import (
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/order"
	"samizdat/internal/test/long"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

// minInserted is how many English words are inserted into letters.
const minInserted = 5000

// inserted are English words that are neither a word of the game nor one that letters may have around orders.
func inserted(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/english.txt")
	if err != nil {
		t.Fatal(err)
	}
	game := map[string]bool{}
	for _, k := range dawn1989.Game().Keywords() {
		for _, phrase := range slices.Concat([]string{k.Word}, k.Synonyms, k.ShortAnswers, k.Units) {
			for _, w := range order.Words(phrase) {
				game[w] = true
			}
		}
	}
	for _, n := range dawn1989.Game().Names() {
		for _, text := range append([]string{n.Text}, n.Aliases...) {
			for _, w := range order.Words(text) {
				game[w] = true
			}
		}
	}
	for _, e := range letter.OrderSpecsByRole[letter.RolePlayer] {
		for _, w := range order.Words(string(e.Word)) {
			game[w] = true
		}
	}
	game[order.FirstWord(letter.Surely)] = true
	reader := letter.New(dawn1989.Game())
	host := func(w string) bool {
		lines, err := reader.Read(letter.Letter{Text: w, IsConsentAsked: true})
		return err == nil && slices.ContainsFunc(lines, func(line letter.Line) bool { return line.Kind == letter.KindRefereeOrder })
	}
	out := slices.DeleteFunc(strings.Fields(string(b)), func(w string) bool {
		return host(w) || game[w] || game[strings.TrimSuffix(w, "s")] || order.IsKnownWord(w)
	})
	if len(out) < minInserted {
		t.Errorf("%d words are inserted", len(out))
	}
	return out
}

// with is a letter with a word more: within its first line that is no salutation, or as a line above the last.
func with(p *order.Parser, text, word string, at uint32) string {
	rows := strings.Split(strings.TrimRight(text, "\n"), "\n")
	var lines []int
	for i, row := range rows {
		if strings.TrimSpace(row) != "" {
			lines = append(lines, i)
		}
	}
	if at%3 == 0 && len(lines) > 1 {
		return strings.Join(slices.Insert(rows, lines[len(lines)-1], word), "\n") + "\n"
	}
	i := lines[max(0, slices.Index(p.MarkCourtesies(slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return strings.TrimSpace(row) == "" })), false))]
	fields := strings.Split(rows[i], " ")
	rows[i] = strings.Join(slices.Insert(fields, int(at/3)%(len(fields)+1), word), " ")
	return strings.Join(rows, "\n") + "\n"
}

// TestInsertedWord: a letter that is carried out at once is not when a word more stands in it, in the sentence of an
// order or on a line of its own above the name.
func TestInsertedWord(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	on := &trial{}
	c.store = func(s exchange.Store) exchange.Store { on.Store = s; return on }
	c.reopen()
	table, err := os.ReadFile("testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	byPlace := map[int][]meantLetter{}
	for _, l := range meantLetters(t) {
		if strings.Contains(string(table), l.name+" | ") && l.want == "does" && len(l.told)+len(l.queries) == 0 && strings.HasPrefix(l.text, "\n") &&
			!strings.ContainsAny(l.text, ">|_") && !strings.Contains(l.text, "//") && !strings.Contains(l.text, "/*") && !strings.Contains(l.text, "--") && strings.Count(l.text, "\n") < 6 && strings.Contains(string(table), "\n"+l.name+" | does "+strings.Join(l.lines, "; ")+" | done: ") {
			byPlace[l.at] = append(byPlace[l.at], l)
		}
	}
	words := inserted(t)
	places := []int{}
	for at := range byPlace {
		places = append(places, at)
	}
	slices.Sort(places)
	letters, parser := txtar.Parse(testdata.SampleLetters).Files, order.New(dawn1989.Game())
	tried := 0
	for n := 1; n <= places[len(places)-1]; n++ {
		_, seat, _ := strings.Cut(letters[n-1].Name, " ")
		b := &bench{club: c, trial: on, match: id, seat: seat}
		if list := byPlace[n]; len(list) > 0 {
			if b.before, err = on.Store.Match(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if b.pos, err = dawn1989.Game().Decode(b.before.Position); err != nil {
				t.Fatal(err)
			}
			for i, w := range words {
				sum := crc32.ChecksumIEEE([]byte(w))
				if i%len(places) != slices.Index(places, n) || long.N(int(sum/16%12), 0) != 0 {
					continue
				}
				l := list[int(sum/7)%len(list)]
				l.text = "\n" + with(parser, l.text[1:], w, sum)
				l.want, l.lines = "nothing", nil
				tried++
				if verdict, answer, did := b.verdict(l, parser); verdict == meantWrong {
					t.Errorf("%s with %q:\n%s\nit did %q:\n%s", l.name, w, l.text, did, lettersOrders(answer))
				}
			}
		}
		sampleLetter(t, c, n-1)
	}
	if minimum := minInserted / 13; tried < long.N(minimum, minInserted) {
		t.Errorf("only %d letters were tried", tried)
	}
}
