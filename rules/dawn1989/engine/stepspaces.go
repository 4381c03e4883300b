package engine

import "samizdat/rules"

// The steps that choose one space and change it.

// newSpaceAct returns an act that lets the side choose a space of candidates, and calls act with it. Later steps find
// the country of the space in Frame.Country. If there are no candidates, the step is skipped.
func newSpaceAct(candidates func(p *Position, f *Frame, s *Step) SpaceSet, act func(r *Run, f *Frame, s *Step, at Space)) Act {
	return newSpaceActOr(candidates, act, nextStep)
}

// newSpaceActOr is newSpaceAct with a function, otherwise, that is called if there are no candidates.
func newSpaceActOr(candidates func(p *Position, f *Frame, s *Step) SpaceSet, act func(r *Run, f *Frame, s *Step, at Space),
	otherwise func(r *Run, f *Frame)) Act {
	list := func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return appendAtoms(dst, VerbChoose, uint8(ChooseSpace), candidates(p, f, s))
	}
	return newChoiceAct(Question{Kind: AskSpace}, list, func(r *Run, f *Frame, s *Step, a rules.Atom) {
		at := Space(AtomValue(a))
		f.Country = at.Info().Country
		f.goToNextStep()
		act(r, f, s, at)
	}, otherwise)
}

func stepSpaces(p *Position, f *Frame, s *Step) SpaceSet { return s.spaces(p, f) }

func enemySpaces(p *Position, f *Frame, s *Step) SpaceSet {
	return s.spaces(p, f).And(p.Occupied[f.Side.Enemy()])
}

// placeInOne returns a step that chooses a space and places n support points there.
func placeInOne(label string, n int, w spaceFilter) Step {
	return Step{Label: label, Act: &ActPlaceInOne, N: n, filter: w}
}

// ActPlaceInOne places points in one space.
var ActPlaceInOne = newSpaceAct(stepSpaces, func(r *Run, f *Frame, s *Step, at Space) { r.place(f.Side, at, s.N) })

// AllPoints is the number of points to remove if all are to be removed, because no space can have more.
const AllPoints = maxSupport

// removeOne returns a step that chooses a space and removes n enemy support points there.
func removeOne(label string, n int, w spaceFilter) Step {
	return Step{Label: label, Act: &ActRemoveOne, N: n, filter: w}
}

// ActRemoveOne removes enemy points from one space.
var ActRemoveOne = newSpaceAct(enemySpaces, func(r *Run, f *Frame, s *Step, at Space) { r.remove(f.Side.Enemy(), at, s.N) })

// replace returns a step that chooses a space and replaces n enemy support points by own points.
func replace(label string, n int, w spaceFilter) Step {
	return Step{Label: label, Act: &ActReplace, N: n, filter: w}
}

// ActReplace replaces enemy points in one space by own points.
var ActReplace = newSpaceAct(enemySpaces, func(r *Run, f *Frame, s *Step, at Space) { r.swap(f.Side, at, s.N) })

// swap replaces n enemy support points in a space by the same number of own points. If there are fewer than n, it
// replaces all.
func (r *Run) swap(side Side, at Space, n int) {
	n = min(n, int(r.p.Support[side.Enemy()][at]))
	r.remove(side.Enemy(), at, n)
	r.place(side, at, n)
}

// control returns a step that chooses a space and places enough support points to control it.
func control(label string, w spaceFilter) Step {
	return Step{Label: label, Act: &ActControl, filter: w.notControlled()}
}

// ActControl places enough points to control one space.
var ActControl = newSpaceAct(stepSpaces, func(r *Run, f *Frame, s *Step, at Space) { r.control(f.Side, at) })

func (r *Run) control(side Side, at Space) {
	p := r.p
	r.place(side, at, at.Info().Stability+int(p.Support[side.Enemy()][at])-int(p.Support[side][at]))
}

// target returns a step that chooses a space with enemy support. Later steps find it in Frame.Space. If there is no
// space to choose, the event ends.
func target(label string, w spaceFilter) Step { return Step{Label: label, Act: &ActTarget, filter: w} }

// ActTarget is the act of target.
var ActTarget = newSpaceActOr(enemySpaces, func(r *Run, f *Frame, s *Step, at Space) { f.Space = at }, func(r *Run, f *Frame) {
	r.emit(EvNoTarget, int(f.Side), int(f.Card))
	f.skipToEnd()
})

