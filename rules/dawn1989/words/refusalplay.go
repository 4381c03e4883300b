package words

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file explains why PLAY orders and orders in a power struggle are refused.

func refusePlay(q *questionWriter, a rules.Atom) string {
	c, m := engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a))
	hand := q.pos.Piles[engine.HandPile(q.side)]
	switch {
	case q.kind != engine.AskRound && q.kind != engine.AskExtraRound && q.kind != engine.AskStrike:
		return ""
	case !hand.Has(c):
		return fmt.Sprintf("Card %d, %v, is not in your hand.", c, c)
	case m == engine.PlayWithHome && !hand.Has(engine.CommonEuropeanHome):
		return fmt.Sprintf("Card %d, %v, is not in your hand.", engine.CommonEuropeanHome, engine.CommonEuropeanHome)
	}
	if n := q.pos.Effects.AnnouncedCard; n != 0 && n != c && q.side == engine.Democrat && hand.Has(n) {
		return fmt.Sprintf("Card %d, %v, was announced (%v), so you must play it in this round.", n, n, engine.Stasi)
	}
	if q.kind == engine.AskStrike {
		return explainNoStrike(q, c)
	}
	if c.Info().Scoring != engine.NoCountry {
		return fmt.Sprintf("You can play a scoring card only for its event: PLAY %d EVENT.", c)
	}
	switch m {
	case engine.PlayEvent:
		return explainNoEvent(q, c)
	case engine.PlayStrike:
		return fmt.Sprintf("There is no strike: %v is not in force against you.", engine.GeneralStrike)
	case engine.PlayTiananmen:
		return explainNoAttempt(q)
	case engine.PlayWithHome:
		return explainNoHome(q, c)
	}
	return explainNoOps(q, c, m)
}

func explainNoStrike(q *questionWriter, c engine.Card) string {
	if c.Info().Scoring != engine.NoCountry {
		return fmt.Sprintf("%v: you play a scoring card, not discard it: PLAY %d EVENT.", engine.GeneralStrike, c)
	}
	return fmt.Sprintf("%v is in force: you discard a card, or play a scoring card. You may write PLAY %d STRIKE.",
		engine.GeneralStrike, c)
}

func explainCannotHappen(q *questionWriter, c engine.Card) string {
	text := fmt.Sprintf("The event of card %d, %v, cannot happen now", c, c)
	switch n, f := engine.Needs[c], engine.ForbiddenBy[c]; {
	case n != 0 && !q.pos.Effects.PastEvents.Has(n):
		return fmt.Sprintf("%s: the event of %s must come first.", text, fullTitle(n))
	case f != 0 && q.pos.Effects.PastEvents.Has(f):
		return fmt.Sprintf("%s, after the event of %s.", text, fullTitle(f))
	case c == engine.InflationaryCurrency || c == engine.WorkersRevolt:
		return fmt.Sprintf("%s: %s has Power in no country.", text, sideName(q.side.Enemy()))
	}
	return text + "."
}

func explainNoEvent(q *questionWriter, c engine.Card) string {
	actor := engine.EventSide(c, q.side)
	switch {
	case c == engine.CommonEuropeanHome:
		return fmt.Sprintf("You play %v together with an enemy "+
			"card%s.", c, formatPlays(q, q.exampleCard(engine.PlayWithHome), engine.PlayWithHome))
	case c.Info().Side == q.side.Enemy() && q.pos.IsEventPlayable(c, actor):
		return fmt.Sprintf("Card %d, %v, is an enemy card: play it for Operations, and its event happens too%s.", c, c, eventClauses(q, c))
	case c.Info().Side == q.side.Enemy():
		return fmt.Sprintf("Card %d, %v, is an enemy card: play it for Operations%s.", c, c, formatPlays(q, c, engine.PlayOps))
	}
	return explainCannotHappen(q, c)
}

func eventClauses(q *questionWriter, c engine.Card) string {
	return formatPlays(q, c, engine.PlayEventFirst, engine.PlayEventAfter)
}

