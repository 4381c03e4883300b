package report

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/internal/lazyregexp"
	"samizdat/mail/message"
	"samizdat/rules"
)

// factCheck compares the facts that letters state, for example "VP 9", with a replay of the record.
// Each letter is compared with the view of its reader after the entry that the letter shows.
type factCheck struct {
	letterCheck
	out    io.Writer
	game   *rules.Game
	stater rules.FactReader
	// at holds the letters by the entry that they show.
	at map[int][]letterState
	// told holds the facts of all events so far, by reader.
	told map[rules.Seat][]rules.Fact
	// facts counts the compared facts. first describes the first difference.
	facts, letters, bad int
	first               string
}

// newFactCheck returns the check of the letters to a record, or nil if the game has no facts or there
// are no mailboxes.
func newFactCheck(out io.Writer, g *rules.Game, rec *record.Record, letters Letters) *factCheck {
	if g.Facts == nil || !letters.given {
		return nil
	}
	f := &factCheck{letterCheck: newLetterCheck(g.SeatNames(rec.Header.Setup(g)), rec, letters), out: out, game: g, stater: g.Facts,
		at: map[int][]letterState{}, told: map[rules.Seat][]rules.Fact{}}
	for _, s := range f.list {
		sits := s.name.Kind == message.Seat && s.name.Holder < len(f.names)
		if p, known := f.places[s.head]; known && p.seq >= 0 && (sits || s.name.Kind == message.Observer) {
			f.at[p.seq] = append(f.at[p.seq], s)
			f.told[reader(s)] = nil
		}
	}
	return f
}

// reader returns the seat that received a letter, or NoSeat for an observer.
func reader(s letterState) rules.Seat {
	if s.name.Kind == message.Seat {
		return rules.Seat(s.name.Holder)
	}
	return rules.NoSeat
}

