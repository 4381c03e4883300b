package adjudicator

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"slices"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/templates"
)

// mostAttached is how many bytes a record has at most that is attached to a letter. Ten times
// as much as a whole match of ten turns: servers refuse letters that are very large.
const mostAttached = 2 << 20

// attached is the record that a letter brings, as it was when the letter was written: what
// `samizdat export` writes then.
type attached struct {
	// entries is how many it holds, size how many bytes it has, whole that nothing of it is hidden.
	entries, size int
	whole         bool
	// packed is the record, nil where it is too large.
	packed []byte
}

// attach makes the record if a letter is to bring it. The letters are complete when they are
// sent: until then the store keeps it packed.
func (j *adjudication) attach(ctx context.Context) error {
	if !j.lastLetter() && !j.asksFor(letter.Record) || j.bare() {
		return nil
	}
	entries, err := j.play.Played(ctx)
	if err != nil {
		return err
	}
	entries = slices.Concat(entries, j.turn.Entries)
	rec := j.a.published(j.turn.Game, j.turn.Match, entries, false)
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	size := new(counter)
	if err := rec.Write(io.MultiWriter(zip, size)); err != nil {
		return err
	}
	if err := zip.Close(); err != nil {
		return fmt.Errorf("pack the record: %w", err)
	}
	j.reply.file = &attached{entries: len(entries), size: int(*size), whole: rec.Header.Secret != "", packed: packed.Bytes()}
	if j.reply.file.size > mostAttached {
		j.reply.file.packed = nil
	}
	return nil
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// lastLetter reports whether the letters now are those that end the match, with its secret.
func (j *adjudication) lastLetter() bool {
	return j.turn.Match.Published() && (j.turn.Changed() || j.turn.Published) && !j.a.AtTable
}

// bare reports whether the record hides nothing although something is hidden: dice and cards
// that were given beforehand have no seals, and stand there as whoever gave them wrote them.
func (j *adjudication) bare() bool { return j.turn.Match.Recorded != nil && !j.turn.Match.Published() }

// asksFor reports whether the letter in hand asks for something.
func (j *adjudication) asksFor(w letter.Word) bool {
	return !j.dropped && slices.ContainsFunc(j.reply.asked, func(a asked) bool { return a.query == rules.Query(w) })
}

// brings is the record that the letter to a reader brings; nil for none.
func (j *adjudication) brings(reader rules.Seat) *attached {
	if j.reply.file == nil || j.reply.file.packed == nil || !j.lastLetter() && (reader != j.play.Seat || !j.asksFor(letter.Record)) {
		return nil
	}
	return j.reply.file
}

// enclose puts the record into a letter.
func (f *attached) enclose(d *Dispatch) {
	if f != nil {
		d.FileName, d.File = recordFile(d.Match), f.packed
	}
}

// recordFile is what the record of a match is called.
func recordFile(match string) string { return match + ".jsonl" }

// checking says how to check the record in a file, and what that shows.
func (f *attached) checking(file string) []string {
	lines := templates.Checking(file)
	if !f.whole {
		lines[1] = "        checks the chain, and that your letters agree"
		lines[3] = "        checks the chain with a second, short program"
	}
	return lines
}

// recordPart answers who asks for the record.
func (j *adjudication) recordPart() rules.Section {
	f := j.reply.file
	var said string
	switch {
	case j.bare():
		said = "The dice and cards of this match were given beforehand, and its record shows all of them. So it comes when the match is over, with the last letter."
	case f == nil:
		said = "It comes by mail only."
	case f.packed == nil:
		said = fmt.Sprintf("It has %d kB, which is too much for a letter. Whoever runs this referee can export it.", f.size>>10)
	case f.whole:
		said = fmt.Sprintf("It is attached, with all %d entries and the secret.", f.entries)
	default:
		said = fmt.Sprintf("It is attached, up to now: %d entries. Until the match is over it shows what is public, and seals for the rest. So the chain can be "+
			"checked, and your letters with it, but dice and orders cannot. The last letter of the match brings all of it.", f.entries)
	}
	lines := paragraphs(said)
	if f != nil && f.packed != nil {
		lines = append(lines, "", "MAILBOX is where you keep your letters:", "")
		lines = append(lines, f.checking(recordFile(j.turn.Match.ID))...)
	}
	return rules.Section{Title: "The record", Lines: lines}
}
