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

// historyPlace is the place of a hash in the history: the number of its entry, and the epoch, which rises with each
// take-back, undo and restore. seq is -1 for the commitment, which precedes the first entry.
type historyPlace struct{ seq, epoch int }

func (place historyPlace) String() string {
	if place.seq < 0 {
		return "the commitment"
	}
	return fmt.Sprintf("entry %d", place.seq)
}

// check compares a record with the letters of its match. The end of each letter shows the hash and the epoch of the
// entry that was the latest. Hash and epoch must agree with the record, and the letters to a reader must show the
// entries in order.
func (l Letters) check(out io.Writer, names []string, rec *record.Record) (letterTotals, error) {
	match := rec.Header.Match
	switch {
	case !l.hasMailboxes:
		return letterTotals{}, nil
	case len(l.byMatch[match]) == 0:
		return letterTotals{}, fmt.Errorf("letters: found no letter of match %s in %d mails", match, l.mailCount)
	}
	l.printSummary(out, match)
	return newLetterCheck(names, rec, l).checkAll(out)
}

func newLetterCheck(names []string, rec *record.Record, l Letters) letterCheck {
	c := letterCheck{names: names, rec: rec, entries: rec.Entries(), places: map[string]historyPlace{rec.Header.Commitment: {-1, 0}},
		letters: l.byMatch[rec.Header.Match]}
	for _, e := range c.entries {
		c.places[e.Hash] = historyPlace{e.Seq, e.Epoch}
	}
	delete(c.places, "") // A record without a chain has empty hashes.
	return c
}

func (l Letters) printSummary(out io.Writer, match string) {
	senders, others := map[string]bool{}, 0
	for m, list := range l.byMatch {
		for _, letter := range list {
			if m == match {
				senders[letter.sender] = true
			} else {
				others++
			}
		}
	}
	n := len(l.byMatch[match])
	fmt.Fprintf(out, "Letters: %d of match %s, from %s.", n, match, strings.Join(slices.Sorted(maps.Keys(senders)), ", "))
	if remaining := l.mailCount - n - others; remaining > 0 {
		fmt.Fprintf(out, " Other mails, and copies: %d.", remaining)
	}
	if others > 0 {
		fmt.Fprintf(out, " Letters of other matches: %d.", others)
	}
	fmt.Fprintln(out)
}

type letterTotals struct {
	// excusedLetters counts the letters that show an entry which a restore discarded. unshownEntries counts the entries
	// after the newest entry that a letter shows.
	excusedLetters, unshownEntries int
}

// letterCheck compares the letters of a match with its record. places has the places of the entries, and of the
// commitment, by their hashes.
type letterCheck struct {
	names   []string
	rec     *record.Record
	entries []*record.Entry
	places  map[string]historyPlace
	letters []letterEvidence
}

// checkAll prints the problem of each letter that contradicts the record. It fails if there is a problem that no
// restore explains.
func (c letterCheck) checkAll(out io.Writer) (totals letterTotals, err error) {
	earlier, newest := historyPlace{seq: -1}, historyPlace{seq: -1}
	var previousName message.LetterName
	wrongCount, withoutHash, firstProblem := 0, 0, ""
	addProblem := func(letter letterEvidence, problem string) {
		if wrongCount++; firstProblem == "" {
			firstProblem = fmt.Sprintf("; first %s: %s", c.describeLetter(letter), problem)
		}
	}
	for i, letter := range c.letters {
		if i == 0 || !isSameReader(letter.name, previousName) {
			earlier = historyPlace{seq: -1}
		}
		previousName = letter.name
		problem, isExcused := c.explainProblem(letter, earlier, c.letters[i+1:])
		place, isKnown := c.places[letter.hash]
		switch {
		case problem == "" && letter.hash == "":
			withoutHash++
			continue
		case problem == "":
			earlier = place
		case isExcused:
			totals.excusedLetters++
		default:
			addProblem(letter, problem)
		}
		if problem != "" {
			fmt.Fprintf(out, "  %s: %s.\n", c.describeLetter(letter), problem)
		}
		if isKnown && place.seq > newest.seq {
			newest = place
		}
	}
	totals.unshownEntries = len(c.entries) - 1 - newest.seq
	c.printNotes(out, totals, withoutHash)
	wrongCount += c.checkRounds(out) + c.checkWords(out)
	c.checkChosenInTime(out)
	switch {
	case wrongCount > 0:
		return totals, fmt.Errorf("letters: %d of %d do not belong to this history%s", wrongCount, len(c.letters), firstProblem)
	case withoutHash == len(c.letters):
		return totals, errors.New("letters: no letter has a hash")
	}
	fmt.Fprintf(out, "  They agree with this history, its order and epochs. The newest shows %s; the last entry of the record is %d.\n",
		newest, len(c.entries)-1)
	if totals.unshownEntries > 0 {
		fmt.Fprintf(out, "  Entries after the newest one that a letter shows: %d.\n", totals.unshownEntries)
	}
	return totals, nil
}

