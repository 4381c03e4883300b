package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Refusal implements rules.LetterTexts. It uses the view alone, so a refusal reveals no card of the enemy.
func (Words) Refusal(rv rules.View, d rules.Decision, a rules.Atom, options []rules.Atom) string {
	q := newAsking(rv, d, options)
	if why := verbs[engine.AtomVerb(a)].refuse; why != nil {
		if text := why(q, a); text != "" {
			return text + legalNearby(q, a)
		}
	}
	return otherAnswer(q, rv, d)
}

func (q *questionWriter) hasOptions(v engine.Verb) bool { return len(q.optionsOf(v)) > 0 }

// otherAnswer shows complete legal answers instead.
func otherAnswer(q *questionWriter, rv rules.View, d rules.Decision) string {
	const no = "That does not answer the question"
	switch forms := (Words{}).Prompt(rv, d, q.options).Forms; {
	case len(q.options) == 0:
		return "Nothing can be answered to this question."
	case d.Midway || len(forms) == 0: // These atoms continue an answer, and are none by themselves.
		return no + "."
	default:
		return fmt.Sprintf("%s; an answer would be %s.", no, strings.Join(forms[:min(maxForms, len(forms))], ", or "))
	}
}

const maxForms = 2

const maxNear = 8

// legalNearby names legal options of the same verb, preferably in the same country, if they are few.
func legalNearby(q *questionWriter, a rules.Atom) string {
	switch engine.AtomVerb(a) {
	case engine.VerbOpsPlace, engine.VerbOpsCheck, engine.VerbPlace, engine.VerbRemove, engine.VerbCheck:
	case engine.VerbChoose:
		if engine.Choice(engine.AtomFlag(a)) != engine.ChooseSpace {
			return ""
		}
	default:
		return ""
	}
	var set engine.SpaceSet
	for _, o := range q.optionsOf(engine.AtomVerb(a)) {
		if engine.AtomFlag(o) == engine.AtomFlag(a) {
			set.Add(engine.Space(engine.AtomValue(o)))
		}
	}
	if set.Len() <= maxNear && !set.IsEmpty() {
		return fmt.Sprintf(" Legal: %s.", spaceList(set))
	}
	c := engine.Space(engine.AtomValue(a)).Info().Country
	here := set.And(engine.InCountry[c])
	if here.IsEmpty() || here.Len() > maxNear {
		return ""
	}
	return fmt.Sprintf(" Legal in %v: %s.", c, spaceList(here))
}

func (q *questionWriter) asksOps() bool { return q.ask == engine.AskOps || q.ask == engine.AskGrant }

func refuseOpsPlace(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	f := q.frame()
	switch {
	case q.ask == engine.AskSecondCheck:
		return "These Operations make support checks: after the first check a second one is asked for."
	case !q.asksOps():
		return ""
	case s == q.p.Destroyed:
		return explainGone(s)
	case f.Country != engine.NoCountry && s.Info().Country != f.Country:
		return fmt.Sprintf("%v is not in %v, for which these Operations are.", s, f.Country)
	case !q.p.Reach.Has(s):
		return fmt.Sprintf("%v is out of reach: before the first point %s had no support there or next to it.", s, sideName(q.side))
	}
	remaining := q.p.OpsValue(q.side, f.PrintedOps(), false) - int(f.N)
	if remaining <= 0 {
		return fmt.Sprintf("All Ops of %s are spent; the point that is left is for East Germany only.", fullTitle(f.Card))
	}
	return fmt.Sprintf("%v is under enemy control: a point there costs 2 Ops, and %d is left.", s, remaining)
}

// explainGone explains that Systematization destroyed a space (card 69).
func explainGone(s engine.Space) string {
	return fmt.Sprintf("%v no longer exists (%v).", s, engine.Card(69))
}

