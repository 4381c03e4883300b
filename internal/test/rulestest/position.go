package rulestest

import (
	"fmt"
	"slices"

	"samizdat/rules"
)

// phase is the phase of a position. Phases marked "chance" wait for an outcome, the others for
// answers.
type phase uint8

const (
	phaseDeal phase = iota // chance
	phaseLot               // chance
	phasePlay
	phaseSow
	phaseRipen // chance
	phaseClear
	phaseTake // chance
	phaseWater
	phaseEnd // KEEP and VOTE, all at once
	phaseOver
	phases
)

var phaseNames = [phases]string{"deal", "lot", "play", "sow", "ripen", "clear", "take", "water", "end", "over"}

// phaseTexts name the phases in letters.
var phaseTexts = [phases]string{"the deal", "deciding who begins", "playing a card", "sowing", "ripening", "clearing blight", "taking a card",
	"sowing more tokens", "the final votes", "over"}

// set is a set of cards as bits: bit n is card n.
type set uint16

func (s set) has(card int) bool { return s&(1<<card) != 0 }
func (s *set) add(card int)     { *s |= 1 << card }
func (s *set) drop(card int)    { *s &^= 1 << card }

func (s set) list() []int {
	out := []int{}
	for c := 1; c <= cards; c++ {
		if s.has(c) {
			out = append(out, c)
		}
	}
	return out
}

// position has no pointers, so that an assignment clones it.
type position struct {
	revision int
	rounds   int
	round    int
	// turns is the number of finished turns in this round; first is the seat of the first turn.
	turns, first int
	phase        phase
	// card is the card being played. wanted is the number of tokens still to place, given the number
	// already placed by watering.
	card          int
	wanted, given int
	tokens        [fields + 1][seats]int
	hands         [seats]set
	deck, discard set
	kept, votes   [seats]int
	points        [seats]int
	// next is the last decision ID given out; asked and ballots are the open decisions by seat.
	next           rules.DecisionID
	asked, ballots [seats]rules.DecisionID
	group          uint32
	play           uint32
}

var _ rules.Position = (*position)(nil)

func (p *position) active() int { return (p.first + p.turns) % seats }
func (p *position) after() int  { return (p.active() + 1) % seats }

func (p *position) Clone() rules.Position {
	q := *p
	return &q
}

// Stalled reports whether the position waits for chance.
func (p *position) Stalled() bool {
	switch p.phase {
	case phaseDeal, phaseLot, phaseRipen, phaseTake:
		return true
	}
	return false
}

// Result returns how the match ended.
func (p *position) Result() (rules.Result, bool) {
	if p.phase != phaseOver {
		return rules.Result{}, false
	}
	best := slices.Max(p.points[:])
	var winners rules.Seats
	for s, n := range p.points {
		if n == best {
			winners |= rules.Only(rules.Seat(s))
		}
	}
	if winners == 1<<seats-1 {
		return rules.Result{Reason: "all equal"}, true
	}
	return rules.Result{Winners: winners, Reason: "most points"}, true
}

// OpenDecisions appends the decisions that are open now.
func (p *position) OpenDecisions(dst []rules.Decision) []rules.Decision {
	for s := range seats {
		if id := p.asked[s]; id != 0 {
			dst = append(dst, p.question(id, s))
		}
		if id := p.ballots[s]; id != 0 {
			dst = append(dst, rules.Decision{ID: id, Seat: rules.Seat(s), Kind: kindVote, Min: 1, Max: 1,
				Sealed: true, Group: p.group, Play: p.play, Silence: rules.SilenceLot})
		}
	}
	return dst
}

// question returns an open decision other than a ballot.
func (p *position) question(id rules.DecisionID, s int) rules.Decision {
	d := rules.Decision{ID: id, Seat: rules.Seat(s), Min: 1, Max: 1, Play: p.play}
	switch p.phase {
	case phasePlay:
		d.Kind = kindPlay
	case phaseSow:
		d.Kind, d.Min, d.Max, d.Midway = kindSow, p.wanted, p.wanted, true
	case phaseClear:
		d.Kind, d.Source = kindClear, fmt.Sprint(p.card)
	case phaseWater:
		d.Kind, d.Source, d.Max, d.Silence = kindWater, fmt.Sprint(p.card), p.wanted, rules.SilenceDefault
		if p.given > 0 {
			d.Min, d.Midway, d.Stop = 0, true, stop
		}
	case phaseEnd:
		d.Kind, d.Private, d.Silence = kindKeep, true, rules.SilenceLot
	}
	return d
}

// Options appends the legal atoms of an open decision.
func (p *position) Options(dst []rules.Atom, id rules.DecisionID) []rules.Atom {
	if id == 0 {
		return dst
	}
	if slices.Contains(p.ballots[:], id) {
		return append(dst, atom(verbVote, sun), atom(verbVote, rain))
	}
	s := slices.Index(p.asked[:], id)
	if s < 0 {
		return dst
	}
	switch p.phase {
	case phasePlay:
		dst = listCards(dst, verbPlay, p.hands[s])
	case phaseSow:
		dst = p.listFields(dst, verbSow, func(n int) bool { return n < most }, s)
	case phaseWater:
		dst = p.listFields(dst, verbWater, func(n int) bool { return n < most }, s)
		if p.given == 0 {
			dst = append(dst, pass)
		} else {
			dst = append(dst, stop)
		}
	case phaseClear:
		dst = p.listFields(dst, verbClear, func(n int) bool { return n > 0 }, s)
	case phaseEnd:
		dst = listCards(dst, verbKeep, p.hands[s])
	}
	return dst
}

func listCards(dst []rules.Atom, v verb, hand set) []rules.Atom {
	for _, c := range hand.list() {
		dst = append(dst, atom(v, c))
	}
	return dst
}

func (p *position) listFields(dst []rules.Atom, v verb, may func(tokens int) bool, s int) []rules.Atom {
	for f := 1; f <= fields; f++ {
		if may(p.tokens[f][s]) {
			dst = append(dst, atom(v, f))
		}
	}
	return dst
}
