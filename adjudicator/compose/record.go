package compose

import (
	"encoding/json"
	"fmt"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
	"slices"
	"strings"
)

// AttachedRecord is the record that a letter carries, as `samizdat export` would write it at that time.
type AttachedRecord struct {
	// Entries counts its entries, Size its bytes. Whole reports whether it has no hidden parts.
	Entries, Size int
	Whole         bool
	// Packed is the record compressed with gzip; nil if it is too large.
	Packed []byte
}

// IsLastLetter reports whether the turn's letters are the last of the match, and publish its secret.
func (r *Reply) IsLastLetter(t *match.Turn) bool {
	return t.Match.IsPublished() && (t.Changed() || t.Published) && !r.AtTable
}

// ShowsHidden reports whether the record shows hidden information: recorded chance is not sealed.
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
		lines[1] = "        checks the chain, and that your letters agree"
		lines[3] = "        checks the chain with a second, short program"
	}
	return lines
}

func (r *Reply) recordSection(t *match.Turn) rules.Section {
	f := r.Record
	var text string
	switch {
	case ShowsHidden(t):
		text = "The dice and cards of this match were given beforehand, and its record shows all of them. So it comes when the match is " +
			"over, with the last letter."
	case f == nil:
		text = "It comes by mail only."
	case f.Packed == nil:
		text = fmt.Sprintf("It has %d kB, which is too much for a letter. Whoever runs this referee can export it.", f.Size>>10)
	case f.Whole:
		text = fmt.Sprintf("It is attached, with all %d entries and the secret.", f.Entries)
	default:
		text = fmt.Sprintf("It is attached, up to now: %d entries. Until the match is over it shows what is public, and seals for the "+
			"rest. So the chain can be checked, and your letters with it, but dice and orders cannot. The last letter of the match brings all "+
			"of it.", f.Entries)
	}
	lines := Paragraphs(text)
	if f != nil && f.Packed != nil {
		lines = append(lines, "", "MAILBOX is where you keep your letters:", "")
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
		return []string{"It cannot be written: " + err.Error()}
	}
	lines := strings.Split(templates.Wrap("Save this letter, or the lines from the first brace to the last, in a file, and try orders "+
		"at home: samizdat check --position FILE"), "\n")
	return append(append(lines, ""), BreakJSON(data, templates.Width)...)
}

// HasQuery reports whether the letter asks a query, e.g. RECORD.
func (r *Reply) HasQuery(w letter.Word) bool {
	return !r.Unanswered && slices.ContainsFunc(r.Queries, func(q Query) bool { return q.Query == rules.Query(w) })
}
