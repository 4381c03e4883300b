package engine

import "samizdat/rules"

// The steps that choose one space and do something there.

// oneSpace makes the act of a step that chooses one space, and remembers its
// country for the steps after it. It lapses when no space qualifies.
func oneSpace(able func(p *Position, f *Frame, s *Step) SpaceSet, act func(r *Run, f *Frame, s *Step, at Space)) Act {
	return oneSpaceOr(able, act, nextStep)
}

// oneSpaceOr works like oneSpace for steps that do something else when no space qualifies.
func oneSpaceOr(able func(p *Position, f *Frame, s *Step) SpaceSet, act func(r *Run, f *Frame, s *Step, at Space),
	none func(r *Run, f *Frame)) Act {
	list := func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return atoms(dst, VerbChoose, uint8(ChooseSpace), able(p, f, s))
	}
	return pick(Question{Kind: AskSpace}, list, func(r *Run, f *Frame, s *Step, a rules.Atom) {
		at := Space(AtomValue(a))
		f.Country = at.Info().Country
		f.next()
		act(r, f, s, at)
	}, none)
}

// all returns the step's set, enemyThere its spaces with enemy support.
func all(p *Position, f *Frame, s *Step) SpaceSet { return s.spaces(p, f) }

func enemyThere(p *Position, f *Frame, s *Step) SpaceSet {
	return s.spaces(p, f).And(p.Occupied[f.Side.Enemy()])
}

// stack: choose one space and place n support points there.
func stack(label string, n int, w where) Step {
	return Step{Label: label, Act: &ActStack, N: n, where: w}
}

// ActStack places points in one space.
var ActStack = oneSpace(all, func(r *Run, f *Frame, s *Step, at Space) { r.place(f.Side, at, s.N) })

// AllPoints is greater than the support in any space.
const AllPoints = maxSupport

// removeOne: choose one space and remove n enemy support points there.
func removeOne(label string, n int, w where) Step {
	return Step{Label: label, Act: &ActRemoveOne, N: n, where: w}
}

// ActRemoveOne removes enemy points in one space.
var ActRemoveOne = oneSpace(enemyThere, func(r *Run, f *Frame, s *Step, at Space) { r.remove(f.Side.Enemy(), at, s.N) })

// replace: choose one space and swap n enemy support points for own ones.
func replace(label string, n int, w where) Step {
	return Step{Label: label, Act: &ActReplace, N: n, where: w}
}

// ActReplace swaps enemy points in one space.
var ActReplace = oneSpace(enemyThere, func(r *Run, f *Frame, s *Step, at Space) { r.swap(f.Side, at, s.N) })

// swap replaces up to n enemy support points in a space by own ones.
func (r *Run) swap(side Side, at Space, n int) {
	n = min(n, int(r.p.Support[side.Enemy()][at]))
	r.remove(side.Enemy(), at, n)
	r.place(side, at, n)
}

// control: choose one space that the side does not control and place sufficient support points for control.
func control(label string, w where) Step {
	return Step{Label: label, Act: &ActControl, where: w.lacking()}
}

// ActControl places enough points to control one space.
var ActControl = oneSpace(all, func(r *Run, f *Frame, s *Step, at Space) { r.control(f.Side, at) })

// control places sufficient support points for control of a space: none when the side has it.
func (r *Run) control(side Side, at Space) {
	p := r.p
	r.place(side, at, at.Info().Stability+int(p.Support[side.Enemy()][at])-int(p.Support[side][at]))
}

// target: choose one space with enemy support for the steps after it. Without any the event is over.
func target(label string, w where) Step { return Step{Label: label, Act: &ActTarget, where: w} }

// ActTarget chooses the space of the steps after it.
var ActTarget = oneSpaceOr(enemyThere, func(r *Run, f *Frame, s *Step, at Space) { f.Space = at }, func(r *Run, f *Frame) {
	r.emit(EvNoTarget, int(f.Side), int(f.Card))
	f.end()
})

// turnAround: all enemy support in the chosen space becomes own support.
func turnAround(label string) Step { return Step{Label: label, Act: &actTurnAround} }

