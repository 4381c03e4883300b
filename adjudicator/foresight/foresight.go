// Package foresight forecasts the effects of orders, up to the first die, draw or decision of another seat. It carries the orders out in
// positions imagined from the writer's view, and reports only results that are equal in all these positions, so that a preview cannot
// reveal hidden cards. PREVIEW and the desk use it.
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
	// NamesOf names the seats of open decisions, e.g. "the Communist". FormatError writes an error as a sentence.
	NamesOf     func(open []rules.Decision) string
	FormatError func(error) string
	// FormatConfirmHint returns the description of a loss, followed by the hint that FOR SURE confirms the order.
	FormatConfirmHint func(loss string) string
}

// Forecast is the expected result of an order.
type Forecast struct {
	// Line is the order in canonical form; empty if it was refused. Text describes its effect.
	Line, Text string
	// Positions are the positions after the order, for each imagined position. EndReason is the reason why the orders after this order
	// cannot be forecast; empty if they can.
	Positions []rules.Position
	EndReason string
	// IsRefused is set if the order would be refused, NeedsConfirm if it needs a confirmation because it loses something.
	IsRefused, NeedsConfirm bool
}

// ForecastOrder carries out an order in all imagined positions. isConfirmed is set if the writer has confirmed it.
func (f Forecaster) ForecastOrder(positions []rules.Position, o rules.Order, isConfirmed bool) (out Forecast) {
	for i, pos := range positions {
		outcome := f.forecastIn(pos, o, isConfirmed)
		switch {
		case i == 0:
			out = outcome
			continue
		case outcome.Text != out.Text || outcome.EndReason != out.EndReason:
			out.Positions, out.Text, out.EndReason = nil, "What it does depends on what you cannot see.",
				"What stands before it depends on what you cannot see."
			out.IsRefused, out.NeedsConfirm = false, false
			return out
		}
		out.Positions = append(out.Positions, outcome.Positions...)
	}
	return out
}

func (f Forecaster) forecastIn(pos rules.Position, o rules.Order, isConfirmed bool) Forecast {
	refused := func(reason string) Forecast {
		return Forecast{Text: "It would be refused. " + reason, EndReason: "A line before it would be refused.", IsRefused: true}
	}
	decisions := rules.OpenDecisionsOf(pos, f.Seat)
	if len(decisions) == 0 {
		return refused("Nothing is asked of you now.")
	}
	answers, err := f.Game.Answers(o, decisions)
	if err != nil {
		return refused(f.FormatError(err))
	}
	r, err := gate.Check(pos, f.Seat, answers[0])
	if err != nil {
		return refused(f.describeRefusal(err))
	}
	line := f.Game.FormatOrder(r.Atoms)
	if f.Game.Warning != nil && !isConfirmed {
		if loss := f.Game.Warning(pos.View(f.Seat), r.Decision, r.Atoms); loss != "" {
			out := refused(f.FormatConfirmHint(loss))
			out.Line, out.NeedsConfirm = line, true
			return out
		}
	}
	if r.Decision.Sealed {
		return Forecast{Line: line, Text: line + "\nIt would stay sealed until all answers are in.", EndReason: "The answer before it is sealed."}
	}
	out := f.describeResult(r)
	out.Line, out.Text = line, line+out.Text
	return out
}

func (f Forecaster) describeRefusal(err error) string {
	if reason, ok := gate.ExplainRefusal(f.Game, f.Seat, err); ok {
		return reason
	}
	if errors.Is(err, gate.ErrRefused) && !errors.As(err, new(*gate.NotAskedError)) {
		return f.FormatError(err)
	}
	return "That is not what is asked."
}

func (f Forecaster) describeResult(r gate.Result) (out Forecast) {
	view := r.Position.View(f.Seat)
	visibleEvents := slices.DeleteFunc(slices.Clone(r.Events), func(e rules.Event) bool { return !e.Audience.Has(f.Seat) })
	sentences := append([]string{""}, f.Game.Sentences(view, visibleEvents)...)
	out.Positions = []rules.Position{r.Position}
	next := rules.OpenDecisionsOf(r.Position, f.Seat)
	_, isOver := r.Position.Result()
	switch {
	case isOver:
		out.EndReason = "The match would be over."
	case r.Stalled || r.Position.Stalled():
		out.EndReason = "From there on it depends on chance."
	case len(next) == 0:
		out.EndReason = "From there on it is for " + f.NamesOf(r.Position.OpenDecisions(nil)) + " to decide."
	default:
		p := f.Game.Prompt(view, next[0], r.Position.Options(nil, next[0].ID))
		sentences = append(sentences, "Then you are asked: "+p.Question)
	}
	if out.EndReason != "" {
		sentences = append(sentences, out.EndReason)
	}
	out.Text = strings.Join(sentences, "\n")
	return out
}
