package dawn1989

import (
	"fmt"

	"samizdat/rules"
)

// Refusals of PLAY lines and of the orders of a power struggle.

// noPlay refuses a card or the way it is played.
func (q *asking) noPlay(a rules.Atom) string {
	c, m := Card(AtomValue(a)), Mode(AtomFlag(a))
	hand := q.p.piles[hand(q.side)]
	switch {
	case q.ask != AskRound && q.ask != AskExtraRound && q.ask != AskStrike:
		return ""
	case !hand.has(c):
		return fmt.Sprintf("Card %d, %v, is not in the hand of %s.", c, c, q.side.the())
	case m == PlayWithHome && !hand.has(CommonEuropeanHome):
		return fmt.Sprintf("Card %d, %v, is not in the hand of %s.", CommonEuropeanHome, CommonEuropeanHome, q.side.the())
	}
	if n := q.p.force.announced; n != 0 && n != c && q.side == Democrat && hand.has(n) {
		return fmt.Sprintf("Card %d, %v, was announced (%v) and must be played in this round.", n, n, Stasi)
	}
	if q.ask == AskStrike {
		return q.noStrike(c, m)
	}
	if c.Info().Scoring != NoCountry {
		return fmt.Sprintf("A scoring card is played for its event only: PLAY %d EVENT.", c)
	}
	switch m {
	case PlayEvent:
		return q.noEvent(c)
	case PlayStrike:
		return fmt.Sprintf("There is no strike: %v is not in force against %s.", GeneralStrike, q.side.the())
	case PlayTiananmen:
		return q.noAttempt()
	case PlayWithHome:
		return q.noHome(c)
	}
	return q.noOps(c, m)
}

func (q *asking) noStrike(c Card, m Mode) string {
	if c.Info().Scoring != NoCountry {
		return fmt.Sprintf("%v: a scoring card is played, not discarded: PLAY %d EVENT.", GeneralStrike, c)
	}
	return fmt.Sprintf("%v is in force: a card is discarded, write PLAY %d STRIKE; only scoring cards can be played.", GeneralStrike, c)
}

// cannotHappen says why a card's event cannot take place.
func (q *asking) cannotHappen(c Card) string {
	text := fmt.Sprintf("The event of card %d, %v, cannot happen now", c, c)
	switch n, f := needs[c], forbiddenBy[c]; {
	case n != 0 && !q.p.force.happened.has(n):
		return fmt.Sprintf("%s: it needs the event of %s first.", text, n.full())
	case f != 0 && q.p.force.happened.has(f):
		return fmt.Sprintf("%s: the event of %s forbids it.", text, f.full())
	}
	return text + "."
}

func (q *asking) noEvent(c Card) string {
	by := resolver(c, q.side)
	switch {
	case c == CommonEuropeanHome:
		return fmt.Sprintf("%v is played together with an enemy's card: PLAY %d WITH <card> OPS PLACE ...", c, c)
	case c.Info().Side == q.side.Enemy() && q.p.playable(c, by):
		return fmt.Sprintf("Card %d, %v, is the enemy's and is played for Operations; its event happens as well: %s.", c, c, q.clauses(c))
	case c.Info().Side == q.side.Enemy():
		return fmt.Sprintf("Card %d, %v, is the enemy's and is played for Operations: PLAY %[1]d OPS PLACE ...", c, c)
	}
	return q.cannotHappen(c)
}

// clauses shows both ways to play an enemy's card.
func (q *asking) clauses(c Card) string {
	return fmt.Sprintf("PLAY %d OPS PLACE ... EVENT FIRST, or PLAY %[1]d OPS PLACE ... EVENT AFTER", c)
}

// noOps refuses Operations: mostly for their event clause.
func (q *asking) noOps(c Card, m Mode) string {
	by := resolver(c, q.side)
	theirs := c.Info().Side == q.side.Enemy()
	happens := q.p.playable(c, by)
	switch {
	case (m == PlayBothFirst || m == PlayBothAfter) && !q.p.awarded(q.side, 8):
		return fmt.Sprintf("BOTH is the award of box 8, which %s does not have.", q.side.the())
	case (m == PlayBothFirst || m == PlayBothAfter) && q.p.tiananmen[q.side].Eighth:
		return "BOTH, the award of box 8, has been used this turn."
	case (m == PlayBothFirst || m == PlayBothAfter) && theirs:
		return fmt.Sprintf("BOTH is not for the enemy's cards, whose event happens anyway: %s.", q.clauses(c))
	case m == PlayNoEvent && !theirs:
		return fmt.Sprintf("Card %d, %v, is not the enemy's: no event happens with Operations. Leave NO EVENT out.", c, c)
	case m == PlayNoEvent && !q.p.awarded(q.side, 7):
		return fmt.Sprintf("NO EVENT is the award of box 7, which %s does not have. %s", q.side.the(), q.instead(c, happens))
	case m == PlayNoEvent && q.p.tiananmen[q.side].Seventh:
		return "NO EVENT, the award of box 7, has been used this turn. " + q.instead(c, happens)
	case !theirs && (m == PlayEventFirst || m == PlayEventAfter):
		return fmt.Sprintf("Card %d, %v, is not the enemy's: no event happens with Operations. Leave %s out.", c, c, clause(m))
	case theirs && m == PlayOps && happens:
		return fmt.Sprintf("The event of card %d, %v, is the enemy's: say when it happens, %s.", c, c, q.clauses(c))
	case theirs && !happens && (m == PlayEventFirst || m == PlayEventAfter):
		return q.cannotHappen(c) + fmt.Sprintf(" Leave %s out.", clause(m))
	case !happens && (m == PlayBothFirst || m == PlayBothAfter):
		return q.cannotHappen(c)
	}
	return fmt.Sprintf("The Operations of card %d, %v, have no legal use now.", c, c)
}

