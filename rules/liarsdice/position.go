package liarsdice

import (
	"encoding/json"
	"fmt"
	"slices"

	"samizdat/rules"
)

// state holds the fields of a position; record files contain it as JSON.
type state struct {
	// Round counts from 1; it is 0 before the lot that chooses the first player.
	Round      int `json:"round"`
	ActiveSeat int `json:"turn"`
	// DiceLeft is the number of dice of each seat. Cups are the rolled faces, in ascending order.
	DiceLeft []int   `json:"left"`
	Cups     [][]int `json:"cups"`
	// Bid is the last bid of the round, and Bidder the seat that made it. A bid of 0 dice means no bid.
	Bid    bid `json:"bid"`
	Bidder int `json:"bidder"`
	// DecisionID is the ID of the open decision, or of the last decision if none is open.
	DecisionID rules.DecisionID `json:"asked"`
}

type bid struct {
	Dice int `json:"dice"`
	Face int `json:"face"`
}

// position implements rules.Position.
type position struct{ state }

// doubt is the atom of DOUBT; every other atom is a bid. It is the smallest atom, because the rules choose the
// smallest legal atom for a player who does not answer.
const doubt rules.Atom = 1

// atom returns the atom of a bid, and bidOfAtom its inverse. For example, four fives are atom 0x405.
func (b bid) atom() rules.Atom   { return rules.Atom(b.Dice<<8 | b.Face) }
func bidOfAtom(a rules.Atom) bid { return bid{int(a >> 8), int(a & 0xff)} }

const (
	kindPlay = "play"
	kindDie  = "draw die"
)

const (
	reasonFirst rules.Reason = 1 + iota
	reasonRoll
)

// The kinds of events. The comment after each lists its arguments.
const (
	eventBegins  rules.EventKind = 1 + iota // the round
	eventRolled                             // the faces, for their owner only
	eventBid                                // dice and face
	eventDoubted                            // dice and face of the bid
	eventShown                              // the faces
	eventCounted                            // number of dice with the face, and the face
	eventLost                               // number of dice left
)

func (p *position) Clone() rules.Position {
	q := *p
	q.DiceLeft, q.Cups = slices.Clone(p.DiceLeft), slices.Clone(p.Cups)
	for seat, cup := range p.Cups {
		q.Cups[seat] = slices.Clone(cup)
	}
	return &q
}

func (p *position) MarshalJSON() ([]byte, error) { return json.Marshal(p.state) }

func (s *state) totalDice() (n int) {
	for _, remaining := range s.DiceLeft {
		n += remaining
	}
	return n
}

func countFace(cup []int, face int) (n int) {
	for _, die := range cup {
		if die == face || die == wild {
			n++
		}
	}
	return n
}

func (s *state) nextSeat(seat int) int {
	for {
		if seat = (seat + 1) % len(s.DiceLeft); s.DiceLeft[seat] > 0 {
			return seat
		}
	}
}

// Result implements rules.Position: the last seat with dice wins.
func (p *position) Result() (rules.Result, bool) {
	winner := p.nextSeat(0)
	if p.nextSeat(winner) != winner {
		return rules.Result{}, false
	}
	return rules.Result{Winners: rules.Only(rules.Seat(winner)), Reason: "the last dice",
		Words: "Only the " + seatNames[winner] + " has dice left."}, true
}

// Stalled reports whether dice must be rolled, or the first player must be drawn.
func (p *position) Stalled() bool {
	if _, isOver := p.Result(); isOver {
		return false
	}
	for seat, cup := range p.Cups {
		if len(cup) < p.DiceLeft[seat] {
			return true
		}
	}
	return false
}

func (p *position) OpenDecisions(dst []rules.Decision) []rules.Decision {
	if _, isOver := p.Result(); isOver || p.Stalled() {
		return dst
	}
	return append(dst, rules.Decision{ID: p.DecisionID, Seat: rules.Seat(p.ActiveSeat), Kind: kindPlay, Min: 1, Max: 1, Play: uint32(p.Round),
		Silence: rules.SilenceDefault})
}

func (p *position) Options(dst []rules.Atom, id rules.DecisionID) []rules.Atom {
	if len(p.OpenDecisions(nil)) == 0 || id != p.DecisionID {
		return dst
	}
	if p.Bid.Dice > 0 {
		dst = append(dst, doubt)
	}
	for dice := max(1, p.Bid.Dice); dice <= p.totalDice(); dice++ {
		for face := wild + 1; face <= faces; face++ {
			if a := (bid{dice, face}).atom(); a > p.Bid.atom() {
				dst = append(dst, a)
			}
		}
	}
	return dst
}

