package trial

import (
	"samizdat/adjudicator/foresight"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Preview foretells the effects of a letter's orders in turn, up to the first die, draw or decision of another seat. It reports only
// effects that are equal in all positions imagined from the writer's view, so that a preview reveals no hidden cards.
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

// Foretell describes the effect of an order behind the earlier orders; foretold is false if the text is the reason why the effect is
// unknown.
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
	orders := foresight.Writer{Game: w.game(), Seat: w.Play.Seat, Names: w.Play.Turn.NamesOf, Sentence: match.ErrorSentence,
		Sure: func(loss string) string { return withSurely(loss, l) }}
	f := orders.Order(p.worlds, l.Order, l.Surely)
	p.worlds, p.end = f.After, f.End
	return f.Text, true
}
