package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	netmail "net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/record"
	"samizdat/internal/lazyregexp"
	"samizdat/mail/mailbox"
	"samizdat/mail/message"
)

// Letters are those of a referee that were found in mailboxes.
type Letters struct {
	// given means that mailboxes were read, mails is how many mails they hold, each once.
	given bool
	mails int
	// of are the letters of each match, by their readers and in their order.
	of map[string][]shown
}

// shown is what a letter of the referee shows of a history.
type shown struct {
	name          message.Name
	from, subject string
	date          time.Time
	// head is the hash in its foot; empty where there is none. Epoch is negative where the
	// foot does not say it.
	head  string
	epoch int
	// commits means that the letter is an invitation: head is the commitment that it names.
	commits bool
	// seals are those of all words, where the letter shows them.
	seals string
	round shownRound
	// words are those that the letter confirms, without white space.
	words string
}

// Before a match begins letters name what it will be made from: the invitation the commitment,
// and the letter to all who have joined the seals of their words.
var (
	commitment = lazyregexp.New(`that\s+this\s+number\s+commits\s+us\s+to:\s+([0-9a-f]{64})\b`)
	sealsShown = lazyregexp.New(`(?ms)^(?:THE SEALS|The seals)$.*?^Each\s+is\s+the\s+SHA-256`)
	sealShown  = lazyregexp.New(`\b[0-9a-f]{64}\b`)
)

// ReadLetters finds the letters of a referee among the mails of mailboxes. Answers to them,
// which quote them, are none.
func ReadLetters(paths []string) (l Letters, err error) {
	l = Letters{given: len(paths) > 0, of: map[string][]shown{}}
	for _, p := range paths {
		for raw, e := range mailbox.Messages(p) {
			if e != nil {
				err = errors.Join(err, fmt.Errorf("read letters: %w", e))
				continue
			}
			l.mails++
			s, ok := readShown(raw)
			if ok && !slices.Contains(l.of[s.name.Match], s) {
				l.of[s.name.Match] = append(l.of[s.name.Match], s)
			}
		}
	}
	for _, list := range l.of {
		slices.SortStableFunc(list, func(a, b shown) int {
			return cmp.Or(cmp.Compare(a.name.Kind, b.name.Kind), cmp.Compare(a.name.Holder, b.name.Holder), cmp.Compare(a.name.Number, b.name.Number))
		})
	}
	return l, err
}

// readShown reads a letter of the referee. The last foot in it is its own: a player's message
// in it may hold another.
func readShown(raw []byte) (s shown, ok bool) {
	n, ok := message.ReadHeader(raw).Own()
	if !ok {
		return s, false
	}
	l := message.Read(raw)
	s = shown{name: n, from: l.Author, subject: l.Subject, epoch: -1, round: readRound(l.Text), words: readWords(l.Text)}
	s.seals = strings.Join(sealShown.FindAllString(sealsShown.FindString(l.Text), -1), " ")
	if at, err := netmail.ParseDate(l.Date); err == nil {
		s.date = at.UTC()
	}
	feet := message.Feet(l.Text)
	if len(feet) == 0 {
		if m := commitment.FindStringSubmatch(l.Text); m != nil {
			s.head, s.commits = m[1], true
		}
		return s, true
	}
	if f := feet[len(feet)-1]; f.Match == n.Match && (f.Number == 0 || f.Number == n.Number) {
		s.head, s.epoch = f.Head, f.Epoch // Otherwise it is another letter's, whatever brought it here.
	}
	return s, true
}

// place is where a record has a hash.
type place struct{ seq, epoch int }

func (p place) String() string {
	if p.seq < 0 {
		return "the commitment"
	}
	return fmt.Sprintf("entry %d", p.seq)
}

// check holds a record against the letters of its match: each must show a hash of the record,
// in the order of the letters to its reader, with its epoch.
func (l Letters) check(out io.Writer, names []string, rec *record.Record) error {
	match := rec.Header.Match
	list := l.of[match]
	switch {
	case !l.given:
		return nil
	case len(list) == 0:
		return fmt.Errorf("letters: of %d mails none is a letter of match %s", l.mails, match)
	}
	c := letterCheck{names: names, rec: rec, places: map[string]place{rec.Header.Commitment: {-1, 0}}, list: list}
	for _, e := range rec.Entries() {
		c.places[e.Hash] = place{e.Seq, e.Epoch}
	}
	l.summary(out, match)
	return c.all(out)
}

// summary says what was found.
func (l Letters) summary(out io.Writer, match string) {
	senders, others := map[string]bool{}, 0
	for m, list := range l.of {
		for _, s := range list {
			if m == match {
				senders[s.from] = true
			} else {
				others++
			}
		}
	}
	n := len(l.of[match])
	fmt.Fprintf(out, "Letters: %d of match %s, from %s.", n, match, strings.Join(slices.Sorted(maps.Keys(senders)), ", "))
	if rest := l.mails - n - others; rest > 0 {
		fmt.Fprintf(out, " Other mails, and copies: %d.", rest)
	}
	if others > 0 {
		fmt.Fprintf(out, " Letters of other matches: %d.", others)
	}
	fmt.Fprintln(out)
}

// letterCheck is a check under way.
type letterCheck struct {
	names  []string
	rec    *record.Record
	places map[string]place
	list   []shown
}

