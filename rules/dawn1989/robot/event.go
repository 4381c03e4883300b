package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The sensible robot simulates events: the engine executes them on a copy of the visible position with
// evenly spread dice, and the robot answers for both sides.

// maxNesting limits how many simulated events may run inside each other.
const maxNesting = 3

// evenChance gives the outcomes in simulated events: dice that take all six values in turn (2, 5, 3, 6, 1, 4), and cards
// from the middle of the pile.
type evenChance struct{ outcomes int }

var evenDice = [...]int{2, 5, 3, 6, 1, 4}

func (l *evenChance) Roll(rules.Reason) (int, error) {
	l.outcomes++
	return evenDice[l.outcomes%len(evenDice)], nil
}

func (l *evenChance) Draw(d rules.Draw) (int, error) {
	if len(d.Pile) == 0 {
		// The view does not show the cards in the pile.
		return 0, rules.ErrNoOutcome
	}
	l.outcomes++
	return len(d.Pile) / 2, nil
}

// beginSimulation starts a simulation one level deeper; endSimulation ends it.
func (m *evaluator) beginSimulation() *engine.Run {
	m.depth++
	run := &m.runs[m.depth]
	run.Chance, run.Events = &m.luck, run.Events[:0]
	return run
}

func (m *evaluator) endSimulation() { m.depth-- }

const maxSteps = 200

// simulateToDepth plays a simulated position until its stack of procedures has the given depth or a power struggle
// begins. If a power struggle begins, it returns the expected worth of the struggle, else 0.
func (m *evaluator) simulateToDepth(w *engine.Position, depth int8) int {
	run := &m.runs[m.depth]
	for n := 0; n < maxSteps && w.Depth() > depth && w.Ending == engine.NotOver; n++ {
		if f := w.TopFrame(); f.Proc == engine.ProcStruggle {
			return vpChangeWorth(w, scoringWorth(w, f.Country))
		}
		if w.Question.Kind == engine.AskNothing {
			if err := w.Step(run); err != nil {
				return 0
			}
			continue
		}
		options := w.LegalAtoms(m.buf[m.depth][:0])
		if len(options) == 0 {
			return 0
		}
		w.AnswerQuestion(run, m.chooseOption(w, options))
	}
	return 0
}

// eventBonus is the worth of an event's effects on hidden cards, which simulations miss; plus favours the Democrat.
var eventBonus [engine.Cards]int

func init() {
	for c, w := range map[engine.Card]int{engine.BroughtIn: -150, engine.KissOfDeath: 150, engine.DeutscheMarks: -200,
		engine.ExitVisas: 60, engine.Samizdat: 60} {
		eventBonus[c] = w
	}
}

const eventSamples = 2

// eventWorth returns the worth of a card's event in the present position, if player plays or triggers
// the event. Positive values favour the Democrat.
func (m *evaluator) eventWorth(p *engine.Position, c engine.Card, player engine.Side) int {
	actor := engine.EventSide(c, player)
	switch {
	case c.Info().Scoring != engine.NoCountry:
		return vpChangeWorth(p, scoringWorth(p, c.Info().Scoring))
	case !p.IsEventPlayable(c, actor):
		return 0
	case m.depth >= maxNesting-1:
		return actor.Sign() * 50 * c.Info().Ops
	case m.depth == 0 && m.cachedEvents.Has(c):
		return m.eventCache[c]
	}
	total := 0
	w := &m.events[m.depth]
	for n := range eventSamples {
		*w = *p
		total += m.simulateEvent(w, c, actor, n)
	}
	total = total/eventSamples + eventBonus[c]
	if m.depth == 0 {
		m.cachedEvents.Add(c)
		m.eventCache[c] = total
	}
	return total
}

// simulateEvent executes an event in a simulated position and returns the change in worth. Each sample has other dice.
func (m *evaluator) simulateEvent(w *engine.Position, c engine.Card, actor engine.Side, sample int) int {
	w.Question = engine.Question{}
	for pile := range engine.Piles {
		if w.Piles[pile].Has(c) {
			w.Move(c, pile, engine.PileTable)
		}
	}
	before := m.positionWorth(w, m.ownSide)
	m.luck.outcomes = sample * 3
	base := w.Depth()
	run := m.beginSimulation()
	w.StartEvent(run, c, actor)
	pendingWorth := m.simulateToDepth(w, base)
	m.endSimulation()
	return m.positionWorth(w, m.ownSide) - before + pendingWorth
}
