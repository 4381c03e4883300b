package robot

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// How the sensible robot fights power struggles. It counts the unseen cards but does not know which of
// them the enemy holds.

// stakesLead is the minimum lead in cards for raising the stakes, so that the hand remains the longer
// one.
const stakesLead = 5

// stakes chooses whether to raise the stakes, and discards the least useful cards.
func (m *mind) stakes(p *engine.Position, options []rules.Atom) rules.Atom {
	side, st := p.Question.Side, &p.Struggle
	last := options[len(options)-1]
	if engine.AtomVerb(last) == engine.VerbPass && st.Hands[side].Len() < m.enemyCards+stakesLead {
		return last
	}
	choice, least := options[0], 0
	for i, a := range options {
		if engine.AtomVerb(a) != engine.VerbRaise {
			continue
		}
		if use := use(p, side, engine.StruggleCard(engine.AtomValue(a))); i == 0 || use < least {
			choice, least = a, use
		}
	}
	return choice
}

// use returns the usefulness of a card in the struggle.
func use(p *engine.Position, side engine.Side, k engine.StruggleCard) int {
	info, h := k.Info(), &p.Struggle.Hands[side]
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
	same := 0
	for o, n := range h {
		if engine.StruggleCard(o).Info().Suit == info.Suit {
			same += int(n)
		}
	}
	return 10*info.Rank + 6*same
}

// suitWorth is the worth of a win with a suit: petitions win little, rallies much (rule 8.4.1).
var suitWorth = [engine.Suits]int{engine.RallySuit: 340, engine.StrikeSuit: 240, engine.MarchSuit: 240, engine.PetitionSuit: 170}

// attack chooses the card to lead.
func (m *mind) attack(p *engine.Position, options []rules.Atom) rules.Atom {
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
				worth -= m.added(&w, side.Enemy(), s, -1)
			}
		default:
			if info.Leader {
				suit = engine.Suit(engine.AtomFlag(a))
			}
			none := m.unmatched(p, side, suit)
			// After a matched attack the attacker continues if the counterattack fails.
			goesOn := max(0, info.Rank-1) * 1000 / 6
			worth = (none*suitWorth[suit] + (1000-none)*goesOn/1000*130) / 1000
			worth += 5 * sameSuit(&st.Hands[side], suit)
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

// sameSuit counts the cards of a suit.
func sameSuit(h *engine.StruggleCards, suit engine.Suit) int {
	n := 0
	for k, c := range h {
		if engine.StruggleCard(k).Info().Suit == suit {
			n += int(c)
		}
	}
	return n
}

// unmatched returns the probability, in thousandths, that the enemy holds no card that matches a suit.
func (m *mind) unmatched(p *engine.Position, side engine.Side, suit engine.Suit) int {
	mine := &p.Struggle.Hands[side]
	unseen, matching := 0, 0
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		n := int(engine.WholeStruggleDeck[k]) - int(mine[k])
		unseen += n
		if k.Info().Suit == suit || k == engine.TacticFails || p.CanUseLeader(side.Enemy(), k) {
			matching += n
		}
	}
	none := 1000
	for i := range m.enemyCards {
		if unseen-i <= 0 {
			break
		}
		none = none * max(0, unseen-matching-i) / (unseen - i)
	}
	return none
}

// defend matches an attack with the least useful card. It concedes only without a matching card.
func defend(p *engine.Position, options []rules.Atom) rules.Atom {
	choice, least := options[0], 0
	for i, a := range options {
		if engine.AtomVerb(a) != engine.VerbDefend {
			continue
		}
		if use := use(p, p.Question.Side, engine.StruggleCard(engine.AtomValue(a))); i == 0 || use < least {
			choice, least = a, use
		}
	}
	return choice
}

// power chooses whether the Communist keeps Power. It compares the cost now and a possible award at
// the end with the power struggles still to come.
func power(p *engine.Position) rules.Atom {
	c := p.Struggle.Country
	pw := &p.Power[c]
	now := vpWorth * engine.CountryValues[c].Power * int(pw.Struggles)
	end := 4 * vpWorth * (30 + 7*int(p.Turn)) / 100
	// Estimate the next struggle in the country if enough turns are left.
	left := max(0, engine.Turns-int(p.Turn))
	next := struggleWorth(p, c, p.CountControlled(engine.Democrat, c), p.CountControlled(engine.Communist, c)) * min(100, 20*left) / 100
	if now+end-next >= 0 {
		return engine.NewAtom(engine.VerbChoose, uint8(engine.ChooseOption), engine.OptionKeepPower)
	}
	return engine.NewAtom(engine.VerbChoose, uint8(engine.ChooseOption), engine.OptionSurrenderPower)
}

// declare chooses whether the Communist ends the match with this turn (card 104): only with a clear
// lead that the last turn would not increase.
func declare(p *engine.Position, options []rules.Atom) rules.Atom {
	vp, final := vpWorth*int(p.VP), vpWorth*int(p.VP)
	if p.CountPowers(engine.Communist) >= engine.PartyPowers {
		vp -= engine.PartyVP * vpWorth
	} else {
		vp += engine.PartyVP * vpWorth
	}
	final -= 4 * vpWorth * p.CountPowers(engine.Communist)
	for c := engine.EastGermany; c < engine.Countries; c++ {
		final += scoringWorth(p, c) - struggleWorth(p, c, p.CountControlled(engine.Democrat, c), p.CountControlled(engine.Communist, c))
	}
	// The Democrat may still win one power struggle.
	if vp <= -5*vpWorth && vp <= final {
		for _, a := range options {
			if engine.AtomVerb(a) == engine.VerbChoose {
				return a
			}
		}
	}
	return options[len(options)-1]
}

// lastStruggle chooses the country of the last power struggle of the New Year's Eve Party: none if the
// Democrat leads, otherwise the country with his best chance.
func lastStruggle(p *engine.Position, options []rules.Atom) rules.Atom {
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
