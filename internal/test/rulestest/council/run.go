package council

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

// The kinds of events.
const (
	eventAim rules.EventKind = iota + 1
	eventNamed
	eventChair
	eventCount
	eventRolled
	eventWater
	eventCalled
	eventQuiet
	eventFined
	eventShown
)

func event(k rules.EventKind, seat int, args ...int) rules.Event {
	e := rules.Event{Kind: k, Seat: rules.Seat(seat), Audience: rules.Everyone}
	for i, x := range args {
		e.Args[i] = int16(x)
	}
	return e
}

// errNoOption is returned for an answer that is not among the options.
var errNoOption = errors.New("not an option of an open decision")

// Apply answers an open decision and continues the game.
func (p *position) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if p.Phase == phaseVote || !slices.Contains(p.Options(nil, id), a) {
		return dst, fmt.Errorf("decision %d, atom %#x: %w", id, uint32(a), errNoOption)
	}
	s, x := slices.Index(p.Asked, id), valueOf(a)
	p.Asked[s] = 0
	switch verbOf(a) {
	case verbName:
		p.Named = append(p.Named, x)
		dst = append(dst, event(eventNamed, s, x))
	case verbCall:
		p.Calls = append(p.Calls, s)
	case verbFine:
		p.Fines[x]++
		dst = append(dst, event(eventFined, s, x))
	}
	if slices.ContainsFunc(p.Asked, func(id rules.DecisionID) bool { return id != 0 }) {
		return dst, nil
	}
	switch p.Phase {
	case phaseName:
		p.named()
	case phaseHold:
		return p.closed(dst), nil
	case phaseFine:
		return p.next(dst), nil
	}
	return p.Resume(c, dst)
}

// counts is the published outcome of a group of ballots.
type counts struct {
	No  int `json:"no"`
	Yes int `json:"yes"`
}

// CountBallots counts ballots.
func (game) CountBallots(ballots []rules.Ballot) ([]byte, error) {
	var n counts
	for _, b := range ballots {
		if valueOf(b.Atom) == yes {
			n.Yes++
		} else {
			n.No++
		}
	}
	return json.Marshal(n)
}

// ApplyOutcome applies the counts of a group.
func (game) ApplyOutcome(rp rules.Position, group uint32, outcome []byte, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	p, ok := rp.(*position)
	if !ok {
		return dst, fmt.Errorf("%T takes no outcome of a vote", rp)
	}
	var n counts
	d := json.NewDecoder(bytes.NewReader(outcome))
	d.DisallowUnknownFields()
	if err := d.Decode(&n); err != nil {
		return dst, fmt.Errorf("read the counts: %w", err)
	}
	if p.Phase != phaseVote || group != p.Group || n.No < 0 || n.Yes < 0 || n.No+n.Yes != p.Seats {
		return dst, fmt.Errorf("%d YES and %d NO in group %d are no count of %d ballots in group %d", n.Yes, n.No, group, p.Seats, p.Group)
	}
	p.Asked = nil
	dst = append(dst, event(eventCount, 0, n.Yes, n.No))
	switch {
	case n.Yes == n.No:
		p.Phase = phaseTie
		return p.Resume(c, dst)
	case n.Yes > n.No:
		return p.move(1, dst), nil
	}
	return p.move(-1, dst), nil
}

// Resume continues the game after a stall.
func (p *position) Resume(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	for p.Stalled() {
		var err error
		switch p.Phase {
		case phaseDeal:
			dst, err = p.deal(c, dst)
		case phaseLot:
			dst, err = p.lot(c, dst)
		case phaseTie:
			dst, err = p.tie(c, dst)
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// deal deals an aim.
func (p *position) deal(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if p.Pile == nil {
		for i := range p.Seats + 1 {
			p.Pile = append(p.Pile, wet+i%2)
		}
		p.Fines = make([]int, p.Seats)
	}
	s := len(p.Aims)
	d := rules.Draw{Kind: kindAim, To: rules.Seat(s), From: rules.NoSeat, Hidden: true, For: reasonAim}
	for _, aim := range p.Pile {
		d.Pile = append(d.Pile, int16(aim))
	}
	i, err := c.Draw(d)
	if err != nil {
		return dst, fmt.Errorf("deal an aim: %w", err)
	}
	e := event(eventAim, s, p.Pile[i])
	e.Audience = rules.Only(rules.Seat(s))
	p.Aims, p.Pile = append(p.Aims, p.Pile[i]), slices.Delete(p.Pile, i, i+1)
	if len(p.Aims) == p.Seats {
		p.askAll(phaseName)
	}
	return append(dst, e), nil
}

// named finds the seats that were named most often.
func (p *position) named() {
	votes := make([]int, p.Seats)
	for _, s := range p.Named {
		votes[s]++
	}
	for s, n := range votes {
		if n == slices.Max(votes) {
			p.Tied = append(p.Tied, s)
		}
	}
	p.Named, p.Phase = nil, phaseLot
}

// lot gives the chair to a seat of Tied.
func (p *position) lot(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	i := 0
	if len(p.Tied) > 1 {
		d := rules.Draw{Kind: rules.KindLot, To: rules.NoSeat, From: rules.NoSeat, For: reasonChair}
		for _, s := range p.Tied {
			d.Pile = append(d.Pile, int16(s))
		}
		var err error
		if i, err = c.Draw(d); err != nil {
			return dst, fmt.Errorf("who takes the chair: %w", err)
		}
	}
	p.Chair, p.Tied, p.Round = p.Tied[i], nil, 1
	p.askAll(phaseVote)
	return append(dst, event(eventChair, p.Chair)), nil
}

func (p *position) tie(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	n, err := c.Roll(reasonTie)
	if err != nil {
		return dst, fmt.Errorf("a tie: %w", err)
	}
	by := -1
	if n%2 == 0 {
		by = 1
	}
	return p.move(by, append(dst, event(eventRolled, 0, n))), nil
}

func (p *position) move(by int, dst []rules.Event) []rules.Event {
	if p.Water == 0 || p.Water+by == 0 {
		p.Turns++
	}
	p.Water += by
	p.askAll(phaseHold)
	return append(dst, event(eventWater, 0, p.Water))
}

// closed continues after all seats have answered HOLD or CALL.
func (p *position) closed(dst []rules.Event) []rules.Event {
	if len(p.Calls) > 0 {
		for _, s := range p.Calls {
			dst = append(dst, event(eventCalled, s))
		}
		return p.end(dst)
	}
	p.Phase = phaseFine
	p.Asked = make([]rules.DecisionID, p.Seats)
	p.Asked[p.Chair] = p.id()
	return append(dst, event(eventQuiet, 0))
}

// next moves to the next round or to the end.
func (p *position) next(dst []rules.Event) []rules.Event {
	if p.Round == p.Rounds {
		return p.end(dst)
	}
	p.Round++
	p.Chair = (p.Chair + 1) % p.Seats
	p.askAll(phaseVote)
	return append(dst, event(eventChair, p.Chair))
}

func (p *position) end(dst []rules.Event) []rules.Event {
	p.Phase, p.Asked = phaseOver, nil
	for s, aim := range p.Aims {
		dst = append(dst, event(eventShown, s, aim))
	}
	return dst
}

// askAll opens a decision for each seat.
func (p *position) askAll(phase string) {
	p.Phase, p.Asked = phase, make([]rules.DecisionID, p.Seats)
	p.Group = uint32(p.Next) + 1
	for s := range p.Asked {
		p.Asked[s] = p.id()
	}
}

func (p *position) id() rules.DecisionID {
	p.Next++
	return p.Next
}
