package engine

import "samizdat/rules"

// Step is a step of an event. Events are tables of steps, so that a reader can compare the printed
// card with its entry.
type Step struct {
	// Label names the step in stored positions; it is unique in its card and never changes.
	Label string
	Act   *Act
	N     int
	where where
	per   int
	// isOptional means that the step can be declined.
	isOptional bool
	// rule limits isOptional to the revisions for which it returns true; nil for all revisions.
	rule func(p *Position) bool
	// Extra is added to the Ops value of a support check.
	Extra  int
	card   func(p *Position, side Side) CardSet
	test   func(p *Position) bool
	Value  func(p *Position, f *Frame) int
	allows func(p *Position, side Side, c Country) bool
	table  [6]int
}

// Act is the code of a step. An act that asks a question also lists the options and executes the
// answer. none follows a declined question; nil goes on with the next step.
type Act struct {
	none    func(r *Run, f *Frame)
	run     func(r *Run, f *Frame, s *Step) error
	answer  func(r *Run, f *Frame, s *Step, a rules.Atom)
	options func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom
}

// atOnce makes an act without a question.
func atOnce(act func(r *Run, f *Frame, s *Step)) Act {
	return Act{run: func(r *Run, f *Frame, s *Step) error {
		f.next()
		act(r, f, s)
		return nil
	}}
}

// most limits the points in any one space.
func (s Step) most(n int) Step { s.per = n; return s }

// plus adds to the support checks of a step.
func (s Step) plus(n int) Step { s.Extra = n; return s }

// optional lets the side decline the step: "may" on the card.
func (s Step) optional() Step { s.isOptional = true; return s }

// optionalBy lets the side decline the step in matches of some revisions.
func (s Step) optionalBy(rule func(p *Position) bool) Step {
	s.isOptional, s.rule = true, rule
	return s
}

func (s *Step) declinable(p *Position) bool { return s.isOptional && (s.rule == nil || s.rule(p)) }

// where is a set of spaces as a card names them.
type where struct {
	set SpaceSet
	// same limits the set to the country that an earlier step chose.
	same bool
	// state limits the set by the current state of the map.
	state func(p *Position, side Side) SpaceSet
}

func (w where) of(ks ...SpaceType) where {
	var set SpaceSet
	for _, k := range ks {
		set = set.Or(ofKind[k])
	}
	w.set = w.set.And(set)
	return w
}

func (w where) except(names ...string) where {
	w.set = w.set.Minus(findSpaces(names...))
	return w
}

func (w where) there() where { w.same = true; return w }

// lacking leaves out the spaces that the acting side controls already.
func (w where) lacking() where {
	w.state = func(p *Position, side Side) SpaceSet { return everywhere.Minus(p.Controlled[side]) }
	return w
}

// notEnemys leaves out the spaces that the enemy controls.
func (w where) notEnemys() where {
	w.state = func(p *Position, side Side) SpaceSet { return everywhere.Minus(p.Controlled[side.Enemy()]) }
	return w
}

// uncontrolled returns the spaces that neither side controls.
func (w where) uncontrolled() where {
	w.state = func(p *Position, _ Side) SpaceSet {
		return everywhere.Minus(p.Controlled[Democrat]).Minus(p.Controlled[Communist])
	}
	return w
}

// unheld returns the spaces without own support.
func (w where) unheld() where {
	w.state = func(p *Position, side Side) SpaceSet { return everywhere.Minus(p.Occupied[side]) }
	return w
}

// underEnemyPower returns the spaces of the countries where the enemy has Power.
func (w where) underEnemyPower() where {
	w.state = func(p *Position, side Side) SpaceSet {
		var set SpaceSet
		for c := EastGermany; c < Countries; c++ {
			if p.Power[c].Held == side.Enemy() {
				set = set.Or(InCountry[c])
			}
		}
		return set
	}
	return w
}

func anywhere() where { return where{set: everywhere} }

func in(cs ...Country) where {
	var w where
	for _, c := range cs {
		w.set = w.set.Or(InCountry[c])
	}
	return w
}

// of returns every space of some types.
func of(ks ...SpaceType) where { return anywhere().of(ks...) }

func these(names ...string) where { return where{set: findSpaces(names...)} }

// inEasternEurope returns East Germany, Poland, Czechoslovakia and Hungary, inBalkans the rest (rule 2.1.2).
func inEasternEurope() where { return in(EastGermany, Poland, Czechoslovakia, Hungary) }
func inBalkans() where       { return in(Romania, Bulgaria) }

func (s *Step) spaces(p *Position, f *Frame) SpaceSet {
	set := s.where.set.And(p.ExistingSpaces())
	if s.where.same {
		set = set.And(InCountry[f.Country])
	}
	if s.where.state != nil {
		set = set.And(s.where.state(p, f.Side))
	}
	return set
}

// number returns the number of points of the step: N, or the result of Value.
func (s *Step) number(p *Position, f *Frame) int {
	if s.Value != nil {
		return s.Value(p, f)
	}
	return s.N
}

// lister appends the legal atoms of a step.
type lister func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom

// pick makes the act of a step that chooses one atom of a list. A list with one atom is chosen without a question,
// unless the step is optional. none runs if the list is empty or the player declines.
func pick(q Question, list lister, act func(r *Run, f *Frame, s *Step, a rules.Atom), none func(r *Run, f *Frame)) Act {
	return Act{
		none: none,
		run: func(r *Run, f *Frame, s *Step) error {
			r.atoms = list(r.p, f, s, r.atoms[:0])
			switch {
			case len(r.atoms) == 0:
				none(r, f)
			case len(r.atoms) == 1 && !s.declinable(r.p):
				act(r, f, s, r.atoms[0])
			default:
				q := q
				q.Side, q.Source, q.Remaining, q.Optional = f.Side, f.Source, 1, s.declinable(r.p)
				r.ask(q)
			}
			return nil
		},
		answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
			r.closeQuestion()
			act(r, f, s, a)
		},
		options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
			return declineAtoms(p, list(p, f, s, dst))
		},
	}
}

// nextStep continues with the next step; endEvent ends the event.
func nextStep(_ *Run, f *Frame) { f.next() }
func endEvent(_ *Run, f *Frame) { f.end() }
