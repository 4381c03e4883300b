package dawn1989

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

func runRound(x *Run, f *Frame) error {
	p := x.p
	switch f.Step {
	case roundBegin:
		p.phasing = f.Side
		if p.piles[hand(f.Side)].empty() {
			x.say(EvForfeited, int(f.Side))
			x.ligachev(f)
			f.Step = roundEnd
			return nil
		}
		q := Question{Ask: AskRound, Side: f.Side, Left: 1}
		if p.round > roundsATurn {
			q.Ask, q.Source, q.May = AskExtraRound, SourceExtra, true
		}
		if f.Side == Communist && p.force.cards.has(GeneralStrike) {
			q.Ask, q.Source = AskStrike, Source(GeneralStrike)
		}
		x.ask(q)
	case roundPlay:
		f.Step = roundFirst
		x.ligachev(f)
		if p.ending == NotOver && f.Card == CommonEuropeanHome && f.Mode != PlayStrike {
			x.vp(f.Side.Enemy().sign(), WhyCommonHome, int(CommonEuropeanHome))
		}
	case roundFirst:
		f.Step = roundSecond
		switch f.Mode {
		case PlayEvent, PlayEventFirst, PlayBothFirst:
			x.begin(f.Card, resolver(f.Card, f.Side))
		case PlayTiananmen:
			f.Step = roundFirst
			return x.attempt(f, roundEnd)
		case PlayStrike:
			f.Step = roundStrike
		default:
			x.push(Frame{Proc: ProcOps, Card: f.Card, Side: f.Side, Midway: true})
		}
	case roundSecond:
		f.Step = roundEnd
		switch f.Mode {
		case PlayEventFirst, PlayBothFirst:
			x.push(Frame{Proc: ProcOps, Card: f.Card, Side: f.Side})
		case PlayEventAfter, PlayBothAfter:
			x.begin(f.Card, resolver(f.Card, f.Side))
		}
	case roundStrike:
		return x.strike(f)
	case roundEnd:
		x.leave(f.Card, PileDiscard)
		if f.With != 0 {
			x.leave(f.With, PileDiscard)
		}
		x.ceausescu()
		x.pop()
	}
	return nil
}

func answerRound(x *Run, f *Frame, a rules.Atom) {
	p := x.p
	source := p.question.Source
	x.close()
	if AtomVerb(a) == VerbPass {
		x.say(EvPassed, int(f.Side), int(AskExtraRound), int(source))
		f.Step = roundEnd
		return
	}
	f.Card, f.Mode, f.Step = Card(AtomValue(a)), Mode(AtomFlag(a)), roundPlay
	p.move(f.Card, hand(f.Side), PileTable)
	switch f.Mode {
	case PlayWithHome:
		f.With = CommonEuropeanHome
		p.move(f.With, hand(f.Side), PileTable)
	case PlayNoEvent:
		if p.playable(f.Card, f.Side.Enemy()) {
			p.tiananmen[f.Side].Seventh = true
		}
	case PlayBothFirst, PlayBothAfter:
		p.tiananmen[f.Side].Eighth = true
	}
	x.say(EvPlayed, int(f.Card), int(f.Mode), int(f.Side), int(f.With))
}

// ligachev settles Ligachev (card 99) when the Democrat plays his next card, or
// has none to play.
func (x *Run) ligachev(f *Frame) {
	p := x.p
	if f.Side != Democrat || !p.force.cards.has(Ligachev) {
		return
	}
	x.expire(Ligachev)
	forEvent := f.Mode == PlayEvent || f.Mode == PlayBothFirst || f.Mode == PlayBothAfter
	if f.Card != GorbachevCharmsTheWest || !forEvent {
		x.vp(-3, WhyLigachev, int(Ligachev))
	}
}

