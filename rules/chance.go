package rules

import "errors"

// Kinds of outcomes that every game shares. A game adds the names of its piles:
// an outcome drawn from the pile "strategy" is of the kind "draw strategy". The
// kind is part of an outcome's place in the sealed stream and never changes.
const (
	// KindRoll is one six-sided die.
	KindRoll = "roll"
	// KindLot is one of several equal choices.
	KindLot = "lot"
)

// ErrNoOutcome is returned by a source of chance that has no further outcome.
// The position is then at rest immediately before the missing outcome, and
// Position.Resume goes on from there.
var ErrNoOutcome = errors.New("no further outcome of chance")

// Reason is a game's code for what an outcome is for. Game.Reason says it in
// words; the words never influence the outcome.
type Reason uint32

// Draw asks for one element of an unordered pile. To shuffle a pile and take
// its top card is to draw at random from the set, so piles have no order except
// the documented one in which Pile lists them.
type Draw struct {
	// Kind is the pile's kind, such as "draw strategy".
	Kind string
	// Pile lists the elements in their documented order, repeats included. It
	// is valid only during the call.
	Pile []int16
	// To is the seat that receives the element, or Nobody.
	To Seat
	// Hand is the seat out of whose hand the element is drawn, or Nobody.
	Hand Seat
	// Hidden means that only To may learn the outcome.
	Hidden bool
	For    Reason
}

// Chance makes outcomes; an engine only asks for them.
type Chance interface {
	// Roll returns 1 to 6.
	Roll(why Reason) (int, error)
	// Draw returns an index into d.Pile, which is never empty.
	Draw(d Draw) (int, error)
}