// formatPlays returns legal orders that play a card in these modes, to be added to a sentence: ": PLAY 40 OPS ...".
// If no mode is legal, it returns "".
func formatPlays(q *questionWriter, c engine.Card, modes ...engine.Mode) string {
	var plays []string
	for _, m := range modes {
		if a := engine.PlayAtom(c, m); slices.Contains(q.options, a) && !q.hasWarning(a) {
			plays = append(plays, formatAnswer(q.playForm(c, m, false)))
		}
	}
	if len(plays) == 0 {
		return ""
	}
	return ": " + strings.Join(plays, ", or ")
}

// explainNoOps explains why a card cannot be played for Operations in this mode, for example with EVENT FIRST.
func explainNoOps(q *questionWriter, c engine.Card, m engine.Mode) string {
	isEnemyCard := c.Info().Side == q.side.Enemy()
	canHappen := q.pos.IsEventPlayable(c, engine.EventSide(c, q.side))
	text := ""
	switch m {
	case engine.PlayBothFirst, engine.PlayBothAfter:
		text = explainNoBoth(q, c, isEnemyCard, canHappen)
	case engine.PlayNoEvent:
		text = explainNoEventClause(q, c, isEnemyCard, canHappen)
	case engine.PlayEventFirst, engine.PlayEventAfter:
		switch {
		case !isEnemyCard:
			text = fmt.Sprintf("Card %d, %v, is not an enemy card, so its event does not happen with Operations. Leave out "+
				"%s.", c, c, modeClause(m))
		case !canHappen:
			text = explainCannotHappen(q, c) + fmt.Sprintf(" Leave out %s.", modeClause(m))
		}
	case engine.PlayOps:
		if isEnemyCard && canHappen {
			text = fmt.Sprintf("Card %d, %v, is an enemy card: say when its event happens%s.", c, c, eventClauses(q, c))
		}
	}
	if text == "" {
		text = fmt.Sprintf("You have no legal use for the Operations of card %d, %v, now.", c, c)
	}
	return text
}

// explainNoBoth explains why BOTH, the award of box 8 (event and Operations), is not possible.
func explainNoBoth(q *questionWriter, c engine.Card, isEnemyCard, canHappen bool) string {
	switch {
	case !q.pos.HasAward(q.side, 8):
		return "BOTH is the award of box 8, which you do not have."
	case q.pos.Tiananmen[q.side].UsedBox8:
		return "You have already used BOTH, the award of box 8, this turn."
	case isEnemyCard:
		return fmt.Sprintf("You cannot use BOTH with enemy cards, whose event happens anyway%s.", eventClauses(q, c))
	case !canHappen:
		return explainCannotHappen(q, c)
	}
	return ""
}

// explainNoEventClause explains why NO EVENT, the award of box 7, is not possible.
func explainNoEventClause(q *questionWriter, c engine.Card, isEnemyCard, canHappen bool) string {
	switch {
	case !isEnemyCard:
		return fmt.Sprintf("Card %d, %v, is not an enemy card, so its event does not happen with Operations. Leave out NO EVENT.", c, c)
	case !q.pos.HasAward(q.side, 7):
		return fmt.Sprintf("NO EVENT is the award of box 7, which you do not have. %s", explainWithoutAward(q, c, canHappen))
	case q.pos.Tiananmen[q.side].UsedBox7:
		return "You have already used NO EVENT, the award of box 7, this turn. " + explainWithoutAward(q, c, canHappen)
	}
	return ""
}

func explainWithoutAward(q *questionWriter, c engine.Card, canHappen bool) string {
	if canHappen {
		return "Its event happens with Operations" + eventClauses(q, c) + "."
	}
	return "Its event cannot happen anyway" + formatPlays(q, c, engine.PlayOps) + "."
}

func modeClause(m engine.Mode) string {
	if m == engine.PlayEventFirst || m == engine.PlayBothFirst {
		return wordFirst
	}
	return wordAfter
}

