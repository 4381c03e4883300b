// Package foresight says what orders would do, up to the first die, draw or decision of another seat. It plays them in positions that
// are imagined from the writer's view, and reports only results that are equal in all of them. So a preview cannot reveal hidden cards.
package foresight

import (
	"errors"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

type Writer struct {
	Game *rules.Game
	Seat rules.Seat
	// Names writes the seats that have open decisions, e.g. "the Communist".
	Names func(owed []rules.Decision) string
	// Sentence writes an error as a sentence.
	Sentence func(error) string
	// Sure adds to a threatened loss how the writer confirms the order with SURELY.
	Sure func(loss string) string
}

// Outcome is the result of an order.
type Outcome struct {
	// Line is the order in canonical form; empty if it was refused. Text describes its effect.
	Line, Text string
	// After are the positions behind the order. End is the reason why nothing can be foreseen behind it; empty if more can be.
	After []rules.Position
	End   string
	// Refused orders break the rules, Rash orders need a confirmation because they lose something.
	Refused, Rash bool
}

// Order carries out an order in all imagined positions. Surely: the writer has confirmed it.
func (w Writer) Order(worlds []rules.Position, o rules.Order, surely bool) (out Outcome) {
	for i, pos := range worlds {
		is := w.orderIn(pos, o, surely)
		switch {
		case i == 0:
			out = is
			continue
		case is.Text != out.Text || is.End != out.End:
			out.After, out.Text, out.End = nil, "What it does depends on what you cannot see.",
				"What stands before it depends on what you cannot see."
			out.Refused, out.Rash = false, false
			return out
		}
		out.After = append(out.After, is.After...)
	}
	return out
}

func (w Writer) orderIn(pos rules.Position, o rules.Order, surely bool) Outcome {
	refused := func(reason string) Outcome {
		return Outcome{Text: "It would be refused. " + reason, End: "A line before it would be refused.", Refused: true}
	}
	mine := w.owed(pos)
	if len(mine) == 0 {
		return refused("Nothing is asked of you now.")
	}
	answers, err := w.Game.Answers(o, mine)
	if err != nil {
		return refused(w.Sentence(err))
	}
	r, err := gate.Check(pos, w.Seat, answers[0])
	if err != nil {
		return refused(w.refusal(err))
	}
	line := w.Game.FormatOrder(r.Atoms)
	if w.Game.Warning != nil && !surely {
		if loss := w.Game.Warning(pos.View(w.Seat), r.Decision, r.Atoms); loss != "" {
			out := refused(w.Sure(loss))
			out.Line, out.Rash = line, true
			return out
		}
	}
	if r.Decision.Sealed {
		return Outcome{Line: line, Text: line + "\nIt would stay sealed until all answers are in.", End: "The answer before it is sealed."}
	}
	out := w.told(r)
	out.Line, out.Text = line, line+out.Text
	return out
}

func (w Writer) refusal(err error) string {
	if reason, ok := gate.Refusal(w.Game, w.Seat, err); ok {
		return reason
	}
	if errors.Is(err, gate.ErrRefused) && !errors.As(err, new(*gate.NotAsked)) {
		return w.Sentence(err)
	}
	return "That is not what is asked."
}

func (w Writer) told(r gate.Result) (out Outcome) {
	view := r.Position.View(w.Seat)
	heard := slices.DeleteFunc(slices.Clone(r.Events), func(e rules.Event) bool { return !e.Audience.Has(w.Seat) })
	sentences := append([]string{""}, w.Game.Sentences(view, heard)...)
	out.After = []rules.Position{r.Position}
	next := w.owed(r.Position)
	_, over := r.Position.Result()
	switch {
	case over:
		out.End = "The match would be over."
	case r.Stalled || r.Position.Stalled():
		out.End = "From there on it depends on chance."
	case len(next) == 0:
		out.End = "From there on it is for " + w.Names(r.Position.OpenDecisions(nil)) + " to decide."
	default:
		p := w.Game.Prompt(view, next[0], r.Position.Options(nil, next[0].ID))
		sentences = append(sentences, "Then you are asked: "+p.Question)
	}
	if out.End != "" {
		sentences = append(sentences, out.End)
	}
	out.Text = strings.Join(sentences, "\n")
	return out
}

func (w Writer) owed(pos rules.Position) []rules.Decision {
	return slices.DeleteFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return d.Seat != w.Seat })
}