// newEvent returns a public event.
func newEvent(kind rules.EventKind, seat int, args ...int) rules.Event {
	e := rules.Event{Kind: kind, Seat: rules.Seat(seat), Audience: rules.Everyone}
	for i, a := range args {
		e.Args[i] = int16(a)
	}
	return e
}

func (p *position) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if !slices.Contains(p.Options(nil, id), a) {
		return dst, fmt.Errorf("decision %d: %#x is not an option", id, uint32(a))
	}
	if a != doubt {
		p.Bid, p.Bidder = bidOfAtom(a), p.ActiveSeat
		dst = append(dst, newEvent(eventBid, p.ActiveSeat, p.Bid.Dice, p.Bid.Face))
		p.ActiveSeat = p.nextSeat(p.ActiveSeat)
		p.DecisionID++
		return dst, nil
	}
	return p.Resume(c, p.liftCups(dst))
}

// liftCups reveals and counts the dice after a doubt. The loser starts the next round.
func (p *position) liftCups(dst []rules.Event) []rules.Event {
	dst = append(dst, newEvent(eventDoubted, p.ActiveSeat, p.Bid.Dice, p.Bid.Face))
	matching := 0
	for seat, cup := range p.Cups {
		if matching += countFace(cup, p.Bid.Face); len(cup) > 0 {
			dst = append(dst, newEvent(eventShown, seat, cup...))
		}
		p.Cups[seat] = []int{}
	}
	loser := p.Bidder
	if matching >= p.Bid.Dice {
		loser = p.ActiveSeat
	}
	p.DiceLeft[loser]--
	dst = append(dst, newEvent(eventCounted, p.ActiveSeat, matching, p.Bid.Face), newEvent(eventLost, loser, p.DiceLeft[loser]))
	p.Bid, p.ActiveSeat = bid{}, loser
	if p.DiceLeft[loser] == 0 {
		p.ActiveSeat = p.nextSeat(loser)
	}
	if _, isOver := p.Result(); !isOver {
		p.Round++
		dst = append(dst, newEvent(eventBegins, p.ActiveSeat, p.Round))
	}
	return dst
}

// Resume draws the first player, rolls missing dice, and opens a decision.
func (p *position) Resume(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if !p.Stalled() {
		return dst, nil
	}
	if p.Round == 0 {
		pile := make([]int16, len(p.DiceLeft))
		for seat := range pile {
			pile[seat] = int16(seat)
		}
		first, err := c.Draw(rules.Draw{Kind: rules.KindLot, Pile: pile, To: rules.NoSeat, From: rules.NoSeat, For: reasonFirst})
		if err != nil {
			return dst, err
		}
		p.ActiveSeat, p.Round = first, 1
		dst = append(dst, newEvent(eventBegins, p.ActiveSeat, p.Round))
	}
	for seat := range p.Cups {
		for len(p.Cups[seat]) < p.DiceLeft[seat] {
			die, err := c.Draw(rules.Draw{Kind: kindDie, Pile: []int16{1, 2, 3, 4, 5, 6}, To: rules.Seat(seat), From: rules.NoSeat,
				Hidden: true, For: reasonRoll})
			if err != nil {
				return dst, err
			}
			p.Cups[seat] = append(p.Cups[seat], die+1)
			slices.Sort(p.Cups[seat])
			if len(p.Cups[seat]) == p.DiceLeft[seat] {
				e := newEvent(eventRolled, seat, p.Cups[seat]...)
				e.Audience = rules.Only(rules.Seat(seat))
				dst = append(dst, e)
			}
		}
	}
	p.DecisionID++
	return dst, nil
}

// view implements rules.View: a position in which all cups are empty except the seat's own.
type view struct {
	state
	seat rules.Seat
}

func (p *position) View(seat rules.Seat) rules.View {
	v := &view{p.Clone().(*position).state, seat}
	for s := range v.Cups {
		if rules.Seat(s) != seat {
			v.Cups[s] = nil
		}
	}
	return v
}

func (v *view) Seat() rules.Seat { return v.seat }

func (v *view) MarshalJSON() ([]byte, error) { return json.Marshal(v.state) }
