package engine

import "samizdat/rules"

// The steps that place and remove support.

// place: place n support points, in any split.
func place(label string, n int, w where) Step {
	return Step{Label: label, Act: &placeVerb, N: n, where: w}
}

// placeSome: place as many support points as the value says.
func placeSome(label string, value func(p *Position, f *Frame) int, w where) Step {
	return Step{Label: label, Act: &placeVerb, Value: value, where: w}
}

var placeVerb = Act{
	run: func(x *Run, f *Frame, s *Step) error {
		if !x.giveOut(f.Side, f.Source, s.number(x.p, f), s.spaces(x.p, f), s.per) {
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

// placeOrClear: place n support points, or remove all enemy support from every
// space of the set.
func placeOrClear(label string, n int, w where) Step {
	return Step{Label: label, Act: &placeOrClearVerb, N: n, where: w}
}

var placeOrClearVerb = Act{
	run: func(x *Run, f *Frame, s *Step) error {
		x.ask(Question{Ask: AskWay, Side: f.Side, Source: f.Source, Left: int8(s.N)})
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		if AtomVerb(a) == VerbPlace {
			placeVerb.answer(x, f, s, a)
			return
		}
		x.close()
		f.next()
		x.clearOut(f.Side.Enemy(), s.spaces(x.p, f))
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		dst = placeVerb.options(p, f, s, dst)
		if p.Question.Given == 0 {
			dst = append(dst, NewAtom(VerbChoose, uint8(ChooseOption), OptionClear))
		}
		return dst
	},
}

// oneEach: place one support point in every space of the set.
func oneEach(label string, w where) Step {
	return Step{Label: label, Act: &oneEachVerb, where: w}
}

var oneEachVerb = atOnce(func(x *Run, f *Frame, s *Step) {
	set := s.spaces(x.p, f)
	for at := set.Next(); at != 0; at = set.Next() {
		x.place(f.Side, at, 1)
	}
})

// move: up to n of the own support points of one space may go to others.
func move(label string, n int, from string, w where) Step {
	s := Step{Label: label, Act: &ActMove, N: n, where: w.except(from)}
	origin := SpaceNamed(from)
	s.Value = func(p *Position, f *Frame) int { return int(origin) }
	return s
}

// ActMove moves points out of one space.
var ActMove = Act{
	run: func(x *Run, f *Frame, s *Step) error {
		n := min(s.N, int(x.p.Support[f.Side][s.Value(x.p, f)]))
		if n == 0 {
			f.next()
			return nil
		}
		x.ask(Question{Ask: AskPlace, Side: f.Side, Source: f.Source, Left: int8(n), Per: int8(s.per), May: true, UpTo: true})
		return nil
	},
	answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
		if AtomVerb(a) != VerbPlace {
			x.decline()
			f.next()
			return
		}
		x.remove(f.Side, Space(s.Value(x.p, f)), 1)
		if x.giveOne(f.Side, Space(AtomValue(a))) {
			f.next()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return endable(p, atoms(dst, VerbPlace, 0, p.open(s.spaces(p, f))))
	},
}

// endable adds what ends a list that may be short: PASS before its first entry,
// a stop after it.
func endable(p *Position, dst []rules.Atom) []rules.Atom {
	if p.Question.Given == 0 {
		return declinable(p, dst)
	}
	return append(dst, atomStop)
}

// remove: remove n enemy support points, in any split.
func remove(label string, n int, w where) Step {
	return Step{Label: label, Act: &removeVerb, N: n, where: w}
}

var removeVerb = Act{
	run: func(x *Run, f *Frame, s *Step) error {
		if !x.takeAway(f.Side, f.Side.Enemy(), f.Source, s.N, s.spaces(x.p, f), s.per) {
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

// enemyLoses: the enemy removes n of his own support points.
func enemyLoses(label string, n int, w where) Step {
	return Step{Label: label, Act: &enemyLosesVerb, N: n, where: w}
}

var enemyLosesVerb = Act{
	run: func(x *Run, f *Frame, s *Step) error {
		enemy := f.Side.Enemy()
		if !x.takeAway(enemy, enemy, f.Source, s.N, s.spaces(x.p, f), s.per) {
			f.next()
		}
		return nil
	},
	answer:  removeVerb.answer,
	options: removeVerb.options,
}

// clearOut: all enemy support leaves every space of the set.
func clearOut(label string, w where) Step { return Step{Label: label, Act: &clearOutVerb, where: w} }

var clearOutVerb = atOnce(func(x *Run, f *Frame, s *Step) { x.clearOut(f.Side.Enemy(), s.spaces(x.p, f)) })

// withdraw: all own support leaves every space of the set.
func withdraw(label string, w where) Step { return Step{Label: label, Act: &withdrawVerb, where: w} }

var withdrawVerb = atOnce(func(x *Run, f *Frame, s *Step) { x.clearOut(f.Side, s.spaces(x.p, f)) })

// clearOut removes all support of a side from a set of spaces.
func (x *Run) clearOut(side Side, set SpaceSet) {
	for at := set.Next(); at != 0; at = set.Next() {
		x.remove(side, at, int(x.p.Support[side][at]))
	}
}
