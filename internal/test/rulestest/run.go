package rulestest

import (
	"errors"
	"fmt"
	"slices"

	"samizdat/rules"
)

// errNoOption is returned for an answer that is not among the options.
var errNoOption = errors.New("not an option of an open decision")

// Apply answers an open decision and continues the game.
func (p *position) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if !slices.Contains(p.Options(nil, id), a) {
		return dst, fmt.Errorf("decision %d, atom %#x: %w", id, uint32(a), errNoOption)
	}
	if s := slices.Index(p.ballots[:], id); s >= 0 {
		p.ballots[s], p.votes[s] = 0, valueOf(a)
		return p.end(dst), nil
	}
	s, x := slices.Index(p.asked[:], id), valueOf(a)
	switch verbOf(a) {
	case verbPlay:
		p.hands[s].drop(x)
		p.discard.add(x)
		p.card = x
		dst = append(dst, public(EventPlayed, s, x))
		p.ask(phaseSow, s, worth(x))
	case verbSow:
		p.tokens[x][s]++
		dst = append(dst, public(EventSown, s, x))
		if p.wanted--; p.wanted == 0 {
			p.asked[s], p.phase = 0, phaseRipen
		}
	case verbClear:
		p.tokens[x][s]--
		p.asked[s] = 0
		dst = append(dst, public(EventCleared, s, x))
		p.turnOver()
	case verbWater:
		p.tokens[x][s]++
		p.given++
		dst = append(dst, public(EventWatered, s, x))
		if p.wanted--; p.wanted == 0 {
			p.asked[s] = 0
			p.turnOver()
		}
	case verbPass, verbStop:
		p.asked[s] = 0
		p.turnOver()
	case verbKeep:
		p.asked[s], p.kept[s] = 0, x
		dst = append(dst, rules.Event{Kind: EventKept, Seat: rules.Seat(s), Audience: rules.Only(rules.Seat(s)),
			Args: args(x)})
		return p.end(dst), nil
	}
	return p.Resume(c, dst)
}

