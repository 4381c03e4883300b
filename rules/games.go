package rules

import (
	"fmt"
	"strings"
)

// Games are the games that a program knows, the one that is meant unasked first.
type Games []Game

// Find returns the game of a name.
func (gs Games) Find(name string) (Game, error) {
	var known []string
	for _, g := range gs {
		if g.Name() == name {
			return g, nil
		}
		known = append(known, g.Name()+", "+g.Title())
	}
	return nil, fmt.Errorf("no game is called %q; there is %s", name, strings.Join(known, "; "))
}

// NewSetup is the set-up of a match of a game at a table of so many seats; without a
// number it is the largest.
func NewSetup(g Game, seats int) (Setup, error) {
	least, most := g.Seats()
	if seats == 0 {
		seats = most
	}
	switch {
	case least == most && seats != most:
		return Setup{}, fmt.Errorf("%s has %d seats, not %d", g.Title(), most, seats)
	case seats < least || seats > most:
		return Setup{}, fmt.Errorf("%s has %d to %d seats, not %d", g.Title(), least, most, seats)
	}
	return Setup{Seats: seats, Revision: g.Revision()}, nil
}
