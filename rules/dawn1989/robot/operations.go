package robot

import (
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// How the sensible robot uses support points and support checks.

// mind is the state of the robot during one answer. All positions in it are copies of the visible
// position.
type mind struct {
	outlook
	me engine.Side
	// told are the known cards of the enemy. enemyCards is the number of his power struggle cards.
	told       engine.CardSet
	enemyCards int
	// Caches for one answer: the worth of Operations by value and of events by card. The bit of a card
	// is set if its worth is in the cache.
	opsKnown   [maxOps + 1]bool
	opsWorth   [maxOps + 1]int
	eventKnown engine.CardSet
	eventWorth [engine.Cards]int
	// depth is the nesting level of simulated events. Each level has its own scratch space.
	depth  int
	runs   [imagined + 1]engine.Run
	buf    [imagined + 1][engine.MaxOptions]rules.Atom
	tries  [imagined + 1]engine.Position
	events [imagined + 1]engine.Position
	luck   luck
	// light saves time in searches: the worth of events and the order of event and Operations are
	// computed once for a whole search, and events are not played on.
	light      bool
	orderKnown [engine.Cards]order
	// plan lists the spaces for the points of an Operations play in order, for a light mind. planned
	// is the number of that play; 0 means no plan.
	plan    []engine.Space
	planned uint32
}

// order states whether the enemy's event comes before or after the Operations.
type order uint8

const (
	orderUnknown order = iota
	eventFirst
	eventAfter
)

// maxOps is the largest Operations value that has its own cache entry.
const maxOps = 12

// added returns the change in worth for a side if it places n more support points in a space. The
// position is unchanged afterwards.
func (m *mind) added(p *engine.Position, side engine.Side, s engine.Space, n int) int {
	was, t := int(p.Support[side][s]), m.beginTrial(p, s)
	p.SetSupport(side, s, max(0, was+n))
	change := m.change(p, &t)
	p.SetSupport(side, s, was)
	return side.Sign() * change
}

// best returns the space of a set with the highest gain per point, and the gain. At most left points
// may be spent, and at most most in one space. All affordable numbers of points are tried, because
// control may need several.
func (m *mind) best(p *engine.Position, side engine.Side, set engine.SpaceSet, left, most int, free bool) (at engine.Space, gain int) {
	bestRate, last := 0, trial{}
	for s := set.Next(); s != 0; s = set.Next() {
		was, t := int(p.Support[side][s]), m.beginTrial(p, s)
		if last.known && last.space.Info().Country == s.Info().Country {
			t.controlWorth, t.known = last.controlWorth, true
		}
		spent := 0
		for n := 1; n <= most; n++ {
			cost := 1
			if !free {
				cost = p.PlacementCost(side, s)
			}
			if spent += cost; spent > left {
				break
			}
			p.SetSupport(side, s, was+n)
			worth := side.Sign() * m.change(p, &t)
			// All costs divide 60, so the rates are exact.
			if rate := worth * 60 / spent; at == 0 || rate > bestRate {
				at, bestRate, gain = s, rate, worth
			}
		}
		p.SetSupport(side, s, was)
		last = t
	}
	return at, gain
}

// spend places Operations points in the best spaces of the position. It appends a space to the plan
// for each point.
func (m *mind) spend(p *engine.Position, side engine.Side, left int, reach engine.SpaceSet) {
	m.plan, m.planned = m.plan[:0], 0
	for left > 0 {
		set := reach
		if left == 1 {
			set = reach.Minus(p.Controlled[side.Enemy()])
		}
		s, _ := m.best(p, side, set, left, left, false)
		if s == 0 {
			return
		}
		m.plan = append(m.plan, s)
		left -= p.PlacementCost(side, s)
		p.SetSupport(side, s, int(p.Support[side][s])+1)
	}
}

// checkGain returns the expected gain of a support check.
func (m *mind) checkGain(p *engine.Position, side engine.Side, s engine.Space, printed, extra int, all bool) int {
	enemy := side.Enemy()
	base, need := p.CheckBonus(side, s, printed, extra, all).Total(), 2*s.Info().Stability
	gain := 0
	if base+6 > need {
		mine, theirs, t := int(p.Support[side][s]), int(p.Support[enemy][s]), m.beginTrial(p, s)
		for die := max(1, need-base+1); die <= 6; die++ {
			margin := die + base - need
			removed := min(margin, theirs)
			p.SetSupport(enemy, s, theirs-removed)
			p.SetSupport(side, s, mine+margin-removed)
			gain += side.Sign() * m.change(p, &t)
		}
		p.SetSupport(enemy, s, theirs)
		p.SetSupport(side, s, mine)
	}
	gain /= 6
	if side == engine.Communist {
		for i := range engine.VPChecks {
			if paid := &engine.VPChecks[i]; paid.In.Has(s) && p.Effects.Cards.Has(paid.Card) {
				gain -= scored(p, vpWorth)
			}
		}
	}
	return gain
}

// checksGain returns the expected gain of the two support checks of an Operations play.
func (m *mind) checksGain(p *engine.Position, side engine.Side, printed int, set engine.SpaceSet) int {
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

// opsGain returns the worth of Operations with a printed value for a side. A light mind computes
// the worth of 3 Ops only; for example, it estimates 4 Ops as 4/3 of that worth.
func (m *mind) opsGain(p *engine.Position, side engine.Side, printed int) int {
	v := max(0, min(maxOps, p.OpsValue(side, printed, false)))
	if m.depth > 0 || side != m.me {
		return m.opsGainOf(p, side, printed, v)
	}
	if m.light {
		// Compute the worth of one value; the others are proportional to it.
		const typical = 3
		if !m.opsKnown[typical] {
			m.opsKnown[typical], m.opsWorth[typical] = true, m.opsGainOf(p, side, printed+typical-v, typical)
		}
		return m.opsWorth[typical] * v / typical
	}
	if !m.opsKnown[v] {
		m.opsKnown[v], m.opsWorth[v] = true, m.opsGainOf(p, side, printed, v)
	}
	return m.opsWorth[v]
}

// opsGainOf computes the worth of v Operations points with a printed value.
func (m *mind) opsGainOf(p *engine.Position, side engine.Side, printed, v int) int {
	q := *p
	before := m.ground(&q)
	m.spend(&q, side, v, q.PlaceableSpaces(side))
	return max(side.Sign()*(m.ground(&q)-before), m.checksGain(p, side, printed, p.CheckTargets(side)))
}

// ground returns the total worth of all countries.
func (m *mind) ground(p *engine.Position) int {
	worth := 0
	for c := engine.EastGermany; c < engine.Countries; c++ {
		worth += m.country(p, c)
	}
	return worth
}

// attemptGain returns the expected gain of a Tiananmen attempt with a card.
func attemptGain(p *engine.Position, side engine.Side, c engine.Card) int {
	t := p.Tiananmen[side]
	if !p.CanAttempt(side) {
		return 0
	}
	box := t.Box + 1
	need := engine.BoxThresholds[side][box] - p.OpsValue(side, c.Info().Ops, false) - p.AttemptMods(side, c)
	good := max(0, min(6, 7-need))
	worth := boxWorth[box] - boxWorth[t.Box]
	if p.Tiananmen[side.Enemy()].Box >= box {
		// The first side in a box receives its award. The second side only cancels the award.
		worth /= 2
	}
	// A failure makes the next attempt easier.
	return (good*worth + (6-good)*15) / 6
}

// operations chooses the use of Operations.
func (m *mind) operations(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
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
			g = side.Sign() * m.event(p, engine.Card(engine.AtomValue(a)), side)
		}
		if g > gain {
			choice, gain = a, g
		}
	}
	if places.IsEmpty() {
		return choice
	}
	left := max(1, int(q.Remaining))
	w := *p
	if f.Step == engine.OpsPlacing {
		if a, found := m.followPlan(p, options); found {
			return a
		}
		at, first := m.best(&w, side, places, left, left, false)
		if first < 0 && gain >= 0 {
			return choice
		}
		return atSpace(engine.VerbOpsPlace, at, options)
	}
	before := m.ground(&w)
	m.spend(&w, side, left, places)
	if side.Sign()*(m.ground(&w)-before) < gain && gain >= 0 || len(m.plan) == 0 {
		return choice
	}
	at := m.plan[0]
	m.plan, m.planned = append(m.plan[:0], m.plan[1:]...), p.PlayNumber()
	return atSpace(engine.VerbOpsPlace, at, options)
}

