package gate

import (
	"errors"
	"fmt"
	"strings"

	"samizdat/rules"
)

// ErrRefused is what every refusal wraps: the answer was the player's fault, and
// nothing has happened.
var ErrRefused = errors.New("the order is refused")

// ErrNoOpenDecision is wrapped by *NothingOwed.
var ErrNoOpenDecision = fmt.Errorf("%w: nothing is asked of this seat", ErrRefused)

// ErrMidwayChance blames an engine that asks for an outcome before an answer is
// complete.
var ErrMidwayChance = errors.New("the engine asked for chance in the middle of an answer")

// NoOpenDecision refuses an answer of a seat that is asked nothing.
type NoOpenDecision struct {
	Seat rules.Seat
	// OthersToMove are the decisions that others owe; none if the match waits for
	// chance or is over.
	OthersToMove []rules.Decision
}

func (e *NoOpenDecision) Error() string { return "nothing is asked of you now" }

// Unwrap makes errors.Is find ErrNothingOwed.
func (e *NoOpenDecision) Unwrap() error { return ErrNoOpenDecision }

// refused is part of every refusal.
type refused struct{}

// Unwrap makes errors.Is find ErrRefused.
func (refused) Unwrap() error { return ErrRefused }

// NotAsked refuses an answer to a question that is not open, while others are.
type NotAsked struct {
	refused
	Answer rules.Answer
	// OpenDecisions are the seat's open decisions.
	OpenDecisions []rules.Decision
}

func (e *NotAsked) Error() string {
	var asked []string
	for _, d := range e.OpenDecisions {
		asked = append(asked, question(d))
	}
	return fmt.Sprintf("that answers another question than the one asked (%s)", strings.Join(asked, "; "))
}

// Illegal refuses an answer for an atom that is not an option.
type Illegal struct {
	refused
	// Decision is what the atom was for.
	Decision rules.Decision
	// Atom is the first that is not an option, Index its place in the answer.
	Atom  rules.Atom
	Index int
	// Options are what would have been legal then.
	Options []rules.Atom
	// Before is the position that the atom was meant for, the atoms before it
	// carried out. It must not be kept: what is shown of it is View's affair.
	Before rules.Position
}

func (e *Illegal) Error() string {
	if e.Index == 0 {
		return fmt.Sprintf("that is not among the %d legal answers to the question (%s)", len(e.Options), question(e.Decision))
	}
	return fmt.Sprintf("part %d of the answer is not legal by then (%s)", e.Index+1, question(e.Decision))
}

// TooShort refuses an answer that says too little.
type TooShort struct {
	refused
	// Decision is what is still wanted.
	Decision rules.Decision
	// Options would be legal now, Before is the position that asks.
	Options []rules.Atom
	Before  rules.Position
}

func (e *TooShort) Error() string {
	d := e.Decision
	if d.Min == d.Max {
		return fmt.Sprintf("the answer is too short: %d more wanted (%s)", d.Min, question(d))
	}
	return fmt.Sprintf("the answer is too short: %d to %d more wanted (%s)", d.Min, d.Max, question(d))
}

// TooLong refuses an answer that says too much.
type TooLong struct {
	refused
	// Decision is the last that was answered.
	Decision rules.Decision
	// Used is how many atoms were wanted, Atoms what was given.
	Used  int
	Atoms []rules.Atom
}

func (e *TooLong) Error() string {
	return fmt.Sprintf("the answer is too long: %d of %d parts were wanted (%s)", e.Used, len(e.Atoms), question(e.Decision))
}

func question(d rules.Decision) string {
	if d.Source == "" {
		return d.Kind
	}
	return d.Kind + ", asked by " + d.Source
}

// Refusal says in words for a seat why an answer is refused: that an atom is no option, or that the
// answer is too short or too long. It returns false for any other error.
func Refusal(g *rules.Game, seat rules.Seat, err error) (why string, ok bool) {
	var illegal *Illegal
	var short *TooShort
	var long *TooLong
	switch {
	case errors.As(err, &illegal):
		return g.Refusal(illegal.Before.View(seat), illegal.Decision, illegal.Atom, illegal.Options), true
	case errors.As(err, &short):
		p := g.Prompt(short.Before.View(seat), short.Decision, short.Options)
		return "The order says too little. Still wanted: " + p.Question, true
	case errors.As(err, &long):
		return "The order says too much: only the first " + g.FormatOrder(long.Atoms[:long.Used]) + " was asked for.", true
	}
	return "", false
}
