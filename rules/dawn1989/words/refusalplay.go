package words

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file explains refusals of PLAY lines and of orders in a power struggle.

func refusePlay(q *questionWriter, a rules.Atom) string {
	c, m := engine.Card(engine.AtomValue(a)), engine.Mode(engine.AtomFlag(a))
	hand := q.p.Piles[engine.HandPile(q.side)]
	switch {
	case q.ask != engine.AskRound && q.ask != engine.AskExtraRound && q.ask != engine.AskStrike:
		return ""
	case !hand.Has(c):
		return fmt.Sprintf("Card %d, %v, is not in the hand of %s.", c, c, sideName(q.side))
	case m == engine.PlayWithHome && !hand.Has(engine.CommonEuropeanHome):
		return fmt.Sprintf("Card %d, %v, is not in the hand of %s.", engine.CommonEuropeanHome, engine.CommonEuropeanHome, sideName(q.side))
	}
	if n := q.p.Effects.Announced; n != 0 && n != c && q.side == engine.Democrat && hand.Has(n) {
		return fmt.Sprintf("Card %d, %v, was announced (%v) and must be played in this round.", n, n, engine.Stasi)
	}
	if q.ask == engine.AskStrike {
		return explainNoStrike(q, c)
	}
	if c.Info().Scoring != engine.NoCountry {
		return fmt.Sprintf("A scoring card is played for its event only: PLAY %d EVENT.", c)
	}
	switch m {
	case engine.PlayEvent:
		return explainNoEvent(q, c)
	case engine.PlayStrike:
		return fmt.Sprintf("There is no strike: %v is not in force against %s.", engine.GeneralStrike, sideName(q.side))
	case engine.PlayTiananmen:
		return explainNoAttempt(q)
	case engine.PlayWithHome:
		return explainNoHome(q, c)
	}
	return explainNoOps(q, c, m)
}

func explainNoStrike(q *questionWriter, c engine.Card) string {
	if c.Info().Scoring != engine.NoCountry {
		return fmt.Sprintf("%v: a scoring card is played, not discarded: PLAY %d EVENT.", engine.GeneralStrike, c)
	}
	return fmt.Sprintf("%v is in force: a card is discarded, and only scoring cards can be played. You may write PLAY %d STRIKE.",
		engine.GeneralStrike, c)
}

func explainCannotHappen(q *questionWriter, c engine.Card) string {
	text := fmt.Sprintf("The event of card %d, %v, cannot happen now", c, c)
	switch n, f := engine.Needs[c], engine.ForbiddenBy[c]; {
	case n != 0 && !q.p.Effects.Happened.Has(n):
		return fmt.Sprintf("%s: it needs the event of %s first.", text, fullTitle(n))
	case f != 0 && q.p.Effects.Happened.Has(f):
		return fmt.Sprintf("%s: the event of %s forbids it.", text, fullTitle(f))
	case c == engine.InflationaryCurrency || c == engine.WorkersRevolt:
		return fmt.Sprintf("%s: %s has Power in no country.", text, sideName(q.side.Enemy()))
	}
	return text + "."
}

func explainNoEvent(q *questionWriter, c engine.Card) string {
	by := engine.EventSide(c, q.side)
	switch {
	case c == engine.CommonEuropeanHome:
		return fmt.Sprintf("%v is played together with an enemy's card%s.", c, waysToPlay(q, q.example(engine.PlayWithHome), engine.PlayWithHome))
	case c.Info().Side == q.side.Enemy() && q.p.IsEventPlayable(c, by):
		return fmt.Sprintf("Card %d, %v, is the enemy's and is played for Operations; its event happens as well%s.", c, c, eventClauses(q, c))
	case c.Info().Side == q.side.Enemy():
		return fmt.Sprintf("Card %d, %v, is the enemy's and is played for Operations%s.", c, c, waysToPlay(q, c, engine.PlayOps))
	}
	return explainCannotHappen(q, c)
}

