package engine

import "samizdat/rules"

// The steps of an action round (rule 5).
const (
	roundBegin uint8 = iota
	roundPlay
	roundFirst
	roundSecond
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
			r.ligachev(f)
			f.Step = roundEnd
			return nil
		}
		q := Question{Kind: AskRound, Side: f.Side, Remaining: 1}
		if p.Round > RoundsATurn {
			q.Kind, q.Source, q.Optional = AskExtraRound, SourceExtra, true
		}
		if f.Side == Communist && p.Effects.Cards.Has(GeneralStrike) {
			q.Kind, q.Source = AskStrike, Source(GeneralStrike)
		}
		r.ask(q)
	case roundPlay:
		f.Step = roundFirst
		r.ligachev(f)
		if p.Ending == NotOver && f.Card == CommonEuropeanHome && f.Mode != PlayStrike {
			r.addVP(f.Side.Enemy().Sign(), VPFromCommonHome, int(CommonEuropeanHome))
		}
	case roundFirst:
		f.Step = roundSecond
		switch f.Mode {
		case PlayEvent, PlayEventFirst, PlayBothFirst:
			r.beginEvent(f.Card, EventSide(f.Card, f.Side))
		case PlayTiananmen:
			f.Step = roundFirst
			return r.attempt(f, roundEnd)
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
		return r.strike(f)
	case roundEnd:
		r.takeOffTable(f.Card, PileDiscard)
		if f.SecondCard != 0 {
			r.takeOffTable(f.SecondCard, PileDiscard)
		}
		r.ceausescu()
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

// ligachev settles Ligachev (card 99) when the Democrat plays his next card, or has none to play.
func (r *Run) ligachev(f *Frame) {
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

// strike discards a card under General Strike (card 5): a die and the card's Ops value above 5 end it.
func (r *Run) strike(f *Frame) error {
	die, err := r.roll(ReasonStrike, int(f.Card))
	if err != nil {
		return err
	}
	v := r.p.OpsValue(f.Side, f.Card.Info().Ops, false)
	over := die+v > 5
	r.emit(EvStrike, die, v, flag(over))
	if over {
		r.expire(GeneralStrike)
	}
	f.Step = roundEnd
	return nil
}

// ceausescu carries out the third part of card 41, at the end of the action round in which its event took
// place.
func (r *Run) ceausescu() {
	p := r.p
	if !p.Effects.Ceausescu {
		return
	}
	p.Effects.Ceausescu = false
	if p.Destroyed != clujNapoca && !p.Neighbours(clujNapoca).And(p.Occupied[Democrat]).IsEmpty() {
		r.remove(Communist, bucuresti, 1)
	}
}

// roundOptions lists every play of an action round, mode by mode.
func roundOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	side := f.Side
	cards := p.Piles[HandPile(side)]
	if side == Democrat && cards.Has(p.Effects.Announced) {
		cards = CardSet{}
		cards.Add(p.Effects.Announced)
	}
	if p.Question.Kind == AskStrike {
		dst = atoms(dst, VerbPlay, uint8(PlayEvent), cards.And(ScoringCards))
		dst = atoms(dst, VerbPlay, uint8(PlayStrike), cards.Minus(ScoringCards))
		return declineAtoms(p, dst)
	}
	var event, ops, enemy, both CardSet
	for rest := cards; !rest.IsEmpty(); {
		c := rest.Next()
		info := c.Info()
		happens := p.IsEventPlayable(c, EventSide(c, side))
		switch {
		case info.Scoring != NoCountry:
			event.Add(c)
			continue
		case info.Side == side.Enemy():
			if happens {
				enemy.Add(c)
			}
			if !p.IsEventPlayable(c, side.Enemy()) {
				ops.Add(c)
			}
		default:
			ops.Add(c)
			if happens {
				event.Add(c)
				both.Add(c)
			}
		}
	}
	useful := p.opsUseful(side, cards)
	dst = atoms(dst, VerbPlay, uint8(PlayEvent), event)
	dst = atoms(dst, VerbPlay, uint8(PlayOps), ops.And(useful))
	dst = atoms(dst, VerbPlay, uint8(PlayEventFirst), enemy)
	dst = atoms(dst, VerbPlay, uint8(PlayEventAfter), enemy.And(useful))
	theirs := cards.Minus(ScoringCards).And(starOf[side.Enemy()])
	if p.HasAward(side, 7) && !p.Tiananmen[side].UsedBox7 {
		dst = atoms(dst, VerbPlay, uint8(PlayNoEvent), theirs.And(useful))
	}
	if p.HasAward(side, 8) && !p.Tiananmen[side].UsedBox8 {
		dst = atoms(dst, VerbPlay, uint8(PlayBothFirst), both)
		dst = atoms(dst, VerbPlay, uint8(PlayBothAfter), both.And(useful))
	}
	if p.Piles[HandPile(side)].Has(CommonEuropeanHome) {
		dst = atoms(dst, VerbPlay, uint8(PlayWithHome), theirs.And(useful))
	}
	if p.CanAttempt(side) {
		dst = atoms(dst, VerbPlay, uint8(PlayTiananmen), cards.Minus(ScoringCards))
	}
	return declineAtoms(p, dst)
}

// declineAtoms adds PASS where the question may be declined.
func declineAtoms(p *Position, dst []rules.Atom) []rules.Atom {
	if p.Question.Optional {
		dst = append(dst, AtomPass)
	}
	return dst
}

// opsUseful is the part of a set of cards whose Operations have a legal use now: a support check or a point to place.
// If no Operations, not even a Tiananmen attempt, are legal, a card may be spent without effect.
func (p *Position) opsUseful(side Side, cards CardSet) CardSet {
	if !p.CheckTargets(side).IsEmpty() || !p.CanAttempt(side) {
		return cards
	}
	reach := p.PlaceableSpaces(side)
	if !reach.Minus(p.Controlled[side.Enemy()]).IsEmpty() {
		return cards
	}
	q := *p
	q.Reach = reach
	return cards.filter(func(c Card) bool { return !q.placeable(&Frame{Card: c, Side: side, Border: true}, 0).IsEmpty() })
}
