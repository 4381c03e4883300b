package trial

import (
	"samizdat/adjudicator/foresight"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Preview foretells what the orders of a letter would do, one by one, up to the first die, draw or decision of another seat. It
// tells only what is the same in all positions that are imagined from the writer's view, so that no question finds out what is hidden.
type Preview struct {
	writer *Writer
	worlds []rules.Position
	// end is the reason why the next order cannot be foretold; empty if it can.
	end string
}

// NewPreview begins a preview.
func (w *Writer) NewPreview() *Preview {
	p := &Preview{writer: w}
	switch {
	case w.game().Imagine == nil:
		p.end = "Orders of this game cannot be previewed."
	case w.Play.Turn.Match.State == match.Playing:
		p.worlds = w.game().Imagine(w.position().View(w.Play.Seat))
	}
	return p
}

// Foretell says what an order would do behind those before it; foretold is false where the text says why that cannot be told.
func (p *Preview) Foretell(l letter.Line) (text string, foretold bool) {
	if p.end == "" && len(p.worlds) == 0 {
		p.end = "There is nothing to preview now."
	}
	if p.end != "" {
		return p.end, false
	}
	if l.Kind != letter.GameOrder {
		return "It changes nothing in the match.", true
	}
	w := p.writer
	orders := foresight.Writer{Game: w.game(), Seat: w.Play.Seat, Names: w.Play.Turn.NamesOf, Sentence: match.Sentence,
		Sure: func(loss string) string { return withSurely(loss, l) }}
	f := orders.Order(p.worlds, l.Order, l.Surely)
	p.worlds, p.end = f.After, f.End
	return f.Text, true
}
