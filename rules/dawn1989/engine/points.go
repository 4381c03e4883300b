package engine

import "samizdat/rules"

// The events and awards that place or remove support points share one way of
// asking: so many points, in a set of spaces, at most so many in one. What
// public facts leave no choice about is done without asking.

// giveOut places n points of a side. It reports whether it asked; if not, the
// points lie already, as many as fit.
func (x *Run) giveOut(side Side, source Source, n int, set SpaceSet, per int) (asked bool) {
	if per > 0 {
		n = min(n, per*set.Len())
	}
	switch {
	case n == 0 || set.Empty():
		return false
	case set.Len() == 1:
		x.place(side, set.Next(), n)
		return false
	case per > 0 && n == per*set.Len():
		for s := set.Next(); s != 0; s = set.Next() {
			x.place(side, s, per)
		}
		return false
	}
	x.ask(Question{Ask: AskPlace, Side: side, Source: source, Left: int8(n), Per: int8(per)})
	return true
}

// giveOne takes one atom of the answer to giveOut, and reports whether it was
// the last.
func (x *Run) giveOne(side Side, s Space) (last bool) {
	x.p.Question.Tally[s]++
	x.place(side, s, 1)
	return x.p.Ending == NotOver && x.gave()
}

// open lists the spaces of a set that the question still allows points in.
func (p *Position) open(set SpaceSet) SpaceSet {
	q := &p.Question
	if q.Per == 0 || q.Given == 0 {
		return set
	}
	out := set
	for s := set.Next(); s != 0; s = set.Next() {
		if q.Tally[s] >= q.Per {
			out.drop(s)
		}
	}
	return out
}

// takeAway lets a side remove n points of a side (its own after a lost power
// struggle) from a set of spaces, as many as there are. It reports whether it
// asked.
func (x *Run) takeAway(by, of Side, source Source, n int, set SpaceSet, per int) (asked bool) {
	p := x.p
	set = set.And(p.Holds[of])
	most, there := n, 0
	if per > 0 {
		most = per
	}
	for rest := set; !rest.Empty(); {
		there += min(most, int(p.Support[of][rest.Next()]))
	}
	n = min(n, there)
	switch {
	case n == 0:
		return false
	case there == n:
		for s := set.Next(); s != 0; s = set.Next() {
			x.remove(of, s, min(most, int(p.Support[of][s])))
		}
		return false
	case set.Len() == 1:
		x.remove(of, set.Next(), n)
		return false
	}
	x.ask(Question{Ask: AskRemove, Side: by, Source: source, Left: int8(n), Per: int8(per)})
	return true
}

// takeOne takes one atom of the answer to takeAway, and reports whether it was
// the last.
func (x *Run) takeOne(of Side, s Space) (last bool) {
	x.p.Question.Tally[s]++
	x.remove(of, s, 1)
	return x.p.Ending == NotOver && x.gave()
}

// removable lists what the question of takeAway still allows.
func (p *Position) removable(of Side, set SpaceSet, dst []rules.Atom) []rules.Atom {
	return atoms(dst, VerbRemove, 0, p.open(set.And(p.Holds[of])))
}
