package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file answers for the sensible robot in power struggles. The robot counts the unseen cards, but does not know
// which are in the enemy's hand.

// stakesLead says how many cards more than the enemy the robot must have for raising the stakes. After it has
// discarded three, its hand is still the larger.
const stakesLead = 5

// chooseStakes chooses whether to raise the stakes, and which cards to discard for it: the least useful cards.
func (m *evaluator) chooseStakes(p *engine.Position, options []rules.Atom) rules.Atom {
	side, st := p.Question.Side, &p.Struggle
	last := options[len(options)-1]
	if engine.AtomVerb(last) == engine.VerbPass && st.Hands[side].Len() < m.enemyStruggleCards+stakesLead {
		return last
	}
	choice, least := options[0], 0
	for i, a := range options {
		if engine.AtomVerb(a) != engine.VerbRaise {
			continue
		}
		if usefulness := cardUsefulness(p, side, engine.StruggleCard(engine.AtomValue(a))); i == 0 || usefulness < least {
			choice, least = a, usefulness
		}
	}
	return choice
}

func cardUsefulness(p *engine.Position, side engine.Side, k engine.StruggleCard) int {
	info, hand := k.Info(), &p.Struggle.Hands[side]
	switch {
	case info.Leader && !p.CanUseLeader(side, k):
		return 0
	case info.Leader:
		return 90
	case info.Suit == engine.NoSuit:
		return 70
	case p.Struggle.Banned[info.Suit]:
		return 1
	}
	return 10*info.Rank + 6*countSuit(hand, info.Suit)
}

// suitWorth is the worth of winning a power struggle with a card of this suit, in hundredths of a victory point: the
// suit modifies the dice of the aftermath (rule 8.4.1).
var suitWorth = [engine.Suits]int{engine.RallySuit: 340, engine.StrikeSuit: 240, engine.MarchSuit: 240, engine.PetitionSuit: 170}

func (m *evaluator) chooseAttack(p *engine.Position, options []rules.Atom) rules.Atom {
	side, st := p.Question.Side, &p.Struggle
	choice, best := options[0], 0
	for i, a := range options {
		k := engine.StruggleCard(engine.AtomValue(a))
		info := k.Info()
		worth := 0
		switch suit := info.Suit; {
		case k == engine.SupportFalters:
			worth = 90
		case k == engine.SupportSurges:
			worth = 80
		case k == engine.ScareTactics:
			worth = 20
			if s := engine.Space(engine.AtomFlag(a)); s != 0 {
				w := *p
				worth -= m.supportGain(&w, side.Enemy(), s, -1)
			}
		default:
			if info.Leader {
				suit = engine.Suit(engine.AtomFlag(a))
			}
			unmatched := m.unmatchedChance(p, side, suit)
			// If the enemy matches the attack and the counterattack fails, this side attacks again.
			continueChance := max(0, info.Rank-1) * 1000 / 6
			worth = (unmatched*suitWorth[suit] + (1000-unmatched)*continueChance/1000*130) / 1000
			worth += 5 * countSuit(&st.Hands[side], suit)
			if info.Leader {
				worth -= 40
			}
		}
		if i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}

func countSuit(hand *engine.StruggleCards, suit engine.Suit) int {
	n := 0
	for k, c := range hand {
		if engine.StruggleCard(k).Info().Suit == suit {
			n += int(c)
		}
	}
	return n
}

// unmatchedChance returns the probability, in thousandths, that no card of the enemy's hand can defend against an
// attack with this suit.
func (m *evaluator) unmatchedChance(p *engine.Position, side engine.Side, suit engine.Suit) int {
	hand := &p.Struggle.Hands[side]
	unseen, matching := 0, 0
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		n := int(engine.WholeStruggleDeck[k]) - int(hand[k])
		unseen += n
		if k.Info().Suit == suit || k == engine.TacticFails || p.CanUseLeader(side.Enemy(), k) {
			matching += n
		}
	}
	chance := 1000
	for i := range m.enemyStruggleCards {
		if unseen-i <= 0 {
			break
		}
		chance = chance * max(0, unseen-matching-i) / (unseen - i)
	}
	return chance
}

// chooseDefense defends with the least useful card that can defend. It concedes only if no card can.
func chooseDefense(p *engine.Position, options []rules.Atom) rules.Atom {
	choice, least := options[0], 0
	for i, a := range options {
		if engine.AtomVerb(a) != engine.VerbDefend {
			continue
		}
		if usefulness := cardUsefulness(p, p.Question.Side, engine.StruggleCard(engine.AtomValue(a))); i == 0 || usefulness < least {
			choice, least = a, usefulness
		}
	}
	return choice
}

// choosePower chooses whether the Communist keeps Power. It compares the VP that the Communist gets for Power, now
// and perhaps at the end of the match, with the worth of a next power struggle in the country, which the Democrat may
// win.
func choosePower(p *engine.Position) rules.Atom {
	c := p.Struggle.Country
	pw := &p.Power[c]
	awardNow := vpWorth * engine.CountryValues[c].Power * int(pw.Struggles)
	endAward := 4 * vpWorth * (30 + 7*int(p.Turn)) / 100
	// The fewer turns are left, the less a next struggle in the country counts.
	turnsLeft := max(0, engine.Turns-int(p.Turn))
	nextStruggle := struggleWorth(p, c, p.CountControlled(engine.Democrat, c), p.CountControlled(engine.Communist, c)) * min(100,
		20*turnsLeft) / 100
	if awardNow+endAward-nextStruggle >= 0 {
		return engine.NewAtom(engine.VerbChoose, uint8(engine.ChooseOption), engine.OptionKeepPower)
	}
	return engine.NewAtom(engine.VerbChoose, uint8(engine.ChooseOption), engine.OptionSurrenderPower)
}

// chooseDeclaration chooses whether the Communist declares that the match ends with this turn (card 104). The
// Communist declares only with a clear lead, and if the lead is not expected to grow in further turns.
func chooseDeclaration(p *engine.Position, options []rules.Atom) rules.Atom {
	declaredWorth, playedOnWorth := vpWorth*int(p.VP), vpWorth*int(p.VP)
	if p.CountPowers(engine.Communist) >= engine.PartyPowers {
		declaredWorth -= engine.PartyVP * vpWorth
	} else {
		declaredWorth += engine.PartyVP * vpWorth
	}
	playedOnWorth -= 4 * vpWorth * p.CountPowers(engine.Communist)
	for c := engine.EastGermany; c < engine.Countries; c++ {
		playedOnWorth += scoringWorth(p, c) - struggleWorth(p, c, p.CountControlled(engine.Democrat, c), p.CountControlled(engine.Communist, c))
	}
	// The lead must be 5 VP, because the Democrat may start a last power struggle and win it.
	if declaredWorth <= -5*vpWorth && declaredWorth <= playedOnWorth {
		for _, a := range options {
			if engine.AtomVerb(a) == engine.VerbChoose {
				return a
			}
		}
	}
	return options[len(options)-1]
}

// chooseLastStruggle chooses the country of the last power struggle (card 104). If the Democrat leads, it chooses
// none, otherwise the country where scoring is best for the Democrat.
func chooseLastStruggle(p *engine.Position, options []rules.Atom) rules.Atom {
	last := options[len(options)-1]
	if p.VP > 0 && engine.AtomVerb(last) == engine.VerbPass {
		return last
	}
	choice, best := options[0], 0
	for i, a := range options {
		if engine.AtomVerb(a) != engine.VerbChoose {
			continue
		}
		if worth := scoringWorth(p, engine.Country(engine.AtomValue(a))); i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}
