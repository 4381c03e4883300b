package adjudicator

import (
	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// progress is a match under way: what is carried out moves it. It knows of orders
// and answers, and nothing of the letters that bring them.
type progress struct {
	turn *account
	a    *Adjudicator
	// seat is whose orders are carried out. What it keeps answers at once.
	seat rules.Seat
	// conditional reads and fires conditional orders; nil where the game takes none.
	conditional *ahead.Reader
	// reviewed is how many of the events the conditional orders have been held against.
	reviewed int
	// wants are the seats that get a whole letter, whether something is asked of them or not.
	wants rules.Seats
	// reminded are the seats that are reminded of what they are asked.
	reminded rules.Seats
	key      record.Key
	// epoch is that of chance when the letter came; rested are the seats that owed nothing
	// at some time since.
	epoch  int
	rested rules.Seats
	words  record.Words
	// history is what played has read; nil before.
	history []record.Entry
	// replayed are the events of each entry as they are when it is played again; fewer where
	// that is not known.
	replayed [][]rules.Event
}