var actTurnAround = atOnce(func(r *Run, f *Frame, s *Step) { r.swap(f.Side, f.Space, AllPoints) })

// The steps that place and remove support.

// place: place n support points, in any split.
func place(label string, n int, w where) Step {
	return Step{Label: label, Act: &actPlace, N: n, where: w}
}

// placeSome: place as many support points as the value says.
func placeSome(label string, value func(p *Position, f *Frame) int, w where) Step {
	return Step{Label: label, Act: &actPlace, Value: value, where: w}
}

var actPlace = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		if !r.giveOut(f.Side, f.Source, s.number(r.p, f), s.spaces(r.p, f), s.per) {
			f.next()
		}
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		if r.giveOne(f.Side, Space(AtomValue(a))) {
			f.next()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return atoms(dst, VerbPlace, 0, p.openSpaces(s.spaces(p, f)))
	},
}

// placeOrClear: place n support points, or remove all enemy support from every space of the set.
func placeOrClear(label string, n int, w where) Step {
	return Step{Label: label, Act: &actPlaceOrClear, N: n, where: w}
}

var actPlaceOrClear = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		r.ask(Question{Kind: AskWay, Side: f.Side, Source: f.Source, Remaining: int8(s.N)})
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		if AtomVerb(a) == VerbPlace {
			actPlace.answer(r, f, s, a)
			return
		}
		r.closeQuestion()
		f.next()
		r.clearOut(f.Side.Enemy(), s.spaces(r.p, f))
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		dst = actPlace.options(p, f, s, dst)
		if p.Question.Given == 0 {
			dst = append(dst, NewAtom(VerbChoose, uint8(ChooseOption), OptionClear))
		}
		return dst
	},
}

// oneEach: place one support point in every space of the set.
func oneEach(label string, w where) Step {
	return Step{Label: label, Act: &actOneEach, where: w}
}

var actOneEach = atOnce(func(r *Run, f *Frame, s *Step) {
	set := s.spaces(r.p, f)
	for at := set.Next(); at != 0; at = set.Next() {
		r.place(f.Side, at, 1)
	}
})

// move: up to n own support points of one space may move to others.
func move(label string, n int, from string, w where) Step {
	s := Step{Label: label, Act: &ActMove, N: n, where: w.except(from)}
	origin := FindSpace(from)
	s.Value = func(p *Position, f *Frame) int { return int(origin) }
	return s
}

// ActMove moves support points.
var ActMove = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		n := min(s.N, int(r.p.Support[f.Side][s.Value(r.p, f)]))
		if n == 0 {
			f.next()
			return nil
		}
		r.ask(Question{Kind: AskPlace, Side: f.Side, Source: f.Source, Remaining: int8(n), MaxPerSpace: int8(s.per), Optional: true, UpTo: true})
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		r.remove(f.Side, Space(s.Value(r.p, f)), 1)
		if r.giveOne(f.Side, Space(AtomValue(a))) {
			f.next()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return endable(p, atoms(dst, VerbPlace, 0, p.openSpaces(s.spaces(p, f))))
	},
}

// endable adds the atom that ends an optional list: PASS before the first entry, a stop after it.
func endable(p *Position, dst []rules.Atom) []rules.Atom {
	if p.Question.Given == 0 {
		return declineAtoms(p, dst)
	}
	return append(dst, atomStop)
}

// remove: remove n enemy support points, in any split.
func remove(label string, n int, w where) Step {
	return Step{Label: label, Act: &actRemove, N: n, where: w}
}

var actRemove = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		if !r.takeAway(f.Side, f.Side.Enemy(), f.Source, s.N, s.spaces(r.p, f), s.per) {
			f.next()
		}
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		if r.takeOne(f.Side.Enemy(), Space(AtomValue(a))) {
			f.next()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return p.removable(f.Side.Enemy(), s.spaces(p, f), dst)
	},
}

// enemyLoses: the enemy removes n of his own support points.
func enemyLoses(label string, n int, w where) Step {
	return Step{Label: label, Act: &actEnemyLoses, N: n, where: w}
}

