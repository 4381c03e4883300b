package liarsdice

import (
	"encoding/json"
	"fmt"
	"slices"

	"samizdat/rules"
)

// state is a position as its JSON.
type state struct {
	// Round is 0 before the lot for the first player.
	Round int `json:"round"`
	// Turn is the seat to play.
	Turn int `json:"turn"`
	// Left is the number of dice of each seat. Cups are the rolled faces, in ascending order.
	Left []int   `json:"left"`
	Cups [][]int `json:"cups"`
	// Bid is the last bid of the round, by Bidder; 0 dice means no bid.
	Bid    bid `json:"bid"`
	Bidder int `json:"bidder"`
	// Asked is the open question; each question has the next number.
	Asked rules.DecisionID `json:"asked"`
}

// bid is a bid of a number of dice of a face, for example four fives.
type bid struct {
	Dice int `json:"dice"`
	Face int `json:"face"`
}

// position implements rules.Position.
type position struct{ state }

// doubt is the least atom, so that silence doubts. Every other atom is a bid.
const doubt rules.Atom = 1

func (b bid) atom() rules.Atom { return rules.Atom(b.Dice<<8 | b.Face) }
func bidOf(a rules.Atom) bid   { return bid{int(a >> 8), int(a & 0xff)} }

// The kinds of questions and of draws.
const (
	kindPlay = "play"
	kindDie  = "draw die"
)

// Reasons of outcomes.
const (
	reasonFirst rules.Reason = 1 + iota
	reasonRoll
)

// The kinds of events, with their arguments.
const (
	eventBegins  rules.EventKind = 1 + iota // the round
	eventRolled                             // the faces, for their owner only
	eventBid                                // dice and face
	eventDoubted                            // dice and face of the bid
	eventShown                              // the faces
	eventCounted                            // how many there are, and the face
	eventLost                               // how many dice the seat has left
)

// Clone implements rules.Position.
func (p *position) Clone() rules.Position {
	q := *p
	q.Left, q.Cups = slices.Clone(p.Left), slices.Clone(p.Cups)
	for seat, cup := range p.Cups {
		q.Cups[seat] = slices.Clone(cup)
	}
	return &q
}

// MarshalJSON implements rules.Position.
func (p *position) MarshalJSON() ([]byte, error) { return json.Marshal(p.state) }

// total returns how many dice there are.
func (s *state) total() (n int) {
	for _, remaining := range s.Left {
		n += remaining
	}
	return n
}

// count counts the dice that show the face or are wild.
func count(cup []int, face int) (n int) {
	for _, die := range cup {
		if die == face || die == wild {
			n++
		}
	}
	return n
}

