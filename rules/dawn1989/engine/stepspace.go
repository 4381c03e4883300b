package engine

import "samizdat/rules"

// The steps that choose one space and do something there.

// oneSpace makes the act of a step that chooses one space, and remembers its
// country for the steps after it. It lapses when no space qualifies.
func oneSpace(able func(p *Position, f *Frame, s *Step) SpaceSet, act func(x *Run, f *Frame, s *Step, at Space)) Act {
	return oneSpaceOr(able, act, goOn)
}

// oneSpaceOr is oneSpace for steps that do something else when no space
// qualifies.
func oneSpaceOr(able func(p *Position, f *Frame, s *Step) SpaceSet, act func(x *Run, f *Frame, s *Step, at Space),
	none func(x *Run, f *Frame)) Act {
	list := func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return atoms(dst, VerbChoose, uint8(ChooseSpace), able(p, f, s))
	}
	return pick(Question{Ask: AskSpace}, list, func(x *Run, f *Frame, s *Step, a rules.Atom) {
		at := Space(AtomValue(a))
		f.Country = at.Info().Country
		f.next()
		act(x, f, s, at)
	}, none)
}

// all is every space of the step's set, enemyThere those with enemy support.
func all(p *Position, f *Frame, s *Step) SpaceSet { return s.spaces(p, f) }

func enemyThere(p *Position, f *Frame, s *Step) SpaceSet {
	return s.spaces(p, f).And(p.Holds[f.Side.Enemy()])
}

// stack: choose one space and place n support points there.
func stack(label string, n int, w where) Step {
	return Step{Label: label, Act: &ActStack, N: n, where: w}
}

// ActStack places points in one space.
var ActStack = oneSpace(all, func(x *Run, f *Frame, s *Step, at Space) { x.place(f.Side, at, s.N) })

// Everything is more support points than a space holds.
const Everything = mostSupport

// removeOne: choose one space and remove n enemy support points there.
func removeOne(label string, n int, w where) Step {
	return Step{Label: label, Act: &ActRemoveOne, N: n, where: w}
}

// ActRemoveOne removes enemy points in one space.
var ActRemoveOne = oneSpace(enemyThere, func(x *Run, f *Frame, s *Step, at Space) { x.remove(f.Side.Enemy(), at, s.N) })

// replace: choose one space and swap n enemy support points for own ones.
func replace(label string, n int, w where) Step {
	return Step{Label: label, Act: &ActReplace, N: n, where: w}
}

// ActReplace swaps enemy points in one space.
var ActReplace = oneSpace(enemyThere, func(x *Run, f *Frame, s *Step, at Space) { x.swap(f.Side, at, s.N) })

// swap replaces up to n enemy support points in a space by own ones.
func (x *Run) swap(side Side, at Space, n int) {
	n = min(n, int(x.p.Support[side.Enemy()][at]))
	x.remove(side.Enemy(), at, n)
	x.place(side, at, n)
}

// control: choose one space that the side does not control and place sufficient
// support points for control.
func control(label string, w where) Step {
	return Step{Label: label, Act: &ActControl, where: w.lacking()}
}

// ActControl takes control of one space.
var ActControl = oneSpace(all, func(x *Run, f *Frame, s *Step, at Space) { x.control(f.Side, at) })

// control places sufficient support points for control of a space: none when
// the side has it.
func (x *Run) control(side Side, at Space) {
	p := x.p
	x.place(side, at, at.Info().Stability+int(p.Support[side.Enemy()][at])-int(p.Support[side][at]))
}

// target: choose one space with enemy support for the steps after it. Without
// any the event is over.
func target(label string, w where) Step { return Step{Label: label, Act: &ActTarget, where: w} }

// ActTarget chooses the space of the steps after it.
var ActTarget = oneSpaceOr(enemyThere, func(x *Run, f *Frame, s *Step, at Space) { f.Space = at }, func(x *Run, f *Frame) {
	x.say(EvNoTarget, int(f.Side), int(f.Card))
	f.end()
})

// turnAround: all enemy support in the chosen space becomes own support.
func turnAround(label string) Step { return Step{Label: label, Act: &turnAroundVerb} }

var turnAroundVerb = atOnce(func(x *Run, f *Frame, s *Step) { x.swap(f.Side, f.Space, Everything) })
