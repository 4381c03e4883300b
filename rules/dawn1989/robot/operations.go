package robot

import (
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// How the sensible robot uses support points and support checks.

// evaluator evaluates the options of one answer. All positions in it are copies of the visible position.
type evaluator struct {
	outlook
	ownSide engine.Side
	// knownEnemyCards are the enemy's cards that the side knows. enemyStruggleCards counts the enemy's struggle cards.
	knownEnemyCards    engine.CardSet
	enemyStruggleCards int
	// Caches for one answer: the worth of Operations by value and of events by card. cachedEvents has
	// the cards with a worth in eventCache.
	isOpsCached  [maxOps + 1]bool
	opsCache     [maxOps + 1]int
	cachedEvents engine.CardSet
	eventCache   [engine.Cards]int
	// depth is the nesting level of simulated events. Each level has its own scratch space.
	depth  int
	runs   [maxNesting + 1]engine.Run
	buf    [maxNesting + 1][engine.MaxOptions]rules.Atom
	tries  [maxNesting + 1]engine.Position
	events [maxNesting + 1]engine.Position
	luck   evenChance
	// isLight saves time in searches: the worth of events and the order of event and Operations are
	// computed once for a whole search, and the procedures that an event starts are not simulated.
	isLight    bool
	orderCache [engine.Cards]eventOrder
	// plan lists the spaces for the points of Operations in order. A light evaluator follows it in the play with the
	// number plannedPlay; 0 means no plan.
	plan        []engine.Space
	plannedPlay uint32
}

type eventOrder uint8

const (
	orderUnknown eventOrder = iota
	eventFirst
	eventAfter
)

// maxOps is the largest Operations value that has its own cache entry.
const maxOps = 12

// supportGain returns the change in worth for a side if it places n more support points in a space. The
// position is unchanged afterwards.
func (m *evaluator) supportGain(p *engine.Position, side engine.Side, s engine.Space, n int) int {
	before, t := int(p.Support[side][s]), m.beginTrial(p, s)
	p.SetSupport(side, s, max(0, before+n))
	change := m.worthChange(p, &t)
	p.SetSupport(side, s, before)
	return side.Sign() * change
}

// findBestPlacement returns the space of a set with the highest gain per point, and the gain. At most the given
// points are spent, and at most maxPerSpace support points are placed. isFree means that each support point costs 1.
// All affordable numbers of points are tried, because control may need several.
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
			// 60 is a multiple of the usual costs, 1 to 6, so their rates are exact.
			if rate := worth * 60 / spent; at == 0 || rate > bestRate {
				at, bestRate, gain = s, rate, worth
			}
		}
		p.SetSupport(side, s, before)
		last = t
	}
	return at, gain
}

// spendOps places Operations points in the best spaces of the position. The spaces become the plan, one for each point.
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
	// The second check may target the same space, but finds less support there.
	return first + max(second, first/2)
}

// opsGain returns the worth of Operations with a printed value for a side. A light evaluator computes
// the worth of 3 Ops only; for example, it estimates 4 Ops as 4/3 of that worth.
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

// computeOpsGain computes the worth of the better use of Operations: opsValue points, or checks with the printed value.
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
		// The first side in a box receives its award. The second side only cancels the award.
		worth /= 2
	}
	// A failure makes the next attempt easier.
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

// followPlan returns the option for the next space of the plan, if the plan belongs to this play.
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
		// The points come from another space, so a move with a small gain is not worth it.
		return last
	}
	return optionAtSpace(engine.VerbPlace, at, options)
}

// chooseRemoval chooses the space that loses support: the enemy's space with the highest worth for each
// point, or the own space with the lowest.
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