// nextSeat returns the next seat with dice.
func (s *state) nextSeat(seat int) int {
	for {
		if seat = (seat + 1) % len(s.Left); s.Left[seat] > 0 {
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

// Stalled implements rules.Position: cups wait for their dice, or the match for its first seat.
func (p *position) Stalled() bool {
	if _, over := p.Result(); over {
		return false
	}
	for seat, cup := range p.Cups {
		if len(cup) < p.Left[seat] {
			return true
		}
	}
	return false
}

// OpenDecisions implements rules.Position.
func (p *position) OpenDecisions(dst []rules.Decision) []rules.Decision {
	if _, over := p.Result(); over || p.Stalled() {
		return dst
	}
	return append(dst, rules.Decision{ID: p.Asked, Seat: rules.Seat(p.Turn), Kind: kindPlay, Min: 1, Max: 1, Play: uint32(p.Round),
		Silence: rules.SilenceDefault})
}

// Options implements rules.Position: doubt, if there is a bid, and all higher bids.
func (p *position) Options(dst []rules.Atom, id rules.DecisionID) []rules.Atom {
	if len(p.OpenDecisions(nil)) == 0 || id != p.Asked {
		return dst
	}
	if p.Bid.Dice > 0 {
		dst = append(dst, doubt)
	}
	for dice := max(1, p.Bid.Dice); dice <= p.total(); dice++ {
		for face := wild + 1; face <= faces; face++ {
			if a := (bid{dice, face}).atom(); a > p.Bid.atom() {
				dst = append(dst, a)
			}
		}
	}
	return dst
}

// event makes a public event.
func event(kind rules.EventKind, seat int, args ...int) rules.Event {
	e := rules.Event{Kind: kind, Seat: rules.Seat(seat), Audience: rules.Everyone}
	for i, a := range args {
		e.Args[i] = int16(a)
	}
	return e
}

// Apply implements rules.Position.
func (p *position) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if !slices.Contains(p.Options(nil, id), a) {
		return dst, fmt.Errorf("decision %d: %#x is no option", id, uint32(a))
	}
	if a != doubt {
		p.Bid, p.Bidder = bidOf(a), p.Turn
		dst = append(dst, event(eventBid, p.Turn, p.Bid.Dice, p.Bid.Face))
		p.Turn = p.nextSeat(p.Turn)
		p.Asked++
		return dst, nil
	}
	return p.Resume(c, p.liftCups(dst))
}

// liftCups counts the dice after a doubt. The loser begins the next round.
func (p *position) liftCups(dst []rules.Event) []rules.Event {
	dst = append(dst, event(eventDoubted, p.Turn, p.Bid.Dice, p.Bid.Face))
	there := 0
	for seat, cup := range p.Cups {
		if there += count(cup, p.Bid.Face); len(cup) > 0 {
			dst = append(dst, event(eventShown, seat, cup...))
		}
		p.Cups[seat] = []int{}
	}
	loser := p.Bidder
	if there >= p.Bid.Dice {
		loser = p.Turn
	}
	p.Left[loser]--
	dst = append(dst, event(eventCounted, p.Turn, there, p.Bid.Face), event(eventLost, loser, p.Left[loser]))
	p.Bid, p.Turn = bid{}, loser
	if p.Left[loser] == 0 {
		p.Turn = p.nextSeat(loser)
	}
	if _, over := p.Result(); !over {
		p.Round++
		dst = append(dst, event(eventBegins, p.Turn, p.Round))
	}
	return dst
}

// Resume implements rules.Position: it draws the first player, rolls missing dice, and asks.
func (p *position) Resume(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if !p.Stalled() {
		return dst, nil
	}
	if p.Round == 0 {
		pile := make([]int16, len(p.Left))
		for seat := range pile {
			pile[seat] = int16(seat)
		}
		first, err := c.Draw(rules.Draw{Kind: rules.KindLot, Pile: pile, To: rules.NoSeat, Hand: rules.NoSeat, For: reasonFirst})
		if err != nil {
			return dst, err
		}
		p.Turn, p.Round = first, 1
		dst = append(dst, event(eventBegins, p.Turn, p.Round))
	}
	for seat := range p.Cups {
		for len(p.Cups[seat]) < p.Left[seat] {
			die, err := c.Draw(rules.Draw{Kind: kindDie, Pile: []int16{1, 2, 3, 4, 5, 6}, To: rules.Seat(seat), Hand: rules.NoSeat,
				Hidden: true, For: reasonRoll})
			if err != nil {
				return dst, err
			}
			p.Cups[seat] = append(p.Cups[seat], die+1)
			slices.Sort(p.Cups[seat])
			if len(p.Cups[seat]) == p.Left[seat] {
				e := event(eventRolled, seat, p.Cups[seat]...)
				e.Audience = rules.Only(rules.Seat(seat))
				dst = append(dst, e)
			}
		}
	}
	p.Asked++
	return dst, nil
}

// view implements rules.View: a position with only the seat's own cup.
type view struct {
	state
	seat rules.Seat
}

// View implements rules.Position.
func (p *position) View(seat rules.Seat) rules.View {
	v := &view{p.Clone().(*position).state, seat}
	for s := range v.Cups {
		if rules.Seat(s) != seat {
			v.Cups[s] = nil
		}
	}
	return v
}

// Seat implements rules.View.
func (v *view) Seat() rules.Seat { return v.seat }

// MarshalJSON implements rules.View.
func (v *view) MarshalJSON() ([]byte, error) { return json.Marshal(v.state) }
