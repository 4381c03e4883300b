package adjudicator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/mail"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

// trial is a store on which letters are tried while it is open: what one changes is seen
// by the next of the trial, and is forgotten with it.
type trial struct {
	exchange.Store
	open bool
	// recorded keeps the chance of the sample turn. Otherwise anything may be tried, not
	// only what happened there.
	recorded bool
	// changes are what the letters of the trial have led to.
	changes []exchange.Change
	// match and history are what all trials of a place begin with.
	match   *match.Match
	history []record.Entry
}

// Match implements exchange.Store.
func (s *trial) Match(ctx context.Context, id string) (*match.Match, error) {
	if !s.open {
		return s.Store.Match(ctx, id)
	}
	if s.match == nil {
		m, err := s.Store.Match(ctx, id)
		if err != nil {
			return nil, err
		}
		s.match = m
	}
	m := *s.match
	if n := len(s.changes); n > 0 {
		m = *s.changes[n-1].Match
	} else if !s.recorded {
		m.Recorded = nil
	}
	m.Seats, m.Pending = slices.Clone(m.Seats), slices.Clone(m.Pending)
	return &m, nil
}

// History implements exchange.Store.
func (s *trial) History(ctx context.Context, id string) (_ []record.Entry, err error) {
	if !s.open {
		return s.Store.History(ctx, id)
	}
	if s.history == nil {
		s.history, err = s.Store.History(ctx, id)
	}
	return slices.Clone(s.history), err
}

// Apply implements exchange.Store.
func (s *trial) Apply(ctx context.Context, c exchange.Change) error {
	if !s.open {
		s.match, s.history = nil, nil
		return s.Store.Apply(ctx, c)
	}
	s.changes = append(s.changes, c)
	return nil
}

// Received implements exchange.Store.
func (s *trial) Received(ctx context.Context, match string, seat rules.Seat, digest, or string) (exchange.Disposition, bool, error) {
	if s.open {
		return "", false, nil
	}
	return s.Store.Received(ctx, match, seat, digest, or)
}

// Sent implements exchange.Store.
func (s *trial) Sent(ctx context.Context, match string, seat rules.Seat, number int64) (exchange.SentLetter, bool, error) {
	for _, c := range s.changes {
		for _, outgoing := range c.Letters {
			if outgoing.Seat == seat && outgoing.Number == number {
				return exchange.SentLetter{Number: number, Decisions: outgoing.Decisions, EntryCount: outgoing.EntryCount}, true, nil
			}
		}
	}
	return s.Store.Sent(ctx, match, seat, number)
}

// meantLetter is a letter of the corpus, and what its writer meant.
type meantLetter struct {
	name string
	// at is the number of the letter of the sample turn in whose place it stands.
	at   int
	text string
	// want is "nothing", "does" or "asks"; lines are the orders meant, queries what is
	// answered whatever becomes of them.
	want    string
	lines   []string
	queries []string
	// told are queries that are asked in other words.
	told []string
}

// meantLetters reads the corpus.
func meantLetters(t testing.TB) []meantLetter {
	t.Helper()
	paths, err := filepath.Glob("testdata/meant/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	var out []meantLetter
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(a.Files); i += 2 {
			name, at, _ := strings.Cut(a.Files[i].Name, " at ")
			l := meantLetter{name: strings.TrimSuffix(filepath.Base(path), ".txtar") + "/" + name, text: string(a.Files[i].Data)}
			if l.at, err = strconv.Atoi(at); err != nil || a.Files[i+1].Name != name {
				t.Fatalf("%s: %q is followed by %q", path, a.Files[i].Name, a.Files[i+1].Name)
			}
			for line := range strings.Lines(string(a.Files[i+1].Data)) {
				line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
				said, query, asks := strings.Cut(strings.TrimSpace(line), "; ")
				if asks {
					l.queries = append(l.queries, query)
				}
				want, text, _ := strings.Cut(said, " ")
				switch want {
				case "nothing", "does", "asks":
					l.want = want
					said = text
				}
				switch first, _, _ := strings.Cut(said, " "); {
				case want == "does" && slices.Contains([]string{"MAP", "CARD", "STATUS", "HAND", "DISCARDS", "HELP", "RULES", "HISTORY"}, first):
					l.told = append(l.told, said)
				case said != "" && said != "nothing":
					l.lines = append(l.lines, said)
				}
			}
			if l.want == "" {
				t.Fatalf("%s says not what is meant", l.name)
			}
			out = append(out, l)
		}
	}
	return out
}

