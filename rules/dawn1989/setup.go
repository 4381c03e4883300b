package dawn1989

import (
	"fmt"
	"strconv"

	"samizdat/rules"
)

// Game is the door to this package.
type Game struct{}

// Name implements rules.Game.
func (Game) Name() string { return "1989" }

// Title implements rules.Game.
func (Game) Title() string { return "1989: Dawn of Freedom" }

// Credit implements rules.Game.
func (Game) Credit() string {
	return "1989: Dawn of Freedom is a game by Jason Matthews and Ted Torgerson, published by GMT Games."
}

// revision is the revision of the rules: it begins with every event there is. A
// change that could replay a record differently begins another.
const revision = 1

// Revision implements rules.Game.
func (Game) Revision() int { return revision }

// Seats implements rules.Game: two, always.
func (Game) Seats() (least, most int) { return 2, 2 }

// SeatNames implements rules.Game. The first seat plays the Democrat, the
// second the Communist, unless the sides are bid for.
func (Game) SeatNames(s rules.Setup) []string {
	if s.Options[OptionBidding] == bidYes {
		return []string{"first", "second"}
	}
	return []string{"democrat", "communist"}
}

// The options of a match. Without any it is the standard match.
const (
	// OptionExtra is the option of a "+N" match: how many more support points
	// the Democrat places at the end of set-up.
	OptionExtra = "extra"
	// OptionBidding lets the players bid for their sides (rule 13): "yes".
	OptionBidding = "bidding"
	bidYes        = "yes"
)

// Begin implements rules.Game. The position is stalled before the first card of
// the deal.
func (Game) Begin(s rules.Setup) (rules.Position, error) {
	if s.Seats != 2 {
		return nil, fmt.Errorf("1989 is a game for 2, not for %d", s.Seats)
	}
	if s.Revision != revision {
		return nil, fmt.Errorf("rules revision %d of 1989 is not known here; this is revision %d", s.Revision, revision)
	}
	p := newPosition()
	for name, v := range s.Options {
		n, err := strconv.Atoi(v)
		switch {
		case name == OptionExtra && err == nil && n >= 0 && n <= 9:
			p.extra = int8(n)
		case name == OptionBidding && v == bidYes:
			p.stack[0].Step = matchBid
		default:
			return nil, fmt.Errorf("1989 has no option %s=%s; it has %s=0 to %[3]s=9, and %s=%s", name, v, OptionExtra, OptionBidding, bidYes)
		}
	}
	if p.extra > 0 && p.stack[0].Step == matchBid {
		return nil, fmt.Errorf("the options %s and %s do not go together: a bid says how many points are given", OptionExtra, OptionBidding)
	}
	return p, nil
}

// newPosition is the position before the deal (rules 3.1 to 3.5).
func newPosition() *Position {
	p := &Position{revision: revision, sits: [2]rules.Seat{Democrat: 0, Communist: 1}, turn: 1, stalled: true}
	for s := Space(1); s < spaces; s++ {
		for side := Democrat; side <= Communist; side++ {
			p.set(side, s, s.Info().Setup[side])
		}
	}
	p.piles[PileDeck] = inPeriod[Early]
	p.piles[PileFuture] = inPeriod[Middle].or(inPeriod[Late])
	for c := EastGermany; c < countries; c++ {
		p.power[c].Held = Communist
	}
	p.stack[0] = Frame{Proc: ProcMatch, Side: Communist}
	p.depth = 1
	return p
}