// visit checks the letters that show an entry.
func (f *factCheck) visit(v record.Visit) error {
	for seat := range f.told {
		view := v.Position.View(seat)
		heard := slices.DeleteFunc(slices.Clone(v.Events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
		f.told[seat] = append(f.told[seat], f.stater.EventFacts(view, heard)...)
	}
	for _, s := range f.at[v.Entry.Seq] {
		f.letters++
		problem := f.compare(s, v.Position)
		if problem == "" {
			continue
		}
		if f.bad++; f.first == "" {
			f.first = fmt.Sprintf("; first %s: %s", f.describeLetter(s), problem)
		}
		fmt.Fprintf(f.out, "  %s: %s.\n", f.describeLetter(s), problem)
	}
	return nil
}

// result prints the number of compared facts and fails if one differs.
func (f *factCheck) result() error {
	if f == nil {
		return nil
	}
	if f.bad > 0 {
		return fmt.Errorf("facts: %d of %d letters state what the record has not%s", f.bad, f.letters, f.first)
	}
	fmt.Fprintf(f.out, "Facts: %d in %d letters, each as the record has it after the entry that the letter shows.\n", f.facts, f.letters)
	return nil
}

// compare describes the first difference between a letter and a position; empty if they agree.
func (f *factCheck) compare(s letterState, pos rules.Position) string {
	seat := reader(s)
	view := pos.View(seat)
	want := map[string]string{}
	for _, x := range f.stater.Facts(view) {
		want[order.ASCII(x.Name)] = order.ASCII(x.Value)
	}
	parts := textParts(order.ASCII(s.text))
	if len(parts) == 1 { // Only the HTML page was kept.
		parts = pageParts(order.ASCII(s.text), f.titles(view))
	}
	if problem := f.compareParts(s, parts, want, pos); problem != "" {
		return problem
	}
	if s.page == "" {
		return ""
	}
	var titles []string
	for _, p := range parts {
		titles = append(titles, p.title)
	}
	if problem := f.compareParts(s, pageParts(order.ASCII(s.page), titles), want, pos); problem != "" {
		return "on its page " + problem
	}
	return ""
}

// titles lists the titles of the letter's parts, as the text version of the letter spells them.
func (f *factCheck) titles(view rules.View) []string {
	out := []string{happened, "your orders", "your decision", "the dice"}
	for _, s := range f.game.Sections(view) {
		out = append(out, strings.ToLower(s.Title))
	}
	return out
}

func (f *factCheck) compareParts(s letterState, parts []part, want map[string]string, pos rules.Position) string {
	stated, tables := map[string]bool{}, map[string]bool{}
	for _, p := range parts {
		if p.title == happened {
			tells := f.stater.ReadEventFacts(p.sentences())
			told := f.told[reader(s)]
			if f.facts += len(tells); len(tells) > len(told) || !slices.Equal(tells, told[len(told)-len(tells):]) {
				return fmt.Sprintf("it tells %s, and the record has %s", listFacts(tells), listFacts(told[max(0, len(told)-len(tells)):]))
			}
			continue
		}
		said := f.stater.ReadFacts(p.title, p.lines)
		for _, x := range said {
			f.facts++
			// A player may be called "VP 9".
			named := p.title == "" && slices.Contains(said, rules.Fact{Name: x.Name, Value: want[x.Name]})
			if want[x.Name] != x.Value && !named {
				return fmt.Sprintf("it states %s, and the record has %q", listFacts([]rules.Fact{x}), want[x.Name])
			}
			stated[x.Name] = true
			if table, _, ok := strings.Cut(x.Name, "/"); ok {
				tables[table] = true
			}
		}
		if p.title == "" {
			if problem := f.compareHead(s, strings.Join(append([]string{s.subject + "."}, p.lines...), " "), pos); problem != "" {
				return problem
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if table, _, ok := strings.Cut(name, "/"); ok && tables[table] && !stated[name] {
			return fmt.Sprintf("it lacks %q, and the record has %q", name, want[name])
		}
	}
	return ""
}

func listFacts(facts []rules.Fact) string {
	var out []string
	for _, x := range facts {
		out = append(out, x.Name+" "+x.Value)
	}
	return fmt.Sprintf("%q", strings.Join(out, ", "))
}

// Sentences in the head of a letter about the winner and the seats to move, for example "You won" and, in older
// letters, "you have not won".
var (
	youWon    = lazyregexp.New(`(?i)\byou (?:have )?(not won|won|lost)\b`)
	theyWon   = lazyregexp.New(`(?:^|[.:,] )([^.:]+) ha(?:s|ve) won\b`)
	drawn     = lazyregexp.New(`(?i)\b(?:it is|ended as|: ) ?a draw\b`)
	nobodyWon = lazyregexp.New(`(?i)\bnobody (?:wins|has won)\b`)
	yourMove  = lazyregexp.New(`(?i)\b(?:it is your move|your move:)`)
	notYours  = lazyregexp.New(`(?i)\b(?:nothing is asked of you|it is not your move)\b`)
)

// compareHead compares the head of a letter with the winner and the seats to move.
func (f *factCheck) compareHead(s letterState, head string, pos rules.Position) string {
	r, over := pos.Result()
	seat := reader(s)
	for _, m := range youWon.FindAllStringSubmatch(head, -1) {
		if f.facts++; !over || (strings.ToLower(m[1]) == "won") != r.Winners.Has(seat) {
			return fmt.Sprintf("it states %q, and in the record %s", m[0], outcomeOf(r, over, f.names))
		}
	}
	if drawn.FindString(head) != "" {
		if f.facts++; !over || r.Winners != 0 || r.Lost {
			return "it states a draw, and in the record " + outcomeOf(r, over, f.names)
		}
	}
	if nobodyWon.FindString(head) != "" {
		if f.facts++; !over || r.Winners != 0 {
			return "it states that nobody has won, and in the record " + outcomeOf(r, over, f.names)
		}
	}
	for _, m := range theyWon.FindAllStringSubmatch(head, -1) {
		for i, role := range f.roles(pos) {
			if strings.Contains(m[1], role) && (!over || !r.Winners.Has(rules.Seat(i))) {
				return fmt.Sprintf("it states that %s has won, and in the record %s", role, outcomeOf(r, over, f.names))
			}
		}
	}
	asked := slices.ContainsFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return d.Seat == seat })
	switch {
	case !asked && yourMove.FindString(head) != "":
		return "it states that its reader is to move, and in the record he is not"
	case asked && notYours.FindString(head) != "":
		return "it states that nothing is asked of its reader, and in the record he is to move"
	}
	return ""
}

func (f *factCheck) roles(pos rules.Position) (out []string) {
	for i, name := range f.names {
		if f.game.Role != nil {
			name = order.ASCII(strings.TrimPrefix(f.game.Role(pos.View(rules.Seat(i))), "the "))
		}
		out = append(out, name)
	}
	return out
}

func outcomeOf(r rules.Result, over bool, names []string) string {
	if !over {
		return "the match goes on"
	}
	return outcome(r, names)
}

// Evidence is a player's evidence about a match from his letters. Verify compares the record with it.
type Evidence struct {
	// Hashes are history hashes from the feet of letters.
	Hashes []string
	// Commitments are the commitments in invitations.
	Commitments []string
	// Words are the words that players contributed to the randomness.
	Words []string
	// Letters are the letters in the player's mailboxes.
	Letters Letters
	// Seals are the seals of the words, from the letter that shows all seals.
	Seals []string
	// Rounds are beacon rounds, from the letter that names the round.
	Rounds []int64
}

func (e Evidence) check(out io.Writer, g *rules.Game, rec *record.Record) (letterCount, error) {
	names := g.SeatNames(rec.Header.Setup(g))
	if err := e.checkQuoted(out, names, rec); err != nil {
		return letterCount{}, err
	}
	return e.Letters.check(out, names, rec)
}

// checkQuoted compares a record with the values that a player has copied from letters.
func (e Evidence) checkQuoted(out io.Writer, names []string, rec *record.Record) error {
	for _, c := range e.Commitments {
		if c = strings.ToLower(strings.TrimSpace(c)); c == "" || c != rec.Header.Commitment {
			return fmt.Errorf("commitment %q: that of this record is %q", c, rec.Header.Commitment)
		}
		fmt.Fprintf(out, "Commitment %s: that of this record.\n", c)
	}
	for _, w := range e.Words {
		i := slices.Index(rec.Header.Words, strings.TrimSpace(w))
		if i < 0 || i >= len(names) {
			return fmt.Errorf("words %q: no seat of this record has mixed them in", w)
		}
		fmt.Fprintf(out, "Words %q: mixed in by %s.\n", w, names[i])
	}
	for _, seal := range e.Seals {
		i := slices.Index(rec.Header.Seals, strings.ToLower(strings.TrimSpace(seal)))
		if i < 0 || i >= len(names) {
			return fmt.Errorf("seal %s: no seat of this record has sealed its words so", seal)
		}
		fmt.Fprintf(out, "Seal %s: of the words of %s.\n", seal, names[i])
	}
	for _, r := range e.Rounds {
		if b := rec.Header.Beacon; b == nil || b.Round != r {
			return fmt.Errorf("round %d: it is not mixed into the dice of this record", r)
		}
		fmt.Fprintf(out, "Round %d: that of this record.\n", r)
	}
	for _, h := range e.Hashes {
		if err := checkWitness(out, rec, strings.ToLower(strings.TrimSpace(h))); err != nil {
			return err
		}
	}
	return nil
}

// checkWitness prints the entry that has a hash. For example: "Hash 9f86...: entry 17." It fails if no
// entry has the hash.
func checkWitness(out io.Writer, rec *record.Record, head string) error {
	switch head {
	case "":
		return errors.New("the hash is empty")
	case rec.Header.Commitment:
		fmt.Fprintf(out, "Hash %s: the commitment, before the first entry.\n", head)
		return nil
	}
	for _, e := range rec.Entries() {
		if e.Hash == head {
			fmt.Fprintf(out, "Hash %s: entry %d.\n", head, e.Seq)
			return nil
		}
	}
	return fmt.Errorf("hash %s: this record has no such entry: it is cut off before it, or another match's", head)
}
