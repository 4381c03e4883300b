package robot

import (
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The look-ahead of the sensible robot to its next action round.

// nextRound is what the robot would play in its next action round, if it is the
// best play after several things that the enemy may do first.
func (r *sensible) nextRound(v *engine.View, side engine.Side) []string {
	round := v.Seen.Round
	if side == engine.Communist || v.Seen.Phasing == engine.Democrat {
		round++ // The Communist plays first in a round.
	}
	if v.Seen.Phase != engine.PhaseRounds || round > engine.RoundsATurn || v.Seen.Piles[engine.HandOf(side)].Empty() {
		return nil
	}
	w := v.Suppose(engine.Frame{Proc: engine.ProcRound, Side: side})
	w.Seen.Round = round
	run(w)
	if w.Seen.Question.Ask != engine.AskRound || w.Seen.Question.Side != side {
		return nil
	}
	r.mind.begin(w)
	replies := r.mind.replies(&w.Seen, side)
	first := r.steady(w, replies, side)
	if first == 0 {
		return nil
	}
	atoms := r.play(w, w.Seen, first, side)
	if len(atoms) == 0 {
		return nil
	}
	// Where another use of the card would be better after a reply, the robot wants
	// to be asked.
	var taken engine.SpaceSet
	for i := range replies[1:] {
		p := &replies[i+1]
		if same(atoms, r.play(w, *p, first, side)) {
			continue
		}
		taken = taken.Or(p.Controls[side.Enemy()].Minus(w.Seen.Controls[side.Enemy()]))
	}
	line := r.write(atoms)
	last := atoms[len(atoms)-1]
	if engine.AtomVerb(last) == engine.VerbOpsCheck && engine.AtomFlag(last) == 0 {
		s := engine.Space(engine.AtomValue(last)).String()
		line = strings.Replace(line, orderCheck+" "+s, orderCheck+" "+s+", "+s, 1)
	}
	guards := guards(&w.Seen, side, atoms, taken)
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
func (r *sensible) play(v *engine.View, p engine.Position, first rules.Atom, side engine.Side) []rules.Atom {
	w := *v
	w.Seen = p
	if err := w.Seen.Decide(&engine.Run{Chance: noLuck{}}, first); err != nil && !w.Seen.Stalled() {
		return nil
	}
	atoms := []rules.Atom{first}
	if m := engine.Mode(engine.AtomFlag(first)); m == engine.PlayEventFirst || m == engine.PlayBothFirst {
		// What the event does first is not known: the Operations come as if it did
		// nothing.
		before := *v
		before.Seen = p
		o := before.Suppose(engine.Frame{Proc: engine.ProcOps, Card: engine.Card(engine.AtomValue(first)), Side: side})
		o.Seen.Phasing = side
		run(o)
		if o.Seen.Question.Ask == engine.AskOps {
			more, _ := r.whole(o)
			atoms = append(atoms, more...)
		}
		return atoms
	}
	if q := &w.Seen.Question; q.Ask != engine.AskNothing && q.Side == side && q.Midway {
		more, _ := r.whole(&w)
		atoms = append(atoms, more...)
	}
	return atoms
}

// guards are the conditions of a play: that nobody has taken or lost the spaces that
// it uses, and that the enemy has not taken some others.
func guards(p *engine.Position, side engine.Side, atoms []rules.Atom, taken engine.SpaceSet) []string {
	var guards []string
	var seen engine.SpaceSet
	for _, a := range atoms {
		s := engine.Space(engine.AtomValue(a))
		if v := engine.AtomVerb(a); v != engine.VerbOpsPlace && v != engine.VerbOpsCheck || seen.Has(s) {
			continue
		}
		seen.Add(s)
		what := "FREE"
		switch {
		case p.Controls[side].Has(s):
			what = "MINE"
		case p.Controls[side.Enemy()].Has(s):
			what = "THEIRS"
		}
		guards = append(guards, s.String()+" "+what)
	}
	taken = taken.Minus(seen)
	for s := taken.Next(); s != 0; s = taken.Next() {
		guards = append(guards, "NOT "+s.String()+" THEIRS")
	}
	return guards
}

// regret is how much worse, in hundredths of a victory point, a planned play may be
// on average than the best one after what the enemy is imagined to do.
const regret = 10

// steady is the play that is the best on average after several replies; 0 when it
// would often be a bad one.
func (r *sensible) steady(w *engine.View, replies []engine.Position, side engine.Side) rules.Atom {
	options := w.Seen.Choices(nil)
	total, lost := make([]int, len(options)), 0
	m := &r.mind
	for _, p := range replies {
		u := *w
		u.Seen = p
		m.begin(&u)
		best := 0
		for i, a := range options {
			worth := 0
			if engine.AtomVerb(a) == engine.VerbPlay {
				worth = m.playWorth(&u.Seen, side, engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a)))
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
	if lost-total[at] > regret*len(replies) || engine.AtomVerb(options[at]) != engine.VerbPlay {
		return 0
	}
	if mode := engine.Mode(engine.AtomFlag(options[at])); mode == engine.PlayEventFirst || mode == engine.PlayEventAfter {
		m.begin(w)
		return m.order(&w.Seen, side, options[at], options)
	}
	return options[at]
}

// replies are positions after what the enemy may do in his next action round, the
// present one first: he places points. Where that takes a space of the side, its
// plan is dropped anyway.
func (m *mind) replies(p *engine.Position, side engine.Side) []engine.Position {
	enemy := side.Enemy()
	out := []engine.Position{*p}
	var used engine.SpaceSet
	for n := 2; n <= 4; n += 2 {
		q := *p
		m.spend(&q, enemy, n, q.ReachOf(enemy).Minus(used))
		for s := engine.Space(1); s < engine.Spaces; s++ {
			if q.Support[enemy][s] != p.Support[enemy][s] {
				used.Add(s)
			}
		}
		if p.Controls[side].Minus(q.Controls[side]).Empty() {
			out = append(out, q)
		}
	}
	return out
}
