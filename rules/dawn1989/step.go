package dawn1989

import "samizdat/rules"

// Step is one step of an event. The table in events.go is written in steps, so
// that a card can be held beside it.
type Step struct {
	// Label names the step in stored positions; it is unique in its card and
	// never changes.
	Label string
	verb  *verb
	n     int
	where where
	per   int
	card  func(p *Position, side Side) CardSet
	test  func(p *Position) bool
	value func(p *Position) int
}

// verb is what a step does: it runs, and when it asks it knows the options and
// takes the answer.
type verb struct {
	run     func(x *Run, f *Frame, s *Step) error
	answer  func(x *Run, f *Frame, s *Step, a rules.Atom)
	options func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom
}

// where is a set of spaces as a card names them.
type where struct {
	set SpaceSet
	// same: only in the country that an earlier step chose.
	same bool
	// not: without the spaces that the acting side controls already.
	not bool
}

func (w where) of(ks ...Kind) where {
	var set SpaceSet
	for _, k := range ks {
		set = set.or(ofKind[k])
	}
	w.set = w.set.and(set)
	return w
}

func (w where) there() where { w.same = true; return w }

// anywhere is the whole map.
func anywhere() where { return where{set: everywhere} }

// in is a country, or several.
func in(cs ...Country) where {
	var w where
	for _, c := range cs {
		w.set = w.set.or(inCountry[c])
	}
	return w
}

// of is every space of some types.
func of(ks ...Kind) where { return anywhere().of(ks...) }

// these are named spaces.
func these(names ...string) where { return where{set: spacesNamed(names...)} }

// spaces is what a step's set comes to now.
func (s *Step) spaces(p *Position, f *Frame) SpaceSet {
	set := s.where.set.and(p.onMap())
	if s.where.same {
		set = set.and(inCountry[f.Country])
	}
	if s.where.not {
		set = set.minus(p.controls[f.Side])
	}
	return set
}

// most limits the points in any one space.
func (s Step) most(n int) Step { s.per = n; return s }

// place: place n support points, in any split.
func place(label string, n int, w where) Step {
	return Step{Label: label, verb: &placeVerb, n: n, where: w}
}

var placeVerb = verb{
	run: func(x *Run, f *Frame, s *Step) error {
		if !x.giveOut(f.Side, f.Source, s.n, s.spaces(x.p, f), s.per) {
			f.next()
		}
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		if x.giveOne(f.Side, Space(AtomValue(a))) {
			f.next()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return atoms(dst, VerbPlace, 0, p.open(s.spaces(p, f)))
	},
}

// remove: remove n enemy support points, in any split.
func remove(label string, n int, w where) Step {
	return Step{Label: label, verb: &removeVerb, n: n, where: w}
}

var removeVerb = verb{
	run: func(x *Run, f *Frame, s *Step) error {
		if !x.takeAway(f.Side, f.Side.Enemy(), f.Source, s.n, s.spaces(x.p, f), s.per) {
			f.next()
		}
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		if x.takeOne(f.Side.Enemy(), Space(AtomValue(a))) {
			f.next()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return p.removable(f.Side.Enemy(), s.spaces(p, f), dst)
	},
}

// oneSpace makes the verb of a step that chooses one space, and remembers its
// country for the steps after it. It lapses when no space qualifies, and does
// not ask when one does.
func oneSpace(able func(p *Position, f *Frame, s *Step) SpaceSet, act func(x *Run, f *Frame, s *Step, at Space)) verb {
	chosen := func(x *Run, f *Frame, s *Step, at Space) {
		f.Country = at.Info().Country
		act(x, f, s, at)
		f.next()
	}
	return verb{
		run: func(x *Run, f *Frame, s *Step) error {
			switch set := able(x.p, f, s); set.len() {
			case 0:
				f.next()
			case 1:
				chosen(x, f, s, set.next())
			default:
				x.ask(Question{Ask: AskSpace, Side: f.Side, Source: f.Source, Left: 1})
			}
			return nil
		},
		answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
			x.close()
			chosen(x, f, s, Space(AtomValue(a)))
		},
		options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
			return atoms(dst, VerbChoose, uint8(ChooseSpace), able(p, f, s))
		},
	}
}

// all is every space of the step's set, enemyThere those with enemy support.
func all(p *Position, f *Frame, s *Step) SpaceSet { return s.spaces(p, f) }

