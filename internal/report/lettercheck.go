package report

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/mail/message"
)

// place is the position of a hash in the history: an entry and its epoch.
type place struct{ seq, epoch int }

func (p place) String() string {
	if p.seq < 0 {
		return "the commitment"
	}
	return fmt.Sprintf("entry %d", p.seq)
}

// check compares a record with the letters of its match. Each letter must show a hash of the record
// with the right epoch, and the hashes that a reader receives must follow the order of the history.
func (l Letters) check(out io.Writer, names []string, rec *record.Record) (letterCount, error) {
	match := rec.Header.Match
	switch {
	case !l.given:
		return letterCount{}, nil
	case len(l.of[match]) == 0:
		return letterCount{}, fmt.Errorf("letters: of %d mails none is a letter of match %s", l.mails, match)
	}
	l.printSummary(out, match)
	return newLetterCheck(names, rec, l).checkAll(out)
}

func newLetterCheck(names []string, rec *record.Record, l Letters) letterCheck {
	c := letterCheck{names: names, rec: rec, entries: rec.Entries(), places: map[string]place{rec.Header.Commitment: {-1, 0}},
		list: l.of[rec.Header.Match]}
	for _, e := range c.entries {
		c.places[e.Hash] = place{e.Seq, e.Epoch}
	}
	delete(c.places, "") // A record without a chain has empty hashes.
	return c
}