func eventClauses(q *questionWriter, c engine.Card) string {
	return waysToPlay(q, c, engine.PlayEventFirst, engine.PlayEventAfter)
}

// waysToPlay shows legal ways to play a card, as the end of a sentence.
func waysToPlay(q *questionWriter, c engine.Card, modes ...engine.Mode) string {
	var ways []string
	for _, m := range modes {
		if a := engine.PlayAtom(c, m); slices.Contains(q.options, a) && !q.hasWarning(a) {
			ways = append(ways, formatAnswer(q.playForm(c, m, false)))
		}
	}
	if len(ways) == 0 {
		return ""
	}
	return ": " + strings.Join(ways, ", or ")
}

// explainNoOps refuses Operations, mostly because of the event clause.
func explainNoOps(q *questionWriter, c engine.Card, m engine.Mode) string {
	theirs := c.Info().Side == q.side.Enemy()
	happens := q.p.IsEventPlayable(c, engine.EventSide(c, q.side))
	text := ""
	switch m {
	case engine.PlayBothFirst, engine.PlayBothAfter:
		text = explainNoBoth(q, c, theirs, happens)
	case engine.PlayNoEvent:
		text = explainNoSilence(q, c, theirs, happens)
	case engine.PlayEventFirst, engine.PlayEventAfter:
		switch {
		case !theirs:
			text = fmt.Sprintf("Card %d, %v, is not the enemy's: no event happens with Operations. Leave %s out.", c, c, modeClause(m))
		case !happens:
			text = explainCannotHappen(q, c) + fmt.Sprintf(" Leave %s out.", modeClause(m))
		}
	case engine.PlayOps:
		if theirs && happens {
			text = fmt.Sprintf("The event of card %d, %v, is the enemy's; say when it happens%s.", c, c, eventClauses(q, c))
		}
	}
	if text == "" {
		text = fmt.Sprintf("The Operations of card %d, %v, have no legal use now.", c, c)
	}
	return text
}

// explainNoBoth refuses the award of box 8, event and Operations.
func explainNoBoth(q *questionWriter, c engine.Card, theirs, happens bool) string {
	switch {
	case !q.p.HasAward(q.side, 8):
		return fmt.Sprintf("BOTH is the award of box 8, which %s does not have.", sideName(q.side))
	case q.p.Tiananmen[q.side].UsedBox8:
		return "BOTH, the award of box 8, has been used this turn."
	case theirs:
		return fmt.Sprintf("BOTH is not for the enemy's cards, whose event happens anyway%s.", eventClauses(q, c))
	case !happens:
		return explainCannotHappen(q, c)
	}
	return ""
}

// explainNoSilence refuses the award of box 7, Operations without the enemy's event.
func explainNoSilence(q *questionWriter, c engine.Card, theirs, happens bool) string {
	switch {
	case !theirs:
		return fmt.Sprintf("Card %d, %v, is not the enemy's: no event happens with Operations. Leave NO EVENT out.", c, c)
	case !q.p.HasAward(q.side, 7):
		return fmt.Sprintf("NO EVENT is the award of box 7, which %s does not have. %s", sideName(q.side), explainNoAward(q, c, happens))
	case q.p.Tiananmen[q.side].UsedBox7:
		return "NO EVENT, the award of box 7, has been used this turn. " + explainNoAward(q, c, happens)
	}
	return ""
}

func explainNoAward(q *questionWriter, c engine.Card, happens bool) string {
	if happens {
		return "Its event happens with Operations" + eventClauses(q, c) + "."
	}
	return "Its event cannot happen anyway" + waysToPlay(q, c, engine.PlayOps) + "."
}

func modeClause(m engine.Mode) string {
	if m == engine.PlayEventFirst || m == engine.PlayBothFirst {
		return wordFirst
	}
	return wordAfter
}

