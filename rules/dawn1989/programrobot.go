package dawn1989

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

var _ rules.Programmer = (*sensible)(nil)

// noLuck is chance without outcomes: what is foreseen ends before the first die.
type noLuck struct{}

func (noLuck) Roll(rules.Reason) (int, error) { return 0, rules.ErrNoOutcome }
func (noLuck) Draw(rules.Draw) (int, error)   { return 0, rules.ErrNoOutcome }

// Ahead implements rules.Programmer: answers to events that the enemy may let
// happen, to stakes, losses and Power, plans for the power struggle under way, and
// the next action round.
func (r *sensible) Ahead(rv rules.View) []string {
	v := rv.(*View)
	side := v.p.sideOf(v.seat)
	if side == Neutral || v.p.ending != NotOver || v.p.phase == PhaseSetup || v.p.phase == PhaseBid {
		return nil
	}
	out := r.plans(v, side)
	out = append(out, r.answersToEvents(v, side)...)
	out = append(out, r.answersToStruggles(v, side)...)
	return append(out, r.nextRound(v, side)...)
}

// imagine is a copy of a view in which a procedure of the match is about to begin.
func imagine(v *View, f Frame) *View {
	w := new(View)
	*w = *v
	p := &w.p
	p.question, p.stalled, p.depth = Question{}, false, 2
	p.stack = [frames]Frame{v.p.stack[0], f}
	if f.Proc != ProcStruggle {
		p.struggle = Struggle{}
	}
	return w
}

// run plays an imagined view on to its first question or outcome.
func (v *View) run() { _ = v.p.Go(&Run{Chance: noLuck{}}) }

// whole is the robot's whole answer to what an imagined view asks, which it gives.
// others are the options besides that there were at first.
func (r *sensible) whole(v *View) (atoms, others []rules.Atom) {
	side := v.p.question.Side
	others = v.p.Choices(nil)
	look := func() rules.View { return v }
	x := &Run{Chance: noLuck{}}
	for {
		options := v.p.Choices(nil)
		if len(options) == 0 {
			return atoms, others
		}
		a := r.Choose(look, rules.Decision{}, options)
		atoms = append(atoms, a)
		if err := v.p.Decide(x, a); err != nil {
			return atoms, others
		}
		if q := &v.p.question; q.Ask == AskNothing || q.Side != side || !q.Midway && q.Given == 0 {
			return atoms, others
		}
	}
}

// answersToEvents are answers to events of cards that are not seen, if the enemy
// plays them next.
func (r *sensible) answersToEvents(v *View, side Side) []string {
	var out []string
	for _, c := range append(v.hiddenCards(), cardsOf(v.told)...) {
		by := resolver(c, side.Enemy())
		if c.Info().Scoring != NoCountry || !v.p.playable(c, by) {
			continue
		}
		w := imagine(v, Frame{Proc: ProcEvent, Card: c, Side: by, Source: Source(c)})
		w.p.phasing = side.Enemy()
		w.p.piles[PileTable].add(c)
		w.run()
		for range 3 {
			q := w.p.question
			if q.Ask == AskNothing || q.Side != side || q.Source != Source(c) {
				break
			}
			atoms, others := r.whole(w)
			if line := listed(atoms, others); line != "" {
				out = append(out, fmt.Sprintf("ANSWER %d %s ANYWAY", c, line))
			}
		}
	}
	return out
}

// listed writes an answer with what else might do behind it.
func listed(atoms, others []rules.Atom) string {
	if len(atoms) == 0 {
		return ""
	}
	v := AtomVerb(atoms[0])
	switch v {
	case VerbPlace, VerbRemove:
		if AtomVerb(atoms[len(atoms)-1]) == VerbStop {
			break // It wants no more than these.
		}
		for _, a := range others {
			if AtomVerb(a) == v && !slices.Contains(atoms, a) && len(atoms) < 16 {
				atoms = append(atoms, a)
			}
		}
	}
	return Game{}.Line(atoms)
}

