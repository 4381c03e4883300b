package engine

import "samizdat/rules"

// The steps of a match: set-up (rule 3) and the turn (rule 4.5). Each step is run by a function in matchSteps.
const (
	matchDeal uint8 = iota
	matchSetup
	matchExchange
	matchExchangeDraw
	matchRoundPair
	matchCommunistRound
	matchDemocratRound
	matchExtraRound
	matchFreeCheck
	matchFreeCheckRoll
	matchHeldCards
	matchFinalStruggle
	matchAfterFinalStruggle
	matchNextTurn
	matchBids
	matchBidsRoll
)

// The length of a match and of a turn.
const (
	Turns         = 10
	RoundsPerTurn = 7
	handSize      = 8
)

// setupPoints are the groups of extra support points in set-up (rule 3.4). The Communist places the first group, the
// Democrat the second, and so on. A "+N" match or a bid adds a group at the end.
var setupPoints = [...]int8{2, 3, 3, 4, 2}

// Box6Ops is the printed Ops value of the free check that box 6 gives.
const Box6Ops = 2

// matchSteps are the functions of the steps. In set-up, Frame.N is the index of the current group of setupPoints; in
// the deal, Frame.Side is the side that gets the next card.
var matchSteps = [...]func(*Run, *Frame) error{
	matchDeal: (*Run).dealNextCard, matchSetup: (*Run).askSetupPoints,
	matchExchange: (*Run).offerExchange, matchExchangeDraw: (*Run).drawExchange,
	matchRoundPair: (*Run).startRoundPair, matchCommunistRound: (*Run).startCommunistRound, matchDemocratRound: (*Run).startDemocratRound,
	matchExtraRound: (*Run).startExtraRound, matchFreeCheck: (*Run).offerFreeCheck, matchFreeCheckRoll: (*Run).rollFreeCheck,
	matchHeldCards: (*Run).checkHeldCards, matchFinalStruggle: (*Run).offerFinalStruggle,
	matchAfterFinalStruggle: (*Run).endAfterFinalStruggle,
	matchNextTurn:           (*Run).startNextTurn, matchBids: (*Run).collectBids, matchBidsRoll: (*Run).rollBids,
}

func runMatch(r *Run, f *Frame) error { return matchSteps[f.Step](r, f) }

func (r *Run) askSetupPoints(f *Frame) error {
	p := r.p
	p.Phase = PhaseSetup
	group, n := f.N, int8(0)
	side := Communist - Side(group%2)
	if int(group) < len(setupPoints) {
		n = setupPoints[group]
	} else if int(group) == len(setupPoints) {
		side, n = p.ExtraSide, p.ExtraPoints
	}
	if n == 0 {
		f.Step, f.N = matchExchange, 0
		return nil
	}
	f.Side = side
	p.playNumber++
	r.ask(Question{Kind: AskSetup, Side: side, Source: SourceSetup, Remaining: n})
	return nil
}

// offerExchange carries out the award of box 5: the side may discard a card and draw another.
func (r *Run) offerExchange(f *Frame) error {
	p := r.p
	p.Phase = PhaseExchange
	f.Step = matchRoundPair
	for s := Communist; s >= Democrat; s-- {
		if p.HasAward(s, 5) && !p.Piles[HandPile(s)].IsEmpty() {
			f.Side, f.Step = s, matchExchange
			p.playNumber++
			r.ask(Question{Kind: AskDiscard, Side: s, Source: SourceBox5, Remaining: 1, Optional: true})
		}
	}
	return nil
}

func (r *Run) drawExchange(f *Frame) error {
	if _, err := r.deal(f.Side, HandPile(f.Side), ReasonDeal); err != nil {
		return err
	}
	f.Step = matchRoundPair
	return nil
}

// startRoundPair begins a pair of action rounds with the same number, first of the Communist, then of the Democrat.
// Under Stasi (card 13) the Democrat must announce a card before the pair.
func (r *Run) startRoundPair(f *Frame) error {
	p := r.p
	p.Phase, p.Round = PhaseRounds, p.Round+1
	p.Effects.AnnouncedCard = 0
	f.Step = matchCommunistRound
	if p.Effects.Cards.Has(Stasi) && p.Round >= p.Effects.StasiFrom && !p.Piles[PileDemocrat].IsEmpty() {
		p.playNumber++
		r.ask(Question{Kind: AskAnnounce, Side: Democrat, Source: Source(Stasi), Remaining: 1})
	}
	return nil
}

