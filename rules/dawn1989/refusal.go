package dawn1989

import (
	"fmt"
	"slices"

	"samizdat/rules"
)

// Refusal implements rules.Scribe. It knows what the view shows and nothing
// else, so a refusal never tells what the enemy holds.
func (Game) Refusal(rv rules.View, d rules.Decision, a rules.Atom, options []rules.Atom) string {
	q := newAsking(rv, d, options)
	v := AtomVerb(a)
	if why, ok := refusers[v]; ok {
		if text := why(q, a); text != "" {
			return text + q.nearby(a)
		}
	}
	return q.other()
}

// refusers say why an atom of their verb is not legal; they return nothing when
// the question does not take the verb at all.
var refusers map[Verb]func(*asking, rules.Atom) string

func init() {
	refusers = map[Verb]func(*asking, rules.Atom) string{
		VerbPlay: (*asking).noPlay, VerbOpsPlace: (*asking).noOpsPlace, VerbOpsCheck: (*asking).noOpsCheck,
		VerbOpsTiananmen: (*asking).noOpsTiananmen, VerbPlace: (*asking).noPlace, VerbRemove: (*asking).noRemove,
		VerbCheck: (*asking).noCheck, VerbChoose: (*asking).noChoice, VerbTake: (*asking).noCard,
		VerbDiscard: (*asking).noCard, VerbRaise: (*asking).noRaise, VerbAttack: (*asking).noAttack,
		VerbDefend: (*asking).noDefence, VerbPass: (*asking).noPass, VerbConcede: (*asking).noConcession,
	}
}

// takes reports whether the question takes a verb.
func (q *asking) takes(v Verb) bool { return len(q.with(v)) > 0 }

// other names the orders that the question takes instead.
func (q *asking) other() string {
	var forms []string
	var seen []Verb
	for _, a := range q.options {
		if v := AtomVerb(a); v != VerbStop && !slices.Contains(seen, v) {
			seen = append(seen, v)
			forms = append(forms, Game{}.Line([]rules.Atom{a}))
		}
	}
	if len(forms) == 0 {
		return "Nothing can be answered to this question."
	}
	return fmt.Sprintf("That does not answer the question; an answer would be %s.", join(forms, "or"))
}

// mostNear is how many legal spaces a refusal names.
const mostNear = 8

// nearby names what would be legal, of the same verb and best in the same
// country, if that is little.
func (q *asking) nearby(a rules.Atom) string {
	switch AtomVerb(a) {
	case VerbOpsPlace, VerbOpsCheck, VerbPlace, VerbRemove, VerbCheck:
	case VerbChoose:
		if Choice(AtomFlag(a)) != ChooseSpace {
			return ""
		}
	default:
		return ""
	}
	var set SpaceSet
	for _, o := range q.with(AtomVerb(a)) {
		if AtomFlag(o) == AtomFlag(a) {
			set.add(Space(AtomValue(o)))
		}
	}
	if set.len() <= mostNear && !set.empty() {
		return fmt.Sprintf(" Legal: %s.", spaceList(set))
	}
	c := Space(AtomValue(a)).Info().Country
	here := set.and(inCountry[c])
	if here.empty() || here.len() > mostNear {
		return ""
	}
	return fmt.Sprintf(" Legal in %v: %s.", c, spaceList(here))
}

// asksOps reports whether Operations are asked for, own or granted.
func (q *asking) asksOps() bool { return q.ask == AskOps || q.ask == AskGrant }

func (q *asking) noOpsPlace(a rules.Atom) string {
	s := Space(AtomValue(a))
	f := q.frame()
	switch {
	case q.ask == AskSecondCheck:
		return "These Operations make support checks: after the first check a second one is asked for."
	case !q.asksOps():
		return ""
	case s == q.p.destroyed:
		return q.gone(s)
	case f.Country != NoCountry && s.Info().Country != f.Country:
		return fmt.Sprintf("%v is not in %v, for which these Operations are.", s, f.Country)
	case !q.p.reach.has(s):
		return fmt.Sprintf("%v is out of reach: before the first point %s had no support there or next to it.", s, q.side.the())
	}
	left := q.p.opsValue(q.side, f.printed(), false) - int(f.N)
	if left <= 0 {
		return fmt.Sprintf("All Ops of %s are spent; the point that is left is for East Germany only.", f.Card.full())
	}
	return fmt.Sprintf("%v is under enemy control: a point there costs 2 Ops, and %d is left.", s, left)
}