// answersToStruggles are answers to what power struggles ask besides cards.
func (r *sensible) answersToStruggles(v *View, side Side) []string {
	out := []string{}
	if v.p.struggle.Country == NoCountry && !v.p.leads(side) {
		out = append(out, "ANSWER STAKES PASS")
	}
	var lose []rules.Atom
	for c := EastGermany; c < countries; c++ {
		if at := v.p.struggle.Country; at != NoCountry && at != c {
			continue
		}
		w := imagine(v, Frame{Proc: ProcStruggle, Step: struggleLoss, Country: c})
		w.p.struggle.Country, w.p.struggle.Winner = c, side.Enemy()
		w.p.struggle.Lose = int8(results[len(results)-1])
		w.run()
		if q := w.p.question; q.Ask == AskRemove && q.Side == side {
			atoms, _ := r.whole(w)
			lose = append(lose, atoms...)
		}
	}
	if len(lose) > 0 {
		out = append(out, "ANSWER LOSS "+Game{}.Line(lose))
	}
	if c := v.p.struggle.Country; c != NoCountry && side == Communist {
		r.mind.begin(asked(v, side))
		w := v.p
		out = append(out, "ANSWER POWER "+Game{}.Line([]rules.Atom{r.mind.power(&w)}))
	}
	return out
}

// leads reports whether a side may hold so many more cards in some power struggle
// that it would raise the stakes.
func (p *Position) leads(side Side) bool {
	for c := EastGermany; c < countries; c++ {
		if dealt(p.inCountry(side, c))-dealt(p.inCountry(side.Enemy(), c)) > 2 {
			return true
		}
	}
	return false
}

// asked is a copy of a view in which a side is asked something.
func asked(v *View, side Side) *View {
	w := new(View)
	*w = *v
	w.p.question.Side = side
	return w
}

// plans are the lists for the power struggle under way: the whole hand, in the
// order in which it would be played.
func (r *sensible) plans(v *View, side Side) []string {
	st := &v.p.struggle
	if st.Country == NoCountry || st.Winner != Neutral || st.Hands[side].len() == 0 {
		return nil
	}
	w := asked(v, side)
	r.mind.begin(w)
	p := &w.p
	p.struggle.Attacker = side
	var attack, defend []string
	for {
		options := attacks(p, nil)
		if len(options) == 0 {
			break
		}
		a := r.mind.attack(p, options)
		attack = append(attack, strings.TrimPrefix(Game{}.Line([]rules.Atom{a}), wordAttack+" "))
		p.struggle.Hands[side][AtomValue(a)]--
	}
	w = asked(v, side)
	var hand []StruggleCard
	for k, n := range w.p.struggle.Hands[side] {
		for range n {
			hand = append(hand, StruggleCard(k))
		}
	}
	slices.SortStableFunc(hand, func(a, b StruggleCard) int { return w.p.use(side, a) - w.p.use(side, b) })
	for _, k := range hand {
		if k != SupportFalters && k != SupportSurges && k != ScareTactics {
			defend = append(defend, k.String())
		}
	}
	var out []string
	if len(attack) > 0 {
		out = append(out, wordAttack+" "+strings.Join(attack, ", "))
	}
	if len(defend) > 0 {
		out = append(out, wordDefend+" "+strings.Join(defend, ", "))
	}
	return out
}

// nextRound is what the robot would play in its next action round if nothing
// changed meanwhile where it plays.
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
	before := w.p
	atoms, _ := r.whole(w)
	if len(atoms) == 0 || AtomVerb(atoms[0]) != VerbPlay {
		return nil
	}
	if m := Mode(AtomFlag(atoms[0])); m == PlayEventFirst || m == PlayBothFirst {
		o := imagine(v, Frame{Proc: ProcOps, Card: Card(AtomValue(atoms[0])), Side: side})
		o.p.phasing = side
		o.run()
		if o.p.question.Ask == AskOps {
			more, _ := r.whole(o)
			atoms = append(atoms, more...)
		}
	}
	line := Game{}.Line(atoms)
	last := atoms[len(atoms)-1]
	if AtomVerb(last) == VerbOpsCheck && AtomFlag(last) == 0 {
		s := Space(AtomValue(last)).String()
		line = strings.Replace(line, wordCheck+" "+s, wordCheck+" "+s+", "+s, 1)
	}
	var guards []string
	seen := map[Space]bool{}
	for _, a := range atoms {
		s := Space(AtomValue(a))
		if v := AtomVerb(a); v != VerbOpsPlace && v != VerbOpsCheck || seen[s] {
			continue
		}
		seen[s] = true
		what := "FREE"
		switch {
		case before.controls[side].has(s):
			what = "MINE"
		case before.controls[side.Enemy()].has(s):
			what = "THEIRS"
		}
		guards = append(guards, s.String()+" "+what)
	}
	if len(guards) == 0 {
		return []string{"NEXT " + line}
	}
	return []string{"NEXT IF " + strings.Join(guards, " AND ") + ": " + line}
}
