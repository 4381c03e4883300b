package adjudicator_test

import (
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

var (
	// hintAt is what stands before an order in an answer that tells its reader to write it.
	hintAt = regexp.MustCompile(`(?:You may write|[Ii]f you mean(?: it, write)?|It can mean|such as|happens as well:|happens with Operations:|is played for Operations:|anyway:|whose event happens:|an answer would be|for its event only:|given up with|when it happens:|an enemy's card:) ([A-Z]{3}[^.?!]*)`)
	// sameQuestion are two orders for one question.
	sameQuestion = regexp.MustCompile(`\b([A-Z]{3,} .*?) and ([A-Z]{3,} .*?) answer the same question`)
	// alsoSays quotes what the writer wrote beside an order.
	alsoSays = regexp.MustCompile(`(?s)Your\s+letter\s+also\s+says\s+".*?"`)
	// becameOf is the end of what the writer wrote, and what became of it.
	becameOf = regexp.MustCompile(`: (?:done|kept|preview|ignored|not understood|refused|lapsed|not done yet|not reached)(?: |$)`)
	// aboutOther is what was refused that is no order of the game.
	aboutOther = regexp.MustCompile(`(?m)^- (?:MESSAGE|TAKEBACK YES): refused`)
	// placeholder is an order that is not whole.
	placeholder = regexp.MustCompile(`\b[A-Z]{3,} (?:[^.?!"]* )?(?:\.\.\.|<[a-z]+>)`)
)

// hintsOf are the orders that an answer names for what is asked.
func hintsOf(part string) []string {
	var text string
	for item := range strings.SplitSeq("\n"+part, "\n- ") {
		item = strings.Join(strings.Fields(item), " ")
		if at := becameOf.FindStringIndex(item); at != nil {
			item = item[at[1]:] // What the writer himself wrote is no hint.
		}
		text += item + "\n"
	}
	var out []string
	for _, m := range hintAt.FindAllStringSubmatch(text, -1) {
		said, _, _ := strings.Cut(m[1], ", write")
		out = append(out, strings.Split(said, ", or ")...)
	}
	for _, m := range sameQuestion.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1:]...)
	}
	return out
}

// offered are the orders that an answer offers to tap, those below its question and below the decision; a
// row that is too long goes on below it.
func offered(answer string) []string {
	answer, _, _ = strings.Cut(answer, "\nREQUESTS\n")
	var out []string
	for _, m := range formRow.FindAllStringSubmatch(answer, -1) {
		out = append(out, strings.Join(strings.Fields(m[1]), " "))
	}
	return slices.DeleteFunc(out, func(o string) bool { return o == "NO" })
}

var formRow = regexp.MustCompile(`(?m)^    (?:\d\. )?([A-Z]{2}.*(?:\n      .*)*)$`)

// follows sends what the answers to letters tell to write.
func (b *bench) follows(l meantLetter) (followed int) {
	b.t.Helper()
	b.trial.changes, b.trial.open = nil, true
	defer func() { b.trial.changes, b.trial.open = nil, false }()
	b.trial.recorded = slices.Contains(l.told, "HISTORY") || strings.Contains(strings.ToLower(l.text), "history") || strings.Contains(strings.ToLower(l.text), "takeback")
	to := b.last(b.seat).ReplyTo[0]
	answer := b.answers(b.raw(l.text, to))
	part := lettersOrders(answer)
	if m := placeholder.FindString(alsoSays.ReplaceAllString(part, "")); m != "" && !strings.Contains(l.text, "...") {
		b.t.Errorf("%s: %q is no whole order:\n%s", l.name, m, part)
	}
	if strings.Contains(part, "did you mean") && !strings.Contains(part, "CARD") && !strings.Contains(part, "It was not taken") {
		b.t.Errorf("%s is asked what is no whole order:\n%s", l.name, part)
	}
	answered := slices.Clone(b.trial.changes)
	letters := answered[0].Letters
	token := letters[slices.IndexFunc(letters, func(outgoing exchange.OutgoingLetter) bool { return outgoing.To == address(b.seat) })].Token
	reply := strings.Replace(to, to[strings.Index(to, "+")+1:strings.Index(to, "@")], token, 1)
	hints := hintsOf(part)
	forms := offered(answer)
	if len(forms) > 0 && !slices.Contains(forms, "YES") && !strings.Contains(part, ": done") {
		hints = append(hints, forms[0]) // What YES does is looked at elsewhere.
	}
	for _, hint := range hints {
		b.trial.changes = slices.Clone(answered)
		got := lettersOrders(b.answers(b.raw("\n"+hint+"\n", reply)))
		if !strings.Contains(strings.Join(strings.Fields(got), " "), ": done") && !strings.Contains(got, ": saved") {
			b.t.Errorf("%s to\n%s\nsays %q:\n%s\nwhich is answered:\n%s", l.name, l.text, hint, part, got)
		}
		followed++
	}
	if understood := regexp.MustCompile(`(?m)(?:: |^  )(?:done|kept|preview|not\s+done\s+yet)$`).MatchString(part); !understood && (strings.Contains(part, ": not understood") || strings.Contains(part, ": refused") && !aboutOther.MatchString(part)) && len(forms) == 0 {
		b.t.Errorf("%s to\n%s\nis told nothing that could be written:\n%s", l.name, l.text, part)
	}
	return followed
}