// outcomes of a letter.
const (
	meantDone    = "done as meant"
	meantAsked   = "asked, and YES does it"
	meantRefused = "not done"
	meantLeft    = "left alone"
	meantOther   = "asked about something else"
	meantWrong   = "WRONG"
	meantSilent  = "question not answered"
)

// effects are what the letters of a trial did beside asking and answering, a line each,
// in the order of the alphabet.
func (s *trial) effects(t testing.TB, before *match.Match, seat rules.Seat) []string {
	t.Helper()
	var out []string
	if len(s.changes) == 0 {
		return out
	}
	after := s.changes[len(s.changes)-1].Match
	for _, c := range s.changes {
		for _, entry := range c.Entries {
			out = append(out, entry.Orders...)
			if entry.FirstTakenBack > 0 {
				out = append(out, "taken back")
			}
		}
		if c.Player != nil {
			out = append(out, "contact changed")
		}
	}
	for _, h := range after.Pending {
		if h.Seat == seat && !slices.ContainsFunc(before.Pending, func(o match.PendingAnswer) bool { return inJSON(t, o) == inJSON(t, h) }) {
			switch {
			case h.Conditional != nil:
				out = append(out, "kept: "+h.Conditional.Text)
			default:
				out = append(out, dawn1989.Game().FormatOrder(h.Answer.Atoms))
			}
		}
	}
	was, is := before.Seats[seat], after.Seats[seat]
	if was.Format != is.Format || was.Script != is.Script || was.Private.Grace != is.Private.Grace || was.Private.AnswerDelay != is.Private.AnswerDelay {
		out = append(out, fmt.Sprintf("settings: %v %v", is.Format, is.Script))
	}
	if is.Private.DelayedLetter != nil {
		out = append(out, "held back: "+is.Private.DelayedLetter.Orders)
	}
	if was.MessagesSent != is.MessagesSent {
		out = append(out, "message sent")
	}
	if string(was.Key) != string(is.Key) {
		out = append(out, "new token")
	}
	if after.Takeback != nil {
		out = append(out, "takeback asked")
	}
	slices.Sort(out)
	return out
}

func inJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// meantEffects are the effects that the orders of a letter have when they are carried
// out.
func (l meantLetter) meantEffects(t testing.TB, parser *order.Parser, pos rules.Position, seat rules.Seat) []string {
	t.Helper()
	var out []string
	owed := slices.DeleteFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return d.Seat != seat })
	for _, line := range l.lines {
		o, err := parser.ParsePlain(line)
		if err != nil {
			out = append(out, line)
			continue
		}
		answers, err := dawn1989.Game().Answers(o, owed)
		if err != nil {
			t.Fatalf("%s means %q: %v", l.name, line, err)
		}
		for _, a := range answers {
			out = append(out, dawn1989.Game().FormatOrder(a.Atoms))
		}
	}
	slices.Sort(out)
	return out
}

// plans reports whether the one order meant was begun, and the rest of its list is kept, or
// was not legal any more.
func (l meantLetter) plans(did []string) bool {
	if len(l.lines) == 1 && len(did) == 1 && strings.Contains(l.lines[0], "CHECK") {
		head, _, _ := strings.Cut(l.lines[0], ",")
		return strings.HasPrefix(did[0], head)
	}
	return len(l.lines) == 1 && len(did) == 2 && did[1] == "kept: "+l.lines[0] && strings.HasPrefix(l.lines[0], did[0])
}

// toldBy is what stands in the answer to a query.
func toldBy(query string, view rules.View) string {
	word, of, _ := strings.Cut(query, " ")
	switch word {
	case "CARD":
		n, _ := strconv.Atoi(of)
		title, _, _ := strings.Cut(dawn1989.Game().Cards(view, rules.Name{Kind: rules.CardName, Code: n, Number: n})[0], ":")
		return title + ":"
	case "STATUS":
		return "Here is the current position."
	case "HELP":
		return "Help is below."
	}
	return "See below."
}

// bench is a club at one place of the sample turn, on which letters are tried.
type bench struct {
	*club
	trial *trial
	match string
	seat  string
	// before is the match at that place, and pos its position.
	before *match.Match
	pos    rules.Position
}

// answers sends a letter of the writer on trial, and returns what he is answered.
func (b *bench) answers(raw string) string {
	b.t.Helper()
	b.uid++
	b.now = b.now.Add(time.Minute)
	if _, err := b.handler().Handle(b.t.Context(), mail.Received{UIDValidity: 1, UID: b.uid, Arrived: b.now, Size: int64(len(raw)), Raw: []byte(raw)}); err != nil {
		b.t.Fatal(err)
	}
	for _, outgoing := range b.trial.changes[len(b.trial.changes)-1].Letters {
		if outgoing.To == address(b.seat) {
			return outgoing.Body
		}
	}
	return ""
}