func (c letterCheck) printNotes(out io.Writer, n letterTotals, withoutHash int) {
	if withoutHash > 0 {
		fmt.Fprintf(out, "  Without a hash: %d.\n", withoutHash)
	}
	if n.excusedLetters > 0 {
		fmt.Fprintf(out, "  With an entry that a restore discarded: %d.\n", n.excusedLetters)
	}
	c.printStrayDates(out)
	c.printMissing(out)
}

// explainProblem describes how a letter contradicts the history or an earlier letter to the same reader, for example
// "no entry has its hash 9f86d081...". earlier is the place that the previous letter shows. isExcused is true if a
// restore discarded the entry that the letter shows.
func (c letterCheck) explainProblem(letter letterEvidence, earlier historyPlace, later []letterEvidence) (text string, isExcused bool) {
	place, isKnown := c.places[letter.hash]
	switch {
	case !isKnown && letter.isInvitation:
		return fmt.Sprintf("it shows the commitment %s, but the record has another commitment", letter.hash), false
	case c.showsOtherSeals(letter, later):
		return otherSealsText, false
	case letter.foreignFooter != "":
		return "the hash at its end is that of " + letter.foreignFooter, false
	case letter.hash == "":
		return "", false
	case !isKnown:
		return c.explainUnknown(letter, later)
	case place.seq < earlier.seq:
		return fmt.Sprintf("it shows %s, but an earlier letter shows %s", place, earlier), false
	case letter.epoch >= 0 && letter.epoch != place.epoch:
		return fmt.Sprintf("it says epoch %d, but %s is of epoch %d", letter.epoch, place, place.epoch), false
	case c.revealsSecret(letter) && place.seq != len(c.entries)-1:
		return fmt.Sprintf("it publishes the secret and shows %s, but the record continues with entry %d, "+
			"which any reader of the secret could have forged", place, place.seq+1), false
	}
	return c.explainLate(letter, place), false
}

// explainUnknown explains why no entry has the hash of a letter, e.g. a restore or another history.
func (c letterCheck) explainUnknown(letter letterEvidence, later []letterEvidence) (text string, isExcused bool) {
	restore := c.findRestore(letter)
	text = fmt.Sprintf("no entry has its hash %s", letter.hash)
	switch {
	case restore != nil && c.isExcused(restore, letter, later):
		return fmt.Sprintf("its history was discarded when a backup was restored (entry %d)", restore.Seq), true
	case restore != nil && c.revealsSecret(letter):
		return fmt.Sprintf("%s, but it publishes the secret, so the restore of entry %d does not explain it", text, restore.Seq), false
	case restore != nil:
		return fmt.Sprintf("%s: a restore (entry %d) may have discarded it, but the reader got no later letter of epoch %d",
			text, restore.Seq, restore.Epoch), false
	case c.hasKnownSuccessor(letter, later):
		return text + ", but later letters belong to this history: the referee showed two histories", false
	}
	return text + ": the record ends before it, or belongs to another history", false
}

