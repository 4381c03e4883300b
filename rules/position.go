package rules

import (
	"errors"
	"slices"
)

// Position is the state of a match with all hidden facts. Clone copies it; methods change only their receiver.
type Position interface {
	Clone() Position
	// OpenDecisions appends the decisions that are open now, in the order of seats.
	OpenDecisions(dst []Decision) []Decision
	// Options appends the legal atoms of an open decision in ascending order. They must not reveal hidden facts.
	Options(dst []Atom, id DecisionID) []Atom
	// Apply answers an open decision with a legal atom and continues until the next decision or the end of the match.
	// It appends the events to dst. If the atom is illegal, Apply returns an error and changes nothing. If chance
	// fails (for example with ErrNoOutcome), the position waits for the missing outcome.
	Apply(id DecisionID, a Atom, c Chance, dst []Event) ([]Event, error)
	// Resume continues a position that waits for chance. A new position waits for its first outcome.
	Resume(c Chance, dst []Event) ([]Event, error)
	// Stalled reports whether the position waits for an outcome of chance (a die, a draw).
	Stalled() bool
	// Result returns the result, and false if the match is not over.
	Result() (Result, bool)
	// View returns the view of a seat, or the public view for NoSeat.
	View(s Seat) View
	// MarshalJSON returns the position in the JSON format of records. Equal positions give equal bytes.
	MarshalJSON() ([]byte, error)
}

// OpenDecisionsOf lists a seat's open decisions in a position.
func OpenDecisionsOf(p Position, seat Seat) []Decision {
	return slices.DeleteFunc(p.OpenDecisions(nil), func(d Decision) bool { return d.Seat != seat })
}

// Result is the result of a match: with one winner, with several, or with none.
type Result struct {
	Winners Seats
	// AllLost is set if all seats lose. If there are no winners and AllLost is false, the match is a draw.
	AllLost bool
	// Reason is a short phrase for the kind of ending, for example "automatic victory".
	Reason string
	// Words describes the ending in a sentence or two, for letters; empty if events describe it.
	Words string
	// Left are the seats that would have won if their players had not left.
	Left Seats
}

// WithoutSeats returns the result after the players of some seats have left: they cannot win.
func (r Result) WithoutSeats(absent Seats) Result {
	r.Left = r.Winners & absent
	r.Winners &^= absent
	r.AllLost = r.AllLost || r.Winners == 0 && r.Left != 0
	return r
}

// WinnersOf returns the names of the winners; names are the names of all seats.
func (r Result) WinnersOf(names []string) []string {
	var out []string
	for i, n := range names {
		if r.Winners.Has(Seat(i)) {
			out = append(out, n)
		}
	}
	return out
}

// Kinds of outcomes in every game. Games add their piles: a draw from the pile "strategy" has the kind "draw
// strategy". The dice stream is derived from the kinds, so they must never change.
const (
	KindRoll = "roll" // one six-sided die
	KindLot  = "lot"  // a random choice among equal candidates
)

// ErrNoOutcome is returned by a source of chance without further outcomes. Once the source has the missing outcome,
// Position.Resume continues.
var ErrNoOutcome = errors.New("no further outcome of chance")

// Reason is a game's code for the purpose of an outcome; Game.Reason describes it. Reasons do not influence outcomes.
type Reason uint32

// Draw is a request for a random element of a pile. Each draw chooses anew: piles are not shuffled beforehand.
type Draw struct {
	// Kind is "draw " and the name of the pile, for example "draw strategy".
	Kind string
	// Pile are the elements, equal ones repeated, in a documented order, which a verifier needs to repeat the draw.
	// The slice is valid only during the call.
	Pile []int16
	// To is the seat that gets the element, or NoSeat.
	To Seat
	// From is the seat that loses the element, or NoSeat.
	From Seat
	// Hidden means that only To may learn the outcome.
	Hidden bool
	For    Reason
}

// Chance is the source of dice and draws. Engines never create random numbers themselves.
type Chance interface {
	// Roll returns 1 to 6.
	Roll(reason Reason) (int, error)
	// Draw returns an index into d.Pile, which is never empty.
	Draw(d Draw) (int, error)
}

// BallotCounter counts secret ballots (Decision.Ballot), which are never revealed. When all ballots of a group have
// arrived, the game counts them and publishes the outcome. Position.Apply is never called with a ballot; records are
// replayed from the outcome.
type BallotCounter interface {
	// CountBallots counts the ballots of a group: one for each of its open decisions, in the order of seats. The
	// outcome is a JSON object and is published, for example {"monarchy":2,"republic":1}.
	CountBallots(ballots []Ballot) (outcome []byte, err error)
	// ApplyOutcome applies the outcome of a group to a position, closes the decisions of the group and continues
	// like Apply. An impossible outcome is refused and changes nothing.
	ApplyOutcome(p Position, group uint32, outcome []byte, c Chance, dst []Event) ([]Event, error)
}

// Ballot is the answer to one decision of a group of ballots.
type Ballot struct {
	Decision Decision
	Atom     Atom
}
