// Package foresight says what orders would do, up to the first die, draw or decision of another seat.
// It plays them in positions that are guessed from the writer's view, and tells only what is the same
// in all of them: it cannot be asked what is hidden.
package foresight

import (
	"errors"
	"slices"
	"strings"

	"samizdat/adjudicator/gate"
	"samizdat/rules"
)

// Writer is the seat that writes orders.
type Writer struct {
	Game *rules.Game
	Seat rules.Seat
	// Names names the seats that owe decisions, such as "the Communist".
	Names func(owed []rules.Decision) string
	// Sentence writes an error as a sentence.
	Sentence func(error) string
	// Sure adds to the loss that an order threatens how the writer confirms it with SURELY.
	Sure func(loss string) string
}

// outcome is what an order comes to in a guessed position.
type outcome struct {
	text string
	// end says why nothing can be foreseen behind it; the order was refused when
	// next is nil.
	end  string
	next rules.Position
}

// Order carries an order out in all guessed positions. Surely means that its writer has confirmed it. It
// returns the positions behind it, what the order does, and why nothing behind it can be foreseen; end is
// empty where more can.
func (w Writer) Order(worlds []rules.Position, o rules.Order, surely bool) (after []rules.Position, note, end string) {
	var first outcome
	for i, pos := range worlds {
		is := w.orderIn(pos, o, surely)
		switch {
		case i == 0:
			first = is
		case is.text != first.text || is.end != first.end:
			return nil, "What it does depends on what you cannot see.", "What stands before it depends on what you cannot see."
		}
		after = append(after, is.next)
	}
	return after, first.text, first.end
}

// orderIn carries out an order in one guessed position.
func (w Writer) orderIn(pos rules.Position, o rules.Order, surely bool) outcome {
	refused := func(why string) outcome {
		return outcome{text: "It would be refused. " + why, end: "A line before it would be refused."}
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
	if w.Game.Warning != nil && !surely {
		if loss := w.Game.Warning(pos.View(w.Seat), r.Decision, r.Atoms); loss != "" {
			return refused(w.Sure(loss))
		}
	}
	if r.Decision.Sealed {
		return outcome{text: w.Game.FormatOrder(r.Atoms) + "\nIt would stay sealed until all answers are in.", end: "The answer before it is sealed."}
	}
	return w.told(r)
}

// refusal says why an answer is refused.
func (w Writer) refusal(err error) string {
	if why, ok := gate.Refusal(w.Game, w.Seat, err); ok {
		return why
	}
	if errors.Is(err, gate.ErrRefused) && !errors.As(err, new(*gate.NotAsked)) {
		return w.Sentence(err)
	}
	return "That is not what is asked."
}

// told says what an answer has led to.
func (w Writer) told(r gate.Result) outcome {
	view := r.Position.View(w.Seat)
	heard := slices.DeleteFunc(slices.Clone(r.Events), func(e rules.Event) bool { return !e.Audience.Has(w.Seat) })
	said := append([]string{w.Game.FormatOrder(r.Atoms)}, w.Game.Sentences(view, heard)...)
	out := outcome{next: r.Position}
	next := w.owed(r.Position)
	_, over := r.Position.Result()
	switch {
	case over:
		out.end = "The match would be over."
	case r.Stalled || r.Position.Stalled():
		out.end = "From there on it depends on chance."
	case len(next) == 0:
		out.end = "From there on it is for " + w.Names(r.Position.OpenDecisions(nil)) + " to decide."
	default:
		p := w.Game.Prompt(view, next[0], r.Position.Options(nil, next[0].ID))
		said = append(said, "Then you are asked: "+p.Question)
	}
	if out.end != "" {
		said = append(said, out.end)
	}
	out.text = strings.Join(said, "\n")
	return out
}

func (w Writer) owed(pos rules.Position) []rules.Decision {
	return slices.DeleteFunc(pos.OpenDecisions(nil), func(d rules.Decision) bool { return d.Seat != w.Seat })
}
