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
	tester    *Tester
	positions []rules.Position
	// reason is the reason why the next order cannot be foretold; empty if it can.
	reason string
}

// NewPreview begins a preview.
func (ts *Tester) NewPreview() *Preview {
	p := &Preview{tester: ts}
	switch {
	case ts.game().Imagine == nil:
		p.reason = "Orders of this game cannot be previewed."
	case ts.Play.Turn.Match.State == match.Playing:
		p.positions = ts.game().Imagine(ts.position().View(ts.Play.Seat))
	}
	return p
}

// Foretell describes the effect of an order after the earlier orders; foretold is false if the text is the reason why the effect is
// unknown.
func (p *Preview) Foretell(l letter.Line) (text string, foretold bool) {
	if p.reason == "" && len(p.positions) == 0 {
		p.reason = "There is nothing to preview now."
	}
	if p.reason != "" {
		return p.reason, false
	}
	if l.Kind != letter.GameOrder {
		return "It changes nothing in the match.", true
	}
	w := p.tester
	orders := foresight.Forecaster{Game: w.game(), Seat: w.Play.Seat, Names: w.Play.Turn.NamesOf, Sentence: match.ErrorSentence,
		FormatConfirm: func(loss string) string { return addConfirmHint(loss, l) }}
	f := orders.Foretell(p.positions, l.Order, l.Confirmed)
	p.positions, p.reason = f.After, f.End
	return f.Text, true
}