func (r *Run) startCommunistRound(f *Frame) error {
	f.Step = matchDemocratRound
	r.startRound(Communist)
	return nil
}

func (r *Run) startDemocratRound(f *Frame) error {
	f.Step = matchRoundPair
	if r.p.Round == RoundsPerTurn {
		f.Step = matchExtraRound
	}
	r.startRound(Democrat)
	return nil
}

func (r *Run) startExtraRound(f *Frame) error {
	p := r.p
	p.Effects.AnnouncedCard = 0
	f.Step = matchFreeCheck
	if p.Effects.ExtraRound {
		p.Effects.ExtraRound = false
		p.Round++
		r.startRound(Communist)
	}
	return nil
}

// offerFreeCheck carries out the award of box 6: a free support check.
func (r *Run) offerFreeCheck(f *Frame) error {
	p := r.p
	p.Phase = PhaseFreeCheck
	f.Step = matchHeldCards
	for s := Democrat; s <= Communist; s++ {
		if p.HasAward(s, 6) && !p.CheckTargets(s).IsEmpty() {
			f.Side, f.Step = s, matchFreeCheck
			p.playNumber++
			r.ask(Question{Kind: AskCheck, Side: s, Source: SourceBox6, Remaining: 1, Optional: true})
		}
	}
	return nil
}

func (r *Run) rollFreeCheck(f *Frame) error {
	if err := r.checkSupport(f.Side, f.Space, Box6Ops, 0, f.Space.Info().Country == EastGermany); err != nil {
		return err
	}
	f.Space, f.Step = 0, matchHeldCards
	return nil
}

// checkHeldCards ends the match if a side holds a scoring card at the end of the turn (rule 4.5.4).
func (r *Run) checkHeldCards(f *Frame) error {
	r.p.Phase = PhaseHeldCards
	f.Step = matchFinalStruggle
	r.endForHeldCards()
	return nil
}

// offerFinalStruggle lets the Democrat start a last power struggle if the Communist has declared the end of the match
// (card 104). After the struggle, or without it, endAfterFinalStruggle ends the match.
func (r *Run) offerFinalStruggle(f *Frame) error {
	p := r.p
	f.Step = matchNextTurn
	if !p.Effects.EndDeclared {
		return nil
	}
	p.Phase = PhaseFinalStruggle
	f.Step = matchAfterFinalStruggle
	if p.CountPowers(Communist) > 0 {
		p.playNumber++
		r.ask(Question{Kind: AskCountry, Side: Democrat, Source: Source(NewYearsEveParty), Remaining: 1, Optional: true})
	}
	return nil
}

func (r *Run) endAfterFinalStruggle(*Frame) error {
	r.endByVP(NewYear)
	return nil
}

func (r *Run) startNextTurn(f *Frame) error {
	if r.p.Turn == Turns {
		r.scoreFinal()
		return nil
	}
	r.endTurn()
	f.Step = matchDeal
	return nil
}

func (r *Run) startRound(s Side) {
	r.p.playNumber++
	r.push(Frame{Proc: ProcRound, Side: s})
}

// dealNextCard deals a card (rule 4.5.1). Repeated calls deal to the Communist first, and then alternate between the
// sides. A side with a full hand gets no card.
func (r *Run) dealNextCard(f *Frame) error {
	p := r.p
	if p.Phase != PhaseDeal {
		p.Phase, f.Side = PhaseDeal, Communist
		r.emit(EvTurn, int(p.Turn))
	}
	for range 2 {
		limit := handSize
		if f.Side == Communist && p.Effects.Cards.Has(PresidentialVisit) {
			limit--
		}
		if p.Piles[HandPile(f.Side)].Len() < limit {
			c, err := r.deal(f.Side, HandPile(f.Side), ReasonDeal)
			if err != nil {
				return err
			}
			if c != 0 {
				f.Side = f.Side.Enemy()
				return nil
			}
		}
		f.Side = f.Side.Enemy()
	}
	if p.Effects.Cards.Has(PresidentialVisit) {
		r.expire(PresidentialVisit)
	}
	f.Step, f.N = matchExchange, 0
	if p.Turn == 1 {
		f.Step = matchSetup
	}
	return nil
}

