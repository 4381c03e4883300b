package engine

import "samizdat/rules"

// The steps that score, and that begin or end lasting effects.

// vp: n victory points, plus in the Democrat's direction.
func vp(n int) Step { return Step{Label: "vp", Act: &actVP, N: n} }

// vpByPeriod: victory points by the period of the present turn.
func vpByPeriod(early, middle, late int) Step {
	return Step{Label: "vp", Act: &actVP, Value: func(p *Position, _ *Frame) int {
		return [...]int{early, middle, late}[periodOf(int(p.Turn))]
	}}
}

var actVP = atOnce(func(r *Run, f *Frame, s *Step) { r.addVP(s.number(r.p, f), VPFromEvent, int(f.Card)) })

// lasts: the card lies in play and its effect is in force.
func lasts() Step { return Step{Label: "lasts", Act: &actLasts} }

var actLasts = atOnce(func(r *Run, f *Frame, s *Step) { r.lasts(f) })

func (r *Run) lasts(f *Frame) {
	r.p.Effects.Cards.Add(f.Card)
	r.emit(EvInForce, int(f.Card), int(f.Side))
	r.takeOffTable(f.Card, PileInPlay)
}

// unless: when the test holds, the event takes place without effect.
func unless(test func(p *Position) bool) Step {
	return Step{Label: "unless", Act: &actUnless, test: test}
}

var actUnless = atOnce(func(r *Run, f *Frame, s *Step) {
	if s.test(r.p) {
		r.emit(EvNoEffect, int(f.Card))
		f.end()
	}
})

// onlyIf: the rest of the event depends on the test.
func onlyIf(test func(p *Position) bool) Step {
	return Step{Label: "only if", Act: &actOnlyIf, test: test}
}

var actOnlyIf = atOnce(func(r *Run, f *Frame, s *Step) {
	if !s.test(r.p) {
		f.end()
	}
})

// ussr: the U.S.S.R. marker moves to a box (rule 12).
func ussr(box int) Step { return Step{Label: "ussr", Act: &actUSSR, N: box} }

var actUSSR = atOnce(func(r *Run, f *Frame, s *Step) {
	r.p.USSR = int8(s.N)
	r.emit(EvUSSR, s.N)
})

// extraRound: the Communist may take an eighth action round this turn.
func extraRound() Step { return Step{Label: "extra round", Act: &actExtraRound} }

var actExtraRound = atOnce(func(r *Run, f *Frame, s *Step) {
	r.p.Effects.ExtraRound = true
	r.emit(EvExtraRound)
})

// fewerOps: every Ops value of the enemy is 1 less this turn, once more for each time.
func fewerOps() Step { return Step{Label: "fewer ops", Act: &actFewerOps} }

var actFewerOps = atOnce(func(r *Run, f *Frame, s *Step) {
	enemy := f.Side.Enemy()
	r.p.Effects.Prudence[enemy]++
	r.emit(EvPrudence, int(enemy), int(r.p.Effects.Prudence[enemy]))
})

// standFast: the side that carries the event out is protected.
func standFast() Step { return Step{Label: "stand fast", Act: &actStandFast} }

var actStandFast = atOnce(func(r *Run, f *Frame, s *Step) { r.p.Effects.StandFast = int8(f.Side) + 1 })

// fromNextRound: Stasi applies to the rounds after the present one.
func fromNextRound() Step { return Step{Label: "from next round", Act: &actFromNextRound} }

var actFromNextRound = atOnce(func(r *Run, f *Frame, s *Step) { r.p.Effects.StasiFrom = r.p.Round + 1 })

// noChecks: the enemy may not check in the chosen country this turn.
func noChecks() Step { return Step{Label: "no checks", Act: &actNoChecks} }

var actNoChecks = atOnce(func(r *Run, f *Frame, s *Step) {
	r.p.Effects.Debt = f.Country
	r.emit(EvDebt, int(f.Country))
})

// atRoundsEnd: what follows at the end of the action round (card 41).
func atRoundsEnd() Step { return Step{Label: "at round's end", Act: &actAtRoundsEnd} }

var actAtRoundsEnd = atOnce(func(r *Run, f *Frame, s *Step) { r.p.Effects.Ceausescu = true })

// cancels: another card's lasting effect ends.
func cancels(c Card) Step { return Step{Label: "cancels", Act: &actCancels, N: int(c)} }

var actCancels = atOnce(func(r *Run, f *Frame, s *Step) {
	if c := Card(s.N); r.p.Effects.Cards.Has(c) {
		r.expire(c)
	}
})

// succeeds: the Wall has gone (card 86).
func succeeds() Step { return Step{Label: "succeeds", Act: &actSucceeds} }

var actSucceeds = atOnce(func(r *Run, f *Frame, s *Step) { r.p.Effects.WallFallen = true })

// forward: the side's marker moves one box on the Tiananmen track, with all that follows (rule 6.3).
func forward() Step { return Step{Label: "forward", Act: &actForward} }

