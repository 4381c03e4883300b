// Package robot holds the robots for 1989. A robot sees only the view of its seat.
//
// The sensible robot compares its options by rules of thumb. The searcher tries its options in simulations with
// randomly dealt hidden cards; the rules of the sensible robot select these options and answer in the simulations.
// docs/robots.md describes both robots.
package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// sensible is the sensible robot. It executes each option on a copy of the visible position and evaluates the result
// (value.go). It ignores hidden cards.
type sensible struct {
	evaluator evaluator
	p         engine.Position
}

// Choose implements rules.Robot.
func (r *sensible) Choose(look func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	v := look().(*engine.View)
	r.p = v.Visible
	m := &r.evaluator
	m.prepare(v)
	return m.chooseOption(&r.p, options)
}

func (m *evaluator) prepare(v *engine.View) {
	m.ownSide, m.knownEnemyCards, m.depth, m.luck = v.Visible.Question.Side, v.KnownEnemyCards, 0, evenChance{}
	m.isOpsCached, m.cachedEvents = [maxOps + 1]bool{}, engine.CardSet{}
	m.enemyStruggleCards = v.StruggleCounts[m.ownSide.Enemy()]
	m.compute(&v.Visible, m.ownSide, v.KnownEnemyCards)
}

// prepareLight prepares a light evaluator for an answer in a simulation. Unlike prepare, it keeps the cached worth of
// events.
func (m *evaluator) prepareLight(p *engine.Position) {
	m.ownSide = p.Question.Side
	enemy := m.ownSide.Enemy()
	m.knownEnemyCards, m.depth, m.luck, m.isOpsCached = p.KnownCards[enemy], 0, evenChance{}, [maxOps + 1]bool{}
	m.enemyStruggleCards = p.Struggle.Hands[enemy].Len()
	m.compute(p, m.ownSide, m.knownEnemyCards)
}

// prepareSearch makes the evaluator light and clears its caches before a search.
func (m *evaluator) prepareSearch() {
	m.isLight, m.cachedEvents, m.orderCache = true, engine.CardSet{}, [engine.Cards]eventOrder{}
}

// chooseOption returns the option with which the side to move should answer the open question.
func (m *evaluator) chooseOption(p *engine.Position, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	f := p.TopFrame()
	switch q := &p.Question; q.Kind {
	case engine.AskRound, engine.AskExtraRound:
		return m.choosePlay(p, f, options)
	case engine.AskStrike:
		return m.chooseStrikeCard(p, f, options)
	case engine.AskOps, engine.AskGrant:
		return m.chooseOperations(p, f, options)
	case engine.AskSetup, engine.AskPlace:
		return m.choosePlacement(p, options)
	case engine.AskRemove:
		return m.chooseRemoval(p, f, options)
	case engine.AskSecondCheck, engine.AskCheck:
		return m.chooseCheckSpace(p, f, options)
	case engine.AskTake, engine.AskDiscard, engine.AskCard, engine.AskAnnounce:
		return m.chooseCard(p, f, options)
	case engine.AskStakes:
		return m.chooseStakes(p, options)
	case engine.AskAttack:
		return m.chooseAttack(p, options)
	case engine.AskDefend:
		return chooseDefense(p, options)
	case engine.AskPower:
		return choosePower(p)
	case engine.AskDeclare:
		return chooseDeclaration(p, options)
	case engine.AskCountry:
		if q.Source == engine.Source(engine.NewYearsEveParty) {
			return chooseLastStruggle(p, options)
		}
	case engine.AskBid, engine.AskSide:
		// The robot prefers no side, and offers no points for a side.
		return options[0]
	}
	return m.tryOptions(p, options)
}

// tryOptions executes each option and chooses the option with the best position. It evaluates the position after the
// end of the current procedure, but inside a simulated event directly after the answer.
func (m *evaluator) tryOptions(p *engine.Position, options []rules.Atom) rules.Atom {
	side := p.Question.Side
	w := &m.tries[m.depth]
	choice, best := options[0], 0
	for i, a := range options {
		*w = *p
		worth := side.Sign() * m.answerWorth(w, a)
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}

func (m *evaluator) answerWorth(w *engine.Position, a rules.Atom) int {
	base := w.Depth()
	run := m.beginSimulation()
	m.luck.outcomes = 0
	f := w.TopFrame()
	w.AnswerQuestion(run, a)
	pendingWorth := 0
	if m.depth <= 1 && f.Proc == engine.ProcEvent && !m.isLight {
		pendingWorth = m.simulateToDepth(w, base-1)
	}
	m.endSimulation()
	return m.positionWorth(w, m.ownSide) + pendingWorth
}