// explainLate finds an entry that the letter should have shown: it is newer than the entry that the letter shows (place),
// and older than the letter. It allows one second for the difference between the clocks of daemons. Letters to observers are
// not checked, because they show no hash before the end of the match. If a clock was set back, an entry may have an
// earlier time than an entry before it; then the later time of the two is used.
func (c letterCheck) explainLate(letter letterEvidence, place historyPlace) string {
	if letter.name.Kind != message.Seat || letter.isInvitation || letter.date.IsZero() {
		return ""
	}
	var at time.Time
	for i, e := range c.entries {
		if e.At.After(at) {
			at = e.At
		}
		if i <= place.seq {
			continue
		}
		if letter.date.After(at.Add(time.Second)) {
			return fmt.Sprintf("it shows %s, and was written after entry %d, of %s UTC", place, i, e.At.Format(time.DateTime))
		}
		break
	}
	return ""
}

func (c letterCheck) revealsSecret(letter letterEvidence) bool {
	return slices.Contains(strings.Fields(letter.revealedDigests), c.rec.Header.Commitment)
}

const otherSealsText = "the seals that it shows are not those of the record"

// showsOtherSeals reports whether a letter shows other seals than the record. Of each reader's letters, it checks only the last one
// with seals before the match began.
func (c letterCheck) showsOtherSeals(letter letterEvidence, later []letterEvidence) bool {
	isRepeated := slices.ContainsFunc(later, func(other letterEvidence) bool {
		return isSameReader(other.name, letter.name) && c.isEarly(other) && other.seals != ""
	})
	return letter.seals != "" && c.isEarly(letter) && !isRepeated && letter.seals != strings.Join(c.rec.Header.Seals, " ")
}

func isSameReader(a, b message.LetterName) bool { return a.Kind == b.Kind && a.Reader == b.Reader }

// hasKnownSuccessor reports whether a later letter to the same reader shows a hash of the history.
func (c letterCheck) hasKnownSuccessor(letter letterEvidence, later []letterEvidence) bool {
	return slices.ContainsFunc(later, func(other letterEvidence) bool {
		_, isKnown := c.places[other.hash]
		return isKnown && isSameReader(other.name, letter.name)
	})
}

// findRestore returns the entry of the restore that discarded the history of a letter, or nil.
func (c letterCheck) findRestore(letter letterEvidence) *record.Entry {
	for _, e := range c.entries {
		a := e.Act
		if a == nil || a.Kind != record.Restore || letter.epoch >= e.Epoch {
			continue
		}
		isInDiscardedTime := letter.date.After(a.Until) && !letter.date.After(e.At)
		if isInDiscardedTime && letter.arrived.After(a.Until.Add(-maxDateDifference)) && !letter.arrived.After(e.At.Add(maxDateDifference)) {
			return e
		}
	}
	return nil
}

// isExcused reports whether a restore explains that the record lacks the entry of a letter: the reader must have
// received a later letter of the new epoch. A letter with the published secret is never excused, because the match
// cannot continue after the secret is published.
func (c letterCheck) isExcused(restore *record.Entry, letter letterEvidence, later []letterEvidence) bool {
	return !c.revealsSecret(letter) && slices.ContainsFunc(later, func(other letterEvidence) bool {
		place, isKnown := c.places[other.hash]
		return isKnown && isSameReader(other.name, letter.name) && place.epoch >= restore.Epoch
	})
}

// describeLetter names a letter in messages, for example: letter 3 to democrat of 2026-11-26 20:15 UTC, "Your move".
func (c letterCheck) describeLetter(letter letterEvidence) string {
	on := "an unknown date"
	if !letter.date.IsZero() {
		on = formatTime(letter.date) + " UTC"
	}
	return fmt.Sprintf("letter %d to %s of %s, %q", letter.name.Number, c.formatReader(letter.name), on, letter.subject)
}

func (c letterCheck) formatReader(n message.LetterName) string {
	switch {
	case n.Kind == message.Observer:
		return fmt.Sprintf("observer %d", n.Reader)
	case n.Kind == message.Seat && n.Reader < len(c.names):
		return c.names[n.Reader]
	}
	return fmt.Sprintf("reader %d", n.Reader)
}
