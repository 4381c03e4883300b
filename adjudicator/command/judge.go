package command

import (
	"strings"

	"samizdat/adjudicator/order"
)

// judge tells the talk of a letter that is harmless from what may speak against the
// orders beside it. What stands beside an order and is not known to be harmless is a
// doubt: nobody can list how people take back, put off and wonder about what they wrote.
func (r *Reader) judge(lines []Line, split []order.Line) {
	last := -1
	for i := range lines {
		if lines[i].Kind > Unreadable {
			last = i
		}
	}
	signed := false // the line above may be a name or a farewell
	for i := range lines {
		l := &lines[i]
		if l.Kind != Talk {
			signed = false
			continue
		}
		block := signed && split[i].Below
		switch {
		case r.Orders.Harmless(l.Text):
			signed = i > last
		case i > last && r.Orders.Signature(l.Text, block), i == 0 && strings.HasSuffix(l.Text, ",") && r.Orders.Signature(l.Text, false):
			signed = i > last
		default:
			l.Kind, signed = Doubt, false
		}
	}
}

// comments are the remarks behind orders that are not harmless.
func (r *Reader) comments(text string) []Line {
	var out []Line
	for _, c := range order.Comments(text) {
		if !r.Orders.Harmless(c) {
			out = append(out, Line{Text: "// " + c, Kind: Doubt, Why: "It is no order."})
		}
	}
	return out
}

// Doubts lists what in a letter speaks against its orders being carried out at once, as
// it was written.
func Doubts(lines []Line) []string {
	var out []string
	acts := false
	for _, l := range lines {
		acts = acts || l.Acts()
		switch {
		case l.Kind == Doubt:
			out = append(out, l.Text)
		case l.Unsure != "":
			out = append(out, l.Unsure)
		}
	}
	if !acts {
		return nil
	}
	return out
}
