package trial

import (
	"errors"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Preview foretells what the orders of a letter would do, one by one, up to the first die, draw or decision of another seat. It
// tells only what is the same in all positions that are imagined from the writer's view, so that no question finds out what is hidden.
type Preview struct {
	writer *Writer
	worlds []rules.Position
	// end says why nothing can be foretold any more; empty where the next order can be.
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
	var first foresight
	var after []rules.Position
	for i, pos := range p.worlds {
		f := p.writer.foresee(pos, l)
		switch {
		case i == 0:
			first = f
		case f.text != first.text || f.end != first.end:
			p.worlds, p.end = nil, "What stands before it depends on what you cannot see."
			return "What it does depends on what you cannot see.", true
		}
		after = append(after, f.next)
	}
	p.worlds, p.end = after, first.end
	return first.text, true
}

// foresight is the effect of an order in one imagined position.
type foresight struct {
	text string
	// end says why nothing can be foreseen behind the order. The order was refused when next is nil.
	end  string
	next rules.Position
}

// foresee carries out an order in one imagined position.
func (w *Writer) foresee(pos rules.Position, l letter.Line) foresight {
	refused := func(why string) foresight {
		return foresight{text: "It would be refused. " + why, end: "A line before it would be refused."}
	}
	if l.Kind != letter.GameOrder {
		return foresight{text: "It changes nothing in the match.", next: pos}
	}
	mine := match.Owed(pos, w.Play.Seat)
	if len(mine) == 0 {
		return refused("Nothing is asked of you now.")
	}
	answers, err := w.game().Answers(l.Order, mine)
	if err != nil {
		return refused(match.Sentence(err))
	}
	r, err := gate.Check(pos, w.Play.Seat, answers[0])
	if err != nil {
		why, ours := w.Play.Turn.Refusal(w.Play.Seat, err)
		if ours || errors.As(err, new(*gate.NotAsked)) {
			why = "That is not what is asked."
		}
		return refused(why)
	}
	if w.game().Warning != nil && !l.Surely {
		if why := w.game().Warning(pos.View(w.Play.Seat), r.Decision, r.Atoms); why != "" {
			return refused(withSurely(why, l))
		}
	}
	if r.Decision.Sealed {
		return foresight{text: w.game().FormatOrder(r.Atoms) + "\nIt would stay sealed until all answers are in.", end: "The answer before it is sealed."}
	}
	return w.foreseen(r)
}

// foreseen tells what an order has led to in one imagined position.
func (w *Writer) foreseen(r gate.Result) foresight {
	view := r.Position.View(w.Play.Seat)
	said := append([]string{w.game().FormatOrder(r.Atoms)}, w.game().Sentences(view, match.HeardBy(r.Events, w.Play.Seat))...)
	f := foresight{next: r.Position}
	next := match.Owed(r.Position, w.Play.Seat)
	_, over := r.Position.Result()
	switch {
	case over:
		f.end = "The match would be over."
	case r.Stalled || r.Position.Stalled():
		f.end = "From there on it depends on chance."
	case len(next) == 0:
		f.end = "From there on it is for " + w.Play.Turn.NamesOf(r.Position.OpenDecisions(nil)) + " to decide."
	default:
		p := w.game().Prompt(view, next[0], r.Position.Options(nil, next[0].ID))
		said = append(said, "Then you are asked: "+p.Question)
	}
	if f.end != "" {
		said = append(said, f.end)
	}
	f.text = strings.Join(said, "\n")
	return f
}
