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

// historyPosition is the place of a hash in the history: the number of its entry, and the epoch, which rises with each
// take-back, undo and restore. seq is -1 for the commitment, which precedes the first entry.
type historyPosition struct{ seq, epoch int }

func (position historyPosition) String() string {
	if position.seq < 0 {
		return "the commitment"
	}
	return fmt.Sprintf("entry %d", position.seq)
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
	c := letterCheck{names: names, rec: rec, entries: rec.Entries(), positions: map[string]historyPosition{rec.Header.Commitment: {-1, 0}},
		letters: l.byMatch[rec.Header.Match]}
	for _, e := range c.entries {
		c.positions[e.Hash] = historyPosition{e.Seq, e.Epoch}
	}
	delete(c.positions, "") // A record without a chain has empty hashes.
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

// letterCheck compares the letters of a match with its record. positions has the places of the entries, and of the
// commitment, by their hashes.
type letterCheck struct {
	names     []string
	rec       *record.Record
	entries   []*record.Entry
	positions map[string]historyPosition
	letters   []letterEvidence
}

// checkAll prints the problem of each letter that contradicts the record. It fails if there is a problem that no
// restore explains.
func (c letterCheck) checkAll(out io.Writer) (totals letterTotals, err error) {
	earlier, newest := historyPosition{seq: -1}, historyPosition{seq: -1}
	var previousName message.LetterName
	wrongCount, withoutHash, firstProblem := 0, 0, ""
	addProblem := func(letter letterEvidence, problem string) {
		if wrongCount++; firstProblem == "" {
			firstProblem = fmt.Sprintf("; first %s: %s", c.describeLetter(letter), problem)
		}
	}
	for i, letter := range c.letters {
		if i == 0 || !isSameReader(letter.name, previousName) {
			earlier = historyPosition{seq: -1}
		}
		previousName = letter.name
		problem, isExcused := c.explainProblem(letter, earlier, c.letters[i+1:])
		position, isKnown := c.positions[letter.hash]
		switch {
		case problem == "" && letter.hash == "":
			withoutHash++
			continue
		case problem == "":
			earlier = position
		case isExcused:
			totals.excusedLetters++
		default:
			addProblem(letter, problem)
		}
		if problem != "" {
			fmt.Fprintf(out, "  %s: %s.\n", c.describeLetter(letter), problem)
		}
		if isKnown && position.seq > newest.seq {
			newest = position
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
	fmt.Fprintf(out, "  They belong to this history, in its order and with its epochs; the newest shows %s, and the last entry is %d.\n",
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
// "no entry has its hash 9f86d081...". earlier is the position that the previous letter shows. isExcused is true if a
// restore discarded the entry that the letter shows.
func (c letterCheck) explainProblem(letter letterEvidence, earlier historyPosition, later []letterEvidence) (text string, isExcused bool) {
	position, isKnown := c.positions[letter.hash]
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
	case position.seq < earlier.seq:
		return fmt.Sprintf("it shows %s, but an earlier letter shows %s", position, earlier), false
	case letter.epoch >= 0 && letter.epoch != position.epoch:
		return fmt.Sprintf("it says epoch %d, but %s is of epoch %d", letter.epoch, position, position.epoch), false
	case c.revealsSecret(letter) && position.seq != len(c.entries)-1:
		return fmt.Sprintf("it publishes the secret and shows %s, but the record goes on with entry %d, "+
			"which every reader of this letter could have written", position, position.seq+1), false
	}
	return c.explainLate(letter, position), false
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

// explainLate describes the first entry that is newer than the entry in the letter (position), but was made before the
// letter was written. It allows one second for the difference between the clocks of daemons. Letters to observers are
// not checked, because they show no hash before the end of the match. If a clock was set back, an entry may have an
// earlier time than an entry before it; then it counts with the time of that entry.
func (c letterCheck) explainLate(letter letterEvidence, position historyPosition) string {
	if letter.name.Kind != message.Seat || letter.isInvitation || letter.date.IsZero() {
		return ""
	}
	var at time.Time
	for i, e := range c.entries {
		if e.At.After(at) {
			at = e.At
		}
		if i <= position.seq {
			continue
		}
		if letter.date.After(at.Add(time.Second)) {
			return fmt.Sprintf("it shows %s, and was written after entry %d, of %s UTC", position, i, e.At.Format(time.DateTime))
		}
		break
	}
	return ""
}

func (c letterCheck) revealsSecret(letter letterEvidence) bool {
	return slices.Contains(strings.Fields(letter.revealedDigests), c.rec.Header.Commitment)
}

const otherSealsText = "the seals that it shows are not those of the record"

// showsOtherSeals reports whether a letter is its reader's last letter with seals before the match, and shows seals that
// differ from the record.
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
		_, isKnown := c.positions[other.hash]
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
		position, isKnown := c.positions[other.hash]
		return isKnown && isSameReader(other.name, letter.name) && position.epoch >= restore.Epoch
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