// raw is a letter of the corpus as it comes.
func (b *bench) raw(text, to string) string {
	b.uid++
	head, body, _ := strings.Cut(text, "\n\n")
	if strings.HasPrefix(text, "\n") {
		head, body = "", text[1:]
	}
	var out strings.Builder
	fmt.Fprintf(&out, "From: %s\nTo: %s\nDate: Sat, 21 Nov 2026 10:00:00 +0100\nMessage-ID: <%d@players.test>\nMIME-Version: 1.0\n", address(b.seat), to, b.uid)
	for _, field := range []string{"Subject: Re: your move", "Content-Type: text/plain; charset=utf-8"} {
		name, _, _ := strings.Cut(field, " ")
		if !strings.Contains("\n"+head, "\n"+name) {
			out.WriteString(field + "\n")
		}
	}
	if head != "" {
		out.WriteString(head + "\n")
	}
	return strings.ReplaceAll(out.String()+"\n"+body, "\n", "\r\n")
}

// verdict tries a letter, and with a YES behind it what it is asked about.
func (b *bench) verdict(l meantLetter, parser *order.Parser) (verdict, answer string, did []string) {
	b.t.Helper()
	before, pos := b.before, b.pos
	seat := rules.Seat(slices.Index(dawnSeats, b.seat))
	b.trial.changes, b.trial.open = nil, true
	b.trial.recorded = strings.Contains(strings.ToLower(l.text), "takeback") || slices.Contains(l.told, "HISTORY")
	defer func() { b.trial.changes, b.trial.open = nil, false }()
	to := b.last(b.seat).ReplyTo[0]
	answer = b.answers(b.raw(l.text, to))
	if strings.Contains(answer, " not been carried out yet. Please confirm ") && len(answer) > 2<<10 && !strings.Contains(answer, ": done") {
		b.t.Errorf("%s: the question whether an order is meant has %d bytes:\n%s", l.name, len(answer), answer)
	}
	b.checkQuestion(l.name)
	for _, q := range l.queries {
		if !regexp.MustCompile(`(?im)^- ` + q + `: done`).MatchString(answer) {
			return meantSilent, answer, nil
		}
	}
	for _, q := range l.told {
		if !strings.Contains(answer, toldBy(q, pos.View(seat))) {
			return meantRefused, answer, nil
		}
	}
	did, meant := b.trial.effects(b.t, before, seat), l.meantEffects(b.t, parser, pos, seat)
	switch {
	case len(did) > 0 && (l.want == "nothing" || !slices.Equal(did, meant) && !l.plans(did)):
		return meantWrong, answer, did
	case len(did) > 0, len(l.told) > 0 && len(meant) == 0:
		return meantDone, answer, did
	case l.want == "nothing":
		return meantLeft, answer, did
	}
	token := b.trial.changes[0].Letters
	reply := token[slices.IndexFunc(token, func(outgoing exchange.OutgoingLetter) bool { return outgoing.To == address(b.seat) })].Token
	b.answers(b.raw("\nYES\n", strings.Replace(to, to[strings.Index(to, "+")+1:strings.Index(to, "@")], reply, 1)))
	if did = b.trial.effects(b.t, before, seat); slices.Equal(did, meant) || l.plans(did) {
		return meantAsked, answer, did
	}
	if len(did) > 0 {
		return meantOther, answer, did
	}
	return meantRefused, answer, did
}

// notDoneSubject matches the subject of a letter that asks whether an order is meant, e.g. "Not done yet; your move: 1989 v. Ben".
var notDoneSubject = regexp.MustCompile(`^Not done yet(; [^:]+)?: `)

// notDoneQuestion matches the first line of a question that asks to confirm an order, or which order is meant.
var notDoneQuestion = regexp.MustCompile(`(?m)^(Your orders? ha(s|ve) not been carried out yet|Nothing has been done yet|Do you want to (resign|break off)).*$`)

// checkQuestion checks that an answer with a question begins with it, in the subject as well as in the letter.
func (b *bench) checkQuestion(name string) {
	b.t.Helper()
	for _, outgoing := range b.trial.changes[len(b.trial.changes)-1].Letters {
		question := notDoneQuestion.FindString(outgoing.Body)
		if outgoing.To != address(b.seat) || question == "" || strings.Contains(outgoing.Body, ": done") {
			continue
		}
		_, text, _ := strings.Cut(outgoing.Body, "===\n\n")
		if !strings.HasPrefix(text, question+"\n") || !notDoneSubject.MatchString(outgoing.Subject) {
			b.t.Errorf("%s: the question %q does not begin the letter %q:\n%s", name, question, outgoing.Subject, outgoing.Body)
		}
	}
}