// turnAround returns a step that replaces all enemy support in the space chosen by target by own support.
func turnAround(label string) Step { return Step{Label: label, Act: &actTurnAround} }

var actTurnAround = newInstantAct(func(r *Run, f *Frame, s *Step) { r.swap(f.Side, f.Space, AllPoints) })

// The steps that place and remove support.

// place returns a step that places n support points, which the side may divide among the spaces of the filter.
func place(label string, n int, w spaceFilter) Step {
	return Step{Label: label, Act: &actPlace, N: n, filter: w}
}

// placeSome returns a step like that of place, with the number of support points that value returns.
func placeSome(label string, value func(p *Position, f *Frame) int, w spaceFilter) Step {
	return Step{Label: label, Act: &actPlace, Value: value, filter: w}
}

var actPlace = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		if !r.placePoints(f.Side, f.Source, s.countPoints(r.p, f), s.spaces(r.p, f), s.limit) {
			f.goToNextStep()
		}
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		if r.placePoint(f.Side, Space(AtomValue(a))) {
			f.goToNextStep()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return appendAtoms(dst, VerbPlace, 0, p.openSpaces(s.spaces(p, f)))
	},
}

// placeOrClear returns a step with a choice: the side places n support points in spaces of the filter, or removes all
// enemy support from all these spaces.
func placeOrClear(label string, n int, w spaceFilter) Step {
	return Step{Label: label, Act: &actPlaceOrClear, N: n, filter: w}
}

var actPlaceOrClear = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		r.ask(Question{Kind: AskAlternative, Side: f.Side, Source: f.Source, Remaining: int8(s.N)})
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		if AtomVerb(a) == VerbPlace {
			actPlace.answer(r, f, s, a)
			return
		}
		r.closeQuestion()
		f.goToNextStep()
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

// oneEach returns a step that places one support point in every space of the filter.
func oneEach(label string, w spaceFilter) Step {
	return Step{Label: label, Act: &actOneEach, filter: w}
}

var actOneEach = newInstantAct(func(r *Run, f *Frame, s *Step) {
	set := s.spaces(r.p, f)
	for at := set.Next(); at != 0; at = set.Next() {
		r.place(f.Side, at, 1)
	}
})

// move returns a step that moves at most n own support points from a space (from) to other spaces of the filter.
func move(label string, n int, from string, w spaceFilter) Step {
	s := Step{Label: label, Act: &ActMove, N: n, filter: w.except(from)}
	origin := FindSpace(from)
	s.Value = func(p *Position, f *Frame) int { return int(origin) }
	return s
}

// ActMove moves points from the space that Step.Value returns.
var ActMove = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		n := min(s.N, int(r.p.Support[f.Side][s.Value(r.p, f)]))
		if n == 0 {
			f.goToNextStep()
			return nil
		}
		r.ask(Question{Kind: AskPlace, Side: f.Side, Source: f.Source, Remaining: int8(n), MaxPerSpace: int8(s.limit), Optional: true,
			UpTo: true})
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		r.remove(f.Side, Space(s.Value(r.p, f)), 1)
		if r.placePoint(f.Side, Space(AtomValue(a))) {
			f.goToNextStep()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return appendStop(p, appendAtoms(dst, VerbPlace, 0, p.openSpaces(s.spaces(p, f))))
	},
}

// appendStop appends the atom with which a side ends an answer of any length: PASS if the answer has no other atom
// yet (and may be declined), otherwise VerbStop.
func appendStop(p *Position, dst []rules.Atom) []rules.Atom {
	if p.Question.Given == 0 {
		return appendDecline(p, dst)
	}
	return append(dst, atomStop)
}

// remove returns a step that removes n enemy support points, from spaces of the filter that the side chooses.
func remove(label string, n int, w spaceFilter) Step {
	return Step{Label: label, Act: &actRemove, N: n, filter: w}
}

var actRemove = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		if !r.removePoints(f.Side, f.Side.Enemy(), f.Source, s.N, s.spaces(r.p, f), s.limit) {
			f.goToNextStep()
		}
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		if r.removePoint(f.Side.Enemy(), Space(AtomValue(a))) {
			f.goToNextStep()
		}
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return p.appendRemovalAtoms(f.Side.Enemy(), s.spaces(p, f), dst)
	},
}

