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
	out := r.Plans(v)
	for _, c := range append(v.hiddenCards(), cardsOf(v.told)...) {
		out = append(out, r.AheadFor(v, Source(c).String())...)
	}
	for _, s := range []Source{SourceStakes, SourceLoss, SourcePower} {
		out = append(out, r.AheadFor(v, s.String())...)
	}
	return append(out, r.AheadFor(v, "")...)
}

// writes is the side that a robot writes orders ahead for, Neutral when it writes
// none.
func writes(v *View) Side {
	if v.p.ending != NotOver || v.p.phase == PhaseSetup || v.p.phase == PhaseBid {
		return Neutral
	}
	return v.p.sideOf(v.seat)
}

// Plans are the lines of Ahead for the power struggle under way.
func (r *sensible) Plans(rv rules.View) []string {
	v := rv.(*View)
	if side := writes(v); side != Neutral {
		return r.plans(v, side)
	}
	return nil
}

// AheadFor are the lines of Ahead for one source, empty for the next action
// round.
func (r *sensible) AheadFor(rv rules.View, source string) []string {
	v := rv.(*View)
	side := writes(v)
	if side == Neutral {
		return nil
	}
	switch s := Source(max(0, slices.Index(sourceNames[:], source))); {
	case s == SourceNone && source != "":
	case s == SourceNone:
		return r.nextRound(v, side)
	case s == SourceStakes, s == SourceLoss, s == SourcePower:
		return r.answersToStruggles(v, side, s)
	case s < Source(cards) && (slices.Contains(v.hiddenCards(), Card(s)) || v.told.has(Card(s))):
		return r.answersToEvent(v, side, Card(s))
	}
	return nil
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

// answersToEvent are answers to the event of a card that is not seen, if the enemy
// plays it next.
func (r *sensible) answersToEvent(v *View, side Side, c Card) []string {
	by := resolver(c, side.Enemy())
	if c.Info().Scoring != NoCountry || !v.p.playable(c, by) {
		return nil
	}
	var out []string
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
func (r *sensible) answersToStruggles(v *View, side Side, source Source) []string {
	switch c := v.p.struggle.Country; {
	case source == SourceStakes && c == NoCountry && !v.p.leads(side):
		return []string{"ANSWER STAKES PASS ANYWAY"}
	case source == SourcePower && c != NoCountry && side == Communist:
		r.mind.begin(asked(v, side))
		w := v.p
		return []string{"ANSWER POWER " + Game{}.Line([]rules.Atom{r.mind.power(&w)}) + " ANYWAY"}
	case source == SourceLoss:
		return r.answerToLoss(v, side)
	}
	return nil
}

// answerToLoss is the list of support that a side would lose, country by country.
func (r *sensible) answerToLoss(v *View, side Side) []string {
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
	if len(lose) == 0 {
		return nil
	}
	return []string{"ANSWER LOSS " + Game{}.Line(lose) + " ANYWAY"}
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
		// The enemy has matched it, or there is no next attack.
		r.mind.enemyCards = max(0, r.mind.enemyCards-1)
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
