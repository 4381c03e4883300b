package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file simulates events for the sensible robot. The engine executes an event on a copy of the visible position
// with evenChance, and the robot answers for both sides.

// maxNesting is how many simulated events may run inside each other.
const maxNesting = 3

// evenChance is the source of chance in simulated events. The dice repeat the six values 2, 5, 3, 6, 1, 4, and a draw
// takes the card in the middle of the pile.
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

// beginSimulation begins a simulation inside the current simulation, if there is any. endSimulation ends it.
func (m *evaluator) beginSimulation() *engine.Run {
	m.depth++
	run := &m.runs[m.depth]
	run.Chance, run.Events = &m.luck, run.Events[:0]
	return run
}

func (m *evaluator) endSimulation() { m.depth-- }

const maxSteps = 200

// simulateToDepth plays a simulated position until its stack of procedures has the given depth or a power struggle
// begins. It returns the expected worth of this struggle, or 0.
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

// eventBonus is the worth of those effects of an event that simulations cannot show, because they concern hidden
// cards. Positive values favour the Democrat.
var eventBonus [engine.Cards]int

func init() {
	for c, w := range map[engine.Card]int{engine.BroughtIn: -150, engine.KissOfDeath: 150, engine.DeutscheMarks: -200,
		engine.ExitVisas: 60, engine.Samizdat: 60} {
		eventBonus[c] = w
	}
}

const eventSamples = 2

// eventWorth returns the worth of a card's event in the present position. player is the side that plays the card;
// EventSide decides which side carries the event out. Positive values favour the Democrat.
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

// simulateEvent executes an event in the simulated position w and returns by how much its worth changes. The dice
// depend on sample.
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
