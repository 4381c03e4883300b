package engine

// results is the table of rule 8.4: support points lost, and VP won, by the
// modified die.
var results = [8]int{0, 0, 1, 1, 2, 2, 3, MostLost}

// MostLost is the most support that a power struggle costs.
const MostLost = 4

// modifier is what both dice of the aftermath add (rule 8.4.1).
func (st *Struggle) modifier(yakovlev bool) int {
	m := int(st.Raised)
	switch st.Won {
	case PetitionSuit:
		m -= 2
	case RallySuit:
		m += 2
	}
	if yakovlev && st.Winner == Democrat {
		m++
	}
	return m
}

// runAftermath runs the aftermath of a power struggle (rule 8.4).
func runAftermath(x *Run, f *Frame) error {
	p := x.p
	st := &p.Struggle
	mod := st.modifier(p.Effects.Cards.Has(Yakovlev))
	switch f.Step {
	case struggleLossRoll:
		die, err := x.roll(ReasonLoss, 0)
		if err != nil {
			return err
		}
		m := max(0, min(7, die+mod))
		st.Lose = int8(results[m])
		loser := st.Winner.Enemy()
		x.say(EvLoss, int(loser), die, mod, m, int(st.Lose))
		f.Step = StruggleLoss
	case StruggleLoss:
		f.Step = struggleVictory
		loser := st.Winner.Enemy()
		if x.takeAway(loser, loser, SourceLoss, int(st.Lose), p.bounds(st.Country), 0) {
			f.Step = StruggleLoss
		}
	case struggleVictory:
		die, err := x.roll(ReasonVictory, 0)
		if err != nil {
			return err
		}
		m := max(0, min(7, die+mod))
		taken := st.Winner == Democrat && m >= 4
		x.say(EvVictory, int(st.Winner), die, mod, m, results[m], flag(taken))
		x.vp(st.Winner.Sign()*results[m], WhyStruggle, int(st.Country))
		pw := &p.Power[st.Country]
		pw.Times++
		f.Step = strugglePower
		if taken {
			*pw = Power{Held: Democrat, Times: 1}
			x.say(EvPower, int(st.Country), 0, int(pw.Times))
			f.Step = struggleScore
		}
	case strugglePower:
		if p.Power[st.Country].Held == Democrat {
			f.Step = struggleScore
			return nil
		}
		x.ask(Question{Ask: AskPower, Side: Communist, Source: SourcePower, Left: 1})
	case struggleScore:
		if c := f.Card; c != 0 && c.Info().Scoring != NoCountry {
			to := PileDiscard
			if p.Power[st.Country].Held == Democrat {
				to = PileRemoved
			}
			x.leave(c, to)
		}
		if c := ScoringCard[st.Country]; p.Power[st.Country].Held == Democrat && p.Piles[PileDiscard].Has(c) {
			// The last struggle of card 104 is fought without the card.
			p.Move(c, PileDiscard, PileRemoved)
		}
		x.score(st.Country)
		f.Step = struggleEnd
	case struggleEnd:
		for _, c := range [...]Card{Yakovlev, PeasantPartiesRevolt} {
			if p.Effects.Cards.Has(c) {
				x.expire(c)
			}
		}
		where, last := st.Country, st.Last
		*st = Struggle{}
		x.pop()
		if !last {
			x.automatic()
		}
		x.tyrant(where, last)
	}
	return nil
}

// power is the Communist's choice after a struggle that did not topple him
// (rule 8.4.5): to give Power up, or to keep it and score for it.
func (x *Run) power(f *Frame, keep bool) {
	p := x.p
	c := p.Struggle.Country
	pw := &p.Power[c]
	f.Step = struggleScore
	if !keep {
		*pw = Power{Held: Democrat, Times: 1}
		x.say(EvPower, int(c), 1, int(pw.Times))
		return
	}
	x.say(EvPower, int(c), 2, int(pw.Times))
	x.vp(-CountryValues[c].Power*int(pw.Times), WhyPower, int(c))
}
