package engine

import "samizdat/rules"

// The steps of a match: set-up (rule 3) and the turn (rule 4.5).
const (
	matchDeal uint8 = iota
	matchSetup
	matchGoddess
	matchGoddessDraw
	matchAnnounce
	matchCommunist
	matchDemocrat
	matchExtraRound
	matchExtraCheck
	matchExtraRoll
	matchVerify
	matchParty
	matchAfterParty
	matchAdvance
	matchBid
	matchBidRoll
)

// The length of a match and of a turn.
const (
	Turns         = 10
	RoundsPerTurn = 7
	handSize      = 8
)

// setupPoints are the groups of extra support points in set-up (rule 3.4), the Communist first. A "+N" match or a bid
// adds a group.
var setupPoints = [...]int8{2, 3, 3, 4, 2}

// Box6Ops is the printed Ops value of the free check that box 6 gives.
const Box6Ops = 2

// matchSteps are the steps of a match, by step number. Frame.N is the current group of setupPoints, and Frame.Side
// the next side to be dealt a card.
var matchSteps [matchBidRoll + 1]func(*Run, *Frame) error

func init() {
	matchSteps = [...]func(*Run, *Frame) error{
		(*Run).dealNextCard, (*Run).askSetupPoints, (*Run).offerExchange, (*Run).drawExchanged, (*Run).startRoundPair, (*Run).communistRound,
		(*Run).democratRound, (*Run).extraRound, (*Run).offerFreeCheck, (*Run).rollFreeCheck, (*Run).checkTurnEnd, (*Run).offerFinalStruggle,
		(*Run).endAfterParty, (*Run).nextTurn, (*Run).collectBids, (*Run).rollBids,
	}
}

func runMatch(r *Run, f *Frame) error { return matchSteps[f.Step](r, f) }

// askSetupPoints asks for the next group of extra support points.
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
		f.Step, f.N = matchGoddess, 0
		return nil
	}
	f.Side = side
	p.play++
	r.ask(Question{Kind: AskSetup, Side: side, Source: SourceSetup, Remaining: n})
	return nil
}

// offerExchange carries out the award of box 5: the side may discard a card and draw another.
func (r *Run) offerExchange(f *Frame) error {
	p := r.p
	p.Phase = PhaseGoddess
	f.Step = matchAnnounce
	for s := Communist; s >= Democrat; s-- {
		if p.HasAward(s, 5) && !p.Piles[HandPile(s)].IsEmpty() {
			f.Side, f.Step = s, matchGoddess
			p.play++
			r.ask(Question{Kind: AskDiscard, Side: s, Source: SourceBox5, Remaining: 1, Optional: true})
		}
	}
	return nil
}

func (r *Run) drawExchanged(f *Frame) error {
	if _, err := r.deal(f.Side, HandPile(f.Side), ReasonDeal); err != nil {
		return err
	}
	f.Step = matchAnnounce
	return nil
}

// startRoundPair begins a Communist and a Democratic action round. Under Stasi (card 13) the Democrat announces a
// card first.
func (r *Run) startRoundPair(f *Frame) error {
	p := r.p
	p.Phase, p.Round = PhaseRounds, p.Round+1
	p.Effects.AnnouncedCard = 0
	f.Step = matchCommunist
	if p.Effects.Cards.Has(Stasi) && p.Round >= p.Effects.StasiFrom && !p.Piles[PileDemocrat].IsEmpty() {
		p.play++
		r.ask(Question{Kind: AskAnnounce, Side: Democrat, Source: Source(Stasi), Remaining: 1})
	}
	return nil
}

func (r *Run) communistRound(f *Frame) error {
	f.Step = matchDemocrat
	r.startRound(Communist)
	return nil
}

func (r *Run) democratRound(f *Frame) error {
	f.Step = matchAnnounce
	if r.p.Round == RoundsPerTurn {
		f.Step = matchExtraRound
	}
	r.startRound(Democrat)
	return nil
}

// extraRound starts the Communist's eighth round if Honecker (card 15) gives it.
func (r *Run) extraRound(f *Frame) error {
	p := r.p
	p.Effects.AnnouncedCard = 0
	f.Step = matchExtraCheck
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
	p.Phase = PhaseExtraCheck
	f.Step = matchVerify
	for s := Democrat; s <= Communist; s++ {
		if p.HasAward(s, 6) && !p.CheckTargets(s).IsEmpty() {
			f.Side, f.Step = s, matchExtraCheck
			p.play++
			r.ask(Question{Kind: AskCheck, Side: s, Source: SourceBox6, Remaining: 1, Optional: true})
		}
	}
	return nil
}

