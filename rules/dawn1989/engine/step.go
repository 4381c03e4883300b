package engine

import "samizdat/rules"

// Step is a step of an event. Events are tables of steps, so that a reader can compare the printed card with the
// code.
type Step struct {
	// Label is the name of the step in stored positions. It is unique in its card and must never change.
	Label string
	Act   *Act
	// N is a number with a meaning that depends on Act: how many points, checks or VP, a needed die, a box, a card or
	// a country.
	N int
	// filter selects the spaces of the step. limit is the maximum of points in each space (0: no limit), or for
	// checksOrPlace the number of points.
	filter spaceFilter
	limit  int
	// isOptional means that the side may decline the step. If optionalIn is set, the side may decline only in
	// positions for which it returns true.
	isOptional bool
	optionalIn func(p *Position) bool
	// Extra is added to the Ops value of a support check.
	Extra int
	// cards returns the cards that can be chosen, or for discardAtRandom the cards with an event that takes place if
	// they are discarded. allows reports whether a country may be chosen.
	cards  func(p *Position, side Side) CardSet
	allows func(p *Position, side Side, c Country) bool
	// condition is the test of unless and onlyIf.
	condition func(p *Position) bool
	// Value returns a number that depends on the position: how many points (in place of N), the modifier of a die, or
	// for move the space from which points are moved.
	Value func(p *Position, f *Frame) int
	// table has, for rollTable, the result of each die from 1 to 6.
	table [6]int
}

// Act is the code of a step. run executes the step, or asks a question. For the question, options appends the legal
// atoms, answer executes an atom, and onDecline is called after PASS or VerbStop (nextStep if it is nil).
type Act struct {
	onDecline func(r *Run, f *Frame)
	run       func(r *Run, f *Frame, s *Step) error
	answer    func(r *Run, f *Frame, s *Step, a rules.Atom)
	options   func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom
}

// newInstantAct returns an act that asks no question.
func newInstantAct(act func(r *Run, f *Frame, s *Step)) Act {
	return Act{run: func(r *Run, f *Frame, s *Step) error {
		f.goToNextStep()
		act(r, f, s)
		return nil
	}}
}

// atMost limits the points in each space.
func (s Step) atMost(n int) Step { s.limit = n; return s }

func (s Step) plus(n int) Step { s.Extra = n; return s }

func (s Step) optional() Step { s.isOptional = true; return s }

func (s Step) optionalBy(rule func(p *Position) bool) Step {
	s.isOptional, s.optionalIn = true, rule
	return s
}

func (s *Step) mayDecline(p *Position) bool {
	return s.isOptional && (s.optionalIn == nil || s.optionalIn(p))
}

// spaceFilter selects the spaces that a card names, for example in(Poland).of(Worker).
type spaceFilter struct {
	set SpaceSet
	// chosenCountryOnly limits the set to the country that an earlier step chose.
	chosenCountryOnly bool
	// condition returns, for the current position and the acting side, the spaces to which the set is limited.
	condition func(p *Position, side Side) SpaceSet
}

func (w spaceFilter) of(ks ...SpaceType) spaceFilter {
	var set SpaceSet
	for _, k := range ks {
		set = set.Or(ofType[k])
	}
	w.set = w.set.And(set)
	return w
}

func (w spaceFilter) except(names ...string) spaceFilter {
	w.set = w.set.Minus(findSpaces(names...))
	return w
}

func (w spaceFilter) inChosenCountry() spaceFilter { w.chosenCountryOnly = true; return w }

func (w spaceFilter) notControlled() spaceFilter {
	w.condition = func(p *Position, side Side) SpaceSet { return allSpaces.Minus(p.Controlled[side]) }
	return w
}

func (w spaceFilter) notEnemyControlled() spaceFilter {
	w.condition = func(p *Position, side Side) SpaceSet { return allSpaces.Minus(p.Controlled[side.Enemy()]) }
	return w
}

func (w spaceFilter) uncontrolled() spaceFilter {
	w.condition = func(p *Position, _ Side) SpaceSet {
		return allSpaces.Minus(p.Controlled[Democrat]).Minus(p.Controlled[Communist])
	}
	return w
}

func (w spaceFilter) withoutOwnSupport() spaceFilter {
	w.condition = func(p *Position, side Side) SpaceSet { return allSpaces.Minus(p.Occupied[side]) }
	return w
}

func (w spaceFilter) underEnemyPower() spaceFilter {
	w.condition = func(p *Position, side Side) SpaceSet {
		var set SpaceSet
		for c := EastGermany; c < Countries; c++ {
			if p.Power[c].Holder == side.Enemy() {
				set = set.Or(InCountry[c])
			}
		}
		return set
	}
	return w
}

func anywhere() spaceFilter { return spaceFilter{set: allSpaces} }

func in(cs ...Country) spaceFilter {
	var w spaceFilter
	for _, c := range cs {
		w.set = w.set.Or(InCountry[c])
	}
	return w
}

func of(ks ...SpaceType) spaceFilter { return anywhere().of(ks...) }

func these(names ...string) spaceFilter { return spaceFilter{set: findSpaces(names...)} }

// The two regions of rule 2.1.2.
func inEasternEurope() spaceFilter { return in(EastGermany, Poland, Czechoslovakia, Hungary) }
func inBalkans() spaceFilter       { return in(Romania, Bulgaria) }

func (s *Step) spaces(p *Position, f *Frame) SpaceSet {
	set := s.filter.set.And(p.ExistingSpaces())
	if s.filter.chosenCountryOnly {
		set = set.And(InCountry[f.Country])
	}
	if s.filter.condition != nil {
		set = set.And(s.filter.condition(p, f.Side))
	}
	return set
}

func (s *Step) countPoints(p *Position, f *Frame) int {
	if s.Value != nil {
		return s.Value(p, f)
	}
	return s.N
}

type optionLister func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom

// newChoiceAct returns an act that lets the side choose an atom of a list and calls act with it. If the list has only
// one atom and the step is not optional, no question is asked. If the list is empty or the side declines, otherwise
// is called.
func newChoiceAct(q Question, list optionLister, act func(r *Run, f *Frame, s *Step, a rules.Atom), otherwise func(r *Run, f *Frame)) Act {
	return Act{
		onDecline: otherwise,
		run: func(r *Run, f *Frame, s *Step) error {
			r.atoms = list(r.p, f, s, r.atoms[:0])
			switch {
			case len(r.atoms) == 0:
				otherwise(r, f)
			case len(r.atoms) == 1 && !s.mayDecline(r.p):
				act(r, f, s, r.atoms[0])
			default:
				q := q
				q.Side, q.Source, q.Remaining, q.Optional = f.Side, f.Source, 1, s.mayDecline(r.p)
				r.ask(q)
			}
			return nil
		},
		answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
			r.closeQuestion()
			act(r, f, s, a)
		},
		options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
			return appendDecline(p, list(p, f, s, dst))
		},
	}
}

func nextStep(_ *Run, f *Frame) { f.goToNextStep() }
func endEvent(_ *Run, f *Frame) { f.skipToEnd() }