// endTurn ends the effects that last one turn, starts the next turn, and adds the cards of a new period to the deck
// (rules 4.4, 4.5.6, 7.2).
func (r *Run) endTurn() {
	p := r.p
	endingEffects := p.Effects.Cards.And(turnEffectCards)
	if !endingEffects.IsEmpty() || p.Effects.Prudence != [2]int8{} {
		r.emit(EvTurnEffectsEnd)
	}
	for c := endingEffects.Next(); c != 0; c = endingEffects.Next() {
		r.expire(c)
	}
	p.Effects.Prudence = [2]int8{}
	p.Effects.StandFast, p.Effects.DebtCountry, p.Effects.StasiFrom = 0, NoCountry, 0
	for s := range p.Tiananmen {
		track := &p.Tiananmen[s]
		track.Attempted, track.UsedBox7, track.UsedBox8 = false, false, false
	}
	if c := p.Piles[PileAside].Next(); c != 0 {
		p.Move(c, PileAside, PileDemocrat)
	}
	oldPeriod := periodOf(int(p.Turn))
	p.Turn, p.Round = p.Turn+1, 0
	if period := periodOf(int(p.Turn)); period != oldPeriod {
		cards := p.Piles[PileFuture].And(InPeriod[period])
		p.Piles[PileDeck] = p.Piles[PileDeck].Or(cards)
		p.Piles[PileFuture] = p.Piles[PileFuture].Minus(cards)
	}
}

func answerMatch(r *Run, f *Frame, a rules.Atom) {
	p := r.p
	q := &p.Question
	if AtomVerb(a) == VerbPass {
		r.emit(EvPassed, int(q.Side), int(q.Kind), int(q.Source))
		f.Step = map[QuestionKind]uint8{AskDiscard: matchRoundPair, AskCheck: matchHeldCards, AskCountry: matchAfterFinalStruggle}[q.Kind]
		r.closeQuestion()
		return
	}
	switch q.Kind {
	case AskBid, AskSide:
		r.answerBid(f, a)
	case AskSetup:
		if r.placePoint(f.Side, Space(AtomValue(a))) {
			f.N++
		}
	case AskDiscard:
		c := Card(AtomValue(a))
		r.closeQuestion()
		p.Move(c, HandPile(f.Side), PileDiscard)
		r.emit(EvDiscarded, int(f.Side), int(c), int(SourceBox5))
		f.Step = matchExchangeDraw
	case AskAnnounce:
		p.Effects.AnnouncedCard = Card(AtomValue(a))
		p.KnownCards[Democrat].Add(p.Effects.AnnouncedCard)
		r.closeQuestion()
		r.emit(EvAnnounced, int(p.Effects.AnnouncedCard))
	case AskCheck:
		f.Space, f.Step = Space(AtomValue(a)), matchFreeCheckRoll
		r.closeQuestion()
	case AskCountry:
		r.closeQuestion()
		r.push(Frame{Proc: ProcStruggle, Side: Democrat, Country: Country(AtomValue(a)), Source: Source(NewYearsEveParty)})
	}
}

func appendMatchAtoms(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	q := &p.Question
	switch q.Kind {
	case AskBid, AskSide:
		return appendBidAtoms(p, dst)
	case AskSetup:
		dst = appendAtoms(dst, VerbPlace, 0, p.ExistingSpaces().Minus(p.Occupied[q.Side.Enemy()]))
	case AskCheck:
		dst = appendAtoms(dst, VerbCheck, 0, p.CheckTargets(q.Side))
	case AskCountry:
		for c := EastGermany; c < Countries; c++ {
			if p.Power[c].Holder == Communist {
				dst = append(dst, NewAtom(VerbChoose, uint8(ChooseCountry), int(c)))
			}
		}
	case AskDiscard:
		dst = appendAtoms(dst, VerbDiscard, 0, p.Piles[HandPile(q.Side)].Minus(ScoringCards))
	case AskAnnounce:
		dst = appendAtoms(dst, VerbChoose, uint8(ChooseCard), p.Piles[PileDemocrat])
	}
	return appendDecline(p, dst)
}
