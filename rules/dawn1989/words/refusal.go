package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Refusal implements rules.LetterTexts. It uses only the view of the reader, so it reveals no card of the enemy.
func (Words) Refusal(rv rules.View, d rules.Decision, a rules.Atom, options []rules.Atom) string {
	q := newQuestionWriter(rv, d, options)
	if explain := verbs[engine.AtomVerb(a)].explainRefusal; explain != nil {
		if text := explain(q, a); text != "" {
			return text + suggestSpaces(q, a)
		}
	}
	return suggestAnswers(q, rv, d)
}

func (q *questionWriter) hasOptions(v engine.Verb) bool { return len(q.optionsOf(v)) > 0 }

func suggestAnswers(q *questionWriter, rv rules.View, d rules.Decision) string {
	const refusal = "That does not answer the question"
	switch forms := (Words{}).Prompt(rv, d, q.options).Forms; {
	case len(q.options) == 0:
		return "This question has no legal answer."
	case d.Midway || len(forms) == 0: // The options are not complete answers.
		return refusal + "."
	default:
		return fmt.Sprintf("%s; you could answer %s.", refusal, strings.Join(forms[:min(maxSuggestedAnswers, len(forms))], ", or "))
	}
}

const maxSuggestedAnswers = 2

const maxSuggestedSpaces = 8

// suggestSpaces returns a sentence with the spaces that are legal with the verb of the refused atom. If they are too
// many, it names only those in the country of the refused space, or returns "".
func suggestSpaces(q *questionWriter, a rules.Atom) string {
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
	if set.Len() <= maxSuggestedSpaces && !set.IsEmpty() {
		return fmt.Sprintf(" Legal: %s.", spaceList(set))
	}
	c := engine.Space(engine.AtomValue(a)).Info().Country
	inCountry := set.And(engine.InCountry[c])
	if inCountry.IsEmpty() || inCountry.Len() > maxSuggestedSpaces {
		return ""
	}
	return fmt.Sprintf(" Legal in %v: %s.", c, spaceList(inCountry))
}

func (q *questionWriter) isAboutOps() bool {
	return q.kind == engine.AskOps || q.kind == engine.AskGrant
}

func refuseOpsPlace(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	f := q.frame()
	switch {
	case q.kind == engine.AskSecondCheck:
		return "You are using these Operations for support checks: name the space for the second check."
	case !q.isAboutOps():
		return ""
	case s == q.pos.Destroyed:
		return explainDestroyed(s)
	case f.Country != engine.NoCountry && s.Info().Country != f.Country:
		return fmt.Sprintf("%v is not in %v, and you can use these Operations only there.", s, f.Country)
	case !q.pos.Reach.Has(s):
		return fmt.Sprintf("You cannot place in %v: when you started placing, you had no support there or next to it.", s)
	}
	remaining := q.pos.OpsValue(q.side, f.PrintedOps(), false) - int(f.N)
	if remaining <= 0 {
		return fmt.Sprintf("You have spent all Ops of %s; the extra point is for East Germany only.", fullTitle(f.Card))
	}
	return fmt.Sprintf("The enemy controls %v, so a point there costs 2 Ops, and you have %d left.", s, remaining)
}

func explainDestroyed(s engine.Space) string {
	return fmt.Sprintf("%v no longer exists (%v).", s, engine.Systematization)
}

func refuseOpsCheck(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	f := q.frame()
	hasBonus := engine.AtomFlag(a) == 1
	switch {
	case q.isAboutOps() && f.N > 0:
		return "You are using these Operations to place support, so you cannot make checks with them."
	case !q.isAboutOps() && q.kind != engine.AskSecondCheck:
		return ""
	}
	if reason := explainNoTarget(q, s); reason != "" {
		return reason
	}
	switch {
	case f.Country != engine.NoCountry && s.Info().Country != f.Country:
		return fmt.Sprintf("%v is not in %v, and you can use these Operations only there.", s, f.Country)
	case hasBonus && q.kind == engine.AskSecondCheck:
		return "You claim BONUS with the first check, for both checks: leave it out here."
	case hasBonus && !q.pos.IsBorderOpen(q.side):
		return fmt.Sprintf("You have no bonus to claim: %v is not in force for you.", engine.AustriaHungaryBorder)
	case hasBonus:
		return fmt.Sprintf("The bonus is for East Germany, where %v is not.", s)
	case q.isAboutOps():
		return ""
	case f.OnlyEastGermany:
		return "You claimed the bonus, so both checks must be in East Germany."
	}
	return ""
}

func explainNoTarget(q *questionWriter, s engine.Space) string {
	effects := q.pos.Effects.Cards
	switch {
	case s == q.pos.Destroyed:
		return explainDestroyed(s)
	case !q.pos.Occupied[q.side.Enemy()].Has(s):
		return fmt.Sprintf("You cannot check %v: there is no support of %s.", s, sideName(q.side.Enemy()))
	case q.side != engine.Communist:
		return ""
	case s == engine.Gdansk && effects.Has(engine.SolidarityLegalized):
		return fmt.Sprintf("You may not check Gdansk (%v).", engine.SolidarityLegalized)
	case s == engine.Leipzig && effects.Has(engine.WeAreThePeople):
		return fmt.Sprintf("You may not check Leipzig (%v).", fullTitle(engine.WeAreThePeople))
	case q.pos.Effects.DebtCountry != engine.NoCountry && s.Info().Country == q.pos.Effects.DebtCountry:
		return fmt.Sprintf("You may not check in %v this turn (%v).", q.pos.Effects.DebtCountry, engine.DebtBurden)
	}
	return ""
}

