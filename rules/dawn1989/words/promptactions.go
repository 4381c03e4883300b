package words

import (
	"fmt"
	"strconv"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file writes the questions of an action round and of Operations.

// exampleModes are the modes of play that examples show, common modes first.
var exampleModes = [...]engine.Mode{engine.PlayOps, engine.PlayEventAfter, engine.PlayEventFirst, engine.PlayEvent, engine.PlayWithHome,
	engine.PlayNoEvent, engine.PlayBothAfter,
	engine.PlayBothFirst, engine.PlayTiananmen}

func promptRound(q *questionWriter) {
	q.setQuestion("Which card will you play, and how?")
	if q.kind == engine.AskExtraRound {
		q.setQuestion("Eighth action round: you may play one more card.")
	}
	if c := q.pos.Effects.AnnouncedCard; c != 0 && q.side == engine.Democrat && q.pos.Piles[engine.PileDemocrat].Has(c) {
		q.prompt.Question += fmt.Sprintf(" It must be %s, which you announced.", fullTitle(c))
	}
	for i, m := range exampleModes {
		if c := q.exampleCard(m); c != 0 {
			q.addForm(q.playForm(c, m, i%2 == 1)...)
		}
	}
	if q.mustPlayScoringCard() {
		return
	}
	q.warnOfScoringCards()
	q.noteCards()
	if q.exampleCard(engine.PlayTiananmen) != 0 {
		q.noteAttempt()
	}
	if least, most := q.opsInHand(); most > 0 {
		trial := engine.NewOpsTrial(q.pos, 0, q.side)
		q.notePlacements(trial.PlaceableSpaces())
		q.noteChecks("A check with "+formatOps(most)+" succeeds on", most-least, q.pos.CheckTargets(q.side), func(s engine.Space) int {
			return q.pos.CheckBonus(q.side, s, 0, 0, false).Total() - q.pos.OpsValue(q.side, 0, false) + most
		})
	}
}

// mustPlayScoringCard reports whether every play except that of a scoring card would lose the match. The question then
// names only these plays.
func (q *questionWriter) mustPlayScoringCard() bool {
	hand := q.pos.Piles[engine.HandPile(q.side)].And(engine.ScoringCards)
	var forms []string
	for _, a := range q.options {
		switch isScoring := engine.AtomVerb(a) == engine.VerbPlay && hand.Has(engine.Card(engine.AtomValue(a))); {
		case isScoring:
			forms = append(forms, formatAnswer([]rules.Atom{a}))
		case !q.hasWarning(a):
			return false
		}
	}
	if len(forms) == 0 || len(forms) == len(q.options) {
		return false
	}
	q.prompt.Forms, q.prompt.OnlyForms = forms, true
	if hand.Len() == 1 {
		q.setQuestion("This is your last action round of the turn: you must play %s now, or you lose the match.", cardList(hand))
		return true
	}
	q.setQuestion("You must play one of your scoring cards now, or you lose the match: you hold %d, and have %d action rounds left in this turn.",
		hand.Len(), roundsLeft(q.pos, q.side)+1)
	return true
}

// opsInHand returns the smallest and the largest Ops value of the cards in the hand that may be played for
// Operations.
func (q *questionWriter) opsInHand() (least, most int) {
	for _, a := range q.optionsOf(engine.VerbPlay) {
		switch engine.Mode(engine.AtomFlag(a)) {
		case engine.PlayEvent, engine.PlayTiananmen, engine.PlayStrike:
			continue
		}
		n := q.pos.OpsValue(q.side, engine.Card(engine.AtomValue(a)).Info().Ops, false)
		if least, most = min(least, n), max(most, n); least == 0 {
			least = n
		}
	}
	return least, most
}

// warnOfScoringCards adds a note if the hand has scoring cards, because a player who holds a scoring card at the end
// of the turn loses (rule 10.2).
func (q *questionWriter) warnOfScoringCards() {
	set := q.pos.Piles[engine.HandPile(q.side)].And(engine.ScoringCards)
	remaining := max(1, engine.RoundsPerTurn-int(q.pos.Round)+1)
	if !set.IsEmpty() {
		q.addNote("You must play this turn", fmt.Sprintf("%s (%s left, counting this "+
			"one)", cardList(set), pluralize(remaining, "action round")))
	}
}

// exampleCard returns a card that can be played in this mode, or 0. It ignores plays with a Warning; of the others it
// returns the card with the highest Ops value.
func (q *questionWriter) exampleCard(m engine.Mode) engine.Card {
	var best engine.Card
	for _, a := range q.optionsOf(engine.VerbPlay) {
		if c := engine.Card(engine.AtomValue(a)); engine.Mode(engine.AtomFlag(a)) == m && (best == 0 ||
			c.Info().Ops > best.Info().Ops) && !q.hasWarning(a) {
			best = c
		}
	}
	return best
}

// playForm returns an example answer that plays a card in a mode. If the mode needs Operations in the same answer,
// the example has them.
func (q *questionWriter) playForm(c engine.Card, m engine.Mode, preferChecks bool) []rules.Atom {
	out := []rules.Atom{engine.PlayAtom(c, m)}
	switch m {
	case engine.PlayEvent, engine.PlayTiananmen, engine.PlayStrike, engine.PlayEventFirst, engine.PlayBothFirst:
		return out
	}
	trial := engine.NewOpsTrial(q.pos, c, q.side)
	if checks := trial.ExampleChecks(); preferChecks && len(checks) > 0 {
		return append(out, checks...)
	}
	if points := trial.ExamplePlacement(); len(points) > 0 {
		return append(out, points...)
	}
	return append(out, trial.ExampleChecks()...)
}

func (q *questionWriter) noteCards() {
	var eventCards, enemyCards, withoutEvent engine.CardSet
	for _, a := range q.optionsOf(engine.VerbPlay) {
		switch engine.Mode(engine.AtomFlag(a)) {
		case engine.PlayEvent:
			eventCards.Add(engine.Card(engine.AtomValue(a)))
		case engine.PlayEventFirst, engine.PlayEventAfter:
			enemyCards.Add(engine.Card(engine.AtomValue(a)))
		}
	}
	hand := q.pos.Piles[engine.HandPile(q.side)]
	for _, c := range hand.List() {
		if c.Info().Side == q.side.Enemy() && !q.pos.IsEventPlayable(c, q.side.Enemy()) {
			withoutEvent.Add(c)
		}
	}
	for _, n := range []struct {
		title string
		set   engine.CardSet
	}{
		{"Cards you can play for the event", eventCards},
		{"Enemy cards (for Ops, with EVENT FIRST or EVENT AFTER)", enemyCards},
		{"Enemy cards whose event cannot happen (for Ops)", withoutEvent},
	} {
		if !n.set.IsEmpty() {
			q.addNote(n.title, numberList(n.set))
		}
	}
}

func (q *questionWriter) noteAttempt() {
	box := q.pos.Tiananmen[q.side].Box + 1
	text := fmt.Sprintf("the die plus the Ops must reach %d. A card of your own side adds 1 to the die", engine.BoxThresholds[q.side][box])
	if list := attemptBonuses(q.pos, q.side); len(list) > 0 {
		text += fmt.Sprintf(". You also have a bonus of %d (%s)", q.pos.AttemptModifier(q.side, engine.Prudence), joinWords(list, "and"))
	}
	q.addNote(fmt.Sprintf("Tiananmen attempt for box %d", box), text+".")
}

// attemptBonuses names the reasons why a side has a bonus in Tiananmen attempts. Each reason adds 1.
func attemptBonuses(p *engine.Position, side engine.Side) (out []string) {
	if p.Tiananmen[side].Failed {
		out = append(out, "an earlier attempt failed")
	}
	if p.HasAward(side, 1) {
		out = append(out, "the award of box 1")
	}
	if side == engine.Communist && p.Effects.Cards.Has(engine.LiPeng) {
		out = append(out, fullTitle(engine.LiPeng))
	}
	return out
}

func numberList(set engine.CardSet) string {
	return joinComma(mapTexts(set.List(), func(c engine.Card) string { return strconv.Itoa(int(c)) }))
}

func promptStrike(q *questionWriter) {
	if q.mustPlayScoringCard() {
		return
	}
	q.setQuestion("%v: discard a card and roll, or play a scoring card. The strike ends if the die plus the Ops of the card reach "+
		"6.", engine.GeneralStrike)
	for _, m := range [...]engine.Mode{engine.PlayStrike, engine.PlayEvent} {
		if c := q.exampleCard(m); c != 0 {
			q.addForm(engine.PlayAtom(c, m))
		}
	}
	var list []string
	for _, c := range q.cardsOf(engine.VerbPlay).List() {
		if c.Info().Scoring == engine.NoCountry {
			list = append(list, fmt.Sprintf("%d (%d)", c, q.pos.OpsValue(q.side, c.Info().Ops, false)))
		}
	}
	q.addNote("Cards and their Ops", joinComma(list))
}

func promptOperations(q *questionWriter) {
	f := q.frame()
	trial := engine.ResumeOpsTrial(q.pos, f)
	c := f.Card
	v := q.pos.OpsValue(q.side, f.PrintedOps(), false)
	q.setQuestion("You have %s from %s to spend.", formatOps(v), fullTitle(c))
	if f.MayDecline {
		q.setQuestion("You may use %s from %s.", formatOps(v), fullTitle(c))
	}
	if f.Country != engine.NoCountry {
		q.prompt.Question += fmt.Sprintf(" You can use them only in %v.", f.Country)
	}
	if n := int(f.N); n > 0 {
		q.prompt.Question = fmt.Sprintf("You have spent %d of the %s from %s on placing.", n, formatOps(v), fullTitle(c))
	}
	placing, checks := trial.ExamplePlacement(), trial.ExampleChecks()
	q.addForm(placing...)
	q.addForm(checks...)
	q.addForm(q.bonusChecks()...)
	q.addForm(q.firstOption(engine.VerbOpsTiananmen)...)
	if takeable := q.cardsOf(engine.VerbTake); !takeable.IsEmpty() {
		q.prompt.Question += " Or take one of the cards shown, for its event."
		q.addForm(q.firstOption(engine.VerbTake)...)
		q.addNote("You can take", cardList(takeable))
	}
	q.notePlacements(q.spacesOf(engine.VerbOpsPlace))
	q.noteOpsChecks(f, false)
}

// hasBonus reports whether an answer may claim the bonus of Austria-Hungary Border Reopened (card 58).
func (q *questionWriter) hasBonus() bool { return len(q.bonusChecks()) > 0 }

// bonusChecks returns an option that claims the bonus of card 58 for both checks, as a list with one atom. It returns
// nil if no option does.
func (q *questionWriter) bonusChecks() []rules.Atom {
	for _, a := range q.optionsOf(engine.VerbOpsCheck) {
		if engine.AtomFlag(a) == 1 {
			return []rules.Atom{a}
		}
	}
	return nil
}

func promptSecondCheck(q *questionWriter) {
	f := q.frame()
	q.setQuestion("In which space do you make the second support check with %s?", fullTitle(f.Card))
	best := rules.Atom(0)
	for _, a := range q.optionsOf(engine.VerbOpsCheck) {
		if best == 0 || checkMargin(q, f, a) > checkMargin(q, f, best) {
			best = a
		}
	}
	if best != 0 {
		q.addForm(best)
	}
	q.noteOpsChecks(f, q.hasBonus())
}

// checkMargin says how promising a support check is: the number that is added to the die, minus twice the stability
// of the space. If the margin is 0 or more, each die succeeds.
func checkMargin(q *questionWriter, f *engine.Frame, a rules.Atom) int {
	s := engine.Space(engine.AtomValue(a))
	return q.pos.CheckBonus(q.side, s, f.PrintedOps(), 0, engine.AtomFlag(a) == 1).Total() - 2*s.Info().Stability
}

func (q *questionWriter) noteOpsChecks(f *engine.Frame, inEastGermany bool) {
	q.noteChecks(checkSucceeds, 0, q.spacesOf(engine.VerbOpsCheck), func(s engine.Space) int {
		return q.pos.CheckBonus(q.side, s, f.PrintedOps(), 0, inEastGermany).Total()
	})
	if !inEastGermany && q.hasBonus() {
		q.addNote(wordBonus, fmt.Sprintf("1 more for both checks in East Germany (%v)", engine.AustriaHungaryBorder))
	}
}

// promptCheck asks for a support check of an event or of box 6.
func promptCheck(q *questionWriter) {
	f := q.frame()
	ops, extra := f.Card.Info().Ops, 0
	if s := q.step(); s != nil {
		extra = s.Extra
	}
	if q.pos.Question.Source == engine.SourceBox6 {
		ops = engine.Box6Ops
	}
	q.setQuestion("%s: in which space do you make a support check?", capitalize(q.sourceName()))
	set := q.spacesOf(engine.VerbCheck)
	// A check in East Germany gets the bonus of card 58.
	sum := func(s engine.Space) int {
		inEastGermany := set.Minus(engine.InCountry[engine.EastGermany]).IsEmpty() || s.Info().Country == engine.EastGermany
		return q.pos.CheckBonus(q.side, s, ops, extra, inEastGermany).Total()
	}
	if best := engine.BestCheckTarget(set, sum); best != 0 {
		q.addForm(engine.SpaceAtom(engine.VerbCheck, best))
	}
	q.noteChecks(checkSucceeds, 0, set, sum)
}

// notePlacements adds notes on the spaces of set, where points may be placed, and on those spaces where a point costs
// 2 Ops.
func (q *questionWriter) notePlacements(set engine.SpaceSet) {
	if set.IsEmpty() {
		return
	}
	q.noteSpaces("Place", set)
	var costly engine.SpaceSet
	for remaining := set; !remaining.IsEmpty(); {
		if s := remaining.Next(); q.pos.PlacementCost(q.side, s) > 1 {
			costly.Add(s)
		}
	}
	switch {
	case costly.IsEmpty():
	case len(countriesOf(q, costly)) > 3:
		// A line for each country would make the letter too long, so all spaces are in one line.
		q.addNote("2 Ops for each point", spaceList(costly))
	default:
		q.noteSpaces("2 Ops for each point", costly)
	}
}

func promptStakes(q *questionWriter) {
	struggle := &q.pos.Struggle
	q.setQuestion("Power struggle in %v: do you raise the stakes by discarding three cards? Each raise adds 1 to both dice after the "+
		"struggle.", struggle.Country)
	q.addForm(exampleRaise(q)...)
	q.noteBannedSuits()
}

// exampleRaise returns the cards for an example of RAISE: first leaders that cannot be used, then other cards in the
// order of their kinds.
func exampleRaise(q *questionWriter) []rules.Atom {
	struggle := &q.pos.Struggle
	remaining := struggle.Hands[q.side]
	var out []rules.Atom
	for _, unusable := range [...]bool{true, false} {
		for k := range engine.StruggleCard(engine.StruggleKinds) {
			if unusable != (k.Info().Leader && !q.pos.CanUseLeader(q.side, k)) {
				continue
			}
			for remaining[k] > 0 && len(out) < q.decision.Max {
				remaining[k]--
				out = append(out, engine.NewAtom(engine.VerbRaise, 0, int(k)))
			}
		}
	}
	return out
}

func promptAttack(q *questionWriter) {
	struggle := &q.pos.Struggle
	q.setQuestion("Power struggle in %v: you have the initiative. Which card do you attack with?", struggle.Country)
	q.addCardForms(engine.VerbAttack)
	q.noteBannedSuits()
}

func promptDefend(q *questionWriter) {
	struggle := &q.pos.Struggle
	q.setQuestion("Power struggle in %v: %s attacks with %v", struggle.Country, sideName(q.side.Enemy()), struggle.Attack)
	if struggle.Attack.Info().Leader {
		q.prompt.Question += fmt.Sprintf(" as %v", struggle.Suit)
	}
	q.prompt.Question += ". How do you defend?"
	q.addCardForms(engine.VerbDefend)
	q.addForm(engine.AtomConcede)
	if r := struggle.Attack.Info().Rank; r > 1 {
		q.addNote("Counterattack", fmt.Sprintf("if your defence succeeds, you roll a die, and %d or more gives you the initiative.", r))
	} else {
		q.addNote("Counterattack", "if your defence succeeds, you take the initiative without a die roll.")
	}
	q.noteBannedSuits()
}

// addCardForms adds an example for each kind of power struggle card that can be played. For a leader it shows only
// the first suit.
func (q *questionWriter) addCardForms(v engine.Verb) {
	last := -1
	for _, a := range q.optionsOf(v) {
		if k := engine.AtomValue(a); k != last {
			last = k
			q.addForm(a)
		}
	}
}

func (q *questionWriter) noteBannedSuits() {
	struggle := &q.pos.Struggle
	var banned []string
	for s := engine.RallySuit; s < engine.Suits; s++ {
		if struggle.Banned[s] {
			banned = append(banned, s.String())
		}
	}
	if len(banned) > 0 {
		q.addNote("Banned", joinComma(banned))
	}
}

func promptPower(q *questionWriter) {
	c := q.pos.Struggle.Country
	pw := q.pos.Power[c]
	q.setQuestion("Do you keep Power in %v? Keeping it gives %d VP (%s power struggle there).",
		c, -engine.CountryValues[c].Power*int(pw.Struggles), ordinal(int(pw.Struggles)))
	for _, a := range q.optionsOf(engine.VerbChoose) {
		q.addForm(a)
	}
	q.addNote("Afterwards", fmt.Sprintf("%v is scored. If you surrender Power, its scoring card leaves the game.", c))
}
