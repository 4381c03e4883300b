package rules

// Seats is a set of seats, seat n being bit n.
type Seats uint32

// Everyone is the audience of public events. Its highest bit stands for the
// observers, so that Everyone &^ Only(s) is everybody but one seat.
const Everyone Seats = 1<<32 - 1

// Only returns the set that holds just s.
func Only(s Seat) Seats { return 1 << uint(s) }

// Has reports whether s is in the set; Nobody asks for the observers.
func (a Seats) Has(s Seat) bool {
	if s == Nobody {
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
