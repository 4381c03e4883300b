package robot

import (
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file chooses for the sensible robot where to place support points and where to make support checks.

// evaluator evaluates the options for an answer. All positions in it are copies of the visible position.
type evaluator struct {
	outlook
	ownSide engine.Side
	// knownEnemyCards are the cards of the enemy's hand that ownSide knows. enemyStruggleCards is the size of the
	// enemy's power struggle hand.
	knownEnemyCards    engine.CardSet
	enemyStruggleCards int
	// These are caches for one answer. opsCache has the worth of Operations by Ops value, as far as isOpsCached is
	// set. eventCache has the worth of events by card, for the cards in cachedEvents.
	isOpsCached  [maxOps + 1]bool
	opsCache     [maxOps + 1]int
	cachedEvents engine.CardSet
	eventCache   [engine.Cards]int
	// depth says how many simulated events run inside each other now. Each level has its own elements of the following
	// arrays.
	depth  int
	runs   [maxNesting + 1]engine.Run
	buf    [maxNesting + 1][engine.MaxOptions]rules.Atom
	tries  [maxNesting + 1]engine.Position
	events [maxNesting + 1]engine.Position
	luck   evenChance
	// isLight marks an evaluator that answers in the simulations of a search, and saves time. It computes only once in
	// a search the worth of each event, and whether the event is better before or after the Operations. It does not
	// simulate the procedures that an event starts.
	isLight    bool
	orderCache [engine.Cards]eventOrder
	// plan lists the spaces for the next points of Operations. A light evaluator follows the plan in the play with the
	// number plannedPlay. If plannedPlay is 0, there is no plan.
	plan        []engine.Space
	plannedPlay uint32
}

type eventOrder uint8

const (
	orderUnknown eventOrder = iota
	eventFirst
	eventAfter
)

// maxOps is the largest Ops value in opsCache. Larger values count as maxOps.
const maxOps = 12

// supportGain returns how much a side gains if its support in a space changes by n points. It leaves p as it was.
func (m *evaluator) supportGain(p *engine.Position, side engine.Side, s engine.Space, n int) int {
	before, t := int(p.Support[side][s]), m.beginTrial(p, s)
	p.SetSupport(side, s, max(0, before+n))
	change := m.worthChange(p, &t)
	p.SetSupport(side, s, before)
	return side.Sign() * change
}

// findBestPlacement returns the space of a set where support points have the highest gain for each point that they
// cost, and this gain. It may spend the given points, and place at most maxPerSpace support points. isFree means that
// each support point costs only 1. It tries all numbers of support points that the side can pay for, because control
// may need several.
func (m *evaluator) findBestPlacement(p *engine.Position, side engine.Side, set engine.SpaceSet, points, maxPerSpace int,
	isFree bool) (at engine.Space, gain int) {
	bestRate, last := 0, trial{}
	for s := set.Next(); s != 0; s = set.Next() {
		before, t := int(p.Support[side][s]), m.beginTrial(p, s)
		if last.isCached && last.space.Info().Country == s.Info().Country {
			t.controlWorth, t.isCached = last.controlWorth, true
		}
		spent := 0
		for n := 1; n <= maxPerSpace; n++ {
			cost := 1
			if !isFree {
				cost = p.PlacementCost(side, s)
			}
			if spent += cost; spent > points {
				break
			}
			p.SetSupport(side, s, before+n)
			worth := side.Sign() * m.worthChange(p, &t)
			// The rate is the gain for 60 points. 60 can be divided by the usual costs, 1 to 6, so the integer rates are
			// exact.
			if rate := worth * 60 / spent; at == 0 || rate > bestRate {
				at, bestRate, gain = s, rate, worth
			}
		}
		p.SetSupport(side, s, before)
		last = t
	}
	return at, gain
}

// spendOps places the points of Operations in the best spaces of the position. plan lists the space of each placed
// point.
func (m *evaluator) spendOps(p *engine.Position, side engine.Side, points int, reach engine.SpaceSet) {
	m.plan, m.plannedPlay = m.plan[:0], 0
	for points > 0 {
		set := reach
		if points == 1 {
			set = reach.Minus(p.Controlled[side.Enemy()])
		}
		s, _ := m.findBestPlacement(p, side, set, points, points, false)
		if s == 0 {
			return
		}
		m.plan = append(m.plan, s)
		points -= p.PlacementCost(side, s)
		p.SetSupport(side, s, int(p.Support[side][s])+1)
	}
}

func (m *evaluator) checkGain(p *engine.Position, side engine.Side, s engine.Space, printed, extra int, onlyEastGermany bool) int {
	enemy := side.Enemy()
	base, need := p.CheckBonus(side, s, printed, extra, onlyEastGermany).Total(), 2*s.Info().Stability
	gain := 0
	if base+6 > need {
		ownSupport, enemySupport, t := int(p.Support[side][s]), int(p.Support[enemy][s]), m.beginTrial(p, s)
		for die := max(1, need-base+1); die <= 6; die++ {
			margin := die + base - need
			removed := min(margin, enemySupport)
			p.SetSupport(enemy, s, enemySupport-removed)
			p.SetSupport(side, s, ownSupport+margin-removed)
			gain += side.Sign() * m.worthChange(p, &t)
		}
		p.SetSupport(enemy, s, enemySupport)
		p.SetSupport(side, s, ownSupport)
	}
	gain /= 6
	if side == engine.Communist {
		for i := range engine.VPChecks {
			if vpCheck := &engine.VPChecks[i]; vpCheck.In.Has(s) && p.Effects.Cards.Has(vpCheck.Card) {
				gain -= vpChangeWorth(p, vpWorth)
			}
		}
	}
	return gain
}

func (m *evaluator) twoChecksGain(p *engine.Position, side engine.Side, printed int, set engine.SpaceSet) int {
	first, second := 0, 0
	for s := set.Next(); s != 0; s = set.Next() {
		switch g := m.checkGain(p, side, s, printed, 0, false); {
		case g > first:
			first, second = g, first
		case g > second:
			second = g
		}
	}
	// The second check may be made in the space of the first check, but there is less support left to remove.
	return first + max(second, first/2)
}

// opsGain returns how much a side gains by Operations with this printed value. A light evaluator computes only the
// gain of 3 Ops and estimates others from it: 4 Ops count as 4/3 of it.
func (m *evaluator) opsGain(p *engine.Position, side engine.Side, printed int) int {
	opsValue := max(0, min(maxOps, p.OpsValue(side, printed, false)))
	if m.depth > 0 || side != m.ownSide {
		return m.computeOpsGain(p, side, printed, opsValue)
	}
	if m.isLight {
		const typical = 3
		if !m.isOpsCached[typical] {
			m.isOpsCached[typical], m.opsCache[typical] = true, m.computeOpsGain(p, side, printed+typical-opsValue, typical)
		}
		return m.opsCache[typical] * opsValue / typical
	}
	if !m.isOpsCached[opsValue] {
		m.isOpsCached[opsValue], m.opsCache[opsValue] = true, m.computeOpsGain(p, side, printed, opsValue)
	}
	return m.opsCache[opsValue]
}

// computeOpsGain computes the gain of the better use of Operations: opsValue support points, or two checks with the
// printed value.
func (m *evaluator) computeOpsGain(p *engine.Position, side engine.Side, printed, opsValue int) int {
	trial := *p
	before := m.countriesWorth(&trial)
	m.spendOps(&trial, side, opsValue, trial.PlaceableSpaces(side))
	return max(side.Sign()*(m.countriesWorth(&trial)-before), m.twoChecksGain(p, side, printed, p.CheckTargets(side)))
}

func (m *evaluator) countriesWorth(p *engine.Position) int {
	worth := 0
	for c := engine.EastGermany; c < engine.Countries; c++ {
		worth += m.countryWorth(p, c)
	}
	return worth
}

func attemptGain(p *engine.Position, side engine.Side, c engine.Card) int {
	t := p.Tiananmen[side]
	if !p.CanAttempt(side) {
		return 0
	}
	box := t.Box + 1
	need := engine.BoxThresholds[side][box] - p.OpsValue(side, c.Info().Ops, false) - p.AttemptModifier(side, c)
	successes := max(0, min(6, 7-need))
	worth := boxWorth[box] - boxWorth[t.Box]
	if p.Tiananmen[side.Enemy()].Box >= box {
		// The enemy was first in this box and has its award. This side would only cancel the award.
		worth /= 2
	}
	// A failed attempt is worth 15, because it makes the next attempt easier.
	return (successes*worth + (6-successes)*15) / 6
}

func (m *evaluator) chooseOperations(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	side, q := p.Question.Side, &p.Question
	var places engine.SpaceSet
	choice, gain := options[0], -1
	for _, a := range options {
		s := engine.Space(engine.AtomValue(a))
		g := 0
		switch engine.AtomVerb(a) {
		case engine.VerbOpsPlace:
			places.Add(s)
			continue
		case engine.VerbOpsCheck:
			// Assume that both checks are as good as the best check.
			g = 2 * m.checkGain(p, side, s, f.PrintedOps(), 0, engine.AtomFlag(a) == 1)
		case engine.VerbOpsTiananmen:
			g = attemptGain(p, side, f.Card)
		case engine.VerbTake:
			g = side.Sign() * m.eventWorth(p, engine.Card(engine.AtomValue(a)), side)
		}
		if g > gain {
			choice, gain = a, g
		}
	}
	if places.IsEmpty() {
		return choice
	}
	points := max(1, int(q.Remaining))
	w := *p
	if f.Step == engine.OpsPlacing {
		if a, found := m.followPlan(p, options); found {
			return a
		}
		at, first := m.findBestPlacement(&w, side, places, points, points, false)
		if first < 0 && gain >= 0 {
			return choice
		}
		return optionAtSpace(engine.VerbOpsPlace, at, options)
	}
	before := m.countriesWorth(&w)
	m.spendOps(&w, side, points, places)
	if side.Sign()*(m.countriesWorth(&w)-before) < gain && gain >= 0 || len(m.plan) == 0 {
		return choice
	}
	at := m.plan[0]
	m.plan, m.plannedPlay = append(m.plan[:0], m.plan[1:]...), p.PlayNumber()
	return optionAtSpace(engine.VerbOpsPlace, at, options)
}

// followPlan returns the option that places a point in the next space of the plan, if the plan belongs to this play
// and the option is legal.
func (m *evaluator) followPlan(p *engine.Position, options []rules.Atom) (rules.Atom, bool) {
	if !m.isLight || m.plannedPlay != p.PlayNumber() || len(m.plan) == 0 {
		return 0, false
	}
	a := engine.SpaceAtom(engine.VerbOpsPlace, m.plan[0])
	m.plan = append(m.plan[:0], m.plan[1:]...)
	return a, slices.Contains(options, a)
}

// optionAtSpace returns the option with a verb and a space, or the first option if s is 0.
func optionAtSpace(v engine.Verb, s engine.Space, options []rules.Atom) rules.Atom {
	if s == 0 {
		return options[0]
	}
	return engine.SpaceAtom(v, s)
}

func (m *evaluator) choosePlacement(p *engine.Position, options []rules.Atom) rules.Atom {
	side, q := p.Question.Side, &p.Question
	var set engine.SpaceSet
	for _, a := range options {
		if engine.AtomVerb(a) == engine.VerbPlace {
			set.Add(engine.Space(engine.AtomValue(a)))
		}
	}
	maxPerSpace := int(q.Remaining)
	if q.MaxPerSpace > 0 {
		maxPerSpace = min(maxPerSpace, int(q.MaxPerSpace))
	}
	w := *p
	at, gain := m.findBestPlacement(&w, side, set, int(q.Remaining), max(1, maxPerSpace), true)
	last := options[len(options)-1]
	if v := engine.AtomVerb(last); (v == engine.VerbStop || v == engine.VerbPass) && gain < 30 {
		// Points that are moved are lost in another space, so a small gain is not enough.
		return last
	}
	return optionAtSpace(engine.VerbPlace, at, options)
}

// chooseRemoval chooses the space that loses support. If the enemy loses support, this is the space where each point
// costs the enemy most. If the own side loses support, it is the space where a point is worth least.
func (m *evaluator) chooseRemoval(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	side, q := p.Question.Side, &p.Question
	loser := side.Enemy()
	if q.Source == engine.SourceLoss || f.Proc == engine.ProcEvent && f.Side != side {
		loser = side
	}
	maxPerSpace := int(q.Remaining)
	if q.MaxPerSpace > 0 {
		maxPerSpace = min(maxPerSpace, int(q.MaxPerSpace))
	}
	w := &m.tries[m.depth]
	*w = *p
	choice, best := options[0], 0
	for i, a := range options {
		s, rate := engine.Space(engine.AtomValue(a)), 0
		if engine.AtomVerb(a) == engine.VerbRemove {
			for n := 1; n <= min(maxPerSpace, int(p.Support[loser][s])); n++ {
				worth := m.supportGain(w, loser, s, -n) * 60 / n
				if loser != side {
					worth = -worth
				}
				if n == 1 || worth > rate && loser != side {
					rate = worth
				}
			}
		}
		if i == 0 || rate > best {
			choice, best = a, rate
		}
	}
	return choice
}

func (m *evaluator) chooseCheckSpace(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	side := p.Question.Side
	printed, extra := f.PrintedOps(), 0
	switch f.Proc {
	case engine.ProcEvent:
		extra = f.EventStep().Extra
	case engine.ProcMatch:
		printed = engine.Box6Ops
	}
	choice, gain := options[0], -matchWinWorth
	w := *p
	for _, a := range options {
		g := 0
		if v := engine.AtomVerb(a); v == engine.VerbCheck || v == engine.VerbOpsCheck {
			g = m.checkGain(&w, side, engine.Space(engine.AtomValue(a)), printed, extra, engine.AtomFlag(a) == 1 || f.OnlyEastGermany &&
				p.IsBorderOpen(side))
		}
		if g > gain {
			choice, gain = a, g
		}
	}
	return choice
}
