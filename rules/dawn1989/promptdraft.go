package dawn1989

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

// draft is Operations tried out on a copy of what a seat sees, to write examples
// that are legal.
type draft struct {
	p Position
	f Frame
}

func newDraft(p *Position, c Card, side Side, bound Country) draft {
	d := draft{p: *p, f: Frame{Proc: ProcOps, Card: c, Side: side, Country: bound, Border: true}}
	d.p.reach = d.p.reachOf(side).and(d.p.bounds(bound))
	d.p.question = Question{Ask: AskOps, Side: side}
	return d
}

// points is a placement that spends everything, in two spaces if it can: first
// battlegrounds that nobody controls, then whatever nobody controls.
func (d draft) points() []rules.Atom {
	var out []rules.Atom
	half := (d.p.opsValue(d.f.Side, d.f.Card.Info().Ops, false) + 1) / 2
	var last Space
	for d.f.Step != opsDone && d.p.ending == NotOver && !d.p.mayStop(&d.f) {
		set := d.p.placeable(&d.f, d.f.N)
		s := last
		if !set.has(s) || len(out) == half {
			s = d.pick(set, last)
		}
		if s == 0 {
			break
		}
		a := at(VerbOpsPlace, s)
		out, last = append(out, a), s
		answerOps(&Run{p: &d.p}, &d.f, a)
	}
	return out
}

// pick chooses a space to place in, another than the last if there is one.
func (d *draft) pick(set SpaceSet, last Space) Space {
	free := set.minus(d.p.controls[Democrat]).minus(d.p.controls[Communist])
	for _, s := range [...]SpaceSet{free.and(battlegrounds), free, set} {
		s.drop(last)
		if !s.empty() {
			return s.next()
		}
	}
	return set.next()
}

// checks is an example of two support checks, those that promise most. The
// second is another question, which the same line may answer.
func (d draft) checks() []rules.Atom {
	if d.f.Step != opsAsk {
		return nil
	}
	var out []rules.Atom
	targets := d.p.targetsOf(&d.f)
	for range min(mostOpsChecks, targets.len()) {
		best := likeliest(targets, func(s Space) int {
			return d.p.sum(d.f.Side, s, d.f.Card.Info().Ops, 0, false).total()
		})
		out = append(out, at(VerbOpsCheck, best))
		targets.drop(best)
	}
	return out
}

// placingNote says where points may be placed, and where they cost 2.
func (q *asking) placingNote(set SpaceSet) {
	if set.empty() {
		return
	}
	q.note("Place in", q.compact(set))
	var dear SpaceSet
	for rest := set; !rest.empty(); {
		if s := rest.next(); q.p.cost(q.side, s) > 1 {
			dear.add(s)
		}
	}
	if !dear.empty() {
		q.note("A point costs 2 in", q.compact(dear))
	}
}

// mostTargets is how many targets of support checks are listed.
const mostTargets = 12

// checkNote lists targets with what is added to the die and what the sum must
// exceed, the likeliest first.
func (q *asking) checkNote(set SpaceSet, but string, sum func(Space) int) {
	if set.empty() {
		return
	}
	var list []Space
	for s := set.next(); s != 0; s = set.next() {
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b Space) int {
		return (sum(b) - 2*b.Info().Stability) - (sum(a) - 2*a.Info().Stability)
	})
	var parts []string
	for _, s := range list[:min(len(list), mostTargets)] {
		n := sum(s)
		sign := "+"
		if n < 0 {
			sign, n = "-", -n
		}
		parts = append(parts, fmt.Sprintf("%v %s%d/%d", s, sign, n, 2*s.Info().Stability))
	}
	text := joinComma(parts)
	if rest := len(list) - mostTargets; rest > 0 {
		text += fmt.Sprintf(" and %d less likely", rest)
	}
	title := "Check (added to the die / to be exceeded)"
	if but != "" {
		title = "Check (added to die and Ops / to be exceeded)"
	}
	q.note(title, text)
}

func joinComma(list []string) string { return strings.Join(list, ", ") }
