package robot

import (
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file chooses plays and cards for the sensible robot.

// The costs of a play in addition to the loss of the card, in hundredths of a victory point.
const (
	box7Price       = 40
	box8Price       = 60
	commonHomePrice = 110
	// scoringPatience says by how much a scoring card must be better than other plays to be played, as long as there
	// is time left to prepare for the scoring.
	scoringPatience = 150
)

// mustScoreWorth is added to the worth of a scoring card that must be played now, because a side that still holds it
// at the end of the turn loses the match. It exceeds the worth of every other play.
const mustScoreWorth = 10 * matchWinWorth

func (m *evaluator) choosePlay(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
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
		return m.chooseOrder(p, side, choice, options)
	}
	return choice
}

func (m *evaluator) playWorth(p *engine.Position, side engine.Side, c engine.Card, mode engine.Mode) int {
	info := c.Info()
	if info.Scoring != engine.NoCountry {
		worth := side.Sign()*vpChangeWorth(p, scoringWorth(p, info.Scoring)) - scoringPatience
		if p.Piles[engine.HandPile(side)].And(engine.ScoringCards).Len() >= m.rounds {
			worth += mustScoreWorth
		}
		return worth
	}
	ops := func() int { return m.opsGain(p, side, info.Ops) }
	event := func() int { return side.Sign() * m.eventWorth(p, c, side) }
	worth := 0
	switch mode {
	case engine.PlayEvent:
		worth = event()
	case engine.PlayOps:
		worth = ops()
	case engine.PlayEventFirst, engine.PlayEventAfter:
		worth = ops() + event()
	case engine.PlayNoEvent:
		worth = ops() - box7Price
	case engine.PlayBothFirst, engine.PlayBothAfter:
		worth = ops() + event() - box8Price
	case engine.PlayWithHome:
		worth = ops() - commonHomePrice
	case engine.PlayTiananmen:
		worth = attemptGain(p, side, c)
	}
	if c == engine.CommonEuropeanHome || mode == engine.PlayWithHome {
		worth -= vpWorth
	}
	if drawsLate := c == engine.ExitVisas || c == engine.Samizdat; drawsLate && mode != engine.PlayTiananmen &&
		side == engine.Democrat && m.rounds <= 1 {
		// The card draws other cards, and there is no time left to play a scoring card among them.
		worth -= 4 * vpWorth
	}
	return worth
}

// chooseOrder chooses whether the event of an enemy card takes place before or after the Operations.
func (m *evaluator) chooseOrder(p *engine.Position, side engine.Side, choice rules.Atom, options []rules.Atom) rules.Atom {
	c := engine.Card(engine.AtomValue(choice))
	first, after := engine.PlayAtom(c, engine.PlayEventFirst), engine.PlayAtom(c, engine.PlayEventAfter)
	if !slices.Contains(options, first) || !slices.Contains(options, after) {
		return choice
	}
	if !m.isLight || m.orderCache[c] == orderUnknown {
		m.orderCache[c] = m.compareOrders(p, side, c)
	}
	if m.orderCache[c] == eventAfter {
		return after
	}
	return first
}

func (m *evaluator) compareOrders(p *engine.Position, side engine.Side, c engine.Card) eventOrder {
	actor, opsValue := engine.EventSide(c, side), p.OpsValue(side, c.Info().Ops, false)
	w := &m.events[maxNesting]
	*w = *p
	startWorth := m.positionWorth(w, m.ownSide)
	m.simulateEvent(w, c, actor, 0)
	firstWorth := side.Sign()*(m.positionWorth(w, m.ownSide)-startWorth) + m.opsGainAt(w, side, c.Info().Ops)
	*w = *p
	m.spendOps(w, side, opsValue, w.PlaceableSpaces(side))
	m.simulateEvent(w, c, actor, 0)
	if side.Sign()*(m.positionWorth(w, m.ownSide)-startWorth) > firstWorth {
		return eventAfter
	}
	return eventFirst
}