// gone is the space that Systematization destroyed.
func (q *asking) gone(s Space) string {
	return fmt.Sprintf("%v no longer exists (%v).", s, Card(69))
}

func (q *asking) noOpsCheck(a rules.Atom) string {
	s := Space(AtomValue(a))
	f := q.frame()
	claimed := AtomFlag(a) == 1
	switch {
	case q.asksOps() && f.N > 0:
		return "These Operations place support already; they cannot check as well."
	case !q.asksOps() && q.ask != AskSecondCheck:
		return ""
	}
	if why := q.noTarget(s); why != "" {
		return why
	}
	switch {
	case f.Country != NoCountry && s.Info().Country != f.Country:
		return fmt.Sprintf("%v is not in %v, for which these Operations are.", s, f.Country)
	case claimed && q.ask == AskSecondCheck:
		return "BONUS is claimed with the first check, for both: leave it out here."
	case claimed && !q.p.borderOpen(q.side):
		return fmt.Sprintf("There is no bonus to claim: %v is not in force for %s.", AustriaHungaryBorder, q.side.the())
	case claimed:
		return fmt.Sprintf("The bonus is for East Germany, where %v is not.", s)
	case q.asksOps():
		return ""
	case f.Border:
		return "The bonus was claimed, so both checks must be in East Germany."
	}
	return ""
}

// noTarget says why a space cannot be checked at all, if so.
func (q *asking) noTarget(s Space) string {
	in := q.p.force.cards
	switch {
	case s == q.p.destroyed:
		return q.gone(s)
	case !q.p.holds[q.side.Enemy()].has(s):
		return fmt.Sprintf("%v has no support of %s to check.", s, q.side.Enemy().the())
	case q.side != Communist:
		return ""
	case s == gdansk && in.has(SolidarityLegalized):
		return fmt.Sprintf("The Communist may not check Gdansk (%v).", SolidarityLegalized)
	case s == leipzig && in.has(WeAreThePeople):
		return fmt.Sprintf("The Communist may not check Leipzig (%v).", WeAreThePeople.full())
	case q.p.force.debt != NoCountry && s.Info().Country == q.p.force.debt:
		return fmt.Sprintf("The Communist may not check in %v this turn (%v).", q.p.force.debt, DebtBurden)
	}
	return ""
}

func (q *asking) noOpsTiananmen(rules.Atom) string {
	switch {
	case !q.asksOps() && q.ask != AskSecondCheck:
		return ""
	case q.frame().Source == SourceNone:
		return "A Tiananmen attempt is made instead of the event and is said in the PLAY line: PLAY <card> OPS TIANANMEN."
	}
	return q.noAttempt()
}

// noAttempt says why no Tiananmen attempt can be made.
func (q *asking) noAttempt() string {
	switch t := q.p.tiananmen[q.side]; {
	case t.Box >= lastBox:
		return fmt.Sprintf("%s stands in the last box of the Tiananmen track.", q.side.capital())
	case t.Attempted:
		return fmt.Sprintf("%s has made the Tiananmen attempt of this turn.", q.side.capital())
	}
	return "No Tiananmen attempt can be made here."
}

func (q *asking) noPlace(a rules.Atom) string {
	s := Space(AtomValue(a))
	switch {
	case q.ask == AskSetup && q.p.holds[q.side.Enemy()].has(s):
		return fmt.Sprintf("%v has support of %s: in set-up, points go where there is none.", s, q.side.Enemy().the())
	case !q.takes(VerbPlace):
		return ""
	case s == q.p.destroyed:
		return q.gone(s)
	}
	if text := q.overLimit(s); text != "" {
		return text
	}
	return fmt.Sprintf("%v is not one of the spaces of %s.", s, q.source())
}