// enemyLoses returns a step that makes the enemy remove n own support points, from spaces of the filter that the
// enemy chooses.
func enemyLoses(label string, n int, w spaceFilter) Step {
	return Step{Label: label, Act: &actEnemyLoses, N: n, filter: w}
}

var actEnemyLoses = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		enemy := f.Side.Enemy()
		if !r.removePoints(enemy, enemy, f.Source, s.N, s.spaces(r.p, f), s.limit) {
			f.goToNextStep()
		}
		return nil
	},
	answer:  actRemove.answer,
	options: actRemove.options,
}

// clearOut returns a step that removes all enemy support from all spaces of the filter.
func clearOut(label string, w spaceFilter) Step {
	return Step{Label: label, Act: &actClearOut, filter: w}
}

var actClearOut = newInstantAct(func(r *Run, f *Frame, s *Step) { r.clearOut(f.Side.Enemy(), s.spaces(r.p, f)) })

// withdraw returns a step that removes all own support from all spaces of the filter.
func withdraw(label string, w spaceFilter) Step {
	return Step{Label: label, Act: &actWithdraw, filter: w}
}

var actWithdraw = newInstantAct(func(r *Run, f *Frame, s *Step) { r.clearOut(f.Side, s.spaces(r.p, f)) })

func (r *Run) clearOut(side Side, set SpaceSet) {
	for at := set.Next(); at != 0; at = set.Next() {
		r.remove(side, at, int(r.p.Support[side][at]))
	}
}

// The steps that belong to single cards.

// destroy returns a step that chooses a space and destroys it for the rest of the match. Its Communist support moves
// to Bucuresti (card 69).
func destroy(label string, w spaceFilter) Step {
	return Step{Label: label, Act: &ActDestroy, filter: w}
}

// ActDestroy destroys a space.
var ActDestroy = newSpaceAct(stepSpaces, func(r *Run, f *Frame, s *Step, at Space) {
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

// afterCrowd returns the first step of card 97. If The Crowd Turns Against Ceausescu has not taken effect yet, the
// event ends and the card waits in play (rule 7.6.3); resolveTyrant later starts the event again.
func afterCrowd() Step { return Step{Label: "wait", Act: &actAfterCrowd} }

var actAfterCrowd = newInstantAct(func(r *Run, f *Frame, s *Step) {
	if !r.p.Effects.CrowdStruck {
		r.putInForce(f)
		f.skipToEnd()
		return
	}
	r.p.Effects.TyrantGone = true
})

// placeRefuge returns a step that chooses the space for the Tyrant's marker. If there is no space for it, the Tyrant
// is captured at once (card 97).
func placeRefuge(label string, w spaceFilter) Step {
	return Step{Label: label, Act: &ActPlaceRefuge, filter: w}
}

const captureVP = 2

// ActPlaceRefuge chooses the space for the Tyrant's marker.
var ActPlaceRefuge = newSpaceActOr(stepSpaces, func(r *Run, f *Frame, s *Step, at Space) {
	r.p.Effects.Refuge = at
	r.emit(EvRefuge, int(at))
}, func(r *Run, f *Frame) {
	f.goToNextStep()
	r.addVP(captureVP, VPFromCapture, int(f.Card))
})

// coup returns a step for card 109. In each country where the side has Power, it gets control of the Elite space and
// then makes a support check in the Bureaucrat space. Frame.N is the current country.
func coup(label string) Step { return Step{Label: label, Act: &actCoup} }

var actCoup = Act{run: func(r *Run, f *Frame, s *Step) error {
	p := r.p
	if f.Space != 0 {
		if err := r.checkSupport(f.Side, f.Space, f.Card.Info().Ops, s.Extra, false); err != nil {
			return err
		}
		f.Space = 0
		return nil
	}
	f.N++
	c := Country(f.N)
	switch {
	case c >= Countries:
		f.goToNextStep()
		return nil
	case p.Power[c].Holder != f.Side:
		return nil
	}
	spaces := InCountry[c].And(p.ExistingSpaces())
	elite, bureaucrat := spaces.And(ofType[Elite]), spaces.And(ofType[Bureaucrat])
	if at := elite.Next(); at != 0 {
		r.control(f.Side, at)
	}
	if p.Effects.DebtCountry != c {
		f.Space = bureaucrat.Next()
	}
	return nil
}}
