package dawn1989

import "samizdat/rules"

// How the sensible robot fights power struggles. It counts what it does not see;
// which cards the enemy holds it does not know.

// Raising the stakes takes this many cards more than the enemy holds, so that
// the hand is still the longer one.
const stakesLead = 5

// stakes answers whether the stakes are raised, with the cards least worth
// keeping.
func (m *mind) stakes(p *Position, options []rules.Atom) rules.Atom {
	side, st := p.question.Side, &p.struggle
	last := options[len(options)-1]
	if AtomVerb(last) == VerbPass && st.Hands[side].len() < m.enemyCards+stakesLead {
		return last
	}
	choice, least := options[0], 0
	for i, a := range options {
		if AtomVerb(a) != VerbRaise {
			continue
		}
		if use := p.use(side, StruggleCard(AtomValue(a))); i == 0 || use < least {
			choice, least = a, use
		}
	}
	return choice
}

// use is how useful a card is in the struggle.
func (p *Position) use(side Side, k StruggleCard) int {
	info, h := k.Info(), &p.struggle.Hands[side]
	switch {
	case info.Leader && !p.usable(side, k):
		return 0
	case info.Leader:
		return 90
	case info.Suit == NoSuit:
		return 70
	case p.struggle.Banned[info.Suit]:
		return 1
	}
	same := 0
	for o, n := range h {
		if StruggleCard(o).Info().Suit == info.Suit {
			same += int(n)
		}
	}
	return 10*info.Rank + 6*same
}

// suitWorth is what it is worth to win with a suit: petitions win little, rallies
// much (rule 8.4.1).
var suitWorth = [suits]int{RallySuit: 340, StrikeSuit: 240, MarchSuit: 240, PetitionSuit: 170}

// attack answers what is led.
func (m *mind) attack(p *Position, options []rules.Atom) rules.Atom {
	side, st := p.question.Side, &p.struggle
	choice, best := options[0], 0
	for i, a := range options {
		k := StruggleCard(AtomValue(a))
		info := k.Info()
		worth := 0
		switch suit := info.Suit; {
		case k == SupportFalters:
			worth = 90
		case k == SupportSurges:
			worth = 80
		case k == ScareTactics:
			worth = 20
			if s := Space(AtomFlag(a)); s != 0 {
				w := *p
				worth -= m.added(&w, side.Enemy(), s, -1)
			}
		default:
			if info.Leader {
				suit = Suit(AtomFlag(a))
			}
			none := m.unmatched(p, side, suit)
			// A matched attack goes on when the counterattack fails.
			goesOn := max(0, info.Rank-1) * 1000 / 6
			worth = (none*suitWorth[suit] + (1000-none)*goesOn/1000*130) / 1000
			worth += 5 * p.same(&st.Hands[side], suit)
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

// same counts the cards of a suit.
func (p *Position) same(h *Hand, suit Suit) int {
	n := 0
	for k, c := range h {
		if StruggleCard(k).Info().Suit == suit {
			n += int(c)
		}
	}
	return n
}

// unmatched is the chance, in thousandths, that the enemy cannot match a suit: that
// none of the cards which he may hold matches.
func (m *mind) unmatched(p *Position, side Side, suit Suit) int {
	mine := &p.struggle.Hands[side]
	unseen, matching := 0, 0
	for k := range StruggleCard(struggleKinds) {
		n := int(wholeStruggleDeck[k]) - int(mine[k])
		unseen += n
		if k.Info().Suit == suit || k == TacticFails || p.usable(side.Enemy(), k) {
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

// defend answers an attack with the card that is missed least. It does not
// concede while it can match.
func (m *mind) defend(p *Position, options []rules.Atom) rules.Atom {
	choice, least := options[0], 0
	for i, a := range options {
		if AtomVerb(a) != VerbDefend {
			continue
		}
		if use := p.use(p.question.Side, StruggleCard(AtomValue(a))); i == 0 || use < least {
			choice, least = a, use
		}
	}
	return choice
}

// power answers whether the Communist keeps Power: for what it pays now and may
// pay at the end, against the power struggles that are still to come.
func (m *mind) power(p *Position) rules.Atom {
	c := p.struggle.Country
	pw := &p.power[c]
	now := vpWorth * values[c].power * int(pw.Times)
	end := 4 * vpWorth * (30 + 7*int(p.turn)) / 100
	// The next struggle in the country, if the turns last for one.
	left := max(0, turns-int(p.turn))
	next := p.struggleWorth(c, p.inCountry(Democrat, c), p.inCountry(Communist, c)) * min(100, 20*left) / 100
	if now+end-next >= 0 {
		return atom(VerbChoose, uint8(ChooseOption), OptionKeepPower)
	}
	return atom(VerbChoose, uint8(ChooseOption), OptionSurrenderPower)
}

// declare answers whether the Communist ends the match with this turn (card 104):
// only when he is well ahead, and would not be further ahead after the last turn.
func (m *mind) declare(p *Position, options []rules.Atom) rules.Atom {
	vp, final := vpWorth*int(p.vp), vpWorth*int(p.vp)
	if p.powers(Communist) >= partyPowers {
		vp -= partyVP * vpWorth
	} else {
		vp += partyVP * vpWorth
	}
	final -= 4 * vpWorth * p.powers(Communist)
	for c := EastGermany; c < countries; c++ {
		final += p.scoringWorth(c) - p.struggleWorth(c, p.inCountry(Democrat, c), p.inCountry(Communist, c))
	}
	// The Democrat may still win one power struggle.
	if vp <= -5*vpWorth && vp <= final {
		for _, a := range options {
			if AtomVerb(a) == VerbChoose {
				return a
			}
		}
	}
	return options[len(options)-1]
}

// lastStruggle answers whether and where the Democrat fights the last power
// struggle of the New Year's Eve Party: nowhere when he is ahead, and else where
// his chances are best.
func (m *mind) lastStruggle(p *Position, options []rules.Atom) rules.Atom {
	last := options[len(options)-1]
	if p.vp > 0 && AtomVerb(last) == VerbPass {
		return last
	}
	choice, best := options[0], 0
	for i, a := range options {
		if AtomVerb(a) != VerbChoose {
			continue
		}
		if worth := p.scoringWorth(Country(AtomValue(a))); i == 0 || worth > best {
			choice, best = a, worth
		}
	}
	return choice
}
