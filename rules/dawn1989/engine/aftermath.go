package engine

// results is the table of rule 8.4: support points lost, and VP won, by the
// modified die.
var results = [8]int{0, 0, 1, 1, 2, 2, 3, MostLost}

const (
	// MostLost is the most support that a power struggle costs.
	MostLost = 4
	// PowerRow is the modified die with which a Democrat who has won takes Power.
	PowerRow = 4
)

// AftermathMod is what both dice of the aftermath add when a side wins the struggle
// with a suit (rule 8.4.1).
func (p *Position) AftermathMod(winner Side, suit Suit) int {
	m := int(p.Struggle.Raised)
	switch suit {
	case PetitionSuit:
		m -= 2
	case RallySuit:
		m += 2
	}
	if winner == Democrat && p.Effects.Cards.Has(Yakovlev) {
		m++
	}
	return m
}

// runAftermath runs the aftermath of a power struggle (rule 8.4).
func runAftermath(x *Run, f *Frame) error {
	p := x.p
	st := &p.Struggle
	switch f.Step {
	case struggleLossRoll:
		return x.lossRoll(f)
	case StruggleLoss:
		f.Step = struggleVictory
		loser := st.Winner.Enemy()
		if x.takeAway(loser, loser, SourceLoss, int(st.Lose), p.bounds(st.Country), 0) {
			f.Step = StruggleLoss
		}
	case struggleVictory:
		return x.victoryRoll(f)
	case strugglePower:
		if p.Power[st.Country].Held == Democrat {
			f.Step = struggleScore
			return nil
		}
		x.ask(Question{Ask: AskPower, Side: Communist, Source: SourcePower, Left: 1})
	case struggleScore:
		x.scoreStruggle(f)
	case struggleEnd:
		x.endStruggle()
	}
	return nil
}

// aftermathRoll is a die of the aftermath with what is added to it: where it stands in
// the table.
func (x *Run) aftermathRoll(why int) (die, mod, row int, err error) {
	mod = x.p.AftermathMod(x.p.Struggle.Winner, x.p.Struggle.Won)
	die, err = x.roll(why, 0)
	return die, mod, max(0, min(len(results)-1, die+mod)), err
}

// lossRoll rolls for the support that the loser loses.
func (x *Run) lossRoll(f *Frame) error {
	die, mod, m, err := x.aftermathRoll(ReasonLoss)
	if err != nil {
		return err
	}
	st := &x.p.Struggle
	st.Lose = int8(results[m])
	x.say(EvLoss, int(st.Winner.Enemy()), die, mod, m, int(st.Lose))
	f.Step = StruggleLoss
	return nil
}

// victoryRoll rolls for the winner's points, and whether the Communist is toppled.
func (x *Run) victoryRoll(f *Frame) error {
	die, mod, m, err := x.aftermathRoll(ReasonVictory)
	if err != nil {
		return err
	}
	p := x.p
	st := &p.Struggle
	taken := st.Winner == Democrat && m >= PowerRow
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
	return nil
}

// scoreStruggle scores the country. Where the Democrat has come to Power its card is
// out of the game.
func (x *Run) scoreStruggle(f *Frame) {
	p := x.p
	c := p.Struggle.Country
	toppled := p.Power[c].Held == Democrat
	if f.Card != 0 && f.Card.Info().Scoring != NoCountry {
		to := PileDiscard
		if toppled {
			to = PileRemoved
		}
		x.leave(f.Card, to)
	}
	if toppled {
		x.withdrawCard(ScoringCard[c])
	}
	x.score(c)
	f.Step = struggleEnd
}

// withdrawCard takes a scoring card out of the game that lies elsewhere: the last struggle
// of card 104 is fought without it.
func (x *Run) withdrawCard(c Card) {
	p := x.p
	if !p.lastStruggleFindsCard() {
		if p.Piles[PileDiscard].Has(c) {
			p.Move(c, PileDiscard, PileRemoved)
		}
		return
	}
	for pile := range PileRemoved {
		if p.Piles[pile].Has(c) {
			p.Move(c, pile, PileRemoved)
			x.say(EvCardTo, int(c), int(PileRemoved))
		}
	}
}

// endStruggle ends a power struggle, and what waited for its end.
func (x *Run) endStruggle() {
	p := x.p
	for _, c := range [...]Card{Yakovlev, PeasantPartiesRevolt} {
		if p.Effects.Cards.Has(c) {
			x.expire(c)
		}
	}
	where, last := p.Struggle.Country, p.Struggle.Last
	p.Struggle = Struggle{}
	x.pop()
	if !last {
		x.automatic()
	}
	x.tyrant(where, last)
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