func refuseOpsTiananmen(q *questionWriter, _ rules.Atom) string {
	switch {
	case !q.isAboutOps() && q.kind != engine.AskSecondCheck:
		return ""
	case q.frame().Source == engine.SourceNone:
		return "You make a Tiananmen attempt in place of the event: write it in the PLAY line, after OPS."
	}
	return explainNoAttempt(q)
}

func explainNoAttempt(q *questionWriter) string {
	switch t := q.pos.Tiananmen[q.side]; {
	case t.Box >= engine.LastBox:
		return "You are already in the last box of the Tiananmen track."
	case t.Attempted:
		return "You have already made your Tiananmen attempt this turn."
	}
	return "You cannot make a Tiananmen attempt here."
}

func refusePlace(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	switch {
	case q.kind == engine.AskSetup && q.pos.Occupied[q.side.Enemy()].Has(s):
		return fmt.Sprintf("%v has support of %s: in set-up, place only where there is none.", s, sideName(q.side.Enemy()))
	case !q.hasOptions(engine.VerbPlace):
		return ""
	case s == q.pos.Destroyed:
		return explainDestroyed(s)
	}
	if text := explainOverLimit(q, s); text != "" {
		return text
	}
	return fmt.Sprintf("%v is not one of the spaces for %s.", s, q.sourceName())
}

func explainOverLimit(q *questionWriter, s engine.Space) string {
	maxPerSpace := q.pos.Question.MaxPerSpace
	if maxPerSpace == 0 || q.pos.Question.PointsBySpace[s] < maxPerSpace {
		return ""
	}
	return fmt.Sprintf("At most %s in one space, and %v already has that.", pluralize(int(maxPerSpace), "point"), s)
}

func refuseRemove(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	loser := q.removalSide()
	switch {
	case !q.hasOptions(engine.VerbRemove):
		return ""
	case s == q.pos.Destroyed:
		return explainDestroyed(s)
	case !q.pos.Occupied[loser].Has(s) && q.pos.Question.PointsBySpace[s] > 0:
		return fmt.Sprintf("%v has no more support of %s to remove.", s, sideName(loser))
	case !q.pos.Occupied[loser].Has(s):
		return fmt.Sprintf("%v has no support of %s to remove.", s, sideName(loser))
	}
	if text := explainOverLimit(q, s); text != "" {
		return text
	}
	if st := q.pos.Struggle.Country; q.pos.Question.Source == engine.SourceLoss {
		return fmt.Sprintf("%v is not in %v: remove the support there.", s, st)
	}
	return fmt.Sprintf("%v is not one of the spaces for %s.", s, q.sourceName())
}

func refuseCheck(q *questionWriter, a rules.Atom) string {
	s := engine.Space(engine.AtomValue(a))
	if !q.hasOptions(engine.VerbCheck) {
		return ""
	}
	if reason := explainNoTarget(q, s); reason != "" {
		return reason
	}
	return fmt.Sprintf("%s does not let you check %v.", capitalize(q.sourceName()), s)
}

func refuseChoice(q *questionWriter, a rules.Atom) string {
	n := engine.AtomValue(a)
	legal := q.optionsOf(engine.VerbChoose)
	if len(legal) == 0 || engine.AtomFlag(legal[0]) != engine.AtomFlag(a) {
		return ""
	}
	switch engine.Choice(engine.AtomFlag(a)) {
	case engine.ChooseSpace:
		if s := engine.Space(n); s == q.pos.Destroyed {
			return explainDestroyed(s)
		}
		return fmt.Sprintf("You cannot choose %v for %s now.", engine.Space(n), q.sourceName())
	case engine.ChooseCountry:
		if q.pos.Question.Source == engine.Source(engine.NewYearsEveParty) && q.pos.Power[n].Holder == engine.Democrat {
			return fmt.Sprintf("You cannot choose %v: the Democrat holds Power there.", engine.Country(n))
		}
		return fmt.Sprintf("You cannot choose %v for %s.", engine.Country(n), q.sourceName())
	case engine.ChooseCard:
		return explainNotHeld(q, engine.Card(n))
	}
	return ""
}

func explainNotHeld(q *questionWriter, c engine.Card) string {
	if !q.pos.Piles[engine.HandPile(q.side)].Has(c) {
		return fmt.Sprintf("Card %d, %v, is not in your hand.", c, c)
	}
	return fmt.Sprintf("You cannot choose card %d, %v, here.", c, c)
}

func refuseCard(q *questionWriter, a rules.Atom) string {
	v, c := engine.AtomVerb(a), engine.Card(engine.AtomValue(a))
	if !q.hasOptions(v) {
		return ""
	}
	suggestion := fmt.Sprintf(" You can choose from: %s.", cardList(q.cardsOf(v)))
	switch {
	case v == engine.VerbDiscard && q.pos.Piles[engine.HandPile(q.side)].Has(c) && c.Info().Scoring != engine.NoCountry:
		return fmt.Sprintf("You cannot discard card %d, %v: you must play scoring cards.", c, c)
	case v == engine.VerbDiscard:
		return explainNotHeld(q, c) + suggestion
	}
	return fmt.Sprintf("You cannot take card %d, %v, here.%s", c, c, suggestion)
}

func refusePass(q *questionWriter, _ rules.Atom) string {
	switch q.kind {
	case engine.AskRound, engine.AskStrike:
		return "You cannot pass an action round: you must play a card."
	case engine.AskDefend:
		return "To give up the defence, write CONCEDE."
	case engine.AskAttack:
		return "You must attack as long as you have a card to attack with."
	case engine.AskPower:
		return "Keep or surrender Power: write KEEP POWER or SURRENDER POWER."
	}
	if q.pos.Question.Given > 0 {
		return "You have begun this answer and must complete it."
	}
	return "You cannot decline this."
}

func refuseConcession(q *questionWriter, _ rules.Atom) string {
	return "You can concede only when you defend in a power struggle."
}
