package engine

import "samizdat/rules"

// The steps of an action round (rule 5).
const (
	roundBegin uint8 = iota
	roundPlay
	roundFirst  // the first part of a play: the event or the Operations that come first, or the only use of the card
	roundSecond // the second part: Operations after the event, or the event after Operations
	roundStrike
	roundEnd
)

func runRound(r *Run, f *Frame) error {
	p := r.p
	switch f.Step {
	case roundBegin:
		p.Phasing = f.Side
		if p.Piles[HandPile(f.Side)].IsEmpty() {
			r.emit(EvForfeited, int(f.Side))
			r.resolveLigachev(f)
			f.Step = roundEnd
			return nil
		}
		q := Question{Kind: AskRound, Side: f.Side, Remaining: 1}
		if p.Round > RoundsPerTurn {
			q.Kind, q.Source, q.Optional = AskExtraRound, SourceExtra, true
		}
		if f.Side == Communist && p.Effects.Cards.Has(GeneralStrike) {
			q.Kind, q.Source = AskStrike, Source(GeneralStrike)
		}
		r.ask(q)
	case roundPlay:
		f.Step = roundFirst
		r.resolveLigachev(f)
		if p.Ending == NotOver && f.Card == CommonEuropeanHome && f.Mode != PlayStrike {
			r.addVP(f.Side.Enemy().Sign(), VPFromCommonHome, int(CommonEuropeanHome))
		}
	case roundFirst:
		f.Step = roundSecond
		switch f.Mode {
		case PlayEvent, PlayEventFirst, PlayBothFirst:
			r.beginEvent(f.Card, EventSide(f.Card, f.Side))
		case PlayTiananmen:
			f.Step = roundFirst // The step is repeated if chance has no outcome.
			return r.attemptTiananmen(f, roundEnd)
		case PlayStrike:
			f.Step = roundStrike
		default:
			r.push(Frame{Proc: ProcOps, Card: f.Card, Side: f.Side, Midway: true})
		}
	case roundSecond:
		f.Step = roundEnd
		switch f.Mode {
		case PlayEventFirst, PlayBothFirst:
			r.push(Frame{Proc: ProcOps, Card: f.Card, Side: f.Side})
		case PlayEventAfter, PlayBothAfter:
			r.beginEvent(f.Card, EventSide(f.Card, f.Side))
		}
	case roundStrike:
		return r.rollStrike(f)
	case roundEnd:
		r.takeOffTable(f.Card, PileDiscard)
		if f.SecondCard != 0 {
			r.takeOffTable(f.SecondCard, PileDiscard)
		}
		r.resolveCeausescu()
		r.pop()
	}
	return nil
}

func answerRound(r *Run, f *Frame, a rules.Atom) {
	p := r.p
	source := p.Question.Source
	r.closeQuestion()
	if AtomVerb(a) == VerbPass {
		r.emit(EvPassed, int(f.Side), int(AskExtraRound), int(source))
		f.Step = roundEnd
		return
	}
	f.Card, f.Mode, f.Step = Card(AtomValue(a)), Mode(AtomFlag(a)), roundPlay
	p.Move(f.Card, HandPile(f.Side), PileTable)
	switch f.Mode {
	case PlayWithHome:
		f.SecondCard = CommonEuropeanHome
		p.Move(f.SecondCard, HandPile(f.Side), PileTable)
	case PlayNoEvent:
		if p.IsEventPlayable(f.Card, f.Side.Enemy()) {
			p.Tiananmen[f.Side].UsedBox7 = true
		}
	case PlayBothFirst, PlayBothAfter:
		p.Tiananmen[f.Side].UsedBox8 = true
	}
	r.emit(EvPlayed, int(f.Card), int(f.Mode), int(f.Side), int(f.SecondCard))
}

// resolveLigachev ends the effect of Ligachev (card 99) when the Democrat plays a card, or has no card to play. The
// Democrat loses 3 VP, unless the card is Gorbachev Charms the West, played for its event.
func (r *Run) resolveLigachev(f *Frame) {
	p := r.p
	if f.Side != Democrat || !p.Effects.Cards.Has(Ligachev) {
		return
	}
	r.expire(Ligachev)
	forEvent := f.Mode == PlayEvent || f.Mode == PlayBothFirst || f.Mode == PlayBothAfter
	if f.Card != GorbachevCharmsTheWest || !forEvent {
		r.addVP(-3, VPFromLigachev, int(Ligachev))
	}
}

