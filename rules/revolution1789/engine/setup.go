package engine

import (
	"fmt"
	"math/bits"

	"samizdat/rules"
)

// The kinds of draws. The dice stream is derived from these words, so they must never change.
const (
	kindCrisis    = "draw crisis"
	kindObjective = "draw objective"
)

// The purposes of the draws.
const (
	ReasonCrisis rules.Reason = 1 + iota
	ReasonOrder
	ReasonSelectObjective
	ReasonObjective
	ReasonChairman
)

// Element implements rules.Engine: it returns the name of a crisis, an objective or a citizen.
func (Rules) Element(kind string, code int16) any {
	switch kind {
	case kindCrisis:
		return Crisis(code).String()
	case kindObjective:
		return Objective(code).String()
	}
	return CitizenKey(int(code))
}

// Resume implements rules.Position: the set-up of rule 3, and the choice of the first Chairman after the namings.
func (p *Position) Resume(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	for p.Stalled() {
		var err error
		switch p.Phase {
		case DealCrises:
			dst, err = p.dealCrisis(c, dst)
		case DrawOrder:
			dst, err = p.drawOrder(c, dst)
		case DrawObjectives:
			err = p.drawObjective(c)
		case DealObjectives:
			dst, err = p.dealObjective(c, dst)
		case ChooseChairman:
			dst, err = p.chooseChairman(c, dst)
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// pile is a buffer that is large enough for every pile.
type pile [Objectives]int16

func (p *Position) dealCrisis(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	var dealtCards uint32
	for _, card := range p.Cards {
		dealtCards |= 1 << card
	}
	remaining := p.drawBuffer[:0]
	for card := 1; card < Crises; card++ {
		if dealtCards&(1<<card) == 0 {
			remaining = append(remaining, int16(card))
		}
	}
	i, err := c.Draw(rules.Draw{Kind: kindCrisis, Pile: remaining, To: rules.NoSeat, From: rules.NoSeat, For: ReasonCrisis})
	if err != nil {
		return dst, fmt.Errorf("deal a crisis: %w", err)
	}
	p.CrisesDealt++
	p.Cards[p.CrisesDealt] = Crisis(remaining[i])
	if p.CrisesDealt == Spaces-1 {
		p.Phase = DrawOrder
	}
	return appendEvent(dst, EventCrisis, rules.NoSeat, int(p.CrisesDealt), int(remaining[i])), nil
}

// drawOrder draws the next seat of the seating order (ruling 3); the last seat needs no draw.
func (p *Position) drawOrder(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	var seated rules.Seats
	for _, s := range p.Order[:p.SeatsPlaced] {
		seated |= rules.Only(s)
	}
	remaining := p.drawBuffer[:0]
	for s := range rules.Seat(p.Players) {
		if !seated.Has(s) {
			remaining = append(remaining, int16(s))
		}
	}
	i := 0
	if len(remaining) > 1 {
		var err error
		if i, err = c.Draw(rules.Draw{Kind: rules.KindLot, Pile: remaining, To: rules.NoSeat, From: rules.NoSeat, For: ReasonOrder}); err != nil {
			return dst, fmt.Errorf("draw lots for the seating order: %w", err)
		}
	}
	p.Order[p.SeatsPlaced] = rules.Seat(remaining[i])
	p.SeatsPlaced++
	if int(p.SeatsPlaced) == p.Players {
		p.Phase = DrawObjectives
	}
	return appendEvent(dst, EventOrder, rules.Seat(remaining[i]), int(p.SeatsPlaced)), nil
}

// drawObjective selects an objective for the match, unseen, from the twelve that are not leaders (rule 3.6).
func (p *Position) drawObjective(c rules.Chance) error {
	remaining := p.drawBuffer[:0]
	for o := firstNonLeader; o < Objectives; o++ {
		if p.undealt&(1<<o) == 0 {
			remaining = append(remaining, int16(o))
		}
	}
	i, err := c.Draw(rules.Draw{Kind: kindObjective, Pile: remaining, To: rules.NoSeat, From: rules.NoSeat, Hidden: true,
		For: ReasonSelectObjective})
	if err != nil {
		return fmt.Errorf("take an objective into the game: %w", err)
	}
	p.undealt |= 1 << remaining[i]
	if bits.OnesCount32(p.undealt) == p.Players-2 {
		p.undealt |= 1<<LouisXVI | 1<<Robespierre
		p.Phase = DealObjectives
	}
	return nil
}

func (p *Position) dealObjective(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	remaining := p.drawBuffer[:0]
	for set := p.undealt; set != 0; set &= set - 1 {
		remaining = append(remaining, int16(bits.TrailingZeros32(set)))
	}
	s := rules.Seat(p.Players - len(remaining))
	i, err := c.Draw(rules.Draw{Kind: kindObjective, Pile: remaining, To: s, From: rules.NoSeat, Hidden: true, For: ReasonObjective})
	if err != nil {
		return dst, fmt.Errorf("deal an objective: %w", err)
	}
	p.undealt &^= 1 << remaining[i]
	p.Objectives[s] = Objective(remaining[i])
	if p.undealt == 0 {
		p.askAll(Naming)
	}
	dst = appendEvent(dst, EventObjective, s, int(remaining[i]))
	dst[len(dst)-1].Audience = rules.Only(s)
	return dst, nil
}

// chooseChairman makes the seat that was named most often Chairman (rule 3.8). Ties are decided by lot; if no seat was
// named, all seats are tied (ruling 4).
func (p *Position) chooseChairman(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	var namings [MaxSeats]int
	maximum := 0
	for _, s := range p.choices[:p.Players] {
		if s != rules.NoSeat {
			namings[s]++
			maximum = max(maximum, namings[s])
		}
	}
	tied := p.drawBuffer[:0]
	for s, n := range namings[:p.Players] {
		if n == maximum {
			tied = append(tied, int16(s))
		}
	}
	i := 0
	if len(tied) > 1 {
		var err error
		if i, err = c.Draw(rules.Draw{Kind: rules.KindLot, Pile: tied, To: rules.NoSeat, From: rules.NoSeat, For: ReasonChairman}); err != nil {
			return dst, fmt.Errorf("draw lots for the Chairman: %w", err)
		}
	}
	for place, s := range p.Order[:p.Players] {
		if s == rules.Seat(tied[i]) {
			p.Chairman = uint8(place)
		}
	}
	p.clearChoices()
	return p.beginTurn(dst), nil
}

// Allowance returns the number of errors that a successful revolution may have (rule 5.5). players includes those who
// have left the match.
func Allowance(players int) int {
	switch {
	case players <= 6:
		return 0
	case players <= 9:
		return 1
	}
	return 2
}

// CountErrors counts the errors in a leader's gifts: members of the faction without a token, and others with a token.
func (t *State) CountErrors(leader rules.Seat, gifts rules.Seats) (n int) {
	faction := t.Objectives[leader].Faction()
	for s, o := range t.Objectives[:t.Players] {
		if s := rules.Seat(s); s != leader && (o.Faction() == faction) != gifts.Has(s) {
			n++
		}
	}
	return n
}

func (p *Position) revealAll(dst []rules.Event) []rules.Event {
	p.Phase = Over
	p.DecisionIDs = [MaxSeats]rules.DecisionID{}
	for _, s := range p.Order[:p.Players] {
		dst = p.reveal(s, dst)
	}
	return dst
}

// decideByMinisters ends the match without a revolution: a seat wins if all ministers are as its card wants (rule 6).
func (p *Position) decideByMinisters(dst []rules.Event) []rules.Event {
	return p.endMatch(NoFaction, p.revealAll(dst))
}

func (p *Position) endMatch(f Faction, dst []rules.Event) []rules.Event {
	r, _ := p.Result()
	return appendEvent(dst, EventOver, rules.NoSeat, int(r.Winners), int(f))
}

// judgeRevolutions ends the match after the gifts, and announces which revolutions succeed (rule 5.5).
func (p *Position) judgeRevolutions(dst []rules.Event) []rules.Event {
	dst = p.revealAll(dst)
	for i, leader := range [...]rules.Seat{p.Revolution.First, p.Revolution.Second} {
		if i == 1 && p.Revolution.Declined {
			break
		}
		kind, n := EventSucceeded, p.CountErrors(leader, p.Revolution.Gifts[i])
		if n > Allowance(p.Players) {
			kind = EventFailed
		}
		dst = appendEvent(dst, kind, leader, n, Allowance(p.Players), int(p.Objectives[leader].Faction().Colour()))
	}
	faction, _ := p.revolutionWinner()
	return p.endMatch(faction, dst)
}

// The values of rules.Result.Reason.
const (
	EndingRevolution        = "a revolution"
	EndingCounterRevolution = "a counter-revolution"
	EndingFailedRevolutions = "failed revolutions"
	EndingMinisters         = "the ministers"
)

// Result implements rules.Position.
func (p *Position) Result() (rules.Result, bool) {
	if p.Phase != Over {
		return rules.Result{}, false
	}
	var r rules.Result
	if p.Revolution.First == rules.NoSeat {
		r.Reason = EndingMinisters
		for s, o := range p.Objectives[:p.Players] {
			if o.IsMet(p.Ministers) {
				r.Winners |= rules.Only(rules.Seat(s))
			}
		}
	} else {
		var faction Faction
		faction, r.Reason = p.revolutionWinner()
		for s, o := range p.Objectives[:p.Players] {
			if o.Faction() == faction {
				r.Winners |= rules.Only(rules.Seat(s))
			}
		}
	}
	r.AllLost = r.Winners == 0
	return r, true
}

// revolutionWinner returns the faction that wins by the revolutions: the first if it succeeds, else the second if
// it succeeds or relied on three ministers, else the Bonapartes (rule 5.5, ruling 16).
func (p *Position) revolutionWinner() (Faction, string) {
	first, second := p.Revolution.First, p.Revolution.Second
	switch {
	case p.CountErrors(first, p.Revolution.Gifts[0]) <= Allowance(p.Players):
		return p.Objectives[first].Faction(), EndingRevolution
	case p.Revolution.Declined:
		return p.Objectives[second].Faction(), EndingFailedRevolutions
	case p.CountErrors(second, p.Revolution.Gifts[1]) <= Allowance(p.Players):
		return p.Objectives[second].Faction(), EndingCounterRevolution
	}
	return Bonapartes, EndingFailedRevolutions
}
