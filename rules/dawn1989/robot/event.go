package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The sensible robot simulates events: the engine executes them on a copy of the visible position with
// evenly spread dice, and the robot answers for both sides.

// imagined limits the nesting of simulated events.
const imagined = 3

// luck is the chance of simulated events: dice that take all six values in turn (2, 5, 3, 6, 1, 4),
// and cards from the middle of the pile.
type luck struct{ n int }

var evenDice = [...]int{2, 5, 3, 6, 1, 4}

func (l *luck) Roll(rules.Reason) (int, error) {
	l.n++
	return evenDice[l.n%len(evenDice)], nil
}

func (l *luck) Draw(d rules.Draw) (int, error) {
	if len(d.Pile) == 0 {
		// The view does not show the cards in the pile.
		return 0, rules.ErrNoOutcome
	}
	l.n++
	return len(d.Pile) / 2, nil
}

// enter starts a simulation one level deeper; leave ends it.
func (m *mind) enter() *engine.Run {
	m.depth++
	x := &m.runs[m.depth]
	x.Chance, x.Events = &m.luck, x.Events[:0]
	return x
}

func (m *mind) leave() { m.depth-- }

// maxSteps limits the steps of a simulated event.
const maxSteps = 200

// simulateUntil plays a simulated position until only left procedures remain or a power struggle begins. It
// returns the expected worth of the power struggle.
func (m *mind) simulateUntil(w *engine.Position, left int8) int {
	x := &m.runs[m.depth]
	for n := 0; n < maxSteps && w.Depth() > left && w.Ending == engine.NotOver; n++ {
		if f := w.TopFrame(); f.Proc == engine.ProcStruggle {
			return scored(w, scoringWorth(w, f.Country))
		}
		if w.Question.Kind == engine.AskNothing {
			if err := w.Step(x); err != nil {
				return 0
			}
			continue
		}
		options := w.LegalAtoms(m.buf[m.depth][:0])
		if len(options) == 0 {
			return 0
		}
		w.AnswerQuestion(x, m.choose(w, options))
	}
	return 0
}

// eventBonus is the worth of an event's effects on hidden cards. Positive values favour the Democrat.
var eventBonus [engine.Cards]int

func init() {
	for c, w := range map[engine.Card]int{engine.BroughtIn: -150, engine.KissOfDeath: 150, engine.DeutscheMarks: -200,
		engine.ExitVisas: 60, engine.Samizdat: 60} {
		eventBonus[c] = w
	}
}

// samples is the number of simulations of an event.
const samples = 2

// event returns the worth of a card's event now, if player plays or triggers it. Positive values
// favour the Democrat.
func (m *mind) event(p *engine.Position, c engine.Card, player engine.Side) int {
	by := engine.EventSide(c, player)
	switch {
	case c.Info().Scoring != engine.NoCountry:
		return scored(p, scoringWorth(p, c.Info().Scoring))
	case !p.IsEventPlayable(c, by):
		return 0
	case m.depth >= imagined-1:
		return by.Sign() * 50 * c.Info().Ops
	case m.depth == 0 && m.eventKnown.Has(c):
		return m.eventWorth[c]
	}
	total := 0
	w := &m.events[m.depth]
	for n := range samples {
		*w = *p
		total += m.happen(w, c, by, n)
	}
	total = total/samples + eventBonus[c]
	if m.depth == 0 {
		m.eventKnown.Add(c)
		m.eventWorth[c] = total
	}
	return total
}

// happen executes an event in a simulated position and returns the change in worth.
func (m *mind) happen(w *engine.Position, c engine.Card, by engine.Side, sample int) int {
	w.Question = engine.Question{}
	for pile := range engine.Piles {
		if w.Piles[pile].Has(c) {
			w.Move(c, pile, engine.PileTable)
		}
	}
	before := m.position(w, m.me)
	m.luck.n = sample * 3
	base := w.Depth()
	x := m.enter()
	w.StartEvent(x, c, by)
	more := m.simulateUntil(w, base)
	m.leave()
	return m.position(w, m.me) - before + more
}