var actForward = atOnce(func(r *Run, f *Frame, s *Step) {
	if r.p.Tiananmen[f.Side].Box >= LastBox {
		r.emit(EvNoEffect, int(f.Card))
		return
	}
	r.advanceTrack(f.Side)
})

// country: choose an allowed country for the following steps. The event is over if none is allowed
// or the player declines.
func country(label string, allows func(p *Position, side Side, c Country) bool) Step {
	return Step{Label: label, Act: &actCountry, allows: allows}
}

func ownPower(p *Position, side Side, c Country) bool   { return p.Power[c].Held == side }
func enemyPower(p *Position, side Side, c Country) bool { return p.Power[c].Held == side.Enemy() }
func notRomania(_ *Position, _ Side, c Country) bool    { return c != Romania }

var actCountry = pick(Question{Kind: AskCountry},
	func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		for c := EastGermany; c < Countries; c++ {
			if s.allows(p, f.Side, c) {
				dst = append(dst, NewAtom(VerbChoose, uint8(ChooseCountry), int(c)))
			}
		}
		return dst
	},
	func(r *Run, f *Frame, s *Step, a rules.Atom) {
		f.next()
		r.choseCountry(f, Country(AtomValue(a)))
	}, endEvent)

func (r *Run) choseCountry(f *Frame, c Country) {
	f.Country = c
	r.emit(EvCountry, int(f.Side), int(c), int(f.Card))
}

// declare: the Communist may declare that the match ends with this turn, for 3
// VP: his own when he has Power in at least four countries (card 104).
func declare(label string) Step { return Step{Label: label, Act: &actDeclare} }

// The New Year's Eve Party (card 104) scores PartyVP, for the Communist when he holds
// Power in PartyPowers countries, and for the Democrat when not.
const (
	PartyVP     = 3
	PartyPowers = 4
)

var actDeclare = Act{
	run: func(r *Run, f *Frame, s *Step) error {
		r.ask(Question{Kind: AskDeclare, Side: f.Side, Source: f.Source, Remaining: 1, Optional: true})
		return nil
	},
	answer: func(r *Run, f *Frame, s *Step, a rules.Atom) {
		f.next()
		r.closeQuestion()
		p := r.p
		p.Effects.Party = true
		r.emit(EvDeclared)
		n := PartyVP * Democrat.Sign()
		if p.CountPowers(Communist) >= PartyPowers {
			n = PartyVP * Communist.Sign()
		}
		r.addVP(n, VPFromEvent, int(f.Card))
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return declineAtoms(p, append(dst, NewAtom(VerbChoose, uint8(ChooseOption), OptionDeclare)))
	},
}

// The Crowd Turns Against Ceausescu (card 54) and The Tyrant is Gone (card 97): effects that wait
// for a power struggle in Romania (rule 7.6).

const (
	// crowdCards are drawn face up; each Rally among them is worth crowdOps Ops.
	crowdCards = 15
	crowdOps   = 3
)

// drawCrowdCard draws the cards of the Crowd one by one and grants the Democrat the
// Operations. In the frame N counts the cards and Result the rallies.
func (r *Run) drawCrowdCard(f *Frame) error {
	p := r.p
	st := &p.Struggle
	if f.Country != Romania || !p.Effects.Cards.Has(CrowdTurns) {
		f.Step, f.N, f.Result = struggleStakes, 0, 0
		return nil
	}
	if f.N < crowdCards && st.Deck.Len() > 0 {
		k, err := r.drawStruggle(&st.Deck, rules.Draw{To: rules.NoSeat, Hand: rules.NoSeat, For: Reason(ReasonEvent, int(CrowdTurns))})
		if err != nil {
			return err
		}
		st.Deck[k]--
		f.N++
		if k == Rally {
			f.Result++
		}
		r.emit(EvCrowdCard, int(k))
		return nil
	}
	ops := crowdOps * int(f.Result)
	r.emit(EvCrowd, int(f.Result), ops)
	r.expire(CrowdTurns)
	p.Effects.CrowdStruck = true
	if ops > 0 {
		r.push(Frame{Proc: ProcOps, Card: CrowdTurns, Side: Democrat, Country: Romania, Source: Source(CrowdTurns), Result: int8(ops)})
	}
	return nil
}

// resolveTyrant resolves The Tyrant is Gone when it has waited for the Crowd and a power struggle in Romania is over.
// The last struggle of the New Year's Eve Party does not count (rule 10.3).
func (r *Run) resolveTyrant(where Country, isLast bool) {
	p := r.p
	if isLast || where != Romania || !p.Effects.CrowdStruck || !p.Effects.Cards.Has(TyrantIsGone) || p.Ending != NotOver {
		return
	}
	r.expire(TyrantIsGone)
	r.push(Frame{Proc: ProcEvent, Card: TyrantIsGone, Side: Democrat, Source: Source(TyrantIsGone)})
}
