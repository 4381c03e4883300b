package robot

import (
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// How the sensible robot chooses plays and single cards.

// Costs of a play besides its card.
const (
	priceSeventh = 40
	priceEighth  = 60
	priceHome    = 110
	// patience is the minimum advantage of a scoring card over other plays while there is still time
	// to prepare for it.
	patience = 150
)

// mustScore exceeds the worth of every other play, because a scoring card that is held at the end of
// the turn loses the match.
const mustScore = 10 * matchOver

// round chooses the play of an action round.
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

// playWorth returns the worth of a play for a side.
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
		// A card drawn now might be a scoring card that can no longer be played.
		worth -= 4 * vpWorth
	}
	return worth
}

// order chooses whether the enemy's event comes before or after the Operations.
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

// betterOrder simulates the enemy's event before and after the Operations and compares the results.
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

// opsGainAt returns opsGain in a simulated position.
func (m *mind) opsGainAt(w *engine.Position, side engine.Side, printed int) int {
	m.depth++
	defer m.leave()
	return m.opsGain(w, side, printed)
}

// strike chooses a card in an action round under General Strike: a low worth costs little, but a high
// value ends the strike sooner.
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

// keep returns the worth of a held card for a side.
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
	left := engine.RoundsPerTurn - int(p.Round)
	if side == engine.Democrat && p.Phasing == engine.Communist {
		left++
	}
	return p.Piles[engine.HandPile(side)].And(engine.ScoringCards).Len() < left
}

// card answers questions about the choice of a card.
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

// replaced is the mean worth of a newly drawn card.
const replaced = 150

// cardWorth returns the worth of the choice of a card for the side to move; to decline is worth 0.
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
			// The card cancels the rest of the event.
			return 170 - m.keep(p, side, c)
		}
		if c.Info().Scoring != engine.NoCountry && m.time(p, side) && side.Sign()*scoringWorth(p, c.Info().Scoring) > 0 {
			return -1
		}
		return replaced - 30 - m.keep(p, side, c)
	case engine.AskCard:
		if q.Source == engine.Source(engine.Samizdat) {
			// The card returns next turn, and another card is drawn for it.
			return 60 - m.keep(p, side, c)
		}
		if f.Side != side {
			// The enemy will use the card.
			if c.Info().Side != f.Side {
				return 0
			}
			return -f.Side.Sign() * m.event(p, c, f.Side)
		}
	}
	return -m.keep(p, side, c)
}
