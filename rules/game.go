// Package rules is the contract between a game and the adjudicator.
//
// A game package (rules/dawn1989, and others to come) is a pure engine: a
// position, plus one answer to a decision, plus chance, gives a new position
// and events. It has no clock, no random source, no I/O and no goroutine, and
// the same inputs give the same bytes. The adjudicator in turn knows nothing of
// any game: not its cards, not its sides, not how many sit at the table.
//
// The way of an order through the contract:
//
//	Keyword, Name   what the game's orders are made of   (language.go)
//	Order           a line, read by the adjudicator      (language.go)
//	Answer          the atoms that the line stands for   (language.go)
//	Decision, Atom  what is owed, and one legal answer   (decision.go)
//	Position.Apply  the answer takes effect, with Chance (position.go, chance.go)
//	Foreseer        takes answers before their questions (foresee.go)
//	Repeater        asks the same again and again        (standing.go)
//	Teller          counts answers that are never opened (ballot.go)
//	Event           what happened, and who may know it   (event.go)
//	View, Prompt    what one seat is shown               (letter.go)
//	Chronicler      what a whole match is told with      (chronicle.go)
//	Counter         what is counted beside dice and draws (count.go)
//
// The contract allows for more than two seats, for several decisions owed at
// once, by several seats or by one, and for sealed decisions that are opened
// together.
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