func refuseOpsCheck(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	f := q.frame()
	claimed := engine.AtomFlag(a) == 1
	switch {
	case q.asksOps() && f.N > 0:
		return "These Operations place support already; they cannot check as well."
	case !q.asksOps() && q.ask != engine.AskSecondCheck:
		return ""
	}
	if reason := explainNoTarget(q, s); reason != "" {
		return reason
	}
	switch {
	case f.Country != engine.NoCountry && s.Info().Country != f.Country:
		return fmt.Sprintf("%v is not in %v, for which these Operations are.", s, f.Country)
	case claimed && q.ask == engine.AskSecondCheck:
		return "BONUS is claimed with the first check, for both: leave it out here."
	case claimed && !q.p.BorderOpen(q.side):
		return fmt.Sprintf("There is no bonus to claim: %v is not in force for %s.", engine.AustriaHungaryBorder, sideName(q.side))
	case claimed:
		return fmt.Sprintf("The bonus is for East Germany, where %v is not.", s)
	case q.asksOps():
		return ""
	case f.Border:
		return "The bonus was claimed, so both checks must be in East Germany."
	}
	return ""
}

// explainNoTarget explains why a space cannot be checked, or returns "".
func explainNoTarget(q *questionWriter, s engine.Space) string {
	in := q.p.Effects.Cards
	switch {
	case s == q.p.Destroyed:
		return explainGone(s)
	case !q.p.Occupied[q.side.Enemy()].Has(s):
		return fmt.Sprintf("%v has no support of %s to check.", s, sideName(q.side.Enemy()))
	case q.side != engine.Communist:
		return ""
	case s == engine.Gdansk && in.Has(engine.SolidarityLegalized):
		return fmt.Sprintf("The Communist may not check Gdansk (%v).", engine.SolidarityLegalized)
	case s == engine.Leipzig && in.Has(engine.WeAreThePeople):
		return fmt.Sprintf("The Communist may not check Leipzig (%v).", fullTitle(engine.WeAreThePeople))
	case q.p.Effects.Debt != engine.NoCountry && s.Info().Country == q.p.Effects.Debt:
		return fmt.Sprintf("The Communist may not check in %v this turn (%v).", q.p.Effects.Debt, engine.DebtBurden)
	}
	return ""
}

func refuseOpsTiananmen(q *questionWriter, _ rules.Atom) string {
	switch {
	case !q.asksOps() && q.ask != engine.AskSecondCheck:
		return ""
	case q.frame().Source == engine.SourceNone:
		return "A Tiananmen attempt is made instead of the event and is said in the PLAY line, behind OPS."
	}
	return explainNoAttempt(q)
}

func explainNoAttempt(q *questionWriter) string {
	switch t := q.p.Tiananmen[q.side]; {
	case t.Box >= engine.LastBox:
		return fmt.Sprintf("%s stands in the last box of the Tiananmen track.", capitalSideName(q.side))
	case t.Attempted:
		return fmt.Sprintf("%s has made the Tiananmen attempt of this turn.", capitalSideName(q.side))
	}
	return "No Tiananmen attempt can be made here."
}

func refusePlace(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	switch {
	case q.ask == engine.AskSetup && q.p.Occupied[q.side.Enemy()].Has(s):
		return fmt.Sprintf("%v has support of %s: in set-up, points go where there is none.", s, sideName(q.side.Enemy()))
	case !q.hasOptions(engine.VerbPlace):
		return ""
	case s == q.p.Destroyed:
		return explainGone(s)
	}
	if text := explainOverLimit(q, s); text != "" {
		return text
	}
	return fmt.Sprintf("%v is not one of the spaces of %s.", s, q.source())
}

func explainOverLimit(q *questionWriter, s engine.Space) string {
	per := q.p.Question.MaxPerSpace
	if per == 0 || q.p.Question.PointsBySpace[s] < per {
		return ""
	}
	return fmt.Sprintf("At most %s in one space, which %v has had.", pluralize(int(per), "point"), s)
}

