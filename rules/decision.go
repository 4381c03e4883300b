package rules

// Seat is a chair at the table, counted from 0. A chair is not a side: a
// position maps seats to sides, and may do so late (1989, rule 13).
type Seat int8

// NoSeat is the seat of observers, and of outcomes that no seat caused.
const NoSeat Seat = -1

// DecisionID names one question of one match. Identifiers rise by one with
// every question and are never used twice, so that "is it still open?" has one
// answer for ever.
type DecisionID uint32

// Atom is one indivisible answer: one support point, one target, one card. Its
// meaning belongs to the game; everybody else compares and stores it. An atom
// says what it does as well as where (placing in a space and checking it are
// different atoms), so that an atom can be written down without its question.
type Atom uint32

// Silence says what happens when a decision is not answered in time.
type Silence uint8

// The meanings of silence.
const (
	// SilenceWaits leaves the decision open: nobody can answer for the player.
	SilenceWaits Silence = iota
	// SilenceDefault takes the first of the legal options.
	SilenceDefault
	// SilenceLot draws one of the legal options by lot.
	SilenceLot
)

// Decision is one question that a seat owes an answer to.
//
// A question may want several atoms, given one at a time: a question for three
// support points has Min = Max = 3 at first, then 2, then 1, under the same ID.
type Decision struct {
	ID   DecisionID
	Seat Seat
	// Kind is the game's word for the sort of question ("place", "check").
	Kind string
	// Source is what asks, as the order language writes it: a card's number,
	// "STAKES", "BOX 3". It is empty for the plain question whose turn it is.
	Source string
	// Min and Max say how many atoms are still wanted.
	Min, Max int
	// Midway means that an answer has begun and is not complete. An order that
	// leaves a decision midway, with no Stop to end it, is too short and is
	// refused whole; no stored position ever has such a decision.
	Midway bool
	// Stop is the option that ends an answer which may go on but need not ("up
	// to four"). The adjudicator gives it when the order has no further atom.
	// It is 0 while more is wanted.
	Stop Atom
	// Sealed answers are kept by the adjudicator, may be replaced while any
	// decision of the same Group is open, and are applied together, in the
	// order of seats, when the last of the group is in.
	Sealed bool
	Group  uint32
	// Ballot answers are Sealed and never opened: the game's Teller (Game.Ballots) is
	// told what it counts of the whole Group. A ballot is one atom, and everybody's
	// letters and records are the same whichever it was.
	Ballot bool
	// Repeats marks a Sealed question that comes again and again (Game.CountChanges). Records
	// do not tell which letters have answered it, nor, by the rule for silence, who
	// has not.
	Repeats bool
	// Private answers are known to the seat alone until the match is over; the
	// record keeps them among its hidden fields.
	Private bool
	// Play numbers the stretch of the game that the question belongs to (in
	// 1989 one card's play). Orders given ahead lapse when their play is over.
	Play uint32
	// Silence says what a missed deadline means.
	Silence Silence
}

// Standing says how long an answer stands that is also meant for the questions to
// come.
type Standing uint8

// How long answers stand. Players write the words of String behind an order.
const (
	// StandsOnce is an answer to one question.
	StandsOnce Standing = iota
	// StandsUntilChange is one until something changes, see Game.CountChanges.
	StandsUntilChange
	// StandsAlways is one until its writer says something else.
	StandsAlways
)

// String is what is written behind an order.
func (s Standing) String() string { return [...]string{"", "UNTIL CHANGE", "ALWAYS"}[s] }

// Seats is a set of seats, seat n being bit n.
type Seats uint32

// Everyone is the audience of public events. Its highest bit stands for the
// observers, so that Everyone &^ Only(s) is everybody but one seat.
const Everyone Seats = 1<<32 - 1

// Only returns the set that holds just s.
func Only(s Seat) Seats { return 1 << uint(s) }

// Has reports whether s is in the set; Nobody asks for the observers.
func (a Seats) Has(s Seat) bool {
	if s == NoSeat {
		return a>>31 != 0
	}
	return a&Only(s) != 0
}

// EventKind is a game's code for a sort of event.
type EventKind uint16

// Event says that something happened, and to whom it may be told. It is flat so
// that an engine can list events without garbage. The meaning of Args belongs
// to the game, which also makes the sentence (Game.Sentences); prose is never
// stored.
type Event struct {
	Kind     EventKind
	Seat     Seat
	Audience Seats
	Args     [12]int16
}
