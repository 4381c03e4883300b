package robot

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/dawn1989/words"
)

// The words of orders that stand apart from an answer.
const (
	orderAttack = "ATTACK"
	orderDefend = "DEFEND"
	orderCheck  = "CHECK"
)

// noLuck is chance without outcomes: what is foreseen ends before the first die.
type noLuck struct{}

func (noLuck) Roll(rules.Reason) (int, error) { return 0, rules.ErrNoOutcome }
func (noLuck) Draw(rules.Draw) (int, error)   { return 0, rules.ErrNoOutcome }

// Ahead writes conditional orders, which only tests ask for: answers to events that the enemy may let
// happen, to stakes, losses and Power, plans for the power struggle under way, and
// the next action round.
func (r *sensible) Ahead(rv rules.View) []string {
	v := rv.(*engine.View)
	out := r.Plans(v)
	for _, c := range append(v.HiddenCards(), v.KnownEnemyCards.List()...) {
		out = append(out, r.AheadFor(v, engine.Source(c).String())...)
	}
	for _, s := range []engine.Source{engine.SourceStakes, engine.SourceLoss, engine.SourcePower} {
		out = append(out, r.AheadFor(v, s.String())...)
	}
	return append(out, r.AheadFor(v, "")...)
}

// writes is the side that a robot writes conditional orders for, Neutral when it writes
// none.
func writes(v *engine.View) engine.Side {
	if v.Visible.Ending != engine.NotOver || v.Visible.Phase == engine.PhaseSetup || v.Visible.Phase == engine.PhaseBid {
		return engine.Neutral
	}
	return v.Visible.SideOf(v.Seat())
}

// Plans are the lines of Ahead for the power struggle under way.
func (r *sensible) Plans(rv rules.View) []string {
	v := rv.(*engine.View)
	if side := writes(v); side != engine.Neutral {
		return r.plans(v, side)
	}
	return nil
}

// AheadFor are the lines of Ahead for one source, empty for the next action
// round.
func (r *sensible) AheadFor(rv rules.View, source string) []string {
	v := rv.(*engine.View)
	side := writes(v)
	if side == engine.Neutral {
		return nil
	}
	switch s := engine.ParseSource(source); {
	case s == engine.SourceNone && source != "":
	case s == engine.SourceNone:
		return r.nextRound(v, side)
	case s == engine.SourceStakes, s == engine.SourceLoss, s == engine.SourcePower:
		return r.answersToStruggles(v, side, s)
	case s < engine.Source(engine.Cards) && (slices.Contains(v.HiddenCards(), engine.Card(s)) || v.KnownEnemyCards.Has(engine.Card(s))):
		return r.answersToEvent(v, side, engine.Card(s))
	}
	return nil
}

// run plays an imagined view on to its first question or outcome.
func run(v *engine.View) { _ = v.Visible.Advance(&engine.Run{Chance: noLuck{}}) }

// whole is the robot's whole answer to what an imagined view asks, which it gives.
// others are the options besides that there were at first.
func (r *sensible) whole(v *engine.View) (atoms, others []rules.Atom) {
	side := v.Visible.Question.Side
	others = v.Visible.LegalAtoms(nil)
	look := func() rules.View { return v }
	x := &engine.Run{Chance: noLuck{}}
	for {
		options := v.Visible.LegalAtoms(nil)
		if len(options) == 0 {
			return atoms, others
		}
		a := r.Choose(look, rules.Decision{}, options)
		atoms = append(atoms, a)
		if err := v.Visible.Decide(x, a); err != nil {
			return atoms, others
		}
		if q := &v.Visible.Question; q.Kind == engine.AskNothing || q.Side != side || !q.Midway && q.Given == 0 {
			return atoms, others
		}
	}
}

// answersToEvent are answers to the event of a card that is not seen, if the enemy
// plays it next.
func (r *sensible) answersToEvent(v *engine.View, side engine.Side, c engine.Card) []string {
	by := engine.EventSide(c, side.Enemy())
	if c.Info().Scoring != engine.NoCountry || !v.Visible.IsEventPlayable(c, by) {
		return nil
	}
	var out []string
	w := v.WithFrame(engine.Frame{Proc: engine.ProcEvent, Card: c, Side: by, Source: engine.Source(c)})
	w.Visible.Phasing = side.Enemy()
	w.Visible.Piles[engine.PileTable].Add(c)
	run(w)
	for range 3 {
		q := w.Visible.Question
		if q.Kind == engine.AskNothing || q.Side != side || q.Source != engine.Source(c) {
			break
		}
		atoms, others := r.whole(w)
		if line := r.listed(atoms, others); line != "" {
			out = append(out, fmt.Sprintf("ANSWER %d %s ANYWAY", c, line))
		}
	}
	return out
}

