package robot

import (
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
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
func (m *mind) round(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	side := f.Side
	choice, best := options[0], 0
	for i, a := range options {
		worth := 0
		if engine.AtomVerb(a) == engine.VerbPlay {
			worth = m.playWorth(p, side, engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a)))
		}
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	if mode := engine.Mode(engine.AtomFlag(choice)); engine.AtomVerb(choice) == engine.VerbPlay && (mode == engine.PlayEventFirst ||
		mode == engine.PlayEventAfter) {
		return m.order(p, side, choice, options)
	}
	return choice
}

// playWorth is what a play is worth to a side.
func (m *mind) playWorth(p *engine.Position, side engine.Side, c engine.Card, mode engine.Mode) int {
	info := c.Info()
	if info.Scoring != engine.NoCountry {
		worth := side.Sign()*scored(p, scoringWorth(p, info.Scoring)) - patience
		if p.Piles[engine.HandPile(side)].And(engine.ScoringCards).Len() >= m.rounds {
			worth += mustScore
		}
		return worth
	}
	ops := func() int { return m.opsGain(p, side, info.Ops) }
	event := func() int { return side.Sign() * m.event(p, c, side) }
	worth := 0
	switch mode {
	case engine.PlayEvent:
		worth = event()
	case engine.PlayOps:
		worth = ops()
	case engine.PlayEventFirst, engine.PlayEventAfter:
		worth = ops() + event()
	case engine.PlayNoEvent:
		worth = ops() - priceSeventh
	case engine.PlayBothFirst, engine.PlayBothAfter:
		worth = ops() + event() - priceEighth
	case engine.PlayWithHome:
		worth = ops() - priceHome
	case engine.PlayTiananmen:
		worth = attemptGain(p, side, c)
	}
	if c == engine.CommonEuropeanHome || mode == engine.PlayWithHome {
		worth -= vpWorth
	}
	if drawsLate := c == engine.ExitVisas || c == engine.Samizdat; drawsLate && mode != engine.PlayTiananmen &&
		side == engine.Democrat && m.rounds <= 1 {
		// What is drawn now might be a scoring card, too late to play.
		worth -= 4 * vpWorth
	}
	return worth
}

// order says whether the enemy's event is better before the Operations or after
// them.
func (m *mind) order(p *engine.Position, side engine.Side, choice rules.Atom, options []rules.Atom) rules.Atom {
	c := engine.Card(engine.AtomValue(choice))
	first, after := engine.PlayAtom(c, engine.PlayEventFirst), engine.PlayAtom(c, engine.PlayEventAfter)
	if !slices.Contains(options, first) || !slices.Contains(options, after) {
		return choice
	}
	if !m.light || m.orderKnown[c] == orderUnknown {
		m.orderKnown[c] = m.betterOrder(p, side, c)
	}
	if m.orderKnown[c] == eventAfter {
		return after
	}
	return first
}

// betterOrder imagines both orders of the enemy's event and the Operations.
func (m *mind) betterOrder(p *engine.Position, side engine.Side, c engine.Card) order {
	by, v := engine.EventSide(c, side), p.OpsValue(side, c.Info().Ops, false)
	w := &m.events[imagined]
	*w = *p
	start := m.position(w, m.me)
	m.happen(w, c, by, 0)
	firstWorth := side.Sign()*(m.position(w, m.me)-start) + m.opsGainAt(w, side, c.Info().Ops)
	*w = *p
	m.spend(w, side, v, w.PlaceableSpaces(side))
	m.happen(w, c, by, 0)
	if side.Sign()*(m.position(w, m.me)-start) > firstWorth {
		return eventAfter
	}
	return eventFirst
}

// opsGainAt is opsGain in an imagined position.
func (m *mind) opsGainAt(w *engine.Position, side engine.Side, printed int) int {
	m.depth++
	defer m.leave()
	return m.opsGain(w, side, printed)
}

// strike answers an action round under General Strike: the least useful card goes,
// but a high one ends the strike sooner.
func (m *mind) strike(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	choice, best := options[0], 0
	for i, a := range options {
		c, worth := engine.Card(engine.AtomValue(a)), 0
		switch {
		case engine.AtomVerb(a) != engine.VerbPlay:
		case c.Info().Scoring != engine.NoCountry:
			worth = m.playWorth(p, f.Side, c, engine.PlayEvent)
		default:
			v := p.OpsValue(f.Side, c.Info().Ops, false)
			worth = 70*max(0, min(6, v+1)) - m.keep(p, f.Side, c)
		}
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}

// keep is what holding a card is worth to a side.
func (m *mind) keep(p *engine.Position, side engine.Side, c engine.Card) int {
	info := c.Info()
	if info.Scoring != engine.NoCountry {
		if !m.time(p, side) {
			return -mustScore
		}
		return side.Sign() * scoringWorth(p, info.Scoring) / 2
	}
	ops, event := m.opsGain(p, side, info.Ops), side.Sign()*m.event(p, c, side)
	if info.Side == side.Enemy() {
		return max(ops+min(0, event), attemptGain(p, side, c))
	}
	return max(ops, event)
}

// time reports whether a side has an action round left for one more scoring card.
func (m *mind) time(p *engine.Position, side engine.Side) bool {
	if p.Phase != engine.PhaseRounds {
		// Before the rounds there is time, behind them none.
		return p.Phase < engine.PhaseRounds
	}
	left := engine.RoundsATurn - int(p.Round)
	if side == engine.Democrat && p.Phasing == engine.Communist {
		left++
	}
	return p.Piles[engine.HandPile(side)].And(engine.ScoringCards).Len() < left
}

// card answers questions that choose a card.
func (m *mind) card(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	q := &p.Question
	side := q.Side
	choice, best := options[0], 0
	for i, a := range options {
		worth := 0
		if v := engine.AtomVerb(a); v == engine.VerbTake || v == engine.VerbDiscard || v == engine.VerbChoose {
			worth = m.cardWorth(p, f, side, engine.Card(engine.AtomValue(a)))
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
func (m *mind) cardWorth(p *engine.Position, f *engine.Frame, side engine.Side, c engine.Card) int {
	q := &p.Question
	switch q.Kind {
	case engine.AskAnnounce:
		// It will be played next.
		worth := 0
		if c.Info().Scoring != engine.NoCountry {
			worth = m.playWorth(p, side, c, engine.PlayEvent)
		} else {
			worth = m.keep(p, side, c)
		}
		return worth
	case engine.AskTake:
		if q.Source == engine.SourceBox3 || q.Source == engine.Source(engine.Honecker) {
			return m.keep(p, side, c)
		}
		return side.Sign() * m.event(p, c, side)
	case engine.AskDiscard:
		if q.Source == engine.Source(engine.InflationaryCurrency) {
			// The card buys off the rest of the event.
			return 170 - m.keep(p, side, c)
		}
		if c.Info().Scoring != engine.NoCountry && m.time(p, side) && side.Sign()*scoringWorth(p, c.Info().Scoring) > 0 {
			return -1
		}
		return replaced - 30 - m.keep(p, side, c)
	case engine.AskCard:
		if q.Source == engine.Source(engine.Samizdat) {
			// It comes back next turn, and another is drawn for it.
			return 60 - m.keep(p, side, c)
		}
		if f.Side != side {
			// The enemy gets the use of it.
			if c.Info().Side != f.Side {
				return 0
			}
			return -f.Side.Sign() * m.event(p, c, f.Side)
		}
	}
	return -m.keep(p, side, c)
}
