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

// AttachedRecord is the record that a letter carries, as `samizdat export` would write it at that time.
type AttachedRecord struct {
	// Entries counts its entries, Size its bytes. Whole is set if nothing is hidden in it.
	Entries, Size int
	Whole         bool
	// Packed is the record compressed with gzip; nil if it is too large.
	Packed []byte
}

// IsLastLetter reports whether the turn's letters are the last of the match, and publish its secret.
func (r *Reply) IsLastLetter(t *match.Turn) bool {
	return t.Match.IsPublished() && (t.Changed() || t.Published) && !r.AtTable
}

// ShowsHidden reports whether the record would show hidden information, because recorded chance is not sealed.
func ShowsHidden(t *match.Turn) bool { return t.Match.Recorded != nil && !t.Match.IsPublished() }

// RecordFor returns the record for the letter to a reader; nil for none.
func (r *Reply) RecordFor(t *match.Turn, reader rules.Seat) *AttachedRecord {
	if r.Record == nil || r.Record.Packed == nil || !r.IsLastLetter(t) && (reader != r.Writer || !r.HasQuery(letter.Record)) {
		return nil
	}
	return r.Record
}

func (r *AttachedRecord) checkInstructions(file string) []string {
	lines := templates.Checking(file)
	if !r.Whole {
		lines[1] = "        checks the chain of entries, and your letters against it"
		lines[3] = "        checks the chain of entries with a second, short program"
	}
	return lines
}

func (r *Reply) recordSection(t *match.Turn) rules.Section {
	f := r.Record
	var text string
	switch {
	case ShowsHidden(t):
		text = "The dice and cards of this match were fixed in advance, and its record shows all of them. So you get it with " +
			"the last letter, when the match is over."
	case f == nil:
		text = "You can only get it by mail."
	case f.Packed == nil:
		text = fmt.Sprintf("It has %d kB, which is too much for a letter. The operator can export it.", f.Size>>10)
	case f.Whole:
		text = fmt.Sprintf("It is attached, with all %d entries and the secret number.", f.Entries)
	default:
		text = fmt.Sprintf("It is attached, with the %d entries so far. Until the match is over it shows only what is public, "+
			"and a fingerprint for the rest. So you can check the chain of entries and your letters, but not the dice and "+
			"orders. The last letter of the match brings the whole record.", f.Entries)
	}
	lines := Paragraphs(text)
	if f != nil && f.Packed != nil {
		lines = append(lines, "", "In these commands, MAILBOX is the file that holds your letters:", "")
		lines = append(lines, f.checkInstructions(RecordFileName(t.Match.ID))...)
	}
	return rules.Section{Title: "The record", Lines: lines}
}

// seatViewLines formats the writer's view as JSON, broken only after commas so that mail programs do not damage
// it.
func (r *Reply) seatViewLines(t *match.Turn, view rules.View) []string {
	data, err := view.MarshalJSON()
	if err == nil {
		p := SeatView{Format: SeatViewFormat, Game: t.Match.Game, Revision: t.Match.Revision, Match: t.Match.ID,
			Seats: t.Match.SeatNames(), Seat: t.Match.Seats[r.Writer].Name, Options: t.Match.Options, View: data}
		data, err = json.Marshal(p)
	}
	if err != nil {
		return []string{"It could not be written: " + err.Error()}
	}
	lines := strings.Split(templates.Wrap("Save this letter, or the lines from the first brace to the last, in a file, and "+
		"try out orders with: samizdat check --position FILE"), "\n")
	return append(append(lines, ""), BreakJSON(data, templates.Width)...)
}

// HasQuery reports whether the letter asks a query, e.g. RECORD.
func (r *Reply) HasQuery(w letter.Word) bool {
	return !r.Unanswered && slices.ContainsFunc(r.Queries, func(q Query) bool { return q.Query == rules.Query(w) })
}
