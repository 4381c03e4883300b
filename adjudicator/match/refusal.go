package match

import (
	"errors"
	"fmt"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// NotAsked explains why an order finds no question: stale when the letter that it
// answers has no open one, though something was asked there or not.
func (c *Turn) NotAsked(seat rules.Seat, stale, asked bool) string {
	switch {
	case stale && !asked && len(c.Owed(seat)) > 0:
		return "The letter that you answer asked nothing of you. What is asked now stands below."
	case stale && len(c.Owed(seat)) > 0:
		return "The question that you answer is closed; the match has moved on. What is asked now stands below."
	case c.After.Stalled():
		return "Nothing is asked of you now: the match waits for chance."
	}
	why := fmt.Sprintf("Nothing is asked of you now. It is the turn of %s.", c.NamesOf(c.WithoutResigned(c.After.Owed(nil))))
	if stale && asked {
		why = "The question that you answer is closed; the match has moved on. " + why
	}
	return why
}

// Refusal says why an answer of a seat was refused, in the game's words where it
// can. Ours means that nobody refused it: err is nil or no player's fault.
func (c *Turn) Refusal(seat rules.Seat, err error) (why string, ours bool) {
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
	case errors.Is(err, ErrAnswersClosed):
		return c.NotAsked(seat, true, true), false
	case errors.As(err, &illegal):
		return c.Game.Refusal(illegal.Before.View(seat), illegal.Decision, illegal.Atom, illegal.Options), false
	case errors.As(err, &short):
		p := c.Game.Prompt(short.Before.View(seat), short.Decision, short.Options)
		return "The order says too little. Still wanted: " + p.Question, false
	case errors.As(err, &long):
		return "The order says too much: only the first " + c.Game.Line(long.Atoms[:long.Used]) + " was asked for.", false
	}
	view := c.After.View(seat)
	for _, d := range c.Owed(seat) {
		p := c.Game.Prompt(view, d, c.After.Options(nil, d.ID))
		return "That is not what is asked now. " + p.Question, false
	}
	return Sentence(err), false
}

// ErrAnswersClosed refuses an order whose question is closed.
var ErrAnswersClosed = fmt.Errorf("%w: its question is closed", gate.ErrRefused)
