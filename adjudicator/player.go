package adjudicator

import (
	"samizdat/adjudicator/contact"
)

// Player is one person, who may sit in many matches. What is the person's and not a
// seat's belongs here.
type Player struct {
	contact.Contact
}

// NewPlayer is a player with an address.
func NewPlayer(address string) *Player {
	return &Player{Contact: contact.Contact{Address: address}}
}
