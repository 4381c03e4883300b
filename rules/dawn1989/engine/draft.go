package engine

import "samizdat/rules"

// Draft is Operations tried out on a copy of what a seat sees, to write examples
// that are legal.
type Draft struct {
	p Position
	f Frame
}

// NewDraft begins the Operations of a card.
func NewDraft(p *Position, c Card, side Side) Draft {
	d := Draft{p: *p, f: Frame{Proc: ProcOps, Card: c, Side: side, Border: true}}
	d.p.Reach = d.p.ReachOf(side)
	d.p.Question = Question{Ask: AskOps, Side: side}
	return d
}

// DraftOf goes on with Operations that a procedure has begun.
func DraftOf(p *Position, f *Frame) Draft { return Draft{p: *p, f: *f} }

// Reach is where points may be placed.
func (d Draft) Reach() SpaceSet { return d.p.Reach }

// MostOpsChecks is how many support checks Operations make.
const MostOpsChecks = 2

// Points is a placement that spends everything, in two spaces if it can: first
// battlegrounds that nobody controls, then whatever nobody controls.
func (d Draft) Points() []rules.Atom {
	var out []rules.Atom
	half := (d.p.OpsValue(d.f.Side, d.f.Card.Info().Ops, false) + 1) / 2
	var last Space
	for d.f.Step != opsDone && d.p.Ending == NotOver && !d.p.mayStop(&d.f) {
		set := d.p.placeable(&d.f, d.f.N)
		s := last
		if !set.Has(s) || len(out) == half {
			s = d.pick(set, last)
		}
		if s == 0 {
			break
		}
		a := AtomAt(VerbOpsPlace, s)
		out, last = append(out, a), s
		answerOps(&Run{p: &d.p}, &d.f, a)
	}
	return out
}

// pick chooses a space to place in, another than the last if there is one.
func (d *Draft) pick(set SpaceSet, last Space) Space {
	free := set.Minus(d.p.Controls[Democrat]).Minus(d.p.Controls[Communist])
	for _, s := range [...]SpaceSet{free.And(Battlegrounds), free, set} {
		s.drop(last)
		if !s.Empty() {
			return s.Next()
		}
	}
	return set.Next()
}

// Checks is an example of two support checks, those that promise most. The
// second is another question, which the same line may answer.
func (d Draft) Checks() []rules.Atom {
	if d.f.Step != opsAsk {
		return nil
	}
	var out []rules.Atom
	targets := d.p.targetsOf(&d.f)
	for range min(MostOpsChecks, targets.Len()) {
		best := Likeliest(targets, func(s Space) int {
			return d.p.CheckSum(d.f.Side, s, d.f.Card.Info().Ops, 0, false).Total()
		})
		out = append(out, AtomAt(VerbOpsCheck, best))
		targets.drop(best)
	}
	return out
}

// Likeliest is the space of a set where a check promises most.
func Likeliest(set SpaceSet, sum func(Space) int) Space {
	var best Space
	for s := set.Next(); s != 0; s = set.Next() {
		if best == 0 || sum(s)-2*s.Info().Stability > sum(best)-2*best.Info().Stability {
			best = s
		}
	}
	return best
}