// overLimit says that a space has had all the points that it may have.
func (q *asking) overLimit(s Space) string {
	per := q.p.question.Per
	if per == 0 || q.p.question.Tally[s] < per {
		return ""
	}
	return fmt.Sprintf("At most %s in one space, which %v has had.", count(int(per), "point"), s)
}

func (q *asking) noRemove(a rules.Atom) string {
	s := Space(AtomValue(a))
	of := q.victim()
	switch {
	case !q.takes(VerbRemove):
		return ""
	case s == q.p.destroyed:
		return q.gone(s)
	case !q.p.holds[of].has(s) && q.p.question.Tally[s] > 0:
		return fmt.Sprintf("%v has no further support of %s to remove.", s, of.the())
	case !q.p.holds[of].has(s):
		return fmt.Sprintf("%v has no support of %s to remove.", s, of.the())
	}
	if text := q.overLimit(s); text != "" {
		return text
	}
	if st := q.p.struggle.Country; q.p.question.Source == SourceLoss {
		return fmt.Sprintf("%v is not in %v, where the support is lost.", s, st)
	}
	return fmt.Sprintf("%v is not one of the spaces of %s.", s, q.source())
}

func (q *asking) noCheck(a rules.Atom) string {
	s := Space(AtomValue(a))
	if !q.takes(VerbCheck) {
		return ""
	}
	if why := q.noTarget(s); why != "" {
		return why
	}
	return fmt.Sprintf("%v is not one of the spaces that %s lets %s check.", s, q.source(), q.side.the())
}

// noChoice refuses CHOOSE.
func (q *asking) noChoice(a rules.Atom) string {
	n := AtomValue(a)
	legal := q.with(VerbChoose)
	if len(legal) == 0 || AtomFlag(legal[0]) != AtomFlag(a) {
		return ""
	}
	switch Choice(AtomFlag(a)) {
	case ChooseSpace:
		if s := Space(n); s == q.p.destroyed {
			return q.gone(s)
		}
		return fmt.Sprintf("%v does not qualify for %s now.", Space(n), q.source())
	case ChooseCountry:
		if q.p.question.Source == Source(NewYearsEveParty) && q.p.power[n].Held == Democrat {
			return fmt.Sprintf("In %v the Democrat holds Power.", Country(n))
		}
		return fmt.Sprintf("%v does not qualify for %s.", Country(n), q.source())
	case ChooseCard:
		return q.notHeld(Card(n))
	}
	return ""
}

func (q *asking) notHeld(c Card) string {
	if !q.p.piles[hand(q.side)].has(c) {
		return fmt.Sprintf("Card %d, %v, is not in the hand of %s.", c, c, q.side.the())
	}
	return fmt.Sprintf("Card %d, %v, does not qualify here.", c, c)
}

// noCard refuses TAKE and DISCARD.
func (q *asking) noCard(a rules.Atom) string {
	v, c := AtomVerb(a), Card(AtomValue(a))
	if !q.takes(v) {
		return ""
	}
	there := fmt.Sprintf(" There are: %s.", cardList(q.cardsOf(v)))
	switch {
	case v == VerbDiscard && q.p.piles[hand(q.side)].has(c) && c.Info().Scoring != NoCountry:
		return fmt.Sprintf("Card %d, %v, cannot be discarded: scoring cards must be played.", c, c)
	case v == VerbDiscard:
		return q.notHeld(c) + there
	}
	return fmt.Sprintf("Card %d, %v, cannot be taken here.%s", c, c, there)
}

func (q *asking) noPass(rules.Atom) string {
	switch q.ask {
	case AskRound, AskStrike:
		return "An action round cannot be passed: a card must be played."
	case AskDefend:
		return "A defence is given up with CONCEDE."
	case AskAttack:
		return "An attack must be made while a card can be played."
	case AskPower:
		return "Power is kept or surrendered: KEEP POWER or SURRENDER POWER."
	}
	if q.p.question.Given > 0 {
		return "The answer has begun and must be given in full."
	}
	return "This cannot be declined."
}

func (q *asking) noConcession(rules.Atom) string {
	return "Only a defence in a power struggle can be conceded."
}
