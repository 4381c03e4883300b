package engine

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"samizdat/rules"
)

// errNoOption refuses an answer that is not one of the options.
var errNoOption = errors.New("not an option of an open decision")

// mostOptions is room for the options of any question.
const mostOptions = Units + MostSeats

// Apply implements rules.Position.
func (p *Position) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	var room [mostOptions]rules.Atom
	if p.Phase == Voting || !slices.Contains(p.Options(room[:0], id), a) {
		return dst, fmt.Errorf("decision %d, atom %#x: %w", id, uint32(a), errNoOption)
	}
	s := p.asked(id)
	switch p.Phase {
	case Naming:
		return p.name(s, a, c, dst)
	case Seating:
		return p.seat(s, a, dst), nil
	case Purging:
		return p.pick(s, a, dst), nil
	case Calling:
		return p.call(s, a, dst), nil
	}
	return p.give(s, a, dst), nil
}

// name takes what a seat says to the question for the first Chairman.
func (p *Position) name(s rules.Seat, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	p.Asked[s] = 0
	if VerbOf(a) == VerbName {
		p.picks[s] = rules.Seat(ValueOf(a))
	}
	dst = happened(dst, EventNamed, s, int(p.picks[s]))
	if p.waits() {
		return dst, nil
	}
	p.Phase = Opening
	return p.Resume(c, dst)
}

// beginTurn gives the Chairman his question, or ends the match where he has no legal unit
// (rule 6).
func (p *Position) beginTurn(dst []rules.Event) []rules.Event {
	chair := p.Order[p.Chairman]
	if !p.HasLegal(chair) {
		return p.decideByMinisters(happened(dst, EventUndecidable, chair))
	}
	p.Turn++
	p.Phase = Seating
	p.Asked[chair] = p.id()
	return happened(dst, EventChairman, chair, int(p.Turn))
}

// seat takes what the Chairman says: a unit, and after it, where two crises are full, which is
// voted on first.
func (p *Position) seat(s rules.Seat, a rules.Atom, dst []rules.Event) []rules.Event {
	switch VerbOf(a) {
	case VerbSeat:
		u := Unit(ValueOf(a))
		p.Queue = p.Fills(u)
		p.Holders[u] = s
		dst = happened(dst, EventSeated, s, int(u))
		if p.Queue[1] != 0 {
			p.Taken = u
			return dst
		}
	case VerbFirst:
		if p.Queue[1] == Space(ValueOf(a)) {
			p.Queue[0], p.Queue[1] = p.Queue[1], p.Queue[0]
		}
	}
	p.Taken, p.Asked[s] = 0, 0
	return p.next(dst)
}

// next goes on behind a unit that was taken, a vote or a question for a revolution: to the
// next crisis that is full, or to the end of the turn.
func (p *Position) next(dst []rules.Event) []rules.Event {
	s := p.Queue[0]
	if s == 0 {
		return p.endTurn(dst)
	}
	p.Queue[0], p.Queue[1] = p.Queue[1], 0
	if !p.Full(s) {
		// The purge after the first vote has hit the Chairman (ruling 6).
		return p.next(happened(dst, EventNoVote, rules.Nobody, int(s)))
	}
	return p.openVote(s, dst)
}

// waits reports whether somebody has yet to answer.
func (p *Position) waits() bool { return p.Asked != [MostSeats]rules.DecisionID{} }

// askAll asks every seat.
func (p *Position) askAll(phase Phase) {
	p.Phase, p.Group = phase, p.Group+1
	for s := range p.Players {
		p.Asked[s] = p.id()
	}
}

// askVoters asks the three holders of the crisis that is voted on.
func (p *Position) askVoters(phase Phase) {
	p.Phase, p.Group = phase, p.Group+1
	for s := range rules.Seat(p.Players) {
		if slices.Contains(p.Voters[:], s) {
			p.Asked[s] = p.id()
		}
	}
}

func (p *Position) id() rules.DecisionID {
	p.last++
	return p.last
}

func (p *Position) clearPicks() {
	for i := range p.picks {
		p.picks[i] = rules.Nobody
	}
}

// count is how many seats are in a set.
func count(s rules.Seats) int { return bits.OnesCount32(uint32(s)) }