func explainNoHome(q *questionWriter, c engine.Card) string {
	if c.Info().Side != q.side.Enemy() {
		return fmt.Sprintf("%v is played with a card of the enemy, which %d, %v, is not.", engine.CommonEuropeanHome, c, c)
	}
	return fmt.Sprintf("The Operations of card %d, %v, have no legal use now.", c, c)
}

func explainNotHeldNow(q *questionWriter, k engine.StruggleCard) string {
	if q.p.Struggle.Hands[q.side][k] > 0 {
		return ""
	}
	rest := handList(q.p.Struggle.Hands[q.side])
	if rest == "" {
		rest = "none"
	}
	return fmt.Sprintf("%s holds no %v now. Held: %s.", capitalSideName(q.side), k, rest)
}

func refuseRaise(q *questionWriter, a rules.Atom) string {
	if q.ask != engine.AskStakes {
		return ""
	}
	return explainNotHeldNow(q, engine.StruggleCard(engine.AtomValue(a)))
}

func explainLeaderless(q *questionWriter, k engine.StruggleCard) string {
	if !k.Info().Leader || q.p.CanUseLeader(q.side, k) {
		return ""
	}
	return fmt.Sprintf("%v cannot be used: %s controls no %v space in %v.", k, sideName(q.side), k.Info().LeaderType, q.p.Struggle.Country)
}

func refuseAttack(q *questionWriter, a rules.Atom) string {
	if q.ask != engine.AskAttack {
		return ""
	}
	st := &q.p.Struggle
	k, fl := engine.StruggleCard(engine.AtomValue(a)), engine.AtomFlag(a)
	if text := explainNotHeldNow(q, k); text != "" {
		return text
	}
	if text := explainLeaderless(q, k); text != "" {
		return text
	}
	suit := k.Info().Suit
	if k.Info().Leader {
		suit = engine.Suit(fl)
	}
	switch {
	case k == engine.TacticFails:
		return fmt.Sprintf("%v is a defence only.", k)
	case suit != engine.NoSuit && suit < engine.Suits && st.Banned[suit]:
		return fmt.Sprintf("%v is banned from this power struggle.", suit)
	case k == engine.ScareTactics && fl == 0:
		return fmt.Sprintf("Say where: a space of %v with support of %s%s.", st.Country, sideName(q.side.Enemy()), exampleAttack(q, k))
	case k == engine.ScareTactics && engine.Space(fl).Info().Country != st.Country:
		return fmt.Sprintf("%v is not in %v, where the power struggle is.", engine.Space(fl), st.Country)
	case k == engine.ScareTactics && q.p.Occupied[q.side.Enemy()].And(engine.InCountry[st.Country]).IsEmpty():
		return fmt.Sprintf("%s has no support in %v to take away: write ATTACK %v.", capitalSideName(q.side.Enemy()), st.Country, k)
	case k == engine.ScareTactics:
		return fmt.Sprintf("%v has no support of %s.", engine.Space(fl), sideName(q.side.Enemy()))
	}
	return ""
}

// exampleAttack shows a legal attack with a card, as the end of a sentence.
func exampleAttack(q *questionWriter, k engine.StruggleCard) string {
	for _, a := range q.optionsOf(engine.VerbAttack) {
		if engine.StruggleCard(engine.AtomValue(a)) == k {
			return ", such as " + formatAnswer([]rules.Atom{a})
		}
	}
	return ""
}

func refuseDefence(q *questionWriter, a rules.Atom) string {
	if q.ask != engine.AskDefend {
		return ""
	}
	st := &q.p.Struggle
	k := engine.StruggleCard(engine.AtomValue(a))
	if text := explainNotHeldNow(q, k); text != "" {
		return text
	}
	if text := explainLeaderless(q, k); text != "" {
		return text
	}
	return fmt.Sprintf("%v does not defend against %v: that takes the same suit, a leader with its space, or %v.", k, st.Suit,
		engine.TacticFails)
}
