package adjudicator

import (
	"slices"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// account is what letters tell of: a match before and after, and what has happened
// between. To compose letters reads it, and changes nothing.
type account struct {
	m *Match
	// now is when it is told.
	now  time.Time
	game *rules.Game
	// pos is the position now, before the one that was found; nil until the match plays. Neither
	// is ever changed: the gate works on copies.
	pos, before rules.Position
	// takeback is what was asked to be taken back before, requests what else was asked for.
	takeback *Takeback
	requests []Request
	// published means that what was hidden of a match that is over is hidden no more.
	published bool
	// entries and events are what has happened.
	entries []record.Entry
	events  []rules.Event
	// lines say, for each seat, what became of its orders.
	lines map[rules.Seat][]lineReport
	// untold are what happened before, and asking letters are to tell.
	untold map[rules.Seat]untold
	// remarks are what all seats are told beside the events.
	remarks []string
}

// toldTo lists the events that the letter to a reader tells.
func (c *account) toldTo(reader rules.Seat) []rules.Event {
	return slices.Concat(c.untold[reader].events, heard(c.events, reader))
}

// heard are the events that a reader is an audience of.
func heard(events []rules.Event, reader rules.Seat) []rules.Event {
	return slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(reader) })
}

// changed reports whether the match has moved.
func (c *account) changed() bool { return len(c.entries) > 0 }