func explainNoHome(q *questionWriter, c engine.Card) string {
	if c.Info().Side != q.side.Enemy() {
		return fmt.Sprintf("You play %v with an enemy card, and %d, %v, is not one.", engine.CommonEuropeanHome, c, c)
	}
	return fmt.Sprintf("You have no legal use for the Operations of card %d, %v, now.", c, c)
}

func explainCardNotHeld(q *questionWriter, k engine.StruggleCard) string {
	if q.pos.Struggle.Hands[q.side][k] > 0 {
		return ""
	}
	hand := handList(q.pos.Struggle.Hands[q.side])
	if hand == "" {
		hand = "none"
	}
	return fmt.Sprintf("You have no %v now. You have: %s.", k, hand)
}

func refuseRaise(q *questionWriter, a rules.Atom) string {
	if q.kind != engine.AskStakes {
		return ""
	}
	return explainCardNotHeld(q, engine.StruggleCard(engine.AtomValue(a)))
}

func explainUnusableLeader(q *questionWriter, k engine.StruggleCard) string {
	if !k.Info().Leader || q.pos.CanUseLeader(q.side, k) {
		return ""
	}
	return fmt.Sprintf("You cannot use %v: you control no %v space in %v.", k, k.Info().LeaderType, q.pos.Struggle.Country)
}

func refuseAttack(q *questionWriter, a rules.Atom) string {
	if q.kind != engine.AskAttack {
		return ""
	}
	struggle := &q.pos.Struggle
	k, flag := engine.StruggleCard(engine.AtomValue(a)), engine.AtomFlag(a)
	if text := explainCardNotHeld(q, k); text != "" {
		return text
	}
	if text := explainUnusableLeader(q, k); text != "" {
		return text
	}
	suit := k.Info().Suit
	if k.Info().Leader {
		suit = engine.Suit(flag)
	}
	switch {
	case k == engine.TacticFails:
		return fmt.Sprintf("You can use %v only to defend.", k)
	case suit != engine.NoSuit && suit < engine.Suits && struggle.Banned[suit]:
		return fmt.Sprintf("%v is banned from this power struggle.", suit)
	case k == engine.ScareTactics && flag == 0:
		return fmt.Sprintf("Name a space of %v with support of %s%s.", struggle.Country, sideName(q.side.Enemy()), exampleAttack(q, k))
	case k == engine.ScareTactics && engine.Space(flag).Info().Country != struggle.Country:
		return fmt.Sprintf("%v is not in %v, where the power struggle is.", engine.Space(flag), struggle.Country)
	case k == engine.ScareTactics && q.pos.Occupied[q.side.Enemy()].And(engine.InCountry[struggle.Country]).IsEmpty():
		return fmt.Sprintf("%s has no support in %v to take away: write ATTACK %v.", capitalSideName(q.side.Enemy()), struggle.Country, k)
	case k == engine.ScareTactics:
		return fmt.Sprintf("%v has no support of %s.", engine.Space(flag), sideName(q.side.Enemy()))
	}
	return ""
}

// exampleAttack returns a legal attack with a card, to be added to a sentence: ", such as ATTACK ...".
func exampleAttack(q *questionWriter, k engine.StruggleCard) string {
	for _, a := range q.optionsOf(engine.VerbAttack) {
		if engine.StruggleCard(engine.AtomValue(a)) == k {
			return ", such as " + formatAnswer([]rules.Atom{a})
		}
	}
	return ""
}

func refuseDefence(q *questionWriter, a rules.Atom) string {
	if q.kind != engine.AskDefend {
		return ""
	}
	struggle := &q.pos.Struggle
	k := engine.StruggleCard(engine.AtomValue(a))
	if text := explainCardNotHeld(q, k); text != "" {
		return text
	}
	if text := explainUnusableLeader(q, k); text != "" {
		return text
	}
	return fmt.Sprintf("%v does not defend against %v: you need the same suit, a leader whose type of space you control, or "+
		"%v.", k, struggle.Suit,
		engine.TacticFails)
}