// strike discards a card under General Strike (card 5): a die and the card's
// Ops value above 5 end it.
func (x *Run) strike(f *Frame) error {
	die, err := x.roll(reasonStrike, int(f.Card))
	if err != nil {
		return err
	}
	v := x.p.opsValue(f.Side, f.Card.Info().Ops, false)
	over := die+v > 5
	x.say(EvStrike, die, v, flag(over))
	if over {
		x.expire(GeneralStrike)
	}
	f.Step = roundEnd
	return nil
}

// ceausescu is the third part of card 41, at the end of the action round in
// which its event took place.
func (x *Run) ceausescu() {
	p := x.p
	if !p.force.ceausescu {
		return
	}
	p.force.ceausescu = false
	if p.destroyed != clujNapoca && !p.neighbours(clujNapoca).and(p.holds[Democrat]).empty() {
		x.remove(Communist, bucuresti, 1)
	}
}

// roundOptions lists every play of an action round, mode by mode.
func roundOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	side := f.Side
	cards := p.piles[hand(side)]
	if side == Democrat && cards.has(p.force.announced) {
		cards = CardSet{}
		cards.add(p.force.announced)
	}
	if p.question.Ask == AskStrike {
		dst = plays(dst, cards.and(scoringCards), PlayEvent)
		dst = plays(dst, cards.minus(scoringCards), PlayStrike)
		return declinable(p, dst)
	}
	var event, ops, enemy, both CardSet
	for rest := cards; !rest.empty(); {
		c := rest.next()
		info := c.Info()
		happens := p.playable(c, resolver(c, side))
		switch {
		case info.Scoring != NoCountry:
			event.add(c)
			continue
		case info.Side == side.Enemy():
			if happens {
				enemy.add(c)
			}
			if !p.playable(c, side.Enemy()) {
				ops.add(c)
			}
		default:
			ops.add(c)
			if happens {
				event.add(c)
				both.add(c)
			}
		}
	}
	useful := p.opsUseful(side, cards)
	dst = plays(dst, event, PlayEvent)
	dst = plays(dst, ops.and(useful), PlayOps)
	dst = plays(dst, enemy, PlayEventFirst)
	dst = plays(dst, enemy.and(useful), PlayEventAfter)
	theirs := cards.minus(scoringCards).and(starOf[side.Enemy()])
	if p.awarded(side, 7) && !p.tiananmen[side].Seventh {
		dst = plays(dst, theirs.and(useful), PlayNoEvent)
	}
	if p.awarded(side, 8) && !p.tiananmen[side].Eighth {
		dst = plays(dst, both, PlayBothFirst)
		dst = plays(dst, both.and(useful), PlayBothAfter)
	}
	if p.piles[hand(side)].has(CommonEuropeanHome) {
		dst = plays(dst, theirs.and(useful), PlayWithHome)
	}
	if p.canAttempt(side) {
		dst = plays(dst, cards.minus(scoringCards), PlayTiananmen)
	}
	return declinable(p, dst)
}

// declinable adds PASS where the question may be declined.
func declinable(p *Position, dst []rules.Atom) []rules.Atom {
	if p.question.May {
		dst = append(dst, pass)
	}
	return dst
}

func plays(dst []rules.Atom, set CardSet, m Mode) []rules.Atom {
	for c := set.next(); c != 0; c = set.next() {
		dst = append(dst, play(c, m))
	}
	return dst
}

// opsUseful is the part of a set of cards whose Operations have a legal use
// now: a check anywhere, or a point to place. When no Operations have any, the
// Tiananmen attempt included, a card may be spent in vain.
func (p *Position) opsUseful(side Side, cards CardSet) CardSet {
	if !p.targets(side).empty() || !p.canAttempt(side) {
		return cards
	}
	reach := p.reachOf(side)
	if !reach.minus(p.controls[side.Enemy()]).empty() {
		return cards
	}
	var out CardSet
	for rest := cards; !rest.empty(); {
		c := rest.next()
		f := Frame{Card: c, Side: side, Border: true}
		q := *p
		q.reach = reach
		if !q.placeable(&f, 0).empty() {
			out.add(c)
		}
	}
	return out
}
