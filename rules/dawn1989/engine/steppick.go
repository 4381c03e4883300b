package engine

import "samizdat/rules"

// lister appends the atoms that a step can be answered with.
type lister func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom

// pick makes the act of a step that is answered with one atom of a list. A list
// of one is not asked for, unless the step may be declined. An empty list, and
// declining, is none's affair.
func pick(q Question, list lister, act func(x *Run, f *Frame, s *Step, a rules.Atom), none func(x *Run, f *Frame)) Act {
	return Act{
		run: func(x *Run, f *Frame, s *Step) error {
			x.atoms = list(x.p, f, s, x.atoms[:0])
			switch {
			case len(x.atoms) == 0:
				none(x, f)
			case len(x.atoms) == 1 && !s.declinable(x.p):
				act(x, f, s, x.atoms[0])
			default:
				q := q
				q.Side, q.Source, q.Left, q.May = f.Side, f.Source, 1, s.declinable(x.p)
				x.ask(q)
			}
			return nil
		},
		answer: func(x *Run, f *Frame, s *Step, a rules.Atom) {
			if AtomVerb(a) == VerbPass {
				x.decline()
				none(x, f)
				return
			}
			x.close()
			act(x, f, s, a)
		},
		options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
			return declinable(p, list(p, f, s, dst))
		},
	}
}

// goOn is for steps that lapse, endEvent for those whose event is then over.
func goOn(_ *Run, f *Frame)     { f.next() }
func endEvent(_ *Run, f *Frame) { f.end() }
