package adjudicator

import (
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// notAsked explains why an order finds no question: stale when the letter that it
// answers has no open one, though something was asked there or not.
func (c *account) notAsked(seat rules.Seat, stale, asked bool) string {
	switch {
	case stale && !asked && len(c.owed(seat)) > 0:
		return "The letter that you answer asked nothing of you. What is asked now stands below."
	case stale && len(c.owed(seat)) > 0:
		return "The question that you answer is closed; the match has moved on. What is asked now stands below."
	case c.pos.Stalled():
		return "Nothing is asked of you now: the match waits for chance."
	}
	why := fmt.Sprintf("Nothing is asked of you now. It is the turn of %s.", c.names(c.playing(c.pos.Owed(nil))))
	if stale && asked {
		why = "The question that you answer is closed; the match has moved on. " + why
	}
	return why
}

// names lists the seats that owe decisions, each once.
func (c *account) names(owed []rules.Decision) string {
	var names []string
	for _, d := range owed {
		if n := c.called(d.Seat); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return list(names)
}

// refusal says why an answer of a seat was refused, in the game's words where it
// can. Ours means that nobody refused it: err is nil or no player's fault.
func (c *account) refusal(seat rules.Seat, err error) (why string, ours bool) {
	var illegal *gate.Illegal
	var short *gate.Short
	var long *gate.Long
	var other *record.Mismatch
	switch {
	case errors.As(err, &other):
		// What the recorded game has next is nobody's business.
		return "This match takes its dice and cards from a recorded game, and this order does not fit what happened there.", false
	case !errors.Is(err, gate.ErrRefused):
		return "", true
	case errors.Is(err, errClosed):
		return c.notAsked(seat, true, true), false
	case errors.As(err, &illegal):
		return c.game.Refusal(illegal.Before.View(seat), illegal.Decision, illegal.Atom, illegal.Options), false
	case errors.As(err, &short):
		p := c.game.Prompt(short.Before.View(seat), short.Decision, short.Options)
		return "The order says too little. Still wanted: " + p.Question, false
	case errors.As(err, &long):
		return "The order says too much: only the first " + c.game.Line(long.Atoms[:long.Used]) + " was asked for.", false
	}
	view := c.pos.View(seat)
	for _, d := range c.owed(seat) {
		p := c.game.Prompt(view, d, c.pos.Options(nil, d.ID))
		return "That is not what is asked now. " + p.Question, false
	}
	return sentence(err), false
}
