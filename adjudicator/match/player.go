package match

import (
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
	"samizdat/rules"
)

// Player is one person, who may sit in many matches. What is the person's and not a
// seat's belongs here. Seats refer to it: whoever takes somebody's place in a match is
// another Player in that Seat (replace.go). Two players have one address where one of them
// has moved to it: whether the operator has mistyped it cannot be known, so they stay two,
// and a new match is the older one's.
type Player struct {
	// ID names a player in the store; a player whom it does not know has 0, and is
	// taken for the one who has the address, if there is one.
	ID int64
	contact.Contact
	// Several means that the player sits in other matches as well.
	Several bool
	// Zone is the name of the time zone in which the player wants his times, as package
	// zone has it; empty for UTC. No other player is shown it.
	Zone string
	// Calendar means that the player wants an entry for his calendar with letters that ask.
	Calendar bool
	// Away is when the player is on vacation.
	Away Away
	// Version rises with every change of what is the player's own, and with every new match; a change
	// made from an older one is a conflict.
	Version int64
}

// NewPlayer is a player with an address whom no store knows.
func NewPlayer(address string) *Player {
	return &Player{Contact: contact.Contact{Address: address}}
}

// SeatOf names a seat of a match.
type SeatOf struct {
	Match string
	Seat  rules.Seat
	// State is the match's.
	State State
}

// Away is when a player is on vacation.
type Away struct {
	// Vacations are those of this year, of later ones, and of the one before.
	Vacations clock.Vacations `json:"vacations,omitempty"`
	// Told counts how often others were told today that something has changed.
	Told Said `json:"told,omitzero"`
}

// AddressDue reports whether a player's change of address takes effect by itself at a time.
func (p *Player) AddressDue(now time.Time) bool { return !p.Due().IsZero() && !p.Due().After(now) }