func (r *Run) rollFreeCheck(f *Frame) error {
	if err := r.check(f.Side, f.Space, Box6Ops, 0, f.Space.Info().Country == EastGermany); err != nil {
		return err
	}
	f.Space, f.Step = 0, matchVerify
	return nil
}

// checkTurnEnd checks for scoring cards in hand at the end of the turn.
func (r *Run) checkTurnEnd(f *Frame) error {
	r.p.Phase = PhaseVerify
	f.Step = matchParty
	r.checkHeldCards()
	return nil
}

// offerFinalStruggle ends the match if the Communist has declared it (card 104), after a last power struggle that the
// Democrat may choose.
func (r *Run) offerFinalStruggle(f *Frame) error {
	p := r.p
	f.Step = matchAdvance
	if !p.Effects.EndDeclared {
		return nil
	}
	p.Phase = PhaseParty
	f.Step = matchAfterParty
	if p.CountPowers(Communist) > 0 {
		p.play++
		r.ask(Question{Kind: AskCountry, Side: Democrat, Source: Source(NewYearsEveParty), Remaining: 1, Optional: true})
	}
	return nil
}

func (r *Run) endAfterParty(*Frame) error {
	r.endByVP(NewYear)
	return nil
}

// nextTurn ends the turn; after the last turn it ends the match.
func (r *Run) nextTurn(f *Frame) error {
	if r.p.Turn == Turns {
		r.scoreFinal()
		return nil
	}
	r.endTurn()
	f.Step = matchDeal
	return nil
}

func (r *Run) startRound(s Side) {
	r.p.play++
	r.push(Frame{Proc: ProcRound, Side: s})
}

// dealNextCard deals one card, to the Communist first, then alternating (rule 4.5.1). Full hands are skipped.
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
	f.Step, f.N = matchGoddess, 0
	if p.Turn == 1 {
		f.Step = matchSetup
	}
	return nil
}

// endTurn ends the effects that last a turn, and adds the cards of the next period to the deck (rules 4.4, 4.5.6,
// 7.2).
func (r *Run) endTurn() {
	p := r.p
	ending := p.Effects.Cards.And(turnEffectCards)
	if !ending.IsEmpty() || p.Effects.Prudence != [2]int8{} {
		r.emit(EvTurnEffectsEnd)
	}
	for c := ending.Next(); c != 0; c = ending.Next() {
		r.expire(c)
	}
	p.Effects.Prudence = [2]int8{}
	p.Effects.StandFast, p.Effects.DebtCountry, p.Effects.StasiFrom = 0, NoCountry, 0
	for s := range p.Tiananmen {
		t := &p.Tiananmen[s]
		t.Attempted, t.UsedBox7, t.UsedBox8 = false, false, false
	}
	if c := p.Piles[PileAside].Next(); c != 0 {
		p.Move(c, PileAside, PileDemocrat)
	}
	before := periodOf(int(p.Turn))
	p.Turn, p.Round = p.Turn+1, 0
	if now := periodOf(int(p.Turn)); now != before {
		coming := p.Piles[PileFuture].And(InPeriod[now])
		p.Piles[PileDeck] = p.Piles[PileDeck].Or(coming)
		p.Piles[PileFuture] = p.Piles[PileFuture].Minus(coming)
	}
}

func answerMatch(r *Run, f *Frame, a rules.Atom) {
	p := r.p
	q := &p.Question
	if AtomVerb(a) == VerbPass {
		r.emit(EvPassed, int(q.Side), int(q.Kind), int(q.Source))
		f.Step = map[QuestionKind]uint8{AskDiscard: matchAnnounce, AskCheck: matchVerify, AskCountry: matchAfterParty}[q.Kind]
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
		f.Step = matchGoddessDraw
	case AskAnnounce:
		p.Effects.AnnouncedCard = Card(AtomValue(a))
		p.KnownCards[Democrat].Add(p.Effects.AnnouncedCard)
		r.closeQuestion()
		r.emit(EvAnnounced, int(p.Effects.AnnouncedCard))
	case AskCheck:
		f.Space, f.Step = Space(AtomValue(a)), matchExtraRoll
		r.closeQuestion()
	case AskCountry:
		r.closeQuestion()
		r.push(Frame{Proc: ProcStruggle, Side: Democrat, Country: Country(AtomValue(a)), Source: Source(NewYearsEveParty)})
	}
}

func matchOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	q := &p.Question
	switch q.Kind {
	case AskBid, AskSide:
		return bidOptions(p, dst)
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
	return declineAtoms(p, dst)
}
