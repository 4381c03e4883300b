package adjudicator

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
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

// attachRecord makes the record if a letter is to bring it. The letters are complete when they are
// sent: until then the store keeps it packed.
func attachRecord(ctx context.Context, j *adjudication) error {
	if !isLastLetter(j) && !asksFor(j, letter.Record) || isBare(j) {
		return nil
	}
	entries, err := j.play.Played(ctx)
	if err != nil {
		return err
	}
	entries = slices.Concat(entries, j.turn.Entries)
	rec := publishedRecord(j.a, j.turn.Game, j.turn.Match, entries, false)
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

// isLastLetter reports whether the letters now are those that end the match, with its secret.
func isLastLetter(j *adjudication) bool {
	return j.turn.Match.Published() && (j.turn.Changed() || j.turn.Published) && !j.a.AtTable
}

// isBare reports whether the record hides nothing although something is hidden: dice and cards
// that were given beforehand have no seals, and stand there as whoever gave them wrote them.
func isBare(j *adjudication) bool { return j.turn.Match.Recorded != nil && !j.turn.Match.Published() }

// asksFor reports whether the letter in hand asks for something.
func asksFor(j *adjudication, w letter.Word) bool {
	return !j.dropped && slices.ContainsFunc(j.reply.asked, func(a asked) bool { return a.query == rules.Query(w) })
}

// recordFor is the record that the letter to a reader brings; nil for none.
func recordFor(j *adjudication, reader rules.Seat) *attached {
	if j.reply.file == nil || j.reply.file.packed == nil || !isLastLetter(j) && (reader != j.play.Seat || !asksFor(j, letter.Record)) {
		return nil
	}
	return j.reply.file
}

// enclose puts the record into a letter.
func (f *attached) enclose(d *exchange.Dispatch) {
	if f != nil {
		d.FileName, d.File = compose.RecordFile(d.Match), f.packed
	}
}

// checking says how to check the record in a file, and what that shows.
func (f *attached) checking(file string) []string {
	lines := templates.Checking(file)
	if !f.whole {
		lines[1] = "        checks the chain, and that your letters agree"
		lines[3] = "        checks the chain with a second, short program"
	}
	return lines
}

// recordSection answers who asks for the record.
func recordSection(j *adjudication) rules.Section {
	f := j.reply.file
	var said string
	switch {
	case isBare(j):
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
	lines := compose.Paragraphs(said)
	if f != nil && f.packed != nil {
		lines = append(lines, "", "MAILBOX is where you keep your letters:", "")
		lines = append(lines, f.checking(compose.RecordFile(j.turn.Match.ID))...)
	}
	return rules.Section{Title: "The record", Lines: lines}
}

// Export makes a match's record. While the match goes on it holds public fields
// only, unless hidden is set: that is for the operator's own eyes. A match whose
// chance was given as a list (an imported match, for example) is exported whole: the operator has
// written the list.
func (a *Adjudicator) Export(ctx context.Context, id string, hidden bool) (*record.Record, error) {
	m, err := a.Store.Match(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", id, err)
	}
	g, err := a.game(m.Game)
	if err != nil {
		return nil, err
	}
	entries, err := a.Store.History(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("export %s: %w", id, err)
	}
	return publishedRecord(a, g, m, entries, hidden || m.Recorded != nil), nil
}

// publishedRecord is the record of a match with its secret, once the secret is published or if hidden is set; otherwise
// it is the public form.
func publishedRecord(a *Adjudicator, g *rules.Game, m *match.Match, entries []record.Entry, hidden bool) *record.Record {
	rec := match.RecordOf(g, m, entries)
	if !m.Published() && !hidden {
		return rec.Public()
	}
	rec.Header.Secret = m.Secret.Hex()
	return rec
}

// publish publishes what is hidden of a match whose end is final by now, and tells all.
func publish(ctx context.Context, a *Adjudicator, m *match.Match) error {
	j, err := a.adjudication(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	e := *m.Acts.Ended
	e.Final = time.Time{}
	m.Acts.Ended, j.turn.Published = &e, true
	j.turn.Remarks = append(j.turn.Remarks, "The end of the match is final, and nothing of it is hidden any more.")
	return j.apply(ctx, rules.NoSeat)
}

// seatViewLines lays the sender's view out as lines of JSON, broken behind commas only, so
// that a letter carries them unharmed.
func seatViewLines(j *adjudication, view rules.View) []string {
	data, err := view.MarshalJSON()
	if err == nil {
		p := compose.SeatView{Format: compose.SeatViewFormat, Game: j.turn.Match.Game, Revision: j.turn.Match.Revision, Match: j.turn.Match.ID,
			Seats: j.turn.Match.SeatNames(), Seat: j.turn.Match.Seats[j.play.Seat].Name, Options: j.turn.Match.Options, View: data}
		data, err = json.Marshal(p)
	}
	if err != nil {
		return []string{"It cannot be written: " + err.Error()}
	}
	lines := strings.Split(templates.Wrap("Save this letter, or the lines from the first brace to the last, in a file, and try orders "+
		"at home: samizdat check --position FILE"), "\n")
	return append(append(lines, ""), compose.Broken(data, templates.Width)...)
}
