package adjudicator

import (
	"slices"
	"time"
)

// Listed is what a list of matches says of one: nothing that opens a letter.
type Listed struct {
	ID, Game string
	State    State
	// Since is when the state began.
	Since time.Time
	Seats []ListedSeat
	// Summary is how it stands; nil before the deal.
	Summary *Summary
	// Acts is what acts have made of a match that was called off; otherwise nil.
	Acts *Acts
	// Stopped means that a program has come to another position.
	Stopped bool
}

// Timed reports whether clocks run in the match.
func (l Listed) Timed() bool {
	return slices.ContainsFunc(l.Seats, func(s ListedSeat) bool { return s.Timed })
}

// ListedSeat is a seat of a listed match.
type ListedSeat struct {
	Name, Address string
	Joined        bool
	// Asked is since when the seat is asked; zero when that is not known, or when it is
	// asked nothing.
	Asked time.Time
	// Timed means that the seat has a clock, which shows Left; it runs until Until where that
	// is known.
	Timed bool
	Left  time.Duration
	Until time.Time
	// Bounces is how many letters to the player did not arrive since one last did.
	Bounces int
}
