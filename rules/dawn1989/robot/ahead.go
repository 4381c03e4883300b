package robot

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
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

// Ahead writes conditional orders: answers to events that the enemy may let
// happen, to stakes, losses and Power, plans for the power struggle under way, and
// the next action round.
func (r *sensible) Ahead(rv rules.View) []string {
	v := rv.(*engine.View)
	out := r.Plans(v)
	for _, c := range append(v.HiddenCards(), v.EnemyHolds.List()...) {
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
	if v.Seen.Ending != engine.NotOver || v.Seen.Phase == engine.PhaseSetup || v.Seen.Phase == engine.PhaseBid {
		return engine.Neutral
	}
	return v.Seen.SideOf(v.Seat())
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
	switch s := engine.SourceNamed(source); {
	case s == engine.SourceNone && source != "":
	case s == engine.SourceNone:
		return r.nextRound(v, side)
	case s == engine.SourceStakes, s == engine.SourceLoss, s == engine.SourcePower:
		return r.answersToStruggles(v, side, s)
	case s < engine.Source(engine.Cards) && (slices.Contains(v.HiddenCards(), engine.Card(s)) || v.EnemyHolds.Has(engine.Card(s))):
		return r.answersToEvent(v, side, engine.Card(s))
	}
	return nil
}

// run plays an imagined view on to its first question or outcome.
func run(v *engine.View) { _ = v.Seen.Go(&engine.Run{Chance: noLuck{}}) }

// whole is the robot's whole answer to what an imagined view asks, which it gives.
// others are the options besides that there were at first.
func (r *sensible) whole(v *engine.View) (atoms, others []rules.Atom) {
	side := v.Seen.Question.Side
	others = v.Seen.Choices(nil)
	look := func() rules.View { return v }
	x := &engine.Run{Chance: noLuck{}}
	for {
		options := v.Seen.Choices(nil)
		if len(options) == 0 {
			return atoms, others
		}
		a := r.Choose(look, rules.Decision{}, options)
		atoms = append(atoms, a)
		if err := v.Seen.Decide(x, a); err != nil {
			return atoms, others
		}
		if q := &v.Seen.Question; q.Ask == engine.AskNothing || q.Side != side || !q.Midway && q.Given == 0 {
			return atoms, others
		}
	}
}

// answersToEvent are answers to the event of a card that is not seen, if the enemy
// plays it next.
func (r *sensible) answersToEvent(v *engine.View, side engine.Side, c engine.Card) []string {
	by := engine.Resolver(c, side.Enemy())
	if c.Info().Scoring != engine.NoCountry || !v.Seen.Playable(c, by) {
		return nil
	}
	var out []string
	w := v.Suppose(engine.Frame{Proc: engine.ProcEvent, Card: c, Side: by, Source: engine.Source(c)})
	w.Seen.Phasing = side.Enemy()
	w.Seen.Piles[engine.PileTable].Add(c)
	run(w)
	for range 3 {
		q := w.Seen.Question
		if q.Ask == engine.AskNothing || q.Side != side || q.Source != engine.Source(c) {
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
	return r.write(atoms)
}

// answersToStruggles are answers to what power struggles ask besides cards.
func (r *sensible) answersToStruggles(v *engine.View, side engine.Side, source engine.Source) []string {
	switch c := v.Seen.Struggle.Country; {
	case source == engine.SourceStakes && c == engine.NoCountry && !leads(&v.Seen, side):
		return []string{"ANSWER STAKES PASS ANYWAY"}
	case source == engine.SourcePower && c != engine.NoCountry && side == engine.Communist:
		r.mind.begin(asked(v, side))
		w := v.Seen
		return []string{"ANSWER POWER " + r.write([]rules.Atom{r.mind.power(&w)}) + " ANYWAY"}
	case source == engine.SourceLoss:
		return r.answerToLoss(v, side)
	}
	return nil
}

// answerToLoss is the list of support that a side would lose, country by country.
func (r *sensible) answerToLoss(v *engine.View, side engine.Side) []string {
	var lose []rules.Atom
	for c := engine.EastGermany; c < engine.Countries; c++ {
		if at := v.Seen.Struggle.Country; at != engine.NoCountry && at != c {
			continue
		}
		w := v.Suppose(engine.Frame{Proc: engine.ProcStruggle, Step: engine.StruggleLoss, Country: c})
		w.Seen.Struggle.Country, w.Seen.Struggle.Winner = c, side.Enemy()
		w.Seen.Struggle.Lose = engine.MostLost
		run(w)
		if q := w.Seen.Question; q.Ask == engine.AskRemove && q.Side == side {
			atoms, _ := r.whole(w)
			lose = append(lose, atoms...)
		}
	}
	if len(lose) == 0 {
		return nil
	}
	return []string{"ANSWER LOSS " + r.write(lose) + " ANYWAY"}
}

// leads reports whether a side may hold so many more cards in some power struggle
// that it would raise the stakes.
func leads(p *engine.Position, side engine.Side) bool {
	for c := engine.EastGermany; c < engine.Countries; c++ {
		if engine.Dealt(p.ControlledIn(side, c))-engine.Dealt(p.ControlledIn(side.Enemy(), c)) > 2 {
			return true
		}
	}
	return false
}

// asked is a copy of a view in which a side is asked something.
func asked(v *engine.View, side engine.Side) *engine.View {
	w := new(engine.View)
	*w = *v
	w.Seen.Question.Side = side
	return w
}

// plans are the lists for the power struggle under way: the whole hand, in the
// order in which it would be played.
func (r *sensible) plans(v *engine.View, side engine.Side) []string {
	st := &v.Seen.Struggle
	if st.Country == engine.NoCountry || st.Winner != engine.Neutral || st.Hands[side].Len() == 0 {
		return nil
	}
	w := asked(v, side)
	r.mind.begin(w)
	p := &w.Seen
	p.Struggle.Attacker = side
	var attack, defend []string
	for {
		options := engine.Attacks(p, nil)
		if len(options) == 0 {
			break
		}
		a := r.mind.attack(p, options)
		attack = append(attack, strings.TrimPrefix(r.write([]rules.Atom{a}), orderAttack+" "))
		p.Struggle.Hands[side][engine.AtomValue(a)]--
		// The enemy has matched it, or there is no next attack.
		r.mind.enemyCards = max(0, r.mind.enemyCards-1)
	}
	w = asked(v, side)
	var hand []engine.StruggleCard
	for k, n := range w.Seen.Struggle.Hands[side] {
		for range n {
			hand = append(hand, engine.StruggleCard(k))
		}
	}
	slices.SortStableFunc(hand, func(a, b engine.StruggleCard) int { return use(&w.Seen, side, a) - use(&w.Seen, side, b) })
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