// row is what became of a letter, as a line of the table of all: what it means, and what was done, asked
// or answered.
func (l meantLetter) row(verdict, answer string, did []string) string {
	means := strings.TrimSpace(l.want + " " + strings.Join(append(slices.Clone(l.lines), l.told...), "; "))
	became := "asked"
	switch text := strings.Join(did, "; "); {
	case verdict == meantDone && len(did) == 0, verdict == meantLeft && strings.Contains(lettersOrders(answer), ": done"):
		became = "answered"
	case verdict == meantDone, verdict == meantWrong:
		became = "done: " + text
	case len(did) > 0:
		became = "asked with " + text
	case strings.Contains(answer, "Which of these orders do you mean?\n\n"):
		_, list, _ := strings.Cut(answer, "Which of these orders do you mean?\n\n")
		list, _, _ = strings.Cut(list, "\n\n")
		became = "asked which: " + strings.Join(strings.Fields(strings.ReplaceAll(list, "\n    ", ", or ")), " ")
	}
	return l.name + " | " + means + " | " + became
}

// maxOther is how many letters may be asked about something else than they mean: most of these are asked about the first of
// several orders that follow each other.
const maxOther = 10

// TestMeant lets players write letters as hurried people do, in the place of those of the
// sample turn: what they did not mean must not be done.
func TestMeant(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	on := &trial{}
	c.store = func(s exchange.Store) exchange.Store { on.Store = s; return on }
	c.reopen()
	letters := txtar.Parse(testdata.SampleLetters).Files
	parser := order.New(dawn1989.Game())
	byPlace := map[int][]meantLetter{}
	for _, l := range meantLetters(t) {
		byPlace[l.at] = append(byPlace[l.at], l)
	}
	last := slices.Max(slices.Collect(maps.Keys(byPlace)))
	count := map[string]map[string]int{}
	var table []string
	for n := 1; n <= last; n++ {
		_, seat, _ := strings.Cut(letters[n-1].Name, " ")
		if len(byPlace[n]) > 0 {
			b := &bench{club: c, trial: on, match: id, seat: seat}
			var err error
			if b.before, err = on.Store.Match(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			if b.pos, err = dawn1989.Game().Decode(b.before.Position); err != nil {
				t.Fatal(err)
			}
			for _, l := range byPlace[n] {
				verdict, answer, did := b.verdict(l, parser)
				table = append(table, l.row(verdict, answer, did))
				if count[l.want] == nil {
					count[l.want] = map[string]int{}
				}
				count[l.want][verdict]++
				if verdict == meantWrong || verdict == meantSilent {
					t.Errorf("%s: %s: %s\n%s\nmeans %s %q, and it did %q; the answer:\n%s", l.name, verdict, b.seat, l.text, l.want, l.lines, did, answer)
				} else if testing.Verbose() {
					t.Logf("%s: %s, means %s %q\n%s\n%s", l.name, verdict, l.want, l.lines, l.text, lettersOrders(answer))
				}
			}
		}
		sampleLetter(t, c, n-1)
	}
	for want, of := range count {
		t.Logf("%s: %v", want, of)
	}
	slices.Sort(table)
	golden(t, "verdicts.txt", strings.Join(table, "\n")+"\n")
	if n := count["does"][meantOther] + count["asks"][meantOther]; n > maxOther {
		t.Errorf("of %d letters a YES would carry out another order than was meant, or only the first of several", n)
	}
	// A reader that refuses everything does nothing wrong. Of 1,890 letters that mean something 924 are done and
	// 806 asked back with the right order; most of the others have talk in the sentence of their order.
	if of := count["does"]; of[meantDone] < 920 || of[meantDone]+of[meantAsked] < 1725 {
		t.Errorf("of the letters that mean something too few are understood: %v", of)
	}
}

// lettersOrders is the part of a letter that says what became of the orders.
func lettersOrders(text string) string {
	asks := ""
	_, rest, orders := strings.Cut(text, "YOUR ORDERS\n-----------\n")
	if !orders {
		_, text, _ = strings.Cut(text, "\n\n")
		asks, rest, _ = strings.Cut(text, "YOUR LETTER\n-----------\n")
	}
	part, _, _ := strings.Cut(rest, "\n\n")
	return asks + part
}
