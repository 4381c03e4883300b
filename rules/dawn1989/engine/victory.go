package engine

import "samizdat/rules"

// vp moves the VP marker and tests for automatic victory, except during a power
// struggle, whose end tests once (rule 10.1), and in final scoring.
func (x *Run) vp(change int, why Why, arg int) {
	if change == 0 {
		return
	}
	p := x.p
	p.VP += int16(change)
	x.say(EvVP, change, int(p.VP), int(why), arg)
	if p.Struggle.Country == NoCountry && p.Phase != PhaseFinal && p.Phase != PhaseParty {
		x.automatic()
	}
}

// automatic is the test for automatic victory.
func (x *Run) automatic() {
	switch {
	case x.p.VP >= 20:
		x.over(AutomaticVictory, x.winner(Democrat))
	case x.p.VP <= -20:
		x.over(AutomaticVictory, x.winner(Communist))
	}
}

func (x *Run) winner(s Side) rules.Seats { return rules.Only(x.p.Sits[s]) }

// bySign ends the match for the side that is ahead (rules 10.3, 10.4.3).
func (x *Run) bySign(e Ending) {
	switch {
	case x.p.VP > 0:
		x.over(e, x.winner(Democrat))
	case x.p.VP < 0:
		x.over(e, x.winner(Communist))
	default:
		x.over(e, 0)
	}
}

func (x *Run) over(e Ending, winners rules.Seats) {
	p := x.p
	if p.Ending != NotOver {
		return
	}
	x.clearTable()
	p.Ending, p.Winners, p.Phase = e, winners, PhaseOver
	x.close()
	x.say(EvOver, int(e))
}

// clearTable puts away the cards that were being resolved when the match ended:
// an event that ended it has taken place.
func (x *Run) clearTable() {
	p := x.p
	for i := range p.depth {
		if f := &p.stack[i]; f.Proc == ProcEvent && f.Card.Info().Asterisk {
			x.leave(f.Card, PileRemoved)
		}
	}
	for rest := p.Piles[PileTable]; !rest.Empty(); {
		x.leave(rest.Next(), PileDiscard)
	}
}

// held is rule 4.5.4: a scoring card in hand loses the match; two are a draw.
func (x *Run) held() {
	p := x.p
	var holds [2]bool
	for s := Democrat; s <= Communist; s++ {
		holds[s] = !p.Piles[HandOf(s)].And(ScoringCards).Empty()
	}
	switch {
	case holds[Democrat] && holds[Communist]:
		x.over(HeldCard, 0)
	case holds[Democrat]:
		x.over(HeldCard, x.winner(Communist))
	case holds[Communist]:
		x.over(HeldCard, x.winner(Democrat))
	}
}

// What final scoring gives for each country where the Communist holds Power, and for the
// Ceausescus at large.
const (
	FinalPowerVP  = -4
	FinalRefugeVP = -2
)

// final is final scoring (rule 10.4): Power held, the Ceausescus at large, all
// six countries.
func (x *Run) final() {
	p := x.p
	p.Phase = PhaseFinal
	n := 0
	for c := EastGermany; c < Countries; c++ {
		if p.Power[c].Held == Communist {
			n++
		}
	}
	x.vp(FinalPowerVP*n, WhyHeldPower, n)
	if p.Effects.Refuge != 0 {
		x.vp(FinalRefugeVP, WhyCeausescus, int(p.Effects.Refuge))
	}
	for c := EastGermany; c < Countries; c++ {
		x.score(c)
	}
	x.bySign(FinalScoring)
}
