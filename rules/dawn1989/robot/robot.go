// Package robot holds the robots for 1989. A robot sees only the view of its seat.
//
// The sensible robot compares its options by rules of thumb. The searcher plays its options out in
// simulations with randomly dealt hidden cards; the sensible robot proposes the options and answers in
// the simulations. docs/robots.md describes both.
package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// sensible evaluates each option one step deep on copies of the visible position; value.go defines the
// evaluation. It ignores hidden cards.
type sensible struct {
	mind mind
	p    engine.Position
}

// Choose implements rules.Robot.
func (r *sensible) Choose(look func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	v := look().(*engine.View)
	r.p = v.Visible
	m := &r.mind
	m.begin(v)
	return m.choose(&r.p, options)
}

// begin prepares the mind for an answer.
func (m *mind) begin(v *engine.View) {
	m.me, m.told, m.depth, m.luck = v.Visible.Question.Side, v.EnemyHolds, 0, luck{}
	m.opsKnown, m.eventKnown = [maxOps + 1]bool{}, engine.CardSet{}
	m.enemyCards = v.StruggleCount[m.me.Enemy()]
	m.expect(&v.Visible, m.me, v.EnemyHolds)
}

// beginLight prepares the mind for an answer in a simulation and keeps the cached worth of events.
func (m *mind) beginLight(p *engine.Position) {
	m.me = p.Question.Side
	enemy := m.me.Enemy()
	m.told, m.depth, m.luck, m.opsKnown = p.KnownCards[enemy], 0, luck{}, [maxOps + 1]bool{}
	m.enemyCards = p.Struggle.Hands[enemy].Len()
	m.expect(p, m.me, m.told)
}

// forget clears the caches of a light mind before another search.
func (m *mind) forget() {
	m.light, m.eventKnown, m.orderKnown = true, engine.CardSet{}, [engine.Cards]order{}
}

// choose answers the open question of a position for the side to move.
func (m *mind) choose(p *engine.Position, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	f := p.TopFrame()
	switch q := &p.Question; q.Kind {
	case engine.AskRound, engine.AskExtraRound:
		return m.round(p, f, options)
	case engine.AskStrike:
		return m.strike(p, f, options)
	case engine.AskOps, engine.AskGrant:
		return m.operations(p, f, options)
	case engine.AskSetup, engine.AskPlace:
		return m.placement(p, options)
	case engine.AskRemove:
		return m.removal(p, f, options)
	case engine.AskSecondCheck, engine.AskCheck:
		return m.check(p, f, options)
	case engine.AskTake, engine.AskDiscard, engine.AskCard, engine.AskAnnounce:
		return m.card(p, f, options)
	case engine.AskStakes:
		return m.stakes(p, options)
	case engine.AskAttack:
		return m.attack(p, options)
	case engine.AskDefend:
		return defend(p, options)
	case engine.AskPower:
		return power(p)
	case engine.AskDeclare:
		return declare(p, options)
	case engine.AskCountry:
		if q.Source == engine.Source(engine.NewYearsEveParty) {
			return lastStruggle(p, options)
		}
	case engine.AskBid, engine.AskSide:
		// It is content with either side, and gives nothing for one.
		return options[0]
	}
	return m.tryOut(p, options)
}

// tryOut simulates each option until its procedure ends, and chooses the best. Inside a simulated
// event it evaluates the position directly after the answer.
func (m *mind) tryOut(p *engine.Position, options []rules.Atom) rules.Atom {
	side := p.Question.Side
	w := &m.tries[m.depth]
	choice, best := options[0], 0
	for i, a := range options {
		*w = *p
		worth := side.Sign() * m.after(w, a)
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}

// after executes an answer in a simulated position and returns the worth of the result.
func (m *mind) after(w *engine.Position, a rules.Atom) int {
	base := w.Depth()
	x := m.enter()
	m.luck.n = 0
	f := w.TopFrame()
	w.AnswerQuestion(x, a)
	more := 0
	if m.depth <= 1 && f.Proc == engine.ProcEvent && !m.light {
		more = m.simulateUntil(w, base-1)
	}
	m.leave()
	return m.position(w, m.me) + more
}
