package dawn1989

import "samizdat/rules"

// sensible is a robot of common sense. It imagines what its options lead to, on
// copies of what its view shows, one step deep: the worth of a position is what
// robotvalue.go says. It knows nothing of hidden cards, and does not guess them.
type sensible struct {
	mind mind
	p    Position
}

// Choose implements rules.Robot.
func (r *sensible) Choose(look func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	v := look().(*View)
	r.p = v.p
	m := &r.mind
	m.begin(v)
	return m.choose(&r.p, options)
}

// begin prepares for one answer.
func (m *mind) begin(v *View) {
	m.me, m.told, m.depth, m.luck = v.p.question.Side, v.told, 0, luck{}
	m.opsKnown, m.eventKnown = [mostOps + 1]bool{}, CardSet{}
	m.enemyCards = v.struggleCount[m.me.Enemy()]
	m.expect(&v.p, m.me, v.told)
}

// choose answers the open question of a position, for the side that is asked.
func (m *mind) choose(p *Position, options []rules.Atom) rules.Atom {
	if len(options) == 1 {
		return options[0]
	}
	f := &p.stack[p.depth-1]
	switch q := &p.question; q.Ask {
	case AskRound, AskExtraRound:
		return m.round(p, f, options)
	case AskStrike:
		return m.strike(p, f, options)
	case AskOps, AskGrant:
		return m.operations(p, f, options)
	case AskSetup, AskPlace:
		return m.placement(p, options)
	case AskRemove:
		return m.removal(p, f, options)
	case AskSecondCheck, AskCheck:
		return m.check(p, f, options)
	case AskTake, AskDiscard, AskCard, AskAnnounce:
		return m.card(p, f, options)
	case AskStakes:
		return m.stakes(p, options)
	case AskAttack:
		return m.attack(p, options)
	case AskDefend:
		return m.defend(p, options)
	case AskPower:
		return m.power(p)
	case AskDeclare:
		return m.declare(p, options)
	case AskCountry:
		if q.Source == Source(NewYearsEveParty) {
			return m.lastStruggle(p, options)
		}
	case AskBid, AskSide:
		// It is content with either side, and gives nothing for one.
		return options[0]
	}
	return m.tryOut(p, options)
}

// tryOut imagines every option to the end of what asks, and takes the best. In
// an imagined event it looks no further than the answer itself.
func (m *mind) tryOut(p *Position, options []rules.Atom) rules.Atom {
	side := p.question.Side
	w := &m.tries[m.depth]
	choice, best := options[0], 0
	for i, a := range options {
		*w = *p
		worth := side.sign() * m.after(w, a)
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}

// after answers an imagined position and says what it is worth then.
func (m *mind) after(w *Position, a rules.Atom) int {
	base := w.depth
	x := m.enter(w)
	m.luck.n = 0
	f := &w.stack[w.depth-1]
	answers[f.Proc](x, f, a)
	more := 0
	if m.depth <= 1 && f.Proc == ProcEvent {
		more = m.goOn(w, base-1)
	}
	m.leave()
	return m.position(w, m.me) + more
}