// followPlan returns the option for the next space of a light mind's plan, if the plan belongs to this
// play.
func (m *mind) followPlan(p *engine.Position, options []rules.Atom) (rules.Atom, bool) {
	if !m.light || m.planned != p.PlayNumber() || len(m.plan) == 0 {
		return 0, false
	}
	a := engine.SpaceAtom(engine.VerbOpsPlace, m.plan[0])
	m.plan = append(m.plan[:0], m.plan[1:]...)
	return a, slices.Contains(options, a)
}

// atSpace returns the option with a verb and a space.
func atSpace(v engine.Verb, s engine.Space, options []rules.Atom) rules.Atom {
	if s == 0 {
		return options[0]
	}
	return engine.SpaceAtom(v, s)
}

// placement chooses a space for a support point of an event or of the set-up.
func (m *mind) placement(p *engine.Position, options []rules.Atom) rules.Atom {
	side, q := p.Question.Side, &p.Question
	var set engine.SpaceSet
	for _, a := range options {
		if engine.AtomVerb(a) == engine.VerbPlace {
			set.Add(engine.Space(engine.AtomValue(a)))
		}
	}
	most := int(q.Remaining)
	if q.MaxPerSpace > 0 {
		most = min(most, int(q.MaxPerSpace))
	}
	w := *p
	at, gain := m.best(&w, side, set, int(q.Remaining), max(1, most), true)
	last := options[len(options)-1]
	if v := engine.AtomVerb(last); (v == engine.VerbStop || v == engine.VerbPass) && gain < 30 {
		// Moved points leave another space.
		return last
	}
	return atSpace(engine.VerbPlace, at, options)
}