// listed writes an answer with what else might do behind it.
func (r *sensible) listed(atoms, others []rules.Atom) string {
	if len(atoms) == 0 {
		return ""
	}
	v := engine.AtomVerb(atoms[0])
	switch v {
	case engine.VerbPlace, engine.VerbRemove:
		if engine.AtomVerb(atoms[len(atoms)-1]) == engine.VerbStop {
			break // It wants no more than these.
		}
		for _, a := range others {
			if engine.AtomVerb(a) == v && !slices.Contains(atoms, a) && len(atoms) < 16 {
				atoms = append(atoms, a)
			}
		}
	}
	return words.Words{}.FormatOrder(atoms)
}

// answersToStruggles are answers to what power struggles ask besides cards.
func (r *sensible) answersToStruggles(v *engine.View, side engine.Side, source engine.Source) []string {
	switch c := v.Visible.Struggle.Country; {
	case source == engine.SourceStakes && c == engine.NoCountry && !leads(&v.Visible, side):
		return []string{"ANSWER STAKES PASS ANYWAY"}
	case source == engine.SourcePower && c != engine.NoCountry && side == engine.Communist:
		r.evaluator.prepare(asked(v, side))
		w := v.Visible
		return []string{"ANSWER POWER " + words.Words{}.FormatOrder([]rules.Atom{choosePower(&w)}) + " ANYWAY"}
	case source == engine.SourceLoss:
		return r.answerToLoss(v, side)
	}
	return nil
}

// answerToLoss is the list of support that a side would lose, country by country.
func (r *sensible) answerToLoss(v *engine.View, side engine.Side) []string {
	var lose []rules.Atom
	for c := engine.EastGermany; c < engine.Countries; c++ {
		if at := v.Visible.Struggle.Country; at != engine.NoCountry && at != c {
			continue
		}
		w := v.WithFrame(engine.Frame{Proc: engine.ProcStruggle, Step: engine.StruggleLoss, Country: c})
		w.Visible.Struggle.Country, w.Visible.Struggle.Winner = c, side.Enemy()
		w.Visible.Struggle.PointsToLose = engine.MaxLoss
		run(w)
		if q := w.Visible.Question; q.Kind == engine.AskRemove && q.Side == side {
			atoms, _ := r.whole(w)
			lose = append(lose, atoms...)
		}
	}
	if len(lose) == 0 {
		return nil
	}
	return []string{"ANSWER LOSS " + words.Words{}.FormatOrder(lose) + " ANYWAY"}
}

// leads reports whether a side may hold so many more cards in some power struggle
// that it would raise the stakes.
func leads(p *engine.Position, side engine.Side) bool {
	for c := engine.EastGermany; c < engine.Countries; c++ {
		if engine.StruggleHandSize(p.CountControlled(side, c))-engine.StruggleHandSize(p.CountControlled(side.Enemy(), c)) > 2 {
			return true
		}
	}
	return false
}

// asked is a copy of a view in which a side is asked something.
func asked(v *engine.View, side engine.Side) *engine.View {
	w := new(engine.View)
	*w = *v
	w.Visible.Question.Side = side
	return w
}

// plans are the lists for the power struggle under way: the whole hand, in the
// order in which it would be played.
func (r *sensible) plans(v *engine.View, side engine.Side) []string {
	st := &v.Visible.Struggle
	if st.Country == engine.NoCountry || st.Winner != engine.Neutral || st.Hands[side].Len() == 0 {
		return nil
	}
	w := asked(v, side)
	r.evaluator.prepare(w)
	p := &w.Visible
	p.Struggle.Attacker = side
	var attack, defend []string
	for {
		options := engine.LegalAttacks(p, nil)
		if len(options) == 0 {
			break
		}
		a := r.evaluator.chooseAttack(p, options)
		attack = append(attack, strings.TrimPrefix(words.Words{}.FormatOrder([]rules.Atom{a}), orderAttack+" "))
		p.Struggle.Hands[side][engine.AtomValue(a)]--
		// The enemy has matched it, or there is no next attack.
		r.evaluator.enemyStruggleCards = max(0, r.evaluator.enemyStruggleCards-1)
	}
	w = asked(v, side)
	var hand []engine.StruggleCard
	for k, n := range w.Visible.Struggle.Hands[side] {
		for range n {
			hand = append(hand, engine.StruggleCard(k))
		}
	}
	slices.SortStableFunc(hand, func(a, b engine.StruggleCard) int {
		return cardUsefulness(&w.Visible, side, a) - cardUsefulness(&w.Visible, side, b)
	})
	for _, k := range hand {
		if k != engine.SupportFalters && k != engine.SupportSurges && k != engine.ScareTactics {
			defend = append(defend, k.String())
		}
	}
	var out []string
	if len(attack) > 0 {
		out = append(out, orderAttack+" "+strings.Join(attack, ", "))
	}
	if len(defend) > 0 {
		out = append(out, orderDefend+" "+strings.Join(defend, ", "))
	}
	return out
}

