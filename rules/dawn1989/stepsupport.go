package dawn1989

import "samizdat/rules"

// The steps that place, remove and check support.

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

// removeOne: choose one space and remove n enemy support points there.
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
