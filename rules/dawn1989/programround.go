package dawn1989

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// The look-ahead of the sensible robot to its next action round.

// nextRound is what the robot would play in its next action round, if it is the
// best play after several things that the enemy may do first.
func (r *sensible) nextRound(v *View, side Side) []string {
	round := v.p.round
	if side == Communist || v.p.phasing == Democrat {
		round++ // The Communist plays first in a round.
	}
	if v.p.phase != PhaseRounds || round > roundsATurn || v.p.piles[hand(side)].empty() {
		return nil
	}
	w := imagine(v, Frame{Proc: ProcRound, Side: side})
	w.p.round = round
	w.run()
	if w.p.question.Ask != AskRound || w.p.question.Side != side {
		return nil
	}
	r.mind.begin(w)
	replies := r.mind.replies(&w.p, side)
	first := r.steady(w, replies, side)
	if first == 0 {
		return nil
	}
	atoms := r.play(w, w.p, first, side)
	if len(atoms) == 0 {
		return nil
	}
	// Where another use of the card would be better after a reply, the robot wants
	// to be asked.
	var taken SpaceSet
	for i := range replies[1:] {
		p := &replies[i+1]
		if same(atoms, r.play(w, *p, first, side)) {
			continue
		}
		taken = taken.or(p.controls[side.Enemy()].minus(w.p.controls[side.Enemy()]))
	}
	line := Game{}.Line(atoms)
	last := atoms[len(atoms)-1]
	if AtomVerb(last) == VerbOpsCheck && AtomFlag(last) == 0 {
		s := Space(AtomValue(last)).String()
		line = strings.Replace(line, wordCheck+" "+s, wordCheck+" "+s+", "+s, 1)
	}
	guards := w.p.guards(side, atoms, taken)
	if len(guards) == 0 {
		return []string{"NEXT " + line}
	}
	return []string{"NEXT IF " + strings.Join(guards, " AND ") + ": " + line}
}

// same reports whether two plays are made of the same atoms, in any order.
func same(a, b []rules.Atom) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// play is a whole play that begins with an atom, in a position instead of that of a
// view.
func (r *sensible) play(v *View, p Position, first rules.Atom, side Side) []rules.Atom {
	w := *v
	w.p = p
	if err := w.p.Decide(&Run{Chance: noLuck{}}, first); err != nil && !w.p.stalled {
		return nil
	}
	atoms := []rules.Atom{first}
	if m := Mode(AtomFlag(first)); m == PlayEventFirst || m == PlayBothFirst {
		// What the event does first is not known: the Operations come as if it did
		// nothing.
		before := *v
		before.p = p
		o := imagine(&before, Frame{Proc: ProcOps, Card: Card(AtomValue(first)), Side: side})
		o.p.phasing = side
		o.run()
		if o.p.question.Ask == AskOps {
			more, _ := r.whole(o)
			atoms = append(atoms, more...)
		}
		return atoms
	}
	if q := &w.p.question; q.Ask != AskNothing && q.Side == side && q.Midway {
		more, _ := r.whole(&w)
		atoms = append(atoms, more...)
	}
	return atoms
}

// guards are the conditions of a play: that nobody has taken or lost the spaces that
// it uses, and that the enemy has not taken some others.
func (p *Position) guards(side Side, atoms []rules.Atom, taken SpaceSet) []string {
	var guards []string
	var seen SpaceSet
	for _, a := range atoms {
		s := Space(AtomValue(a))
		if v := AtomVerb(a); v != VerbOpsPlace && v != VerbOpsCheck || seen.has(s) {
			continue
		}
		seen.add(s)
		what := "FREE"
		switch {
		case p.controls[side].has(s):
			what = "MINE"
		case p.controls[side.Enemy()].has(s):
			what = "THEIRS"
		}
		guards = append(guards, s.String()+" "+what)
	}
	taken = taken.minus(seen)
	for s := taken.next(); s != 0; s = taken.next() {
		guards = append(guards, "NOT "+s.String()+" THEIRS")
	}
	return guards
}

// regret is how much worse, in hundredths of a victory point, a planned play may be
// on average than the best one after what the enemy is imagined to do.
const regret = 10

// steady is the play that is the best on average after several replies; 0 when it
// would often be a bad one.
func (r *sensible) steady(w *View, replies []Position, side Side) rules.Atom {
	options := w.p.Choices(nil)
	total, lost := make([]int, len(options)), 0
	m := &r.mind
	for _, p := range replies {
		u := *w
		u.p = p
		m.begin(&u)
		best := 0
		for i, a := range options {
			worth := 0
			if AtomVerb(a) == VerbPlay {
				worth = m.playWorth(&u.p, side, Card(AtomValue(a)), Mode(AtomFlag(a)))
			}
			total[i] += worth
			if i == 0 || worth > best {
				best = worth
			}
		}
		lost += best
	}
	at := 0
	for i := range options {
		if total[i] > total[at] {
			at = i
		}
	}
	if lost-total[at] > regret*len(replies) || AtomVerb(options[at]) != VerbPlay {
		return 0
	}
	if mode := Mode(AtomFlag(options[at])); mode == PlayEventFirst || mode == PlayEventAfter {
		m.begin(w)
		return m.order(&w.p, side, options[at], options)
	}
	return options[at]
}

// replies are positions after what the enemy may do in his next action round, the
// present one first: he places points. Where that takes a space of the side, its
// plan is dropped anyway.
func (m *mind) replies(p *Position, side Side) []Position {
	enemy := side.Enemy()
	out := []Position{*p}
	var used SpaceSet
	for n := 2; n <= 4; n += 2 {
		q := *p
		m.spend(&q, enemy, n, q.reachOf(enemy).minus(used))
		for s := Space(1); s < spaces; s++ {
			if q.support[enemy][s] != p.support[enemy][s] {
				used.add(s)
			}
		}
		if p.controls[side].minus(q.controls[side]).empty() {
			out = append(out, q)
		}
	}
	return out
}