func refuseRemove(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	of := q.removalSide()
	switch {
	case !q.hasOptions(engine.VerbRemove):
		return ""
	case s == q.p.Destroyed:
		return explainGone(s)
	case !q.p.Occupied[of].Has(s) && q.p.Question.PointsBySpace[s] > 0:
		return fmt.Sprintf("%v has no further support of %s to remove.", s, sideName(of))
	case !q.p.Occupied[of].Has(s):
		return fmt.Sprintf("%v has no support of %s to remove.", s, sideName(of))
	}
	if text := explainOverLimit(q, s); text != "" {
		return text
	}
	if st := q.p.Struggle.Country; q.p.Question.Source == engine.SourceLoss {
		return fmt.Sprintf("%v is not in %v, where the support is lost.", s, st)
	}
	return fmt.Sprintf("%v is not one of the spaces of %s.", s, q.source())
}

func refuseCheck(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	if !q.hasOptions(engine.VerbCheck) {
		return ""
	}
	if reason := explainNoTarget(q, s); reason != "" {
		return reason
	}
	return fmt.Sprintf("%v is not one of the spaces that %s lets %s check.", s, q.source(), sideName(q.side))
}

func refuseChoice(q *questionWriter, a rules.Atom) string {
	n := engine.AtomValue(a)
	legal := q.optionsOf(engine.VerbChoose)
	if len(legal) == 0 || engine.AtomFlag(legal[0]) != engine.AtomFlag(a) {
		return ""
	}
	switch engine.Choice(engine.AtomFlag(a)) {
	case engine.ChooseSpace:
		if s := engine.Space(n); s == q.p.Destroyed {
			return explainGone(s)
		}
		return fmt.Sprintf("%v does not qualify for %s now.", engine.Space(n), q.source())
	case engine.ChooseCountry:
		if q.p.Question.Source == engine.Source(engine.NewYearsEveParty) && q.p.Power[n].Held == engine.Democrat {
			return fmt.Sprintf("In %v the Democrat holds Power.", engine.Country(n))
		}
		return fmt.Sprintf("%v does not qualify for %s.", engine.Country(n), q.source())
	case engine.ChooseCard:
		return explainNotHeld(q, engine.Card(n))
	}
	return ""
}

func explainNotHeld(q *questionWriter, c engine.Card) string {
	if !q.p.Piles[engine.HandPile(q.side)].Has(c) {
		return fmt.Sprintf("Card %d, %v, is not in the hand of %s.", c, c, sideName(q.side))
	}
	return fmt.Sprintf("Card %d, %v, does not qualify here.", c, c)
}

func refuseCard(q *questionWriter, a rules.Atom) string {
	v, c := engine.AtomVerb(a), engine.Card(engine.AtomValue(a))
	if !q.hasOptions(v) {
		return ""
	}
	there := fmt.Sprintf(" There are: %s.", cardList(q.cardsOf(v)))
	switch {
	case v == engine.VerbDiscard && q.p.Piles[engine.HandPile(q.side)].Has(c) && c.Info().Scoring != engine.NoCountry:
		return fmt.Sprintf("Card %d, %v, cannot be discarded: scoring cards must be played.", c, c)
	case v == engine.VerbDiscard:
		return explainNotHeld(q, c) + there
	}
	return fmt.Sprintf("Card %d, %v, cannot be taken here.%s", c, c, there)
}

func refusePass(q *questionWriter, _ rules.Atom) string {
	switch q.ask {
	case engine.AskRound, engine.AskStrike:
		return "An action round cannot be passed: a card must be played."
	case engine.AskDefend:
		return "A defence is given up with CONCEDE."
	case engine.AskAttack:
		return "An attack must be made while a card can be played."
	case engine.AskPower:
		return "Power is kept or surrendered: KEEP POWER or SURRENDER POWER."
	}
	if q.p.Question.Given > 0 {
		return "The answer has begun and must be given in full."
	}
	return "This cannot be declined."
}

func refuseConcession(q *questionWriter, _ rules.Atom) string {
	return "Only a defence in a power struggle can be conceded."
}