// TestHints follows every hint of the answers to the letters of the corpus to the letter:
// it must be a whole order that is carried out.
func TestHints(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	on := &trial{}
	c.store = func(s exchange.Store) exchange.Store { on.Store = s; return on }
	c.reopen()
	letters := txtar.Parse(testdata.SampleLetters).Files
	byPlace := map[int][]meantLetter{}
	for _, l := range meantLetters(t) {
		if crc32.ChecksumIEEE([]byte(l.text))%uint32(long.N(9, 1)) == 0 { // Which they are does not depend on the files.
			byPlace[l.at] = append(byPlace[l.at], l)
		}
	}
	followed := 0
	for n := 1; len(byPlace) > 0; n++ {
		_, seat, _ := strings.Cut(letters[n-1].Name, " ")
		b := &bench{club: c, trial: on, match: id, seat: seat}
		for _, l := range byPlace[n] {
			followed += b.follows(l)
		}
		delete(byPlace, n)
		sampleLetter(t, c, n-1)
	}
	if followed < 10 {
		t.Errorf("%d hints were followed", followed)
	}
	t.Logf("%d hints were followed", followed)
}

// slips are wrong ways to write an order to a question of a match, and whole orders that others
// might have given: what is too much, too little, of another place or in other words.
func slips(orders string, others []string) []string {
	out := []string{strings.TrimSuffix(orders, orders[strings.LastIndexByte(orders, ' ')+1:]) + "Sofia", orders + ", Praha", orders + " 9"}
	fields := strings.Fields(orders)
	for i, f := range fields {
		if i > 0 {
			without := strings.Join(slices.Delete(slices.Clone(fields), i, i+1), " ")
			out = append(out, without, strings.Join(fields[i:], " "))
		}
		if len(f) == 1 && f >= "1" && f <= "8" {
			more := slices.Clone(fields)
			more[i] = string(f[0] + 1)
			out = append(out, strings.Join(more, " "))
		}
	}
	for _, o := range others {
		out = append(out, orders+"\n\n"+o, orders+" or "+o, strings.ToLower(o)+" and "+strings.ToLower(orders))
	}
	return append(out, "PASS", "CONCEDE", "CHOOSE Gdansk", "PLAY 14 EVENT", "PLACE Berlin 2, Praha", "PLAY 36 OPS CHECK Lodz, Krakow", "ATTACK March-6", "DEFEND Tactic Fails",
		"RAISE Rally, Rally, Rally", "OPS PLACE Praha 4", "Gdansk", "both in Berlin", "36 event first", "DISCARD 35", "TAKE 33", "KEEP POWER", "CHECK Berlin", "REMOVE Lodz 3")
}

// TestHintsOfMatches follows the hints of answers to wrong orders, all through some matches.
func TestHintsOfMatches(t *testing.T) {
	t.Parallel()
	for seed := range byte(long.N(1, 4)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := newClub(t, dawn1989.Game())
			c.rand = rand.NewChaCha8([32]byte{seed})
			on := &trial{}
			c.store = func(s exchange.Store) exchange.Store { on.Store = s; return on }
			c.reopen()
			id := c.match("1989", nil, dawnSeats...)
			letters, followed := 0, 0
			robotsPlay(t, c, id, func(pos rules.Position, d rules.Decision, orders string) bool {
				others := dawn1989.Game().Prompt(pos.View(d.Seat), d, pos.Options(nil, d.ID)).Forms
				others = slices.DeleteFunc(others, func(o string) bool { return o == orders })
				b := &bench{club: c, trial: on, match: id, seat: dawnSeats[d.Seat]}
				for k, text := range slips(orders, others[:min(3, len(others))]) {
					if (letters+k)%long.N(5, 3) == 0 {
						followed += b.follows(meantLetter{name: fmt.Sprintf("letter %d, slip %d", letters, k), text: "\n" + text + "\n"})
					}
				}
				letters++
				return letters < long.N(20, 150)
			})
			if followed < 10 {
				t.Errorf("%d hints were followed", followed)
			}
			t.Logf("%d hints were followed", followed)
		})
	}
}
