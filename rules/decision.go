package rules

// Seat is a player slot, counted from 0. It is not a side: a position maps seats to sides. For example, in 1989 the
// players may bid for the sides (rule 13).
type Seat int8

// NoSeat stands for the observers. It is also the seat of an outcome that no seat caused.
const NoSeat Seat = -1

// DecisionID is the number of a decision: 1, 2, 3, ... A number is never used twice in a match, not even after a
// take-back, so a stored ID never means another decision.
type DecisionID uint32

// Atom is the smallest part of an answer, for example one support point in Gdansk. Only the game
// knows what an atom means; other packages compare and store atoms. The number of an atom includes
// its verb: placing in Gdansk and checking Gdansk are different atoms.
type Atom uint32

// Silence is the treatment of a decision that is not answered in time.
type Silence uint8

// The values of Silence.
const (
	SilenceWaits   Silence = iota // leaves the decision open: the game has no default answer
	SilenceDefault                // takes the first of the legal options
	SilenceLot                    // draws one of the legal options by lot
)

// Decision is an open question to a seat. Its answer consists of atoms, which are given one after another. For
// example, a decision for three support points starts with Min = Max = 3, then has 2, then 1, under the same ID.
type Decision struct {
	ID   DecisionID
	Seat Seat
	// Kind is the kind of question in the words of the game, for example "place" or "check".
	Kind string
	// Source is the card or rule that asks, as players write it: "54", "STAKES", "BOX 3". A plain move has no source.
	Source string
	// Min and Max are the smallest and the largest number of atoms that the answer still takes.
	Min, Max int
	// Midway is set if an answer has started and is incomplete. An order that ends at a midway decision without Stop
	// is too short and is refused as a whole. Stored positions never contain a midway decision.
	Midway bool
	// Stop is the atom that ends an answer early, if the rules allow fewer atoms ("up to four"); 0 if they do not.
	// The adjudicator adds Stop if the order has no further atom.
	Stop Atom
	// Sealed answers stay in the adjudicator until the last answer of the Group has arrived; until then a player
	// may replace the answer. Then all answers of the group are applied in the order of seats.
	Sealed bool
	Group  uint32
	// Ballot marks a secret ballot: a sealed answer of one atom that is never revealed. Game.Ballots counts the whole
	// Group. Letters and records do not show the vote of a seat.
	Ballot bool
	// Repeats marks a sealed question that is asked repeatedly (Game.CountChanges). Records show neither which letters
	// answered the question nor which seats did not answer.
	Repeats bool
	// Private answers are visible only to the seat until the match is over. Records contain them in hidden fields.
	Private bool
	// Play is the number of the play that the question belongs to; in 1989 a play is one played card. Conditional
	// orders expire with their play.
	Play    uint32
	Silence Silence
}

// Standing is how long an answer stays valid for later questions of the same kind.
type Standing uint8

// The values of Standing. String returns the words that players write after an order, for example "HOLD UNTIL
// CHANGE".
const (
	StandsOnce        Standing = iota // answers one question
	StandsUntilChange                 // lasts until the next change (Game.CountChanges)
	StandsAlways                      // lasts until the player gives another order
)

// String returns the words after an order, for example "UNTIL CHANGE".
func (s Standing) String() string { return [...]string{"", "UNTIL CHANGE", "ALWAYS"}[s] }

// Seats is a set of seats: bit n is seat n, and bit 31 is the observers.
type Seats uint32

// Everyone is the audience of public events, observers included. Everyone &^ Only(s) is everyone except seat s.
const Everyone Seats = 1<<32 - 1

// Only returns the set with the single seat s.
func Only(s Seat) Seats { return 1 << uint(s) }

// Has reports whether s is in the set. Has(NoSeat) reports whether the observers are in the set.
func (a Seats) Has(s Seat) bool {
	if s == NoSeat {
		return a>>31 != 0
	}
	return a&Only(s) != 0
}

// EventKind is a game's code for a kind of event.
type EventKind uint16

// Event is a result of an answer. Only the seats of Audience may see it. Each game defines Args for its kinds, and
// LetterTexts.Sentences turns events into text. The struct has no pointers, so that the garbage collector need not
// scan lists of events.
type Event struct {
	Kind     EventKind
	Seat     Seat
	Audience Seats
	Args     [12]int16
}
