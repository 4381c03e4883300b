package adjudicator

import (
	"samizdat/adjudicator/conditional"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// progress is a match under way: what is carried out moves it. It knows of orders
// and answers, and nothing of the letters that bring them.
type progress struct {
	a *Adjudicator
	m *Match
	// seat is whose orders are carried out. What it keeps answers at once.
	seat rules.Seat
	game rules.Game
	// programs reads and fires orders ahead; nil where the game takes none.
	programs *conditional.Reader
	// reviewed is how many of the events the orders ahead have been held against.
	reviewed int
	// pos is the position now, was the one before; nil before the match plays. Neither
	// is ever changed: the gate works on copies.
	pos, was rules.Position
	key      record.Key
	words    record.Words
	// takeback is what was asked to be taken back before.
	takeback *Takeback
	// entries and events are what has happened.
	entries []record.Entry
	events  []rules.Event
	// lines say, for each seat, what became of its orders.
	lines map[rules.Seat][]lineReport
	// remarks are what all seats are told beside the events.
	remarks []string
}

// changed reports whether the match has moved.
func (p *progress) changed() bool { return len(p.entries) > 0 }
