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
