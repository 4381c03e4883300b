package engine

import "samizdat/rules"

// The steps that score victory points, and the steps that start or end lasting effects.

// vp returns a step that scores n victory points; positive is good for the Democrat.
func vp(n int) Step { return Step{Label: "vp", Act: &actVP, N: n} }

func vpByPeriod(early, middle, late int) Step {
	return Step{Label: "vp", Act: &actVP, Value: func(p *Position, _ *Frame) int {
		return [...]int{early, middle, late}[periodOf(int(p.Turn))]
	}}
}

var actVP = newInstantAct(func(r *Run, f *Frame, s *Step) { r.addVP(s.countPoints(r.p, f), VPFromEvent, int(f.Card)) })

// lasts returns a step that puts the card into play with its lasting effect.
func lasts() Step { return Step{Label: "lasts", Act: &actLasts} }

var actLasts = newInstantAct(func(r *Run, f *Frame, s *Step) { r.putInForce(f) })

func (r *Run) putInForce(f *Frame) {
	r.p.Effects.Cards.Add(f.Card)
	r.emit(EvInForce, int(f.Card), int(f.Side))
	r.takeOffTable(f.Card, PileInPlay)
}

// unless returns a step that ends the event if the test is true. It then emits EvNoEffect, which says that the event
// has no effect.
func unless(test func(p *Position) bool) Step {
	return Step{Label: "unless", Act: &actUnless, condition: test}
}

var actUnless = newInstantAct(func(r *Run, f *Frame, s *Step) {
	if s.condition(r.p) {
		r.emit(EvNoEffect, int(f.Card))
		f.skipToEnd()
	}
})

// onlyIf returns a step that ends the event if the test is false. It emits no EvNoEffect.
func onlyIf(test func(p *Position) bool) Step {
	return Step{Label: "only if", Act: &actOnlyIf, condition: test}
}

var actOnlyIf = newInstantAct(func(r *Run, f *Frame, s *Step) {
	if !s.condition(r.p) {
		f.skipToEnd()
	}
})

func ussr(box int) Step { return Step{Label: "ussr", Act: &actUSSR, N: box} }

var actUSSR = newInstantAct(func(r *Run, f *Frame, s *Step) {
	r.p.USSR = int8(s.N)
	r.emit(EvUSSR, s.N)
})

func extraRound() Step { return Step{Label: "extra round", Act: &actExtraRound} }

var actExtraRound = newInstantAct(func(r *Run, f *Frame, s *Step) {
	r.p.Effects.ExtraRound = true
	r.emit(EvExtraRound)
})

// lowerEnemyOps returns a step that lowers every Ops value of the enemy by 1 this turn. If it is executed again in
// the same turn, the Ops values fall by 2.
func lowerEnemyOps() Step { return Step{Label: "fewer ops", Act: &actLowerEnemyOps} }

var actLowerEnemyOps = newInstantAct(func(r *Run, f *Frame, s *Step) {
	enemy := f.Side.Enemy()
	r.p.Effects.Prudence[enemy]++
	r.emit(EvPrudence, int(enemy), int(r.p.Effects.Prudence[enemy]))
})

// standFast returns a step that protects the acting side: enemy checks in spaces that this side controls get -1.
func standFast() Step { return Step{Label: "stand fast", Act: &actStandFast} }

var actStandFast = newInstantAct(func(r *Run, f *Frame, s *Step) { r.p.Effects.StandFast = int8(f.Side) + 1 })

// fromNextRound returns a step for Stasi (card 13): its effect begins with the next round.
func fromNextRound() Step { return Step{Label: "from next round", Act: &actFromNextRound} }

var actFromNextRound = newInstantAct(func(r *Run, f *Frame, s *Step) { r.p.Effects.StasiFrom = r.p.Round + 1 })

// noChecks returns a step that forbids Communist checks in the chosen country this turn.
func noChecks() Step { return Step{Label: "no checks", Act: &actNoChecks} }

var actNoChecks = newInstantAct(func(r *Run, f *Frame, s *Step) {
	r.p.Effects.DebtCountry = f.Country
	r.emit(EvDebt, int(f.Country))
})

// atRoundsEnd returns a step that schedules resolveCeausescu for the end of the action round (card 41).
func atRoundsEnd() Step { return Step{Label: "at round's end", Act: &actAtRoundsEnd} }

var actAtRoundsEnd = newInstantAct(func(r *Run, f *Frame, s *Step) { r.p.Effects.CeausescuPending = true })

func cancels(c Card) Step { return Step{Label: "cancels", Act: &actCancels, N: int(c)} }

var actCancels = newInstantAct(func(r *Run, f *Frame, s *Step) {
	if c := Card(s.N); r.p.Effects.Cards.Has(c) {
		r.expire(c)
	}
})

func recordWallFallen() Step { return Step{Label: "succeeds", Act: &actRecordWallFallen} }

var actRecordWallFallen = newInstantAct(func(r *Run, f *Frame, s *Step) { r.p.Effects.WallFallen = true })