// Resume continues the game after a stall.
func (p *position) Resume(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	for p.Stalled() {
		var err error
		switch p.phase {
		case phaseDeal:
			dst, err = p.deal(c, dst)
		case phaseLot:
			dst, err = p.lot(c, dst)
		case phaseRipen:
			dst, err = p.ripen(c, dst)
		case phaseTake:
			dst, err = p.take(c, dst)
		}
		if err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// deal deals a card, in turn to north, east and west.
func (p *position) deal(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	n := cards - len(p.deck.list())
	s := n % seats
	card, err := draw(c, p.deck, rules.Draw{Kind: kindDraw, To: rules.Seat(s), From: rules.NoSeat, Hidden: true,
		For: reasonDeal})
	if err != nil {
		return dst, fmt.Errorf("deal to %s: %w", seatNames[s], err)
	}
	p.deck.drop(card)
	p.hands[s].add(card)
	if n+1 == seats*(p.rounds+2) {
		p.phase = phaseLot
	}
	return append(dst, rules.Event{Kind: EventDealt, Seat: rules.Seat(s), Audience: rules.Only(rules.Seat(s)),
		Args: args(card)}), nil
}

func (p *position) lot(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	i, err := c.Draw(rules.Draw{Kind: rules.KindLot, Pile: []int16{0, 1, 2}, To: rules.NoSeat, From: rules.NoSeat,
		For: reasonFirst})
	if err != nil {
		return dst, fmt.Errorf("who begins: %w", err)
	}
	p.first = i
	p.ask(phasePlay, i, 1)
	return append(dst, public(EventFirst, i)), nil
}

func (p *position) ripen(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	n, err := c.Roll(reasonRipen)
	if err != nil {
		return dst, fmt.Errorf("ripening: %w", err)
	}
	s := p.active()
	p.points[s] += n
	dst = append(dst, public(EventRolled, s, n))
	switch {
	case n == 1 && p.standing(p.after()) > 0:
		p.ask(phaseClear, p.after(), 1)
	case n == 6 && len(p.hands[p.after()].list()) >= 2:
		p.phase = phaseTake
	case n >= 5:
		p.ask(phaseWater, s, 2)
	default:
		p.turnOver()
	}
	return dst, nil
}

func (p *position) take(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	s, from := p.active(), p.after()
	card, err := draw(c, p.hands[from], rules.Draw{Kind: kindDraw, To: rules.Seat(s), From: rules.Seat(from),
		Hidden: true, For: reasonTake})
	if err != nil {
		return dst, fmt.Errorf("taking a card: %w", err)
	}
	p.hands[from].drop(card)
	p.hands[s].add(card)
	both := rules.Only(rules.Seat(s)) | rules.Only(rules.Seat(from))
	p.ask(phaseWater, s, 2)
	return append(dst,
		rules.Event{Kind: EventTaken, Seat: rules.Seat(s), Audience: both, Args: args(from, card)},
		rules.Event{Kind: EventTaken, Seat: rules.Seat(s), Audience: rules.Everyone &^ both, Args: args(from)}), nil
}

// draw draws a card of a pile, which is listed by card number.
func draw(c rules.Chance, pile set, d rules.Draw) (int, error) {
	for _, card := range pile.list() {
		d.Pile = append(d.Pile, int16(card))
	}
	i, err := c.Draw(d)
	if err != nil {
		return 0, err
	}
	if i < 0 || i >= len(d.Pile) {
		return 0, fmt.Errorf("draw of %d out of %d", i, len(d.Pile))
	}
	return int(d.Pile[i]), nil
}

// standing returns the number of a seat's tokens.
func (p *position) standing(s int) int {
	n := 0
	for f := range p.tokens {
		n += p.tokens[f][s]
	}
	return n
}

// ask opens a decision of a seat.
func (p *position) ask(ph phase, s, wanted int) {
	if ph == phasePlay {
		p.play++
	}
	p.phase, p.wanted, p.given = ph, wanted, 0
	p.asked[s] = p.id()
}

func (p *position) id() rules.DecisionID {
	p.next++
	return p.next
}

// turnOver moves to the next seat with a card, the next round or the end.
func (p *position) turnOver() {
	p.card = 0
	for {
		if p.turns++; p.turns == seats {
			p.turns = 0
			p.round++
		}
		if p.round > p.rounds {
			p.askAll()
			return
		}
		if p.hands[p.active()] != 0 {
			p.ask(phasePlay, p.active(), 1)
			return
		}
	}
}

// askAll opens the decisions of the last phase: a ballot for each seat, and a card to keep for each
// seat with a hand.
func (p *position) askAll() {
	p.phase = phaseEnd
	p.play++
	p.group = uint32(p.next) + 1
	for s := range seats {
		if p.hands[s] != 0 {
			p.asked[s] = p.id()
		}
		p.ballots[s] = p.id()
	}
}

// end counts the points after the last answer.
func (p *position) end(dst []rules.Event) []rules.Event {
	if p.asked != [seats]rules.DecisionID{} || p.ballots != [seats]rules.DecisionID{} {
		return dst
	}
	won := rain
	suns := 0
	for s, v := range p.votes {
		dst = append(dst, public(EventVoted, s, v))
		if v == sun {
			suns++
		}
	}
	if suns > seats/2 {
		won = sun
	}
	for s, card := range p.kept {
		if card == 0 {
			continue
		}
		dst = append(dst, public(EventShown, s, card))
		if weather(card) == won {
			p.points[s] += worth(card)
		}
	}
	for f := 1; f <= fields; f++ {
		if s, ok := p.holder(f); ok {
			p.points[s] += 2
		}
	}
	p.phase = phaseOver
	for s, n := range p.points {
		dst = append(dst, public(EventPoints, s, n))
	}
	return dst
}

// holder returns the seat that alone has most tokens in a field.
func (p *position) holder(f int) (int, bool) {
	best, n := 0, 0
	for s, t := range p.tokens[f] {
		switch {
		case t > p.tokens[f][best] || n == 0 && t == p.tokens[f][best]:
			best, n = s, 1
		case t == p.tokens[f][best]:
			n++
		}
	}
	return best, n == 1 && p.tokens[f][best] > 0
}