var actEnemyLoses = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		enemy := f.Side.Enemy()
		if !r.takeAway(enemy, enemy, f.Source, s.N, s.spaces(r.p, f), s.per) {
			f.next()
		}
		return nil
	},
	answer:  actRemove.answer,
	options: actRemove.options,
}

// clearOut: all enemy support leaves every space of the set.
func clearOut(label string, w where) Step { return Step{Label: label, Act: &actClearOut, where: w} }

var actClearOut = atOnce(func(r *Run, f *Frame, s *Step) { r.clearOut(f.Side.Enemy(), s.spaces(r.p, f)) })

// withdraw: all own support leaves every space of the set.
func withdraw(label string, w where) Step { return Step{Label: label, Act: &actWithdraw, where: w} }

var actWithdraw = atOnce(func(r *Run, f *Frame, s *Step) { r.clearOut(f.Side, s.spaces(r.p, f)) })

func (r *Run) clearOut(side Side, set SpaceSet) {
	for at := set.Next(); at != 0; at = set.Next() {
		r.remove(side, at, int(r.p.Support[side][at]))
	}
}

// The steps that only one card has.

// destroy: choose a space, which is destroyed for the rest of the match. The
// support of both sides leaves it; the Communist's goes to Bucuresti (card 69).
func destroy(label string, w where) Step { return Step{Label: label, Act: &ActDestroy, where: w} }

// ActDestroy destroys a space.
var ActDestroy = oneSpace(all, func(r *Run, f *Frame, s *Step, at Space) {
	p := r.p
	r.emit(EvDestroyed, int(at))
	moved := int(p.Support[Communist][at])
	for side := Democrat; side <= Communist; side++ {
		r.remove(side, at, AllPoints)
	}
	p.Destroyed = at
	if at != bucuresti {
		r.place(Communist, bucuresti, moved)
	}
})

// afterCrowd: the event waits in play until The Crowd Turns Against Ceausescu
// has taken effect; then the Tyrant is gone (rule 7.6.3, card 97).
func afterCrowd() Step { return Step{Label: "wait", Act: &actAfterCrowd} }

var actAfterCrowd = atOnce(func(r *Run, f *Frame, s *Step) {
	if !r.p.Effects.CrowdStruck {
		r.lasts(f)
		f.end()
		return
	}
	r.p.Effects.TyrantGone = true
})

// hide: choose a space where the Tyrant's marker is put; when there is none he is captured at once (card 97).
func hide(label string, w where) Step { return Step{Label: label, Act: &ActHide, where: w} }

const captureVP = 2

// ActHide chooses the Tyrant's refuge.
var ActHide = oneSpaceOr(all, func(r *Run, f *Frame, s *Step, at Space) {
	r.p.Effects.Refuge = at
	r.emit(EvRefuge, int(at))
}, func(r *Run, f *Frame) {
	f.next()
	r.addVP(captureVP, VPFromCapture, int(f.Card))
})

// coup: in every country where the side has Power, sufficient points for control of its Elite space, then a check
// against its Bureaucrat space, with or without enemy support there (card 109). N counts the countries.
func coup(label string) Step { return Step{Label: label, Act: &actCoup} }

var actCoup = Act{run: func(r *Run, f *Frame, s *Step) error {
	p := r.p
	if f.Space != 0 {
		if err := r.check(f.Side, f.Space, f.Card.Info().Ops, s.Extra, false); err != nil {
			return err
		}
		f.Space = 0
		return nil
	}
	f.N++
	c := Country(f.N)
	switch {
	case c >= Countries:
		f.next()
		return nil
	case p.Power[c].Held != f.Side:
		return nil
	}
	here := InCountry[c].And(p.ExistingSpaces())
	elite, capital := here.And(ofKind[Elite]), here.And(ofKind[Bureaucrat])
	if at := elite.Next(); at != 0 {
		r.control(f.Side, at)
	}
	if p.Effects.Debt != c {
		f.Space = capital.Next()
	}
	return nil
}}
