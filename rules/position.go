package rules

import "errors"

// Position is one state of one match, everything hidden included. It is a
// value behind a pointer: Clone copies it, and the methods that change it
// change only the receiver.
type Position interface {
	// Clone returns an independent copy.
	Clone() Position
	// OpenDecisions appends the decisions that are open now, in the order of seats.
	OpenDecisions(dst []Decision) []Decision
	// Options appends the legal atoms of an open decision in ascending order.
	// What it lists depends only on what the seat asked may know.
	Options(dst []Atom, id DecisionID) []Atom
	// Apply answers an open decision with one of its options and plays on to
	// the next decision or the end of the match, appending what happened. An
	// atom that is not an option is refused and changes nothing. When chance
	// fails (errors.Is ErrNoOutcome, say) the position has stalled immediately
	// before the outcome that it asked for.
	Apply(id DecisionID, a Atom, c Chance, dst []Event) ([]Event, error)
	// Resume plays on from a stall. A new position is stalled before its first
	// outcome.
	Resume(c Chance, dst []Event) ([]Event, error)
	// Stalled reports whether the position waits for chance.
	Stalled() bool
	// Result returns how the match ended, and false while it goes on.
	Result() (Result, bool)
	// View returns what a seat may see; Nobody sees what is public.
	View(s Seat) View
	// MarshalJSON returns the position as documented for records: complete,
	// and canonical (the same position gives the same bytes).
	MarshalJSON() ([]byte, error)
}

// Result is how a match ended: with one winner, with several, or with none.
type Result struct {
	Winners Seats
	// Lost means that a match without winners is no draw: nobody wins it.
	Lost bool
	// Reason is the game's short English phrase for the kind of ending.
	Reason string
	// Words tell the ending in a sentence or two, for letters; empty where the
	// game's other words say it.
	Words string
	// Left are the seats that would be among the winners if their players had not left.
	Left Seats
}

// WithoutSeats is the result where the players of some seats have left: they do not win.
func (r Result) WithoutSeats(left Seats) Result {
	r.Left = r.Winners & left
	r.Winners &^= left
	r.Lost = r.Lost || r.Winners == 0 && r.Left != 0
	return r
}

// WinnersOf returns the names of the winners, of the names of all seats.
func (r Result) WinnersOf(names []string) []string {
	var out []string
	for i, n := range names {
		if r.Winners.Has(Seat(i)) {
			out = append(out, n)
		}
	}
	return out
}

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

// BallotCounter counts ballots (Decision.Ballot): sealed answers that are never opened.
// Position.Apply is never called for one. When all of a group are in, the game counts
// them, and what it publishes is all that ever takes effect: a match is played again
// without the ballots, since nobody has them any more.
type BallotCounter interface {
	// CountBallots counts the ballots of a group, one of each of its open decisions, in
	// the order of seats. The outcome is a JSON object of all
	// that may be known of the ballots; it is published.
	CountBallots(ballots []Ballot) (outcome []byte, err error)
	// ApplyOutcome applies the outcome of a group to a position, closes its decisions and plays on
	// like Apply. An outcome that no ballots have is refused and changes nothing.
	ApplyOutcome(p Position, group uint32, outcome []byte, c Chance, dst []Event) ([]Event, error)
}

// Ballot is the answer to one decision of a group of ballots.
type Ballot struct {
	Decision Decision
	Atom     Atom
}