// instead says how the card can be played without an award.
func (q *asking) instead(c Card, happens bool) string {
	if happens {
		return "Write " + q.clauses(c) + "."
	}
	return fmt.Sprintf("Its event cannot happen anyway: write PLAY %d OPS PLACE ...", c)
}

func clause(m Mode) string {
	if m == PlayEventFirst || m == PlayBothFirst {
		return wordFirst
	}
	return wordAfter
}

func (q *asking) noHome(c Card) string {
	if c.Info().Side != q.side.Enemy() {
		return fmt.Sprintf("%v is played with a card of the enemy, which %d, %v, is not.", CommonEuropeanHome, c, c)
	}
	return fmt.Sprintf("The Operations of card %d, %v, have no legal use now.", c, c)
}

// heldBack says that a power struggle card is not there.
func (q *asking) heldBack(k StruggleCard) string {
	if q.p.struggle.Hands[q.side][k] > 0 {
		return ""
	}
	left := handList(q.p.struggle.Hands[q.side])
	if left == "" {
		left = "none"
	}
	return fmt.Sprintf("%s holds no %v now. Held: %s.", q.side.capital(), k, left)
}

func (q *asking) noRaise(a rules.Atom) string {
	if q.ask != AskStakes {
		return ""
	}
	return q.heldBack(StruggleCard(AtomValue(a)))
}

// leaderless says that a leader lacks its space, if so.
func (q *asking) leaderless(k StruggleCard) string {
	if !k.Info().Leader || q.p.usable(q.side, k) {
		return ""
	}
	return fmt.Sprintf("%v cannot be used: %s controls no %v space in %v.", k, q.side.the(), k.Info().Kind, q.p.struggle.Country)
}

func (q *asking) noAttack(a rules.Atom) string {
	if q.ask != AskAttack {
		return ""
	}
	st := &q.p.struggle
	k, fl := StruggleCard(AtomValue(a)), AtomFlag(a)
	if text := q.heldBack(k); text != "" {
		return text
	}
	if text := q.leaderless(k); text != "" {
		return text
	}
	suit := k.Info().Suit
	if k.Info().Leader {
		suit = Suit(fl)
	}
	switch {
	case k == TacticFails:
		return fmt.Sprintf("%v is a defence only.", k)
	case suit != NoSuit && suit < suits && st.Banned[suit]:
		return fmt.Sprintf("%v is banned from this power struggle.", suit)
	case k == ScareTactics && fl == 0:
		return fmt.Sprintf("Say where: ATTACK %v IN <space>, a space of %v with support of %s.", k, st.Country, q.side.Enemy().the())
	case k == ScareTactics && Space(fl).Info().Country != st.Country:
		return fmt.Sprintf("%v is not in %v, where the power struggle is.", Space(fl), st.Country)
	case k == ScareTactics && q.p.holds[q.side.Enemy()].and(inCountry[st.Country]).empty():
		return fmt.Sprintf("%s has no support in %v to take away: write ATTACK %v.", q.side.Enemy().capital(), st.Country, k)
	case k == ScareTactics:
		return fmt.Sprintf("%v has no support of %s.", Space(fl), q.side.Enemy().the())
	}
	return ""
}

func (q *asking) noDefence(a rules.Atom) string {
	if q.ask != AskDefend {
		return ""
	}
	st := &q.p.struggle
	k := StruggleCard(AtomValue(a))
	if text := q.heldBack(k); text != "" {
		return text
	}
	if text := q.leaderless(k); text != "" {
		return text
	}
	return fmt.Sprintf("%v does not defend against %v: that takes the same suit, a leader with its space, or %v.", k, st.Suit, TacticFails)
}