func enemyThere(p *Position, f *Frame, s *Step) SpaceSet {
	return s.spaces(p, f).and(p.holds[f.Side.Enemy()])
}

// stack: choose one space and place n support points there.
func stack(label string, n int, w where) Step {
	return Step{Label: label, verb: &stackVerb, n: n, where: w}
}

var stackVerb = oneSpace(all, func(x *Run, f *Frame, s *Step, at Space) { x.place(f.Side, at, s.n) })

// clear: choose one space and remove n enemy support points there.
func removeOne(label string, n int, w where) Step {
	return Step{Label: label, verb: &removeOneVerb, n: n, where: w}
}

var removeOneVerb = oneSpace(enemyThere, func(x *Run, f *Frame, s *Step, at Space) { x.remove(f.Side.Enemy(), at, s.n) })

// replace: choose one space and swap n enemy support points for own ones.
func replace(label string, n int, w where) Step {
	return Step{Label: label, verb: &replaceVerb, n: n, where: w}
}

var replaceVerb = oneSpace(enemyThere, func(x *Run, f *Frame, s *Step, at Space) {
	n := min(s.n, int(x.p.support[f.Side.Enemy()][at]))
	x.remove(f.Side.Enemy(), at, n)
	x.place(f.Side, at, n)
})

// control: choose one space that the side does not control and place sufficient
// support points for control.
func control(label string, w where) Step {
	w.not = true
	return Step{Label: label, verb: &controlVerb, where: w}
}

var controlVerb = oneSpace(all, func(x *Run, f *Frame, s *Step, at Space) {
	p := x.p
	x.place(f.Side, at, at.Info().Stability+int(p.support[f.Side.Enemy()][at])-int(p.support[f.Side][at]))
})

// check: make n support checks with the Ops value of the card.
func check(label string, n int, w where) Step {
	return Step{Label: label, verb: &checkVerb, n: n, where: w}
}

func checkable(p *Position, f *Frame, s *Step) SpaceSet { return s.spaces(p, f).and(p.targets(f.Side)) }

var checkVerb = verb{
	run: func(x *Run, f *Frame, s *Step) error {
		if f.Space != 0 {
			// A single check, and checks bound to East Germany, use the bonus
			// of card 58 without being asked.
			all := f.Space.Info().Country == EastGermany && (s.n == 1 || s.where.set.minus(inCountry[EastGermany]).empty())
			if err := x.check(f.Side, f.Space, f.Card.Info().Ops, 0, all); err != nil {
				return err
			}
			f.Space = 0
			f.N++
			return nil
		}
		if int(f.N) == s.n {
			f.next()
			return nil
		}
		switch set := checkable(x.p, f, s); set.len() {
		case 0:
			x.say(EvNoTarget, int(f.Side), int(f.Card))
			f.next()
		case 1:
			f.Space = set.next()
		default:
			x.ask(Question{Ask: AskCheck, Side: f.Side, Source: f.Source, Left: 1})
		}
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		x.close()
		f.Space = Space(AtomValue(a))
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return atoms(dst, VerbCheck, 0, checkable(p, f, s))
	},
}

// at once makes the verb of a step that asks nothing.
func atOnce(act func(x *Run, f *Frame, s *Step)) verb {
	return verb{run: func(x *Run, f *Frame, s *Step) error {
		f.next()
		act(x, f, s)
		return nil
	}}
}

// vp: n victory points, plus in the Democrat's direction.
func vp(n int) Step { return Step{Label: "vp", verb: &vpVerb, n: n} }

var vpVerb = atOnce(func(x *Run, f *Frame, s *Step) { x.vp(s.n, WhyEvent, int(f.Card)) })

// vpByPeriod: victory points by the period of the present turn.
func vpByPeriod(early, middle, late int) Step {
	return Step{Label: "vp", verb: &vpByPeriodVerb, value: func(p *Position) int {
		return [...]int{early, middle, late}[period(int(p.turn))]
	}}
}

var vpByPeriodVerb = atOnce(func(x *Run, f *Frame, s *Step) { x.vp(s.value(x.p), WhyEvent, int(f.Card)) })

// lasts: the card lies in play and its effect is in force.
func lasts() Step { return Step{Label: "lasts", verb: &lastsVerb} }

var lastsVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	x.p.force.cards.add(f.Card)
	x.say(EvInForce, int(f.Card), int(f.Side))
	x.leave(f.Card, PileInPlay)
})

// unless: when the test holds, the event takes place without effect.
func unless(test func(p *Position) bool) Step {
	return Step{Label: "unless", verb: &unlessVerb, test: test}
}

var unlessVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	if s.test(x.p) {
		x.say(EvNoEffect, int(f.Card))
		f.end()
	}
})

// ussr: the U.S.S.R. marker moves to a box (rule 12).
func ussr(box int) Step { return Step{Label: "ussr", verb: &ussrVerb, n: box} }

var ussrVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	x.p.ussr = int8(s.n)
	x.say(EvUSSR, s.n)
})

// extraRound: the Communist may take an eighth action round this turn.
func extraRound() Step { return Step{Label: "extra round", verb: &extraRoundVerb} }

var extraRoundVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	x.p.force.extraRound = true
	x.say(EvExtraRound)
})

// rollAbove: roll a die; unless it is higher than the value, the event is over.
func rollAbove(value func(p *Position) int) Step {
	return Step{Label: "roll", verb: &rollAboveVerb, value: value}
}

var rollAboveVerb = verb{run: func(x *Run, f *Frame, s *Step) error {
	die, err := x.roll(reasonEvent, int(f.Card))
	if err != nil {
		return err
	}
	v := s.value(x.p)
	x.say(EvRoll, int(f.Side), die, 0, die, v+1, flag(die > v), int(f.Card))
	f.next()
	if die <= v {
		f.end()
	}
	return nil
}}

// controlled counts the spaces of a set that a side controls.
func controlled(side Side, w where) func(p *Position) int {
	return func(p *Position) int { return p.controls[side].and(w.set).and(p.onMap()).len() }
}

// resolveDiscarded: choose a card of the discard pile, whose event takes place
// at once.
func resolveDiscarded(label string, which func(p *Position, side Side) CardSet) Step {
	return Step{Label: label, verb: &resolveDiscardedVerb, card: which}
}

var resolveDiscardedVerb = verb{
	run: func(x *Run, f *Frame, s *Step) error {
		switch set := s.card(x.p, f.Side); set.len() {
		case 0:
			f.next()
		case 1:
			x.resolveTaken(f, set.next())
		default:
			x.ask(Question{Ask: AskTake, Side: f.Side, Source: f.Source, Left: 1})
		}
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		x.close()
		x.resolveTaken(f, Card(AtomValue(a)))
	},
	options: takeOptions,
}

func (x *Run) resolveTaken(f *Frame, c Card) {
	f.next()
	x.p.move(c, PileDiscard, PileTable)
	x.say(EvTaken, int(f.Side), int(c), 1)
	x.begin(c, f.Side)
}

func takeOptions(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
	set := s.card(p, f.Side)
	for c := set.next(); c != 0; c = set.next() {
		dst = append(dst, atom(VerbTake, 0, int(c)))
	}
	return declinable(p, dst)
}

// mayTakeDiscarded: a card of the discard pile may be taken into the hand.
func mayTakeDiscarded(label string, which func(p *Position, side Side) CardSet) Step {
	return Step{Label: label, verb: &mayTakeVerb, card: which}
}

var mayTakeVerb = verb{
	run: func(x *Run, f *Frame, s *Step) error {
		if s.card(x.p, f.Side).empty() {
			f.next()
			return nil
		}
		x.ask(Question{Ask: AskTake, Side: f.Side, Source: f.Source, Left: 1, May: true})
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		x.close()
		f.next()
		if AtomVerb(a) == VerbPass {
			x.say(EvPassed, int(f.Side), int(AskTake), int(f.Source))
			return
		}
		c := Card(AtomValue(a))
		x.p.move(c, PileDiscard, hand(f.Side))
		x.p.known[f.Side].add(c)
		x.say(EvTaken, int(f.Side), int(c), 0)
	},
	options: takeOptions,
}

// struggle: a power struggle in a country, with its aftermath.
func struggle(c Country) Step { return Step{Label: "struggle", verb: &struggleVerb, n: int(c)} }

var struggleVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	x.push(Frame{Proc: ProcStruggle, Card: f.Card, Side: f.Side, Country: Country(s.n)})
})
