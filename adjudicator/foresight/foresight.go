// Package foresight forecasts what orders would do, up to the first die, draw or decision of another seat. It carries them out in
// positions imagined from the writer's view, and reports only results that are equal in all of them. So a preview cannot reveal hidden
// cards.
package foresight

import (
	"errors"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// Forecaster forecasts the effect of the orders of a seat.
type Forecaster struct {
	Game *rules.Game
	Seat rules.Seat
	// Names names the seats that have open decisions, e.g. "the Communist". Sentence writes an error as a sentence.
	Names    func(open []rules.Decision) string
	Sentence func(error) string
	// FormatConfirm adds to the description of a loss how the writer can confirm the order with SURELY.
	FormatConfirm func(loss string) string
}

// Outcome is the expected result of an order.
type Outcome struct {
	// Line is the order in canonical form; empty if it was refused. Text describes its effect.
	Line, Text string
	// After are the positions after the order. End is the reason why later orders cannot be forecast; empty if they can.
	After []rules.Position
	End   string
	// Refused is set if the order would be refused, Rash if it needs a confirmation because it loses something.
	Refused, Rash bool
}

// Foretell carries out an order in all imagined positions. isConfirmed is set if the writer has confirmed it.
func (f Forecaster) Foretell(positions []rules.Position, o rules.Order, surely bool) (out Outcome) {
	for i, pos := range positions {
		outcome := f.foretellIn(pos, o, surely)
		switch {
		case i == 0:
			out = outcome
			continue
		case outcome.Text != out.Text || outcome.End != out.End:
			out.After, out.Text, out.End = nil, "What it does depends on what you cannot see.",
				"What stands before it depends on what you cannot see."
			out.Refused, out.Rash = false, false
			return out
		}
		out.After = append(out.After, outcome.After...)
	}
	return out
}

func (f Forecaster) foretellIn(pos rules.Position, o rules.Order, surely bool) Outcome {
	refused := func(reason string) Outcome {
		return Outcome{Text: "It would be refused. " + reason, End: "A line before it would be refused.", Refused: true}
	}
	mine := rules.OpenDecisionsOf(pos, f.Seat)
	if len(mine) == 0 {
		return refused("Nothing is asked of you now.")
	}
	answers, err := f.Game.Answers(o, mine)
	if err != nil {
		return refused(f.Sentence(err))
	}
	r, err := gate.Check(pos, f.Seat, answers[0])
	if err != nil {
		return refused(f.newRefusal(err))
	}
	line := f.Game.FormatOrder(r.Atoms)
	if f.Game.Warning != nil && !surely {
		if loss := f.Game.Warning(pos.View(f.Seat), r.Decision, r.Atoms); loss != "" {
			out := refused(f.FormatConfirm(loss))
			out.Line, out.Rash = line, true
			return out
		}
	}
	if r.Decision.Sealed {
		return Outcome{Line: line, Text: line + "\nIt would stay sealed until all answers are in.", End: "The answer before it is sealed."}
	}
	out := f.describeResult(r)
	out.Line, out.Text = line, line+out.Text
	return out
}

func (f Forecaster) newRefusal(err error) string {
	if reason, ok := gate.ExplainRefusal(f.Game, f.Seat, err); ok {
		return reason
	}
	if errors.Is(err, gate.ErrRefused) && !errors.As(err, new(*gate.NotAskedError)) {
		return f.Sentence(err)
	}
	return "That is not what is asked."
}

func (f Forecaster) describeResult(r gate.Result) (out Outcome) {
	view := r.Position.View(f.Seat)
	heard := slices.DeleteFunc(slices.Clone(r.Events), func(e rules.Event) bool { return !e.Audience.Has(f.Seat) })
	sentences := append([]string{""}, f.Game.Sentences(view, heard)...)
	out.After = []rules.Position{r.Position}
	next := rules.OpenDecisionsOf(r.Position, f.Seat)
	_, over := r.Position.Result()
	switch {
	case over:
		out.End = "The match would be over."
	case r.Stalled || r.Position.Stalled():
		out.End = "From there on it depends on chance."
	case len(next) == 0:
		out.End = "From there on it is for " + f.Names(r.Position.OpenDecisions(nil)) + " to decide."
	default:
		p := f.Game.Prompt(view, next[0], r.Position.Options(nil, next[0].ID))
		sentences = append(sentences, "Then you are asked: "+p.Question)
	}
	if out.End != "" {
		sentences = append(sentences, out.End)
	}
	out.Text = strings.Join(sentences, "\n")
	return out
}
