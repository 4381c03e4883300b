package rulestest

import (
	"fmt"

	"samizdat/rules"
)

// Game returns the game Three Orchards.
func Game() *rules.Game {
	var g game
	return &rules.Game{
		Engine: g, Language: g, LetterTexts: g,
		Draws: true,
		Ahead: g, Warning: g.Rash,
		Differences: g.Differences, Topics: g.Topics, Cards: g.About, AnswerQuery: g.Inform, Turn: g.Turn,
	}
}

type game struct{}

// Name is the game's short name.
func (game) Name() string { return "orchards" }

// Title is the game's full name.
func (game) Title() string { return "Three Orchards" }

// Credit returns the credit line.
func (game) Credit() string { return "Three Orchards is a small game made to test this referee." }

// Revision is the rules revision of new matches.
func (game) Revision() int { return 1 }

// Seats returns the number of seats, which is always three.
func (game) Seats() (least, most int) { return seats, seats }

// SeatNames returns north, east and west.
func (game) SeatNames(rules.Setup) []string { return append([]string(nil), seatNames[:]...) }

// Begin returns a new position, stalled before the first deal.
func (game) Begin(s rules.Setup) (rules.Position, error) {
	if s.Seats != seats {
		return nil, fmt.Errorf("three orchards is for %d seats, not %d", seats, s.Seats)
	}
	p := &position{revision: s.Revision, rounds: 2, round: 1}
	for name, value := range s.Options {
		if name != "rounds" {
			return nil, fmt.Errorf("three orchards has no option %q; its option is rounds", name)
		}
		switch value {
		case "1":
			p.rounds = 1
		case "2":
			p.rounds = 2
		default:
			return nil, fmt.Errorf("option rounds is 1 or 2, not %q", value)
		}
	}
	for c := 1; c <= cards; c++ {
		p.deck.add(c)
	}
	return p, nil
}

// Reason returns the reason of an outcome in words.
func (game) Reason(r rules.Reason) string { return reasons[r] }

// Element returns a card's number, or the seat chosen by lot.
func (game) Element(kind string, code int16) any {
	if kind == rules.KindLot {
		return seatNames[code]
	}
	return int(code)
}
