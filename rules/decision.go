package rules

// Seat is a chair at the table, counted from 0. A chair is not a side: a
// position maps seats to sides, and may do so late (1989, rule 13).
type Seat int8

// NoSeat is the seat of observers, and of outcomes that no seat caused.
const NoSeat Seat = -1

// DecisionID numbers the questions of a match: 1, 2, 3, ... A number is never used twice, not even
// after a take-back, so a stored ID stays valid for the whole match.
type DecisionID uint32

// Atom is the smallest part of an answer, for example one support point in Gdansk. Only the game
// knows what an atom means; other packages compare and store atoms. The number of an atom includes
// its verb: placing in Gdansk and checking Gdansk are different atoms.
type Atom uint32

// Silence says what happens when a decision is not answered in time.
type Silence uint8

// The meanings of silence.
const (
	SilenceWaits   Silence = iota // leaves the decision open: the game has no default answer
	SilenceDefault                // takes the first of the legal options
	SilenceLot                    // draws one of the legal options by lot
)

// Decision is an open question to one seat.
//
// Players give several atoms one after another. For example, a decision for three support points
// starts with Min = Max = 3, then has 2, then 1, under the same ID.
type Decision struct {
	ID   DecisionID
	Seat Seat
	// Kind is the game's word for the sort of question ("place", "check").
	Kind string
	// Source is the card or rule that asks, as players write it: "54", "STAKES", "BOX 3". A plain move has no source.
	Source string
	// Min and Max say how many atoms are still wanted.
	Min, Max int
	// Midway is set while an answer has started and is incomplete. An order that ends here without Stop is too short,
	// and the whole order is refused. Stored positions never contain a midway decision.
	Midway bool
	// Stop is the atom that ends an answer early, where the rules allow fewer atoms ("up to four"). The adjudicator
	// adds Stop when the order has no further atom. Stop is 0 while more atoms are required.
	Stop Atom
	// Sealed answers stay in the adjudicator until the last answer of the Group has arrived. Until then players may
	// replace their answers. All answers of the group are then applied in the order of seats.
	Sealed bool
	Group  uint32
	// Ballot marks a secret ballot: a sealed answer of one atom that is never opened. Game.Ballots
	// counts the whole Group. Letters and records are the same for every vote.
	Ballot bool
	// Repeats marks a sealed question that comes again and again (Game.CountChanges). Records do
	// not tell which letters answered the question, or which seats were silent.
	Repeats bool
	// Private answers are shown to the seat alone until the match is over. Records keep them in the hidden fields.
	Private bool
	// Play is the number of the play that the question belongs to (1989: one played card). Orders
	// given ahead lapse when their play is over.
	Play uint32
	// Silence is the default answer after a missed deadline.
	Silence Silence
}

// Standing is the time for which an answer stays valid for later questions of the same kind.
type Standing uint8

// The values of Standing. String gives the words that players write after an order, for example "HOLD UNTIL CHANGE".
const (
	StandsOnce        Standing = iota // answers one question
	StandsUntilChange                 // lasts until the next change (Game.CountChanges).
	StandsAlways                      // lasts until the player gives another order
)

// String returns the words after an order, for example "UNTIL CHANGE".
func (s Standing) String() string { return [...]string{"", "UNTIL CHANGE", "ALWAYS"}[s] }

// Seats is a set of seats: bit n is seat n, and bit 31 is the observers.
type Seats uint32

// Everyone is the audience of public events, observers included. Everyone &^ Only(s) is everyone except seat s.
const Everyone Seats = 1<<32 - 1

// Only returns the set that holds just s.
func Only(s Seat) Seats { return 1 << uint(s) }

// Has reports whether s is in the set. Has(NoSeat) asks for the observers.
func (a Seats) Has(s Seat) bool {
	if s == NoSeat {
		return a>>31 != 0
	}
	return a&Only(s) != 0
}

// EventKind is a game's code for a sort of event.
type EventKind uint16

// Event is a result of an answer, with the seats that are told of it. The struct has no pointers,
// so engines list events without garbage. Each game defines Args for its kinds, and Game.Sentences
// turns events into text; stored data contain no text.
type Event struct {
	Kind     EventKind
	Seat     Seat
	Audience Seats
	Args     [12]int16
}
