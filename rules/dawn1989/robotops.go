package dawn1989

import "samizdat/rules"

// What the sensible robot does with support points and support checks.

// mind is a robot at work on one answer: what it expects, and scratch space. The
// positions that it works on are copies of what its view shows.
type mind struct {
	outlook
	me Side
	// told are the enemy's cards that are known, enemyCards how many power
	// struggle cards he holds.
	told       CardSet
	enemyCards int
	// worth of Operations by value, and of events by card, found once for each
	// answer. A card's bit is set when its worth is known.
	opsKnown   [mostOps + 1]bool
	opsWorth   [mostOps + 1]int
	eventKnown CardSet
	eventWorth [cards]int
	// depth is how many imagined events lie inside each other; each has its own
	// scratch space.
	depth  int
	runs   [imagined + 1]Run
	buf    [imagined + 1][mostOptions]rules.Atom
	tries  [imagined + 1]Position
	events [imagined + 1]Position
	luck   luck
}

// mostOps is the greatest value of Operations that the robot tells apart.
const mostOps = 12

// added is what n more support points of a side in a space change for it. The
// position is as before when it returns.
func (m *mind) added(p *Position, side Side, s Space, n int) int {
	c, was := board[s].Country, int(p.support[side][s])
	before := m.country(p, c)
	p.set(side, s, max(0, was+n))
	after := m.country(p, c)
	p.set(side, s, was)
	return side.sign() * (after - before)
}

// best finds the space of a set where points count most for their cost, when left
// can be spent and no more than most go into one space. It looks as far ahead as
// the points last, so that a control which takes several points is seen.
func (m *mind) best(p *Position, side Side, set SpaceSet, left, most int, free bool) (at Space, gain int) {
	bestRate, known, before := 0, NoCountry, 0
	for s := set.next(); s != 0; s = set.next() {
		was, c := int(p.support[side][s]), board[s].Country
		if c != known {
			known, before = c, m.country(p, c)
		}
		spent := 0
		for n := 1; n <= most; n++ {
			cost := 1
			if !free {
				cost = p.cost(side, s)
			}
			if spent += cost; spent > left {
				break
			}
			p.set(side, s, was+n)
			worth := side.sign() * (m.country(p, c) - before)
			// The rate is compared in units that every cost divides.
			if rate := worth * 60 / spent; at == 0 || rate > bestRate {
				at, bestRate, gain = s, rate, worth
			}
		}
		p.set(side, s, was)
	}
	return at, gain
}

// spend places points of Operations in the best way where they may go, in the
// position itself.
func (m *mind) spend(p *Position, side Side, left int, reach SpaceSet) {
	for left > 0 {
		set := reach
		if left == 1 {
			set = reach.minus(p.controls[side.Enemy()])
		}
		s, _ := m.best(p, side, set, left, left, false)
		if s == 0 {
			return
		}
		left -= p.cost(side, s)
		p.set(side, s, int(p.support[side][s])+1)
	}
}

// checkGain is what a support check is expected to bring a side.
func (m *mind) checkGain(p *Position, side Side, s Space, printed, extra int, all bool) int {
	enemy := side.Enemy()
	base, need := p.sum(side, s, printed, extra, all).total(), 2*board[s].Stability
	gain := 0
	if base+6 > need {
		c := board[s].Country
		mine, theirs := int(p.support[side][s]), int(p.support[enemy][s])
		before := m.country(p, c)
		for die := max(1, need-base+1); die <= 6; die++ {
			margin := die + base - need
			removed := min(margin, theirs)
			p.set(enemy, s, theirs-removed)
			p.set(side, s, mine+margin-removed)
			gain += side.sign() * (m.country(p, c) - before)
		}
		p.set(enemy, s, theirs)
		p.set(side, s, mine)
	}
	gain /= 6
	if side == Communist {
		kind := board[s].Kind
		if (kind == Student || kind == Intellectual) && p.force.cards.has(HelsinkiFinalAct) {
			gain -= p.scored(vpWorth)
		}
		if s == ruse && p.force.cards.has(EcoGlasnost) {
			gain -= p.scored(vpWorth)
		}
	}
	return gain
}

// checksGain is what the two support checks of Operations are expected to bring.
func (m *mind) checksGain(p *Position, side Side, printed int, set SpaceSet) int {
	first, second := 0, 0
	for s := set.next(); s != 0; s = set.next() {
		switch g := m.checkGain(p, side, s, printed, 0, false); {
		case g > first:
			first, second = g, first
		case g > second:
			second = g
		}
	}
	// The same space can be checked twice, but what the first check got is gone.
	return first + max(second, first/2)
}

// opsGain is what Operations of a printed value are worth to a side.
func (m *mind) opsGain(p *Position, side Side, printed int) int {
	v := max(0, min(mostOps, p.opsValue(side, printed, false)))
	if m.depth == 0 && side == m.me && m.opsKnown[v] {
		return m.opsWorth[v]
	}
	q := *p
	before := m.ground(&q)
	m.spend(&q, side, v, q.reachOf(side))
	gain := max(side.sign()*(m.ground(&q)-before), m.checksGain(p, side, printed, p.targets(side)))
	if m.depth == 0 && side == m.me {
		m.opsKnown[v], m.opsWorth[v] = true, gain
	}
	return gain
}

