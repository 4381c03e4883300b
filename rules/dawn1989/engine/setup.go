package engine

import (
	"fmt"
	"strconv"

	"samizdat/rules"
)

// Rules are the part of a rules.Game that the engine alone fulfils.
type Rules struct{}

// Seats implements rules.Game: two, always.
func (Rules) Seats() (least, most int) { return 2, 2 }

// SeatNames implements rules.Game. The first seat plays the Democrat, the
// second the Communist, unless the sides are bid for.
func (Rules) SeatNames(s rules.Setup) []string {
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
func (Rules) Begin(s rules.Setup) (rules.Position, error) {
	if s.Seats != 2 {
		return nil, fmt.Errorf("1989 is a game for 2, not for %d", s.Seats)
	}
	if s.Revision < oldestRevision || s.Revision > newestRevision {
		return nil, fmt.Errorf("rules revision %d of 1989 is not known here, only %d to %d", s.Revision, oldestRevision, newestRevision)
	}
	p := newPosition(uint8(s.Revision))
	for name, v := range s.Options {
		n, err := strconv.Atoi(v)
		switch {
		case name == OptionExtra && err == nil && n >= 0 && n <= 9:
			p.Extra = int8(n)
		case name == OptionBidding && v == bidYes:
			p.stack[0].Step = matchBid
		default:
			return nil, fmt.Errorf("1989 has no option %s=%s; it has %s=0 to %[3]s=9, and %s=%s", name, v, OptionExtra, OptionBidding, bidYes)
		}
	}
	if p.Extra > 0 && p.stack[0].Step == matchBid {
		return nil, fmt.Errorf("the options %s and %s do not go together: a bid says how many points are given", OptionExtra, OptionBidding)
	}
	return p, nil
}

// newPosition is the position before the deal (rules 3.1 to 3.5).
func newPosition(revision uint8) *Position {
	p := &Position{revision: revision, Sits: [2]rules.Seat{Democrat: 0, Communist: 1}, Turn: 1, stalled: true}
	for s := Space(1); s < Spaces; s++ {
		for side := Democrat; side <= Communist; side++ {
			p.SetSupport(side, s, s.Info().Setup[side])
		}
	}
	p.Piles[PileDeck] = InPeriod[Early]
	p.Piles[PileFuture] = InPeriod[Middle].Or(InPeriod[Late])
	for c := EastGermany; c < Countries; c++ {
		p.Power[c].Held = Communist
	}
	p.stack[0] = Frame{Proc: ProcMatch, Side: Communist}
	p.depth = 1
	return p
}
