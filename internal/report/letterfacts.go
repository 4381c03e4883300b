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

// factCheck compares the facts that letters state, for example "VP 9", with a replay of the record. The hash in a
// letter names an entry; the letter is compared with the position after this entry, as the reader of the letter may see
// it.
type factCheck struct {
	letterCheck
	out            io.Writer
	game           *rules.Game
	factReader     rules.FactReader
	lettersByEntry map[int][]letterEvidence
	// eventFacts contains the facts of all events so far, by reader.
	eventFacts map[rules.Seat][]rules.Fact
	// factTotal counts the compared facts, letterTotal the compared letters, and wrongTotal the letters that state a wrong
	// fact or lack a fact.
	factTotal, letterTotal, wrongTotal int
	firstProblem                       string
}

// newFactCheck returns a check of the letters of a match, or nil if the game cannot read facts from letters, or if no
// mailboxes were read.
func newFactCheck(out io.Writer, g *rules.Game, rec *record.Record, letters Letters) *factCheck {
	if g.Facts == nil || !letters.hasMailboxes {
		return nil
	}
	f := &factCheck{letterCheck: newLetterCheck(g.SeatNames(rec.Header.Setup(g)), rec, letters), out: out, game: g, factReader: g.Facts,
		lettersByEntry: map[int][]letterEvidence{}, eventFacts: map[rules.Seat][]rules.Fact{}}
	for _, letter := range f.letters {
		hasSeat := letter.name.Kind == message.Seat && letter.name.Reader < len(f.names)
		if position, isKnown := f.places[letter.hash]; isKnown && position.seq >= 0 && (hasSeat || letter.name.Kind == message.Observer) {
			f.lettersByEntry[position.seq] = append(f.lettersByEntry[position.seq], letter)
			f.eventFacts[readerSeat(letter)] = nil
		}
	}
	return f
}

// readerSeat returns the seat that received a letter, or NoSeat for an observer.
func readerSeat(letter letterEvidence) rules.Seat {
	if letter.name.Kind == message.Seat {
		return rules.Seat(letter.name.Reader)
	}
	return rules.NoSeat
}