// opsGainAt returns opsGain for a simulated position. The caches of opsGain are for the real position; raising depth
// prevents their use.
func (m *evaluator) opsGainAt(w *engine.Position, side engine.Side, printed int) int {
	m.depth++
	defer m.endSimulation()
	return m.opsGain(w, side, printed)
}

// chooseStrikeCard chooses the card to discard under General Strike (card 5), or a scoring card to play. A card of
// low worth is a small loss, but a card with a high Ops value ends the strike sooner.
func (m *evaluator) chooseStrikeCard(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	choice, best := options[0], 0
	for i, a := range options {
		c, worth := engine.Card(engine.AtomValue(a)), 0
		switch {
		case engine.AtomVerb(a) != engine.VerbPlay:
		case c.Info().Scoring != engine.NoCountry:
			worth = m.playWorth(p, f.Side, c, engine.PlayEvent)
		default:
			v := p.OpsValue(f.Side, c.Info().Ops, false)
			worth = 70*max(0, min(6, v+1)) - m.heldCardWorth(p, f.Side, c)
		}
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}

func (m *evaluator) heldCardWorth(p *engine.Position, side engine.Side, c engine.Card) int {
	info := c.Info()
	if info.Scoring != engine.NoCountry {
		if !m.hasTimeToScore(p, side) {
			return -mustScoreWorth
		}
		return side.Sign() * scoringWorth(p, info.Scoring) / 2
	}
	ops, event := m.opsGain(p, side, info.Ops), side.Sign()*m.eventWorth(p, c, side)
	if info.Side == side.Enemy() {
		return max(ops+min(0, event), attemptGain(p, side, c))
	}
	return max(ops, event)
}

// hasTimeToScore reports whether a side has enough action rounds left to play all its scoring cards and one more.
func (m *evaluator) hasTimeToScore(p *engine.Position, side engine.Side) bool {
	if p.Phase != engine.PhaseRounds {
		// Before the rounds there is time, after them there is none.
		return p.Phase < engine.PhaseRounds
	}
	roundsLeft := engine.RoundsPerTurn - int(p.Round)
	if side == engine.Democrat && p.Phasing == engine.Communist {
		roundsLeft++
	}
	return p.Piles[engine.HandPile(side)].And(engine.ScoringCards).Len() < roundsLeft
}

func (m *evaluator) chooseCard(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
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

// drawnCardWorth is the expected worth of a card before it is drawn.
const drawnCardWorth = 150

// cardWorth returns the worth of choosing a card, for the side that chooses. To choose no card is worth 0.
func (m *evaluator) cardWorth(p *engine.Position, f *engine.Frame, side engine.Side, c engine.Card) int {
	q := &p.Question
	switch q.Kind {
	case engine.AskAnnounce:
		// The announced card will be played next.
		worth := 0
		if c.Info().Scoring != engine.NoCountry {
			worth = m.playWorth(p, side, c, engine.PlayEvent)
		} else {
			worth = m.heldCardWorth(p, side, c)
		}
		return worth
	case engine.AskTake:
		if q.Source == engine.SourceBox3 || q.Source == engine.Source(engine.Honecker) {
			return m.heldCardWorth(p, side, c)
		}
		return side.Sign() * m.eventWorth(p, c, side)
	case engine.AskDiscard:
		if q.Source == engine.Source(engine.InflationaryCurrency) {
			// The card cancels the rest of the event.
			return 170 - m.heldCardWorth(p, side, c)
		}
		if c.Info().Scoring != engine.NoCountry && m.hasTimeToScore(p, side) && side.Sign()*scoringWorth(p, c.Info().Scoring) > 0 {
			return -1
		}
		return drawnCardWorth - 30 - m.heldCardWorth(p, side, c)
	case engine.AskCard:
		if q.Source == engine.Source(engine.Samizdat) {
			// The card returns to the hand next turn, and another card is drawn now.
			return 60 - m.heldCardWorth(p, side, c)
		}
		if f.Side != side {
			// The enemy will use the card.
			if c.Info().Side != f.Side {
				return 0
			}
			return -f.Side.Sign() * m.eventWorth(p, c, f.Side)
		}
	}
	return -m.heldCardWorth(p, side, c)
}