// rollStrike rolls for the end of General Strike (card 5) after the Communist has discarded a card. The strike ends
// if the die plus the Ops value of the card is above 5.
func (r *Run) rollStrike(f *Frame) error {
	die, err := r.roll(ReasonStrike, int(f.Card))
	if err != nil {
		return err
	}
	opsValue := r.p.OpsValue(f.Side, f.Card.Info().Ops, false)
	isOver := die+opsValue > 5
	r.emit(EvStrike, die, opsValue, boolToInt(isOver))
	if isOver {
		r.expire(GeneralStrike)
	}
	f.Step = roundEnd
	return nil
}

// resolveCeausescu carries out the last effect of card 41, at the end of the action round with its event: the
// Communist may lose a support point in Bucuresti.
func (r *Run) resolveCeausescu() {
	p := r.p
	if !p.Effects.CeausescuPending {
		return
	}
	p.Effects.CeausescuPending = false
	if p.Destroyed != clujNapoca && !p.Neighbours(clujNapoca).And(p.Occupied[Democrat]).IsEmpty() {
		r.remove(Communist, bucuresti, 1)
	}
}

// appendRoundAtoms appends all legal plays of an action round. They are sorted by mode, so that the atoms ascend.
func appendRoundAtoms(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	side := f.Side
	cards := p.Piles[HandPile(side)]
	if side == Democrat && cards.Has(p.Effects.AnnouncedCard) {
		cards = CardSet{}
		cards.Add(p.Effects.AnnouncedCard)
	}
	if p.Question.Kind == AskStrike {
		dst = appendAtoms(dst, VerbPlay, uint8(PlayEvent), cards.And(ScoringCards))
		dst = appendAtoms(dst, VerbPlay, uint8(PlayStrike), cards.Minus(ScoringCards))
		return appendDecline(p, dst)
	}
	var eventCards, opsCards, enemyEvents, bothCards CardSet
	for remaining := cards; !remaining.IsEmpty(); {
		c := remaining.Next()
		info := c.Info()
		isPlayable := p.IsEventPlayable(c, EventSide(c, side))
		switch {
		case info.Scoring != NoCountry:
			eventCards.Add(c)
			continue
		case info.Side == side.Enemy():
			if isPlayable {
				enemyEvents.Add(c)
			}
			if !p.IsEventPlayable(c, side.Enemy()) {
				opsCards.Add(c)
			}
		default:
			opsCards.Add(c)
			if isPlayable {
				eventCards.Add(c)
				bothCards.Add(c)
			}
		}
	}
	useful := p.cardsWithUsefulOps(side, cards)
	dst = appendAtoms(dst, VerbPlay, uint8(PlayEvent), eventCards)
	dst = appendAtoms(dst, VerbPlay, uint8(PlayOps), opsCards.And(useful))
	dst = appendAtoms(dst, VerbPlay, uint8(PlayEventFirst), enemyEvents)
	dst = appendAtoms(dst, VerbPlay, uint8(PlayEventAfter), enemyEvents.And(useful))
	enemyCards := cards.Minus(ScoringCards).And(cardsOfSide[side.Enemy()])
	if p.HasAward(side, 7) && !p.Tiananmen[side].UsedBox7 {
		dst = appendAtoms(dst, VerbPlay, uint8(PlayNoEvent), enemyCards.And(useful))
	}
	if p.HasAward(side, 8) && !p.Tiananmen[side].UsedBox8 {
		dst = appendAtoms(dst, VerbPlay, uint8(PlayBothFirst), bothCards)
		dst = appendAtoms(dst, VerbPlay, uint8(PlayBothAfter), bothCards.And(useful))
	}
	if p.Piles[HandPile(side)].Has(CommonEuropeanHome) {
		dst = appendAtoms(dst, VerbPlay, uint8(PlayWithHome), enemyCards.And(useful))
	}
	if p.CanAttempt(side) {
		dst = appendAtoms(dst, VerbPlay, uint8(PlayTiananmen), cards.Minus(ScoringCards))
	}
	return appendDecline(p, dst)
}

func appendDecline(p *Position, dst []rules.Atom) []rules.Atom {
	if p.Question.Optional {
		dst = append(dst, AtomPass)
	}
	return dst
}

// cardsWithUsefulOps returns the cards of a set that may be played for Operations. Usually all are; but if the side
// has no target for a support check and can make a Tiananmen attempt, only cards with enough Ops for a support point
// are. If a side can do neither, it may play any card for Operations without effect.
func (p *Position) cardsWithUsefulOps(side Side, cards CardSet) CardSet {
	if !p.CheckTargets(side).IsEmpty() || !p.CanAttempt(side) {
		return cards
	}
	reach := p.PlaceableSpaces(side)
	if !reach.Minus(p.Controlled[side.Enemy()]).IsEmpty() {
		return cards
	}
	trial := *p
	trial.Reach = reach
	return cards.filter(func(c Card) bool {
		return !trial.nextPlacements(&Frame{Card: c, Side: side, OnlyEastGermany: true}, 0).IsEmpty()
	})
}
