package compose

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// AttachedRecord is the record that is attached to a letter. It is equal to the output of `samizdat export` when the
// letter is written.
type AttachedRecord struct {
	// EntryCount is the number of entries. Size is the size in bytes before compression. IsComplete is set if the
	// record also has the hidden fields and the secret.
	EntryCount, Size int
	IsComplete       bool
	// Compressed is the record, compressed with gzip; nil if it is too large to attach.
	Compressed []byte
}

// IsLastLetter reports whether the turn's letters are the last letters of the match, which publish its secret.
func (r *Reply) IsLastLetter(turn *match.Turn) bool {
	return turn.Match.IsPublished() && (turn.HasChanged() || turn.HasPublished) && !r.AtTable
}

// RecordShowsHidden reports whether the record would reveal hidden information: dice and draws that were fixed in advance
// (e.g. in an imported match) and have not come yet.
func RecordShowsHidden(turn *match.Turn) bool {
	return turn.Match.Recorded != nil && !turn.Match.IsPublished()
}

// RecordFor returns the record for the letter to a reader; nil for none.
func (r *Reply) RecordFor(turn *match.Turn, reader rules.Seat) *AttachedRecord {
	if r.Record == nil || r.Record.Compressed == nil || !r.IsLastLetter(turn) && (reader != r.Writer || !r.HasQuery(letter.Record)) {
		return nil
	}
	return r.Record
}

func (r *AttachedRecord) checkInstructions(file string) []string {
	lines := templates.VerifyCommands(file)
	if !r.IsComplete {
		lines[1] = "        checks the chain of entries, and compares your letters with it"
		lines[3] = "        checks the chain of entries with a separate, shorter program"
	}
	return lines
}

func (r *Reply) recordSection(turn *match.Turn) rules.Section {
	attached := r.Record
	var text string
	switch {
	case RecordShowsHidden(turn):
		text = "The dice and cards of this match were fixed in advance, and its record shows all of them. So you get it with " +
			"the last letter, when the match is over."
	case attached == nil:
		text = "You can only get it by mail."
	case attached.Compressed == nil:
		text = fmt.Sprintf("It has %d kB, which is too much for a letter. The operator can export it.", attached.Size>>10)
	case attached.IsComplete:
		text = fmt.Sprintf("It is attached, with all %d entries and the secret number.", attached.EntryCount)
	default:
		text = fmt.Sprintf("It is attached, with the %d entries so far. Until the match is over it shows only what is public, "+
			"and a fingerprint for the rest. So you can check the chain of entries and your letters, but not the dice and "+
			"orders. The last letter of the match brings the whole record.", attached.EntryCount)
	}
	lines := Paragraphs(text)
	if attached != nil && attached.Compressed != nil {
		lines = append(lines, "", "In these commands, MAILBOX is the file that holds your letters:", "")
		lines = append(lines, attached.checkInstructions(RecordFileName(turn.Match.ID))...)
	}
	return rules.Section{Title: "The record", Lines: lines}
}

// seatViewLines formats the writer's view as JSON, broken only after commas so that mail programs do not damage it.
func (r *Reply) seatViewLines(turn *match.Turn, view rules.View) []string {
	data, err := view.MarshalJSON()
	if err == nil {
		seatView := SeatView{Format: SeatViewFormat, Game: turn.Match.Game, Revision: turn.Match.Revision, Match: turn.Match.ID,
			Seats: turn.Match.SeatNames(), Seat: turn.Match.Seats[r.Writer].Name, Options: turn.Match.Options, View: data}
		data, err = json.Marshal(seatView)
	}
	if err != nil {
		return []string{"It could not be written: " + err.Error()}
	}
	lines := strings.Split(templates.Wrap("Save this letter, or the lines from the first brace to the last, in a file, and "+
		"try out orders with: samizdat check --position FILE"), "\n")
	return append(append(lines, ""), WrapJSON(data, templates.Width)...)
}

// HasQuery reports whether the writer's letter gets an answer and has a query, e.g. RECORD.
func (r *Reply) HasQuery(w letter.Word) bool {
	return !r.Unanswered && slices.ContainsFunc(r.Queries, func(q Query) bool { return q.Query == rules.Query(w) })
}
