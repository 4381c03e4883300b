package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The sensible robot imagines events: it lets the engine carry them out on a
// copy of what its view shows, with dice of its own, and answers for both sides.

// imagined is how deep events may lie inside each other before a robot stops to
// look.
const imagined = 3

// luck is the chance of imagined events: dice that spread evenly, and cards out
// of the middle.
type luck struct{ n int }

var evenDice = [...]int{2, 5, 3, 6, 1, 4}

func (l *luck) Roll(rules.Reason) (int, error) {
	l.n++
	return evenDice[l.n%len(evenDice)], nil
}

func (l *luck) Draw(d rules.Draw) (int, error) {
	if len(d.Pile) == 0 {
		// The view does not show what would be drawn.
		return 0, rules.ErrNoOutcome
	}
	l.n++
	return len(d.Pile) / 2, nil
}

// enter begins to imagine, and leave ends it.
func (m *mind) enter() *engine.Run {
	m.depth++
	x := &m.runs[m.depth]
	x.Chance, x.Events = &m.luck, x.Events[:0]
	return x
}

func (m *mind) leave() { m.depth-- }

// mostSteps bounds what is imagined of one event.
const mostSteps = 200

// goOn plays an imagined position on until a number of procedures are left, or a
// power struggle begins. It returns what the power struggle is expected to bring.
func (m *mind) goOn(w *engine.Position, left int8) int {
	x := &m.runs[m.depth]
	for n := 0; n < mostSteps && w.Depth() > left && w.Ending == engine.NotOver; n++ {
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

// eventBonus is the worth of what an event does with hidden cards, in the
// Democrat's direction.
var eventBonus [engine.Cards]int

func init() {
	for c, w := range map[engine.Card]int{engine.BroughtIn: -150, engine.KissOfDeath: 150, engine.DeutscheMarks: -200,
		engine.ExitVisas: 60, engine.Samizdat: 60} {
		eventBonus[c] = w
	}
}

// samples is how often an event is imagined.
const samples = 2

// event is the worth of a card's event now, in the Democrat's direction, when a
// side plays or triggers it.
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

// happen lets an event take place in an imagined position, and returns how much
// that changes.
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
	more := m.goOn(w, base)
	m.leave()
	return m.position(w, m.me) - before + more
}
