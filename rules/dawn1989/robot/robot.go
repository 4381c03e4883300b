// Package robot plays 1989. A robot sees the view of its seat and nothing else.
//
// The sensible robot compares its options by rules of thumb. The searcher plays its options
// out, on positions in which the hidden cards are dealt at random; the sensible robot proposes
// the options and answers in these simulations. docs/robots.md tells more.
package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// sensible is a robot of common sense. It imagines what its options lead to, on
// copies of what its view shows, one step deep: the worth of a position is what
// value.go says. It knows nothing of hidden cards, and does not guess them.
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

// begin prepares for one answer.
func (m *mind) begin(v *engine.View) {
	m.me, m.told, m.depth, m.luck = v.Visible.Question.Side, v.EnemyHolds, 0, luck{}
	m.opsKnown, m.eventKnown = [mostOps + 1]bool{}, engine.CardSet{}
	m.enemyCards = v.StruggleCount[m.me.Enemy()]
	m.expect(&v.Visible, m.me, v.EnemyHolds)
}

// beginLight prepares for one answer in a simulation. What the mind has found out of events
// before, it keeps.
func (m *mind) beginLight(p *engine.Position) {
	m.me = p.Question.Side
	enemy := m.me.Enemy()
	m.told, m.depth, m.luck, m.opsKnown = p.Known[enemy], 0, luck{}, [mostOps + 1]bool{}
	m.enemyCards = p.Struggle.Hands[enemy].Len()
	m.expect(p, m.me, m.told)
}

// forget makes a light mind ready for another search.
func (m *mind) forget() {
	m.light, m.eventKnown, m.orderKnown = true, engine.CardSet{}, [engine.Cards]order{}
}

// choose answers the open question of a position, for the side that is asked.
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
		return m.defend(p, options)
	case engine.AskPower:
		return m.power(p)
	case engine.AskDeclare:
		return m.declare(p, options)
	case engine.AskCountry:
		if q.Source == engine.Source(engine.NewYearsEveParty) {
			return m.lastStruggle(p, options)
		}
	case engine.AskBid, engine.AskSide:
		// It is content with either side, and gives nothing for one.
		return options[0]
	}
	return m.tryOut(p, options)
}

// tryOut imagines every option to the end of what asks, and takes the best. In
// an imagined event it looks no further than the answer itself.
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

// after answers an imagined position and says what it is worth then.
func (m *mind) after(w *engine.Position, a rules.Atom) int {
	base := w.Depth()
	x := m.enter()
	m.luck.n = 0
	f := w.TopFrame()
	w.AnswerQuestion(x, a)
	more := 0
	if m.depth <= 1 && f.Proc == engine.ProcEvent && !m.light {
		more = m.goOn(w, base-1)
	}
	m.leave()
	return m.position(w, m.me) + more
}