// ground is what all countries are worth.
func (m *mind) ground(p *Position) int {
	worth := 0
	for c := EastGermany; c < countries; c++ {
		worth += m.country(p, c)
	}
	return worth
}

// attemptGain is what a Tiananmen attempt with a card is expected to bring.
func (p *Position) attemptGain(side Side, c Card) int {
	t := p.tiananmen[side]
	if !p.canAttempt(side) {
		return 0
	}
	box := t.Box + 1
	need := required[side][box] - p.opsValue(side, c.Info().Ops, false) - p.attemptMods(side, c)
	good := max(0, min(6, 7-need))
	worth := boxWorth[box] - boxWorth[t.Box]
	if p.tiananmen[side.Enemy()].Box >= box {
		// The award goes to whoever is first; the second only takes it away again.
		worth /= 2
	}
	// A failure makes the next attempt easier.
	return (good*worth + (6-good)*15) / 6
}

// operations answers what Operations are used for.
func (m *mind) operations(p *Position, f *Frame, options []rules.Atom) rules.Atom {
	side, q := p.question.Side, &p.question
	var places SpaceSet
	choice, gain := options[0], -1
	for _, a := range options {
		s := Space(AtomValue(a))
		g := 0
		switch AtomVerb(a) {
		case VerbOpsPlace:
			places.add(s)
			continue
		case VerbOpsCheck:
			// Two checks, the second as good as the best of all.
			g = 2 * m.checkGain(p, side, s, f.printed(), 0, AtomFlag(a) == 1)
		case VerbOpsTiananmen:
			g = p.attemptGain(side, f.Card)
		case VerbTake:
			g = side.sign() * m.event(p, Card(AtomValue(a)), side)
		}
		if g > gain {
			choice, gain = a, g
		}
	}
	if places.empty() {
		return choice
	}
	left := max(1, int(q.Left))
	w := *p
	at, first := m.best(&w, side, places, left, left, false)
	if f.Step == opsPlacing {
		if first < 0 && gain >= 0 {
			return choice
		}
		return atSpace(VerbOpsPlace, at, options)
	}
	before := m.ground(&w)
	m.spend(&w, side, left, places)
	if side.sign()*(m.ground(&w)-before) >= gain || gain < 0 {
		return atSpace(VerbOpsPlace, at, options)
	}
	return choice
}

// atSpace is the atom of a verb and a space, which is one of the options.
func atSpace(v Verb, s Space, options []rules.Atom) rules.Atom {
	if s == 0 {
		return options[0]
	}
	return at(v, s)
}

// placement answers where support points of an event or of set-up go.
func (m *mind) placement(p *Position, options []rules.Atom) rules.Atom {
	side, q := p.question.Side, &p.question
	var set SpaceSet
	for _, a := range options {
		if AtomVerb(a) == VerbPlace {
			set.add(Space(AtomValue(a)))
		}
	}
	most := int(q.Left)
	if q.Per > 0 {
		most = min(most, int(q.Per))
	}
	w := *p
	at, gain := m.best(&w, side, set, int(q.Left), max(1, most), true)
	last := options[len(options)-1]
	if v := AtomVerb(last); (v == VerbStop || v == VerbPass) && gain < 30 {
		// Points that are moved leave another space behind.
		return last
	}
	return atSpace(VerbPlace, at, options)
}

// removal answers where support is removed: the enemy's where that counts most
// for the points that it takes, the own where it counts least.
func (m *mind) removal(p *Position, f *Frame, options []rules.Atom) rules.Atom {
	side, q := p.question.Side, &p.question
	of := side.Enemy()
	if q.Source == SourceLoss || f.Proc == ProcEvent && f.Side != side {
		of = side
	}
	most := int(q.Left)
	if q.Per > 0 {
		most = min(most, int(q.Per))
	}
	w := &m.tries[m.depth]
	*w = *p
	choice, best := options[0], 0
	for i, a := range options {
		s, rate := Space(AtomValue(a)), 0
		if AtomVerb(a) == VerbRemove {
			for n := 1; n <= min(most, int(p.support[of][s])); n++ {
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

// check answers which space is checked.
func (m *mind) check(p *Position, f *Frame, options []rules.Atom) rules.Atom {
	side := p.question.Side
	printed, extra := f.printed(), 0
	switch f.Proc {
	case ProcEvent:
		extra = scripts[f.Card][f.Step].extra
	case ProcMatch:
		printed = box6Ops
	}
	choice, gain := options[0], -matchOver
	w := *p
	for _, a := range options {
		g := 0
		if v := AtomVerb(a); v == VerbCheck || v == VerbOpsCheck {
			g = m.checkGain(&w, side, Space(AtomValue(a)), printed, extra, AtomFlag(a) == 1 || f.Border && p.borderOpen(side))
		}
		if g > gain {
			choice, gain = a, g
		}
	}
	return choice
}