// all checks the letters to each reader.
func (c letterCheck) all(out io.Writer) error {
	at, newest := place{seq: -1}, place{seq: -1}
	var before message.Name
	bad, silent := 0, 0
	for i, s := range c.list {
		if i == 0 || !sameReader(s.name, before) {
			at = place{seq: -1}
		}
		before = s.name
		if s.head == "" {
			silent++
			if c.otherSeals(s, c.list[i+1:]) {
				bad++
				fmt.Fprintf(out, "  %s: %s.\n", c.called(s), otherSeals)
			}
			continue
		}
		p, known := c.places[s.head]
		problem, excused := c.problem(s, at, c.list[i+1:])
		switch {
		case problem == "":
			at = p
		case !excused:
			bad++
		}
		if problem != "" {
			fmt.Fprintf(out, "  %s: %s.\n", c.called(s), problem)
		}
		if known && p.seq > newest.seq {
			newest = p
		}
	}
	if silent > 0 {
		fmt.Fprintf(out, "  Without a hash: %d.\n", silent)
	}
	c.missing(out)
	bad += c.rounds(out) + c.words(out)
	c.begun(out)
	switch {
	case bad > 0:
		return fmt.Errorf("letters: %d of %d do not belong to this history", bad, len(c.list))
	case silent == len(c.list):
		return errors.New("letters: none of them has a hash")
	}
	fmt.Fprintf(out, "  They belong to this history, in its order and with its epochs; the newest shows %s, and the last entry is %d.\n", newest, len(c.rec.Entries())-1)
	return nil
}

// problem says how a letter fits ill into the history, behind a letter to the same reader that
// shows a place. What a restore has put aside is excused: all were told of it.
func (c letterCheck) problem(s shown, at place, later []shown) (said string, excused bool) {
	p, known := c.places[s.head]
	restore := c.lostBy(s)
	switch {
	case !known && s.commits:
		return fmt.Sprintf("it commits the referee to a secret by %s, and the secret of the record is another", s.head), false
	case c.otherSeals(s, later):
		return otherSeals, false
	case !known && restore != nil:
		return fmt.Sprintf("its history was put aside for a backup, as entry %d says", restore.Seq), true
	case !known && c.belongs(s, later):
		return fmt.Sprintf("no entry has its hash %s, and later letters belong to this history: two histories were told", s.head), false
	case !known:
		return fmt.Sprintf("no entry has its hash %s: the record stops before it, or is of another history", s.head), false
	case p.seq < at.seq:
		return fmt.Sprintf("it shows %s, and an earlier letter shows %s", p, at), false
	case s.epoch >= 0 && s.epoch != p.epoch:
		return fmt.Sprintf("it says epoch %d, and that of %s is %d", s.epoch, p, p.epoch), false
	}
	return "", false
}

const otherSeals = "the seals that it shows are not those of the record"

// otherSeals reports whether a letter is the last to its reader that shows seals before the
// match began, and they are not those of the record.
func (c letterCheck) otherSeals(s shown, later []shown) bool {
	again := slices.ContainsFunc(later, func(o shown) bool { return sameReader(o.name, s.name) && c.early(o) && o.seals != "" })
	return s.seals != "" && c.early(s) && !again && s.seals != strings.Join(c.rec.Header.Seals, " ")
}

// sameReader reports whether two letters went to the same reader.
func sameReader(a, b message.Name) bool { return a.Kind == b.Kind && a.Holder == b.Holder }

// belongs reports whether one of the later letters to the same reader belongs to the history.
func (c letterCheck) belongs(s shown, later []shown) bool {
	return slices.ContainsFunc(later, func(o shown) bool {
		_, known := c.places[o.head]
		return known && sameReader(o.name, s.name)
	})
}

// lostBy is the entry that tells of a restore by which the history of a letter was lost.
func (c letterCheck) lostBy(s shown) *record.Entry {
	for _, e := range c.rec.Entries() {
		if a := e.Act; a != nil && a.Kind == record.Restore && s.epoch < e.Epoch && s.date.After(a.Until) && !s.date.After(e.At) {
			return e
		}
	}
	return nil
}

// called names a letter.
func (c letterCheck) called(s shown) string {
	on := "an unknown date"
	if !s.date.IsZero() {
		on = listTime(s.date) + " UTC"
	}
	return fmt.Sprintf("letter %d to %s of %s, %q", s.name.Number, c.reader(s.name), on, s.subject)
}

// reader names who a letter went to.
func (c letterCheck) reader(n message.Name) string {
	switch {
	case n.Kind == message.Observer:
		return fmt.Sprintf("observer %d", n.Holder)
	case n.Kind == message.Seat && n.Holder < len(c.names):
		return c.names[n.Holder]
	}
	return fmt.Sprintf("reader %d", n.Holder)
}

// restored is less than the gap that a restore leaves in the numbers of letters.
const restored = 50_000

// missing tells of letters whose numbers lie between those that are there.
func (c letterCheck) missing(out io.Writer) {
	gaps := map[string][]string{}
	last := message.Name{Holder: -1}
	for _, s := range c.list {
		from, to, who := int64(1), s.name.Number-1, c.reader(s.name)
		if sameReader(s.name, last) {
			from = last.Number + 1
		}
		last = s.name
		switch {
		case to < from, to-from >= restored:
		case to == from:
			gaps[who] = append(gaps[who], strconv.FormatInt(to, 10))
		default:
			gaps[who] = append(gaps[who], fmt.Sprintf("%d-%d", from, to))
		}
	}
	for _, who := range slices.Sorted(maps.Keys(gaps)) {
		fmt.Fprintf(out, "  Not among those to %s: %s.\n", who, strings.Join(gaps[who], ", "))
	}
	if len(gaps) > 0 {
		fmt.Fprintln(out, "  A letter that only confirms is not sent where one that asks takes its place.")
	}
}