// The look-ahead of the sensible robot to its next action round.

// nextRound is what the robot would play in its next action round, if it is the
// best play after several things that the enemy may do first.
func (r *sensible) nextRound(v *engine.View, side engine.Side) []string {
	round := v.Visible.Round
	if side == engine.Communist || v.Visible.Phasing == engine.Democrat {
		round++ // The Communist plays first in a round.
	}
	if v.Visible.Phase != engine.PhaseRounds || round > engine.RoundsPerTurn || v.Visible.Piles[engine.HandPile(side)].IsEmpty() {
		return nil
	}
	w := v.WithFrame(engine.Frame{Proc: engine.ProcRound, Side: side})
	w.Visible.Round = round
	run(w)
	if w.Visible.Question.Kind != engine.AskRound || w.Visible.Question.Side != side {
		return nil
	}
	r.evaluator.prepare(w)
	replies := r.evaluator.replies(&w.Visible, side)
	first := r.steady(w, replies, side)
	if first == 0 {
		return nil
	}
	atoms := r.play(w, w.Visible, first, side)
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
		taken = taken.Or(p.Controlled[side.Enemy()].Minus(w.Visible.Controlled[side.Enemy()]))
	}
	line := words.Words{}.FormatOrder(atoms)
	last := atoms[len(atoms)-1]
	if engine.AtomVerb(last) == engine.VerbOpsCheck && engine.AtomFlag(last) == 0 {
		s := engine.Space(engine.AtomValue(last)).String()
		line = strings.Replace(line, orderCheck+" "+s, orderCheck+" "+s+", "+s, 1)
	}
	guards := guards(&w.Visible, side, atoms, taken)
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
	w.Visible = p
	if err := w.Visible.Decide(&engine.Run{Chance: noLuck{}}, first); err != nil && !w.Visible.Stalled() {
		return nil
	}
	atoms := []rules.Atom{first}
	if m := engine.Mode(engine.AtomFlag(first)); m == engine.PlayEventFirst || m == engine.PlayBothFirst {
		// What the event does first is not known: the Operations come as if it did
		// nothing.
		before := *v
		before.Visible = p
		o := before.WithFrame(engine.Frame{Proc: engine.ProcOps, Card: engine.Card(engine.AtomValue(first)), Side: side})
		o.Visible.Phasing = side
		run(o)
		if o.Visible.Question.Kind == engine.AskOps {
			more, _ := r.whole(o)
			atoms = append(atoms, more...)
		}
		return atoms
	}
	if q := &w.Visible.Question; q.Kind != engine.AskNothing && q.Side == side && q.Midway {
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
		case p.Controlled[side].Has(s):
			what = "MINE"
		case p.Controlled[side.Enemy()].Has(s):
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
	options := w.Visible.LegalAtoms(nil)
	total, lost := make([]int, len(options)), 0
	m := &r.evaluator
	for _, p := range replies {
		u := *w
		u.Visible = p
		m.prepare(&u)
		best := 0
		for i, a := range options {
			worth := 0
			if engine.AtomVerb(a) == engine.VerbPlay {
				worth = m.playWorth(&u.Visible, side, engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a)))
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
		m.prepare(w)
		return m.chooseOrder(&w.Visible, side, options[at], options)
	}
	return options[at]
}

// replies are positions after what the enemy may do in his next action round, the
// present one first: he places points. Where that takes a space of the side, its
// plan is dropped anyway.
func (m *evaluator) replies(p *engine.Position, side engine.Side) []engine.Position {
	enemy := side.Enemy()
	out := []engine.Position{*p}
	var used engine.SpaceSet
	for n := 2; n <= 4; n += 2 {
		q := *p
		m.spendOps(&q, enemy, n, q.PlaceableSpaces(enemy).Minus(used))
		for s := engine.Space(1); s < engine.Spaces; s++ {
			if q.Support[enemy][s] != p.Support[enemy][s] {
				used.Add(s)
			}
		}
		if p.Controlled[side].Minus(q.Controlled[side]).IsEmpty() {
			out = append(out, q)
		}
	}
	return out
}