func (l Letters) printSummary(out io.Writer, match string) {
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

type letterCount struct {
	// excused counts letters whose history was discarded by a restore. unshown counts the entries
	// after the newest entry that a letter shows.
	excused, unshown int
}

type letterCheck struct {
	names   []string
	rec     *record.Record
	entries []*record.Entry
	places  map[string]place
	list    []letterState
}

func (c letterCheck) checkAll(out io.Writer) (n letterCount, err error) {
	at, newest := place{seq: -1}, place{seq: -1}
	var before message.LetterName
	bad, silent, first := 0, 0, ""
	refuse := func(s letterState, problem string) {
		if bad++; first == "" {
			first = fmt.Sprintf("; first %s: %s", c.describeLetter(s), problem)
		}
	}
	for i, s := range c.list {
		if i == 0 || !sameReader(s.name, before) {
			at = place{seq: -1}
		}
		before = s.name
		problem, excused := c.explainProblem(s, at, c.list[i+1:])
		p, known := c.places[s.head]
		switch {
		case problem == "" && s.head == "":
			silent++
			continue
		case problem == "":
			at = p
		case excused:
			n.excused++
		default:
			refuse(s, problem)
		}
		if problem != "" {
			fmt.Fprintf(out, "  %s: %s.\n", c.describeLetter(s), problem)
		}
		if known && p.seq > newest.seq {
			newest = p
		}
	}
	n.unshown = len(c.entries) - 1 - newest.seq
	c.printNotes(out, n, silent)
	bad += c.checkRounds(out) + c.checkWords(out)
	c.checkBegun(out)
	switch {
	case bad > 0:
		return n, fmt.Errorf("letters: %d of %d do not belong to this history%s", bad, len(c.list), first)
	case silent == len(c.list):
		return n, errors.New("letters: none of them has a hash")
	}
	fmt.Fprintf(out, "  They belong to this history, in its order and with its epochs; the newest shows %s, and the last entry is %d.\n",
		newest, len(c.entries)-1)
	if n.unshown > 0 {
		fmt.Fprintf(out, "  Entries behind the newest, which no letter shows: %d.\n", n.unshown)
	}
	return n, nil
}

// printNotes prints remarks that are no failures, for example the number of letters without a hash.
func (c letterCheck) printNotes(out io.Writer, n letterCount, silent int) {
	if silent > 0 {
		fmt.Fprintf(out, "  Without a hash: %d.\n", silent)
	}
	if n.excused > 0 {
		fmt.Fprintf(out, "  Put aside by a restore: %d.\n", n.excused)
	}
	c.reportStrayDates(out)
	c.reportMissing(out)
}

// explainProblem describes how a letter contradicts the history or an earlier letter to the same reader. excused
// reports that a restore discarded the history of the letter. For example: "no entry has its hash 9f86d081...".
func (c letterCheck) explainProblem(s letterState, at place, later []letterState) (text string, excused bool) {
	p, known := c.places[s.head]
	switch {
	case !known && s.commits:
		return fmt.Sprintf("it commits the referee to a secret by %s, and the secret of the record is another", s.head), false
	case c.otherSeals(s, later):
		return otherSeals, false
	case s.other != "":
		return "the hash at its end is that of " + s.other, false
	case s.head == "":
		return "", false
	case !known:
		return c.explainUnknown(s, later)
	case p.seq < at.seq:
		return fmt.Sprintf("it shows %s, and an earlier letter shows %s", p, at), false
	case s.epoch >= 0 && s.epoch != p.epoch:
		return fmt.Sprintf("it says epoch %d, and that of %s is %d", s.epoch, p, p.epoch), false
	case c.publishes(s) && p.seq != len(c.entries)-1:
		return fmt.Sprintf("it publishes the secret and shows %s, and behind that the record has entry %d: "+
			"whoever read this letter could write it", p, p.seq+1), false
	}
	return c.explainLate(s, p), false
}

// explainUnknown explains why no entry has the hash of a letter.
func (c letterCheck) explainUnknown(s letterState, later []letterState) (text string, excused bool) {
	restore := c.lostBy(s)
	text = fmt.Sprintf("no entry has its hash %s", s.head)
	switch {
	case restore != nil && c.isExcuse(restore, s, later):
		return fmt.Sprintf("its history was put aside for a backup, as entry %d says", restore.Seq), true
	case restore != nil && c.publishes(s):
		return fmt.Sprintf("%s, and it publishes the secret: the restore of entry %d cannot have put it aside", text, restore.Seq), false
	case restore != nil:
		return fmt.Sprintf("%s: entry %d tells of a restore that put it aside, and no later letter to that reader is of epoch %d",
			text, restore.Seq, restore.Epoch), false
	case c.belongs(s, later):
		return text + ", and later letters belong to this history: two histories were told", false
	}
	return text + ": the record stops before it, or is of another history", false
}

// explainLate reports an entry that existed when a letter was written but that the letter does not show. It
// allows a second for clock differences between daemons. Letters to observers are not checked, because
// they show no hash before the end of the match. If the clock was set back, an entry counts as being
// as late as the latest entry before it.
func (c letterCheck) explainLate(s letterState, p place) string {
	if s.name.Kind != message.Seat || s.commits || s.date.IsZero() {
		return ""
	}
	var at time.Time
	for i, e := range c.entries {
		if e.At.After(at) {
			at = e.At
		}
		if i <= p.seq {
			continue
		}
		if s.date.After(at.Add(time.Second)) {
			return fmt.Sprintf("it shows %s, and was written after entry %d, of %s UTC", p, i, e.At.Format(time.DateTime))
		}
		break
	}
	return ""
}

func (c letterCheck) publishes(s letterState) bool {
	return slices.Contains(strings.Fields(s.reveals), c.rec.Header.Commitment)
}

const otherSeals = "the seals that it shows are not those of the record"

// otherSeals reports whether a reader's last letter with seals before the match shows seals that
// differ from the record.
func (c letterCheck) otherSeals(s letterState, later []letterState) bool {
	again := slices.ContainsFunc(later, func(o letterState) bool { return sameReader(o.name, s.name) && c.isEarly(o) && o.seals != "" })
	return s.seals != "" && c.isEarly(s) && !again && s.seals != strings.Join(c.rec.Header.Seals, " ")
}

func sameReader(a, b message.LetterName) bool { return a.Kind == b.Kind && a.Holder == b.Holder }

// belongs reports whether a later letter to the same reader shows a hash of the history.
func (c letterCheck) belongs(s letterState, later []letterState) bool {
	return slices.ContainsFunc(later, func(o letterState) bool {
		_, known := c.places[o.head]
		return known && sameReader(o.name, s.name)
	})
}

// lostBy returns the entry of the restore that discarded the history of a letter, or nil.
func (c letterCheck) lostBy(s letterState) *record.Entry {
	for _, e := range c.entries {
		a := e.Act
		if a == nil || a.Kind != record.Restore || s.epoch >= e.Epoch {
			continue
		}
		dated := s.date.After(a.Until) && !s.date.After(e.At)
		if dated && s.arrived.After(a.Until.Add(-lateDate)) && !s.arrived.After(e.At.Add(lateDate)) {
			return e
		}
	}
	return nil
}

// isExcuse reports whether a restore excuses a letter: its reader also received a later letter of the restored epoch.
// A letter with the published secret is never excused, because the match cannot continue after it.
func (c letterCheck) isExcuse(restore *record.Entry, s letterState, later []letterState) bool {
	return !c.publishes(s) && slices.ContainsFunc(later, func(o letterState) bool {
		p, known := c.places[o.head]
		return known && sameReader(o.name, s.name) && p.epoch >= restore.Epoch
	})
}

func (c letterCheck) describeLetter(s letterState) string {
	on := "an unknown date"
	if !s.date.IsZero() {
		on = listTime(s.date) + " UTC"
	}
	return fmt.Sprintf("letter %d to %s of %s, %q", s.name.Number, c.reader(s.name), on, s.subject)
}

func (c letterCheck) reader(n message.LetterName) string {
	switch {
	case n.Kind == message.Observer:
		return fmt.Sprintf("observer %d", n.Holder)
	case n.Kind == message.Seat && n.Holder < len(c.names):
		return c.names[n.Holder]
	}
	return fmt.Sprintf("reader %d", n.Holder)
}
