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

var aimNames = [...]string{"", "WET", "DRY"}

// verb is what an atom does. An atom is a verb and a value: a seat or a choice.
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

// What outcomes are for.
const (
	reasonAim rules.Reason = iota + 1
	reasonChair
	reasonTie
)

var reasons = map[rules.Reason]string{reasonAim: "aims", reasonChair: "who takes the chair", reasonTie: "a tie"}

// Game is The Council. The zero value is ready to use.
type Game struct{}

var (
	_ rules.Game       = Game{}
	_ rules.Headliner  = Game{}
	_ rules.RobotMaker = Game{}
	_ rules.Repeater   = Game{}
	_ rules.Ender      = Game{}
	_ rules.Teller     = (*position)(nil)
)

// Name is the game's short name.
func (Game) Name() string { return "council" }

// Title is the game's full name.
func (Game) Title() string { return "The Council" }

// Credit says whose game it is.
func (Game) Credit() string { return "The Council, made for tests of the adjudicator." }

// Revision is the rules revision of new matches.
func (Game) Revision() int { return 1 }

// Seats returns the number of seats.
func (Game) Seats() (int, int) { return least, most }

// SeatNames names the chairs.
func (Game) SeatNames(s rules.Setup) []string { return append([]string(nil), seatNames[:s.Seats]...) }

// Begin returns a new position, stalled before the first aim.
func (Game) Begin(s rules.Setup) (rules.Position, error) {
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

// Draws implements rules.Ender: what nobody wins is lost.
func (Game) Draws(rules.Setup) bool { return false }

// Resigned implements rules.Ender: the council goes on, and silence answers for who has left.
func (Game) Resigned(p rules.Position, seats rules.Seats) (rules.Result, bool) {
	r, over := p.Result()
	return r.Without(seats), over
}

// Reason says in words what an outcome is for.
func (Game) Reason(r rules.Reason) string { return reasons[r] }

// Element is an aim, or the name of the seat that a lot fell on.
func (Game) Element(kind string, code int16) any {
	if kind == rules.KindLot {
		return seatNames[code]
	}
	return aimNames[code]
}

// Robots names the only robot.
func (Game) Robots() []string { return []string{"random"} }

// Robot makes one.
func (Game) Robot(name string, seed uint64) (rules.Robot, error) {
	if name != "random" {
		return nil, fmt.Errorf("the council has no robot %q, only the random one", name)
	}
	return rules.NewRandomRobot(seed), nil
}