func (f *factCheck) checkEntry(v record.Visit) error {
	for seat := range f.eventFacts {
		view := v.Position.View(seat)
		visible := slices.DeleteFunc(slices.Clone(v.Events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
		f.eventFacts[seat] = append(f.eventFacts[seat], f.factReader.EventFacts(view, visible)...)
	}
	for _, letter := range f.lettersByEntry[v.Entry.Seq] {
		f.letterTotal++
		problem := f.compare(letter, v.Position)
		if problem == "" {
			continue
		}
		if f.wrongTotal++; f.firstProblem == "" {
			f.firstProblem = fmt.Sprintf("; first %s: %s", f.describeLetter(letter), problem)
		}
		fmt.Fprintf(f.out, "  %s: %s.\n", f.describeLetter(letter), problem)
	}
	return nil
}

func (f *factCheck) finish() error {
	if f == nil {
		return nil
	}
	if f.wrongTotal > 0 {
		return fmt.Errorf("facts: %d of %d letters state other facts than the record%s", f.wrongTotal, f.letterTotal, f.firstProblem)
	}
	fmt.Fprintf(f.out, "Facts: %d in %d letters, each as the record has it after the entry that the letter shows.\n", f.factTotal,
		f.letterTotal)
	return nil
}

// compare describes the first difference between a letter and a position; empty if they agree.
func (f *factCheck) compare(letter letterEvidence, pos rules.Position) string {
	seat := readerSeat(letter)
	view := pos.View(seat)
	expected := map[string]string{}
	for _, x := range f.factReader.Facts(view) {
		expected[order.ASCII(x.Name)] = order.ASCII(x.Value)
	}
	parts := splitText(order.ASCII(letter.text))
	if len(parts) == 1 { // The mailbox has only the HTML page of the letter.
		parts = splitPage(order.ASCII(letter.text), f.listTitles(view))
	}
	if problem := f.compareParts(letter, parts, expected, pos); problem != "" {
		return problem
	}
	if letter.page == "" {
		return ""
	}
	var titles []string
	for _, p := range parts {
		titles = append(titles, p.title)
	}
	if problem := f.compareParts(letter, splitPage(order.ASCII(letter.page), titles), expected, pos); problem != "" {
		return "on its page " + problem
	}
	return ""
}

func (f *factCheck) listTitles(view rules.View) []string {
	out := []string{happenedTitle, "your orders", "your decision", "the dice"}
	for _, s := range f.game.Sections(view) {
		out = append(out, strings.ToLower(s.Title))
	}
	return out
}

// compareParts describes the first wrong or missing fact in the parts of a letter; expected has the facts of the record
// by name.
func (f *factCheck) compareParts(letter letterEvidence, parts []letterPart, expected map[string]string, pos rules.Position) string {
	stated, tables := map[string]bool{}, map[string]bool{}
	for _, p := range parts {
		if p.title == happenedTitle {
			// A letter reports the newest events.
			statedEvents := f.factReader.ReadEventFacts(p.sentences())
			recorded := f.eventFacts[readerSeat(letter)]
			if f.factTotal += len(statedEvents); len(statedEvents) > len(recorded) ||
				!slices.Equal(statedEvents, recorded[len(recorded)-len(statedEvents):]) {
				return fmt.Sprintf("it reports %s, but the record has %s", listFacts(statedEvents),
					listFacts(recorded[max(0, len(recorded)-len(statedEvents)):]))
			}
			continue
		}
		statedFacts := f.factReader.ReadFacts(p.title, p.lines)
		for _, x := range statedFacts {
			f.factTotal++
			// In the first part of a letter, a name of a player may look like a fact, for example "VP 9": accept the name if the
			// letter also states the right fact.
			isPlayerName := p.title == "" && slices.Contains(statedFacts, rules.Fact{Name: x.Name, Value: expected[x.Name]})
			if expected[x.Name] != x.Value && !isPlayerName {
				return fmt.Sprintf("it states %s, but the record has %q", listFacts([]rules.Fact{x}), expected[x.Name])
			}
			stated[x.Name] = true
			if table, _, ok := strings.Cut(x.Name, "/"); ok {
				tables[table] = true
			}
		}
		if p.title == "" {
			if problem := f.compareHeader(letter, strings.Join(append([]string{letter.subject + "."}, p.lines...), " "), pos); problem != "" {
				return problem
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		if table, _, ok := strings.Cut(name, "/"); ok && tables[table] && !stated[name] {
			return fmt.Sprintf("it lacks %q, but the record has %q", name, expected[name])
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

// Sentences about the result in the subject or the first part of a letter, for example "You won" and, in older letters,
// "you have not won".
var (
	youWonPattern  = lazyregexp.New(`(?i)\byou (?:have )?(not won|won|lost)\b`)
	theyWonPattern = lazyregexp.New(`(?:^|[.:,] )([^.:]+) ha(?:s|ve) won\b`)
	drawPattern    = lazyregexp.New(`(?i)\b(?:it is|ended as|: ) ?a draw\b`)
)

func (f *factCheck) compareHeader(letter letterEvidence, header string, pos rules.Position) string {
	lower := strings.ToLower(header)
	if containsAny(lower, " won", " lost", "a draw", "nobody wins") {
		if problem := f.compareOutcome(letter, header, pos); problem != "" {
			return problem
		}
	}
	seat := readerSeat(letter)
	isToMove := slices.ContainsFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return d.Seat == seat })
	switch {
	case !isToMove && containsAny(lower, "it is your move", "your move:"):
		return "it states that its reader is to move, but in the record the reader is not"
	case isToMove && containsAny(lower, "nothing is asked of you", "it is not your move"):
		return "it states that nothing is asked of its reader, but in the record the reader is to move"
	}
	return ""
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

func (f *factCheck) compareOutcome(letter letterEvidence, header string, pos rules.Position) string {
	r, isOver := pos.Result()
	for _, m := range youWonPattern.FindAllStringSubmatch(header, -1) {
		if f.factTotal++; !isOver || (strings.ToLower(m[1]) == "won") != r.Winners.Has(readerSeat(letter)) {
			return fmt.Sprintf("it states %q, but in the record %s", m[0], formatOutcomeSoFar(r, isOver, f.names))
		}
	}
	if drawPattern.MatchString(header) {
		if f.factTotal++; !isOver || r.Winners != 0 || r.AllLost {
			return "it states a draw, but in the record " + formatOutcomeSoFar(r, isOver, f.names)
		}
	}
	if containsAny(strings.ToLower(header), "nobody wins", "nobody has won") {
		if f.factTotal++; !isOver || r.Winners != 0 {
			return "it states that nobody has won, but in the record " + formatOutcomeSoFar(r, isOver, f.names)
		}
	}
	for _, m := range theyWonPattern.FindAllStringSubmatch(header, -1) {
		for i, role := range f.listRoles(pos) {
			if strings.Contains(m[1], role) && (!isOver || !r.Winners.Has(rules.Seat(i))) {
				return fmt.Sprintf("it states that %s has won, but in the record %s", role, formatOutcomeSoFar(r, isOver, f.names))
			}
		}
	}
	return ""
}

func (f *factCheck) listRoles(pos rules.Position) (out []string) {
	for i, name := range f.names {
		if f.game.Role != nil {
			name = order.ASCII(strings.TrimPrefix(f.game.Role(pos.View(rules.Seat(i))), "the "))
		}
		out = append(out, name)
	}
	return out
}

func formatOutcomeSoFar(r rules.Result, isOver bool, names []string) string {
	if !isOver {
		return "the match goes on"
	}
	return formatOutcome(r, names)
}

// Evidence holds facts about a match that a player has copied from letters, or whole letters. Verify compares them with
// the record.
type Evidence struct {
	// Hashes are the hashes at the end of letters: each is the hash of an entry.
	Hashes []string
	// Commitments are the commitments in invitations.
	Commitments []string
	// Words are the words that players contributed to the dice.
	Words   []string
	Letters Letters
	// Seals are the hashes of the words, from the letter that shows all seals before any word is revealed.
	Seals []string
	// Rounds are beacon rounds mixed into the dice, from the letter that names the round.
	Rounds []int64
}

func (e Evidence) check(out io.Writer, g *rules.Game, rec *record.Record) (letterTotals, error) {
	names := g.SeatNames(rec.Header.Setup(g))
	if err := e.checkQuoted(out, names, rec); err != nil {
		return letterTotals{}, err
	}
	return e.Letters.check(out, names, rec)
}

// checkQuoted compares a record with the values that a player has copied from letters by hand.
func (e Evidence) checkQuoted(out io.Writer, names []string, rec *record.Record) error {
	for _, c := range e.Commitments {
		if c = strings.ToLower(strings.TrimSpace(c)); c == "" || c != rec.Header.Commitment {
			return fmt.Errorf("commitment %q differs from the record's commitment %q", c, rec.Header.Commitment)
		}
		fmt.Fprintf(out, "Commitment %s: as in this record.\n", c)
	}
	for _, w := range e.Words {
		i := slices.Index(rec.Header.Words, strings.TrimSpace(w))
		if i < 0 || i >= len(names) {
			return fmt.Errorf("words %q: no seat of this record contributed these words to the dice", w)
		}
		fmt.Fprintf(out, "Words %q: mixed in by %s.\n", w, names[i])
	}
	for _, seal := range e.Seals {
		i := slices.Index(rec.Header.Seals, strings.ToLower(strings.TrimSpace(seal)))
		if i < 0 || i >= len(names) {
			return fmt.Errorf("seal %s: no seat of this record has this seal", seal)
		}
		fmt.Fprintf(out, "Seal %s: of the words of %s.\n", seal, names[i])
	}
	for _, r := range e.Rounds {
		if b := rec.Header.Beacon; b == nil || b.Round != r {
			return fmt.Errorf("round %d is not mixed into the dice of this record", r)
		}
		fmt.Fprintf(out, "Round %d: as in this record.\n", r)
	}
	for _, h := range e.Hashes {
		if err := checkQuotedHash(out, rec, strings.ToLower(strings.TrimSpace(h))); err != nil {
			return err
		}
	}
	return nil
}

// checkQuotedHash prints the entry with a hash, for example "Hash 9f86...: entry 17." It fails if no entry has the hash.
func checkQuotedHash(out io.Writer, rec *record.Record, hash string) error {
	switch hash {
	case "":
		return errors.New("the hash is empty")
	case rec.Header.Commitment:
		fmt.Fprintf(out, "Hash %s: the commitment, before the first entry.\n", hash)
		return nil
	}
	for _, e := range rec.Entries() {
		if e.Hash == hash {
			fmt.Fprintf(out, "Hash %s: entry %d.\n", hash, e.Seq)
			return nil
		}
	}
	return fmt.Errorf("hash %s: no entry has this hash; the record ends before that entry, or belongs to another match", hash)
}
