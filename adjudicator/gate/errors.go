package gate

import (
	"errors"
	"fmt"
	"strings"

	"samizdat/rules"
)

// ErrRefused is wrapped by every refusal of an answer. The position is unchanged.
var ErrRefused = errors.New("the order is refused")

// ErrNoOpenDecision is wrapped by *NoOpenDecisionError.
var ErrNoOpenDecision = fmt.Errorf("%w: nothing is asked of this seat", ErrRefused)

// ErrChanceMidAnswer is the error of an engine that asks for chance before an answer is complete.
var ErrChanceMidAnswer = errors.New("the engine asked for chance in the middle of an answer")

// NoOpenDecisionError refuses an answer of a seat without an open decision.
type NoOpenDecisionError struct {
	Seat rules.Seat
	// OtherDecisions are the open decisions of other seats; empty if the match waits for chance or is over.
	OtherDecisions []rules.Decision
}

func (e *NoOpenDecisionError) Error() string { return "nothing is asked of you now" }

func (e *NoOpenDecisionError) Unwrap() error { return ErrNoOpenDecision }

// refusedAnswer is embedded in the error types of refusals, which then wrap ErrRefused.
type refusedAnswer struct{}

func (refusedAnswer) Unwrap() error { return ErrRefused }

// NotAskedError refuses an answer that does not fit any open decision of its seat.
type NotAskedError struct {
	refusedAnswer
	Answer        rules.Answer
	OpenDecisions []rules.Decision
}

func (e *NotAskedError) Error() string {
	var questions []string
	for _, d := range e.OpenDecisions {
		questions = append(questions, decisionText(d))
	}
	return fmt.Sprintf("that answers another question than the one asked (%s)", strings.Join(questions, "; "))
}

// IllegalError refuses an answer with an illegal atom.
type IllegalError struct {
	refusedAnswer
	Decision rules.Decision
	// Atom is the first illegal atom, Index its index in the answer.
	Atom    rules.Atom
	Index   int
	Options []rules.Atom
	// Before is the position before the atom, with the earlier atoms applied. Callers may show it
	// only through View, and must not store it.
	Before rules.Position
}

func (e *IllegalError) Error() string {
	if e.Index == 0 {
		return fmt.Sprintf("that is not among the %d legal answers to the question (%s)", len(e.Options), decisionText(e.Decision))
	}
	return fmt.Sprintf("part %d of the answer is not legal by then (%s)", e.Index+1, decisionText(e.Decision))
}

// TooShortError refuses an answer with too few atoms.
type TooShortError struct {
	refusedAnswer
	Decision rules.Decision
	// Options are the legal next atoms. Before is the position after all given atoms of the answer. Callers may show it only through View,
	// and must not store it.
	Options []rules.Atom
	Before  rules.Position
}

func (e *TooShortError) Error() string {
	d := e.Decision
	if d.Min == d.Max {
		return fmt.Sprintf("the answer is too short: %d more wanted (%s)", d.Min, decisionText(d))
	}
	return fmt.Sprintf("the answer is too short: %d to %d more wanted (%s)", d.Min, d.Max, decisionText(d))
}

// TooLongError refuses an answer with too many atoms.
type TooLongError struct {
	refusedAnswer
	// Decision is the last answered decision.
	Decision rules.Decision
	// Needed is the number of needed atoms, Atoms are the atoms of the answer.
	Needed int
	Atoms  []rules.Atom
}

func (e *TooLongError) Error() string {
	return fmt.Sprintf("the answer is too long: %d of %d parts were wanted (%s)", e.Needed, len(e.Atoms), decisionText(e.Decision))
}

func decisionText(d rules.Decision) string {
	if d.Source == "" {
		return d.Kind
	}
	return d.Kind + ", asked by " + d.Source
}

// ExplainRefusal explains *IllegalError, *TooShortError and *TooLongError in the game's words for a seat. ok is
// false for other errors.
func ExplainRefusal(g *rules.Game, seat rules.Seat, err error) (reason string, ok bool) {
	var illegal *IllegalError
	var short *TooShortError
	var long *TooLongError
	switch {
	case errors.As(err, &illegal):
		return g.Refusal(illegal.Before.View(seat), illegal.Decision, illegal.Atom, illegal.Options), true
	case errors.As(err, &short):
		p := g.Prompt(short.Before.View(seat), short.Decision, short.Options)
		return `Your order is incomplete, so nothing of it was carried out. It does not answer: "` + p.Question + `"`, true
	case errors.As(err, &long):
		return "Your order says too much: only " + g.FormatOrder(long.Atoms[:long.Needed]) + " was needed.", true
	}
	return "", false
}