// removal chooses the space that loses support: the most valuable space of the enemy for the points
// removed, or the least valuable own space.
func (m *mind) removal(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	side, q := p.Question.Side, &p.Question
	of := side.Enemy()
	if q.Source == engine.SourceLoss || f.Proc == engine.ProcEvent && f.Side != side {
		of = side
	}
	most := int(q.Remaining)
	if q.MaxPerSpace > 0 {
		most = min(most, int(q.MaxPerSpace))
	}
	w := &m.tries[m.depth]
	*w = *p
	choice, best := options[0], 0
	for i, a := range options {
		s, rate := engine.Space(engine.AtomValue(a)), 0
		if engine.AtomVerb(a) == engine.VerbRemove {
			for n := 1; n <= min(most, int(p.Support[of][s])); n++ {
				worth := m.added(w, of, s, -n) * 60 / n
				if of != side {
					worth = -worth
				}
				if n == 1 || worth > rate && of != side {
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

// check chooses the space of a support check.
func (m *mind) check(p *engine.Position, f *engine.Frame, options []rules.Atom) rules.Atom {
	side := p.Question.Side
	printed, extra := f.PrintedOps(), 0
	switch f.Proc {
	case engine.ProcEvent:
		extra = f.EventStep().Extra
	case engine.ProcMatch:
		printed = engine.Box6Ops
	}
	choice, gain := options[0], -matchOver
	w := *p
	for _, a := range options {
		g := 0
		if v := engine.AtomVerb(a); v == engine.VerbCheck || v == engine.VerbOpsCheck {
			g = m.checkGain(&w, side, engine.Space(engine.AtomValue(a)), printed, extra, engine.AtomFlag(a) == 1 || f.OnlyEastGermany && p.BorderOpen(side))
		}
		if g > gain {
			choice, gain = a, g
		}
	}
	return choice
}
