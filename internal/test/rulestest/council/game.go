package council

import (
	"fmt"
	"strconv"

	"samizdat/rules"
)

// The numbers of seats.
const (
	least = 2
	most  = 12
)

var seatNames = [most]string{"miller", "baker", "smith", "weaver", "tanner", "carter", "cooper", "fisher", "mason", "potter",
	"shepherd", "thatcher"}

// The aims.
const (
	wet = iota + 1
	dry
)

var (
	aimNames = [...]string{"", "WET", "DRY"}
	aimTexts = [...]string{"", "WET: you win if the water ends above its mark, and you are never fined.",
		"DRY: you win if the water ends below its mark, and you are never fined."}
)

// verb is the action of an atom. An atom is a verb and a value: a seat or a choice.
type verb uint8

const (
	verbName verb = iota + 1
	verbVote
	verbHold
	verbCall
	verbFine
)

func atom(v verb, value int) rules.Atom { return rules.Atom(uint32(v)<<16 | uint32(value)) }
func verbOf(a rules.Atom) verb          { return verb(a >> 16) }
func valueOf(a rules.Atom) int          { return int(a & 0xffff) }

// The values of a ballot.
const (
	no = iota
	yes
)

// The kinds of decisions.
const (
	kindName = "name"
	kindVote = "vote"
	kindHold = "hold"
	kindFine = "fine"
)

const kindAim = "draw aim"

// The reasons of chance outcomes.
const (
	reasonAim rules.Reason = iota + 1
	reasonChair
	reasonTie
)

var reasons = map[rules.Reason]string{reasonAim: "aims", reasonChair: "who takes the chair", reasonTie: "a tie"}

// Game is The Council.
func Game() *rules.Game {
	var g game
	return &rules.Game{Engine: g, Language: g, LetterTexts: g, Resigned: resigned, Ballots: g, CountChanges: g.Changes, Headline: g.Headline, Role: g.Role}
}

type game struct{}

// Name is the game's short name.
func (game) Name() string { return "council" }

// Title is the game's full name.
func (game) Title() string { return "The Council" }

// Credit returns the credit line.
func (game) Credit() string { return "The Council is a small game made to test this referee." }

// Revision is the rules revision of new matches.
func (game) Revision() int { return 1 }

// Seats returns the number of seats.
func (game) Seats() (int, int) { return least, most }

// SeatNames names the chairs.
func (game) SeatNames(s rules.Setup) []string { return append([]string(nil), seatNames[:s.Seats]...) }

// Begin returns a new position, stalled before the first aim.
func (game) Begin(s rules.Setup) (rules.Position, error) {
	if s.Seats < least || s.Seats > most {
		return nil, fmt.Errorf("the council is for %d to %d seats, not %d", least, most, s.Seats)
	}
	p := &position{state: state{Revision: s.Revision, Seats: s.Seats, Rounds: 2, Phase: phaseDeal, Chair: -1}}
	for name, value := range s.Options {
		n, err := strconv.Atoi(value)
		if name != "rounds" || err != nil || n < 1 || n > 9 {
			return nil, fmt.Errorf("the council's only option is rounds, 1 to 9, not %s %q", name, value)
		}
		p.Rounds = n
	}
	return p, nil
}

// resigned lets the match continue after resignations. A resigned seat cannot win.
func resigned(p rules.Position, seats rules.Seats) (rules.Result, bool) {
	r, over := p.Result()
	return r.WithoutSeats(seats), over
}

// Reason returns the reason of an outcome in words.
func (game) Reason(r rules.Reason) string { return reasons[r] }

// Element returns an aim, or the seat chosen by lot.
func (game) Element(kind string, code int16) any {
	if kind == rules.KindLot {
		return seatNames[code]
	}
	return aimNames[code]
}