func advanceMarker() Step { return Step{Label: "forward", Act: &actAdvanceMarker} }

var actAdvanceMarker = newInstantAct(func(r *Run, f *Frame, s *Step) {
	if r.p.Tiananmen[f.Side].Box >= LastBox {
		r.emit(EvNoEffect, int(f.Card))
		return
	}
	r.advanceTrack(f.Side)
})

// country returns a step that lets the side choose an allowed country. Later steps find it in Frame.Country. The
// event ends if no country is allowed or the side declines.
func country(label string, allows func(p *Position, side Side, c Country) bool) Step {
	return Step{Label: label, Act: &actCountry, allows: allows}
}

func ownPower(p *Position, side Side, c Country) bool   { return p.Power[c].Holder == side }
func enemyPower(p *Position, side Side, c Country) bool { return p.Power[c].Holder == side.Enemy() }
func notRomania(_ *Position, _ Side, c Country) bool    { return c != Romania }

var actCountry = newChoiceAct(Question{Kind: AskCountry},
	func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		for c := EastGermany; c < Countries; c++ {
			if s.allows(p, f.Side, c) {
				dst = append(dst, NewAtom(VerbChoose, uint8(ChooseCountry), int(c)))
			}
		}
		return dst
	},
	func(r *Run, f *Frame, s *Step, a rules.Atom) {
		f.goToNextStep()
		r.setCountry(f, Country(AtomValue(a)))
	}, endEvent)

func (r *Run) setCountry(f *Frame, c Country) {
	f.Country = c
	r.emit(EvCountry, int(f.Side), int(c), int(f.Card))
}

// declare returns a step that lets the Communist declare that the match ends with this turn (card 104).
func declare(label string) Step { return Step{Label: label, Act: &actDeclare} }

// If the Communist declares the end, PartyVP victory points are scored. The Communist gets them with Power in at
// least PartyPowers countries, otherwise the Democrat.
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
		f.goToNextStep()
		r.closeQuestion()
		p := r.p
		p.Effects.EndDeclared = true
		r.emit(EvDeclared)
		n := PartyVP * Democrat.Sign()
		if p.CountPowers(Communist) >= PartyPowers {
			n = PartyVP * Communist.Sign()
		}
		r.addVP(n, VPFromEvent, int(f.Card))
	},
	options: func(p *Position, f *Frame, s *Step, dst []rules.Atom) []rules.Atom {
		return appendDecline(p, append(dst, NewAtom(VerbChoose, uint8(ChooseOption), OptionDeclare)))
	},
}

// The Crowd Turns Against Ceausescu (card 54) and The Tyrant is Gone (card 97) wait in play for a power struggle in
// Romania (rule 7.6).

const (
	// crowdCards is the number of power struggle cards that card 54 draws face up. Each Rally among them gives
	// crowdOps Ops.
	crowdCards = 15
	crowdOps   = 3
)

// drawCrowdCard draws a card for card 54 in each call. After the last card it grants the Democrat the Operations.
// Frame.N counts the drawn cards, and Frame.EarlierResult the Rallies among them.
func (r *Run) drawCrowdCard(f *Frame) error {
	p := r.p
	st := &p.Struggle
	if f.Country != Romania || !p.Effects.Cards.Has(CrowdTurns) {
		f.Step, f.N, f.EarlierResult = struggleStakes, 0, 0
		return nil
	}
	if f.N < crowdCards && st.Deck.Len() > 0 {
		k, err := r.drawStruggle(&st.Deck, rules.Draw{To: rules.NoSeat, From: rules.NoSeat, For: Reason(ReasonEvent, int(CrowdTurns))})
		if err != nil {
			return err
		}
		st.Deck[k]--
		f.N++
		if k == Rally {
			f.EarlierResult++
		}
		r.emit(EvCrowdCard, int(k))
		return nil
	}
	ops := crowdOps * int(f.EarlierResult)
	r.emit(EvCrowd, int(f.EarlierResult), ops)
	r.expire(CrowdTurns)
	p.Effects.CrowdStruck = true
	if ops > 0 {
		r.push(Frame{Proc: ProcOps, Card: CrowdTurns, Side: Democrat, Country: Romania, Source: Source(CrowdTurns), EarlierResult: int8(ops)})
	}
	return nil
}

// resolveTyrant starts the event of The Tyrant is Gone (card 97) again after a power struggle in Romania, if card 54
// has taken effect. The last struggle of card 104 does not count (rule 10.3).
func (r *Run) resolveTyrant(inCountry Country, isLast bool) {
	p := r.p
	if isLast || inCountry != Romania || !p.Effects.CrowdStruck || !p.Effects.Cards.Has(TyrantIsGone) || p.Ending != NotOver {
		return
	}
	r.expire(TyrantIsGone)
	r.push(Frame{Proc: ProcEvent, Card: TyrantIsGone, Side: Democrat, Source: Source(TyrantIsGone)})
}
