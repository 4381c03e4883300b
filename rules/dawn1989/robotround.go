package dawn1989

import (
	"slices"

	"samizdat/rules"
)

// What the sensible robot plays, and what it does with single cards.

// Prices of what a play uses up besides its card.
const (
	priceSeventh = 40
	priceEighth  = 60
	priceHome    = 110
	// patience is how much better than other plays a scoring card must be, as long
	// as there is time to prepare for it.
	patience = 150
)

// mustScore is worth more than any play: a scoring card that is held at the end
// of the turn loses the match.
const mustScore = 10 * matchOver

// round answers an action round.
func (m *mind) round(p *Position, f *Frame, options []rules.Atom) rules.Atom {
	side := f.Side
	choice, best := options[0], 0
	for i, a := range options {
		worth := 0
		if AtomVerb(a) == VerbPlay {
			worth = m.playWorth(p, side, Card(AtomValue(a)), Mode(AtomFlag(a)))
		}
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	if mode := Mode(AtomFlag(choice)); AtomVerb(choice) == VerbPlay && (mode == PlayEventFirst || mode == PlayEventAfter) {
		return m.order(p, side, choice, options)
	}
	return choice
}

// playWorth is what a play is worth to a side.
func (m *mind) playWorth(p *Position, side Side, c Card, mode Mode) int {
	info := c.Info()
	if info.Scoring != NoCountry {
		worth := side.sign()*p.scored(p.scoringWorth(info.Scoring)) - patience
		if p.piles[hand(side)].and(scoringCards).len() >= m.rounds {
			worth += mustScore
		}
		return worth
	}
	ops := func() int { return m.opsGain(p, side, info.Ops) }
	event := func() int { return side.sign() * m.event(p, c, side) }
	worth := 0
	switch mode {
	case PlayEvent:
		worth = event()
	case PlayOps:
		worth = ops()
	case PlayEventFirst, PlayEventAfter:
		worth = ops() + event()
	case PlayNoEvent:
		worth = ops() - priceSeventh
	case PlayBothFirst, PlayBothAfter:
		worth = ops() + event() - priceEighth
	case PlayWithHome:
		worth = ops() - priceHome
	case PlayTiananmen:
		worth = p.attemptGain(side, c)
	}
	if c == CommonEuropeanHome || mode == PlayWithHome {
		worth -= vpWorth
	}
	if drawsLate := c == ExitVisas || c == Samizdat; drawsLate && mode != PlayTiananmen && side == Democrat && m.rounds <= 1 {
		// What is drawn now might be a scoring card, too late to play.
		worth -= 4 * vpWorth
	}
	return worth
}

// order says whether the enemy's event is better before the Operations or after
// them.
func (m *mind) order(p *Position, side Side, choice rules.Atom, options []rules.Atom) rules.Atom {
	c := Card(AtomValue(choice))
	first, after := play(c, PlayEventFirst), play(c, PlayEventAfter)
	if !slices.Contains(options, first) || !slices.Contains(options, after) {
		return choice
	}
	by, v := resolver(c, side), p.opsValue(side, c.Info().Ops, false)
	w := &m.events[imagined]
	*w = *p
	start := m.position(w, m.me)
	m.happen(w, c, by, 0)
	firstWorth := side.sign()*(m.position(w, m.me)-start) + m.opsGainAt(w, side, c.Info().Ops)
	*w = *p
	m.spend(w, side, v, w.reachOf(side))
	m.happen(w, c, by, 0)
	if side.sign()*(m.position(w, m.me)-start) > firstWorth {
		return after
	}
	return first
}

// opsGainAt is opsGain in an imagined position.
func (m *mind) opsGainAt(w *Position, side Side, printed int) int {
	m.depth++
	defer m.leave()
	return m.opsGain(w, side, printed)
}

// strike answers an action round under General Strike: the least useful card goes,
// but a high one ends the strike sooner.
func (m *mind) strike(p *Position, f *Frame, options []rules.Atom) rules.Atom {
	choice, best := options[0], 0
	for i, a := range options {
		c, worth := Card(AtomValue(a)), 0
		switch {
		case AtomVerb(a) != VerbPlay:
		case c.Info().Scoring != NoCountry:
			worth = m.playWorth(p, f.Side, c, PlayEvent)
		default:
			v := p.opsValue(f.Side, c.Info().Ops, false)
			worth = 70*max(0, min(6, v+1)) - m.keep(p, f.Side, c)
		}
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}

// keep is what holding a card is worth to a side.
func (m *mind) keep(p *Position, side Side, c Card) int {
	info := c.Info()
	if info.Scoring != NoCountry {
		if !m.time(p, side) {
			return -mustScore
		}
		return side.sign() * p.scoringWorth(info.Scoring) / 2
	}
	ops, event := m.opsGain(p, side, info.Ops), side.sign()*m.event(p, c, side)
	if info.Side == side.Enemy() {
		return max(ops+min(0, event), p.attemptGain(side, c))
	}
	return max(ops, event)
}

// time reports whether a side has an action round left for one more scoring card.
func (m *mind) time(p *Position, side Side) bool {
	if p.phase != PhaseRounds {
		// Before the rounds there is time, behind them none.
		return p.phase < PhaseRounds
	}
	left := roundsATurn - int(p.round)
	if side == Democrat && p.phasing == Communist {
		left++
	}
	return p.piles[hand(side)].and(scoringCards).len() < left
}

// card answers questions that choose a card.
func (m *mind) card(p *Position, f *Frame, options []rules.Atom) rules.Atom {
	q := &p.question
	side := q.Side
	choice, best := options[0], 0
	for i, a := range options {
		worth := 0
		if v := AtomVerb(a); v == VerbTake || v == VerbDiscard || v == VerbChoose {
			worth = m.cardWorth(p, f, side, Card(AtomValue(a)))
		}
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}

// replaced is what a card that is drawn for another is worth on average.
const replaced = 150

// cardWorth is what choosing a card is worth to whoever is asked; declining is
// worth 0.
func (m *mind) cardWorth(p *Position, f *Frame, side Side, c Card) int {
	q := &p.question
	switch q.Ask {
	case AskAnnounce:
		// It will be played next.
		worth := 0
		if c.Info().Scoring != NoCountry {
			worth = m.playWorth(p, side, c, PlayEvent)
		} else {
			worth = m.keep(p, side, c)
		}
		return worth
	case AskTake:
		if q.Source == SourceBox3 || q.Source == Source(Honecker) {
			return m.keep(p, side, c)
		}
		return side.sign() * m.event(p, c, side)
	case AskDiscard:
		if q.Source == Source(InflationaryCurrency) {
			// The card buys off the rest of the event.
			return 170 - m.keep(p, side, c)
		}
		if c.Info().Scoring != NoCountry && m.time(p, side) && side.sign()*p.scoringWorth(c.Info().Scoring) > 0 {
			return -1
		}
		return replaced - 30 - m.keep(p, side, c)
	case AskCard:
		if q.Source == Source(Samizdat) {
			// It comes back next turn, and another is drawn for it.
			return 60 - m.keep(p, side, c)
		}
		if f.Side != side {
			// The enemy gets the use of it.
			return -f.Side.sign() * m.event(p, c, f.Side) * flag(c.Info().Side == f.Side)
		}
	}
	return -m.keep(p, side, c)
}
