package dawn1989

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

const (
	turns       = 10
	roundsATurn = 7
	handSize    = 8
)

// setupPoints are the extra support points of rule 3.4, the Communist first. A
// "+N" match adds a sixth helping, the Democrat's; a bid may give it to either.
var setupPoints = [...]int8{2, 3, 3, 4, 2}

// box6Ops is the printed Ops value of the free check of box 6.
const box6Ops = 2

// runMatch runs set-up and the turns. In its frame N is the helping of set-up
// under way, and Side the next side to be dealt a card.
func runMatch(x *Run, f *Frame) error {
	p := x.p
	switch f.Step {
	case matchBid:
		x.bidding(f)
	case matchBidRoll:
		return x.bidRoll(f)
	case matchDeal:
		return x.dealHands(f)
	case matchSetup:
		p.phase = PhaseSetup
		helping, n := f.N, int8(0)
		side := Communist - Side(helping%2)
		if int(helping) < len(setupPoints) {
			n = setupPoints[helping]
		} else if int(helping) == len(setupPoints) {
			side, n = p.extraTo, p.extra
		}
		if n == 0 {
			f.Step, f.N = matchGoddess, 0
			return nil
		}
		f.Side = side
		p.play++
		x.ask(Question{Ask: AskSetup, Side: side, Source: SourceSetup, Left: n})
	case matchGoddess:
		p.phase = PhaseGoddess
		f.Step = matchAnnounce
		for s := Communist; s >= Democrat; s-- {
			if p.awarded(s, 5) && !p.piles[hand(s)].empty() {
				f.Side, f.Step = s, matchGoddess
				p.play++
				x.ask(Question{Ask: AskDiscard, Side: s, Source: SourceBox5, Left: 1, May: true})
			}
		}
	case matchGoddessDraw:
		if _, err := x.deal(f.Side, hand(f.Side), reasonDeal); err != nil {
			return err
		}
		f.Step = matchAnnounce
	case matchAnnounce:
		p.phase, p.round = PhaseRounds, p.round+1
		p.force.announced = 0
		f.Step = matchCommunist
		if p.force.cards.has(Stasi) && p.round >= p.force.stasiFrom && !p.piles[PileDemocrat].empty() {
			p.play++
			x.ask(Question{Ask: AskAnnounce, Side: Democrat, Source: Source(Stasi), Left: 1})
		}
	case matchCommunist:
		f.Step = matchDemocrat
		x.round(Communist)
	case matchDemocrat:
		f.Step = matchAnnounce
		if p.round == roundsATurn {
			f.Step = matchExtraRound
		}
		x.round(Democrat)
	case matchExtraRound:
		p.force.announced = 0
		f.Step = matchExtraCheck
		if p.force.extraRound {
			p.force.extraRound = false
			p.round++
			x.round(Communist)
		}
	case matchExtraCheck:
		p.phase = PhaseExtraCheck
		f.Step = matchVerify
		for s := Democrat; s <= Communist; s++ {
			if p.awarded(s, 6) && !p.targets(s).empty() {
				f.Side, f.Step = s, matchExtraCheck
				p.play++
				x.ask(Question{Ask: AskCheck, Side: s, Source: SourceBox6, Left: 1, May: true})
			}
		}
	case matchExtraRoll:
		if err := x.check(f.Side, f.Space, box6Ops, 0, f.Space.Info().Country == EastGermany); err != nil {
			return err
		}
		f.Space, f.Step = 0, matchVerify
	case matchVerify:
		p.phase = PhaseVerify
		f.Step = matchParty
		x.held()
	case matchParty:
		f.Step = matchAdvance
		if p.force.party {
			p.phase = PhaseParty
			f.Step = matchAfterParty
			if p.powers(Communist) > 0 {
				p.play++
				x.ask(Question{Ask: AskCountry, Side: Democrat, Source: Source(NewYearsEveParty), Left: 1, May: true})
			}
		}
	case matchAfterParty:
		x.bySign(NewYear)
	case matchAdvance:
		if p.turn == turns {
			x.final()
			return nil
		}
		x.endTurn()
		f.Step = matchDeal
	}
	return nil
}

// round begins an action round.
func (x *Run) round(s Side) {
	x.p.play++
	x.push(Frame{Proc: ProcRound, Side: s})
}

// dealHands deals one card at a time, the Communist first (rule 4.5.1), and
// skips whoever has enough.
func (x *Run) dealHands(f *Frame) error {
	p := x.p
	if p.phase != PhaseDeal {
		p.phase, f.Side = PhaseDeal, Communist
		x.say(EvTurn, int(p.turn))
	}
	for range 2 {
		limit := handSize
		if f.Side == Communist && p.force.cards.has(PresidentialVisit) {
			limit--
		}
		if p.piles[hand(f.Side)].len() < limit {
			c, err := x.deal(f.Side, hand(f.Side), reasonDeal)
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
	if p.force.cards.has(PresidentialVisit) {
		x.expire(PresidentialVisit)
	}
	f.Step, f.N = matchGoddess, 0
	if p.turn == 1 {
		f.Step = matchSetup
	}
	return nil
}

// endTurn ends the effects that last a turn and brings in the next period's
// cards (rules 4.4, 4.5.6, 7.2).
func (x *Run) endTurn() {
	p := x.p
	ending := p.force.cards.and(lastsForTurn)
	if !ending.empty() || p.force.prudence != [2]int8{} {
		x.say(EvTurnEffectsEnd)
	}
	for c := ending.next(); c != 0; c = ending.next() {
		x.expire(c)
	}
	p.force.prudence = [2]int8{}
	p.force.standFast, p.force.debt, p.force.stasiFrom = 0, NoCountry, 0
	for s := range p.tiananmen {
		t := &p.tiananmen[s]
		t.Attempted, t.Seventh, t.Eighth = false, false, false
	}
	if c := p.piles[PileAside].next(); c != 0 {
		p.move(c, PileAside, PileDemocrat)
	}
	before := period(int(p.turn))
	p.turn, p.round = p.turn+1, 0
	if now := period(int(p.turn)); now != before {
		coming := p.piles[PileFuture].and(inPeriod[now])
		p.piles[PileDeck] = p.piles[PileDeck].or(coming)
		p.piles[PileFuture] = p.piles[PileFuture].minus(coming)
	}
}

func answerMatch(x *Run, f *Frame, a rules.Atom) {
	p := x.p
	q := &p.question
	if AtomVerb(a) == VerbPass {
		x.say(EvPassed, int(q.Side), int(q.Ask), int(q.Source))
		f.Step = map[Ask]uint8{AskDiscard: matchAnnounce, AskCheck: matchVerify, AskCountry: matchAfterParty}[q.Ask]
		x.close()
		return
	}
	switch q.Ask {
	case AskBid, AskSide:
		x.answerBid(f, a)
	case AskSetup:
		if x.giveOne(f.Side, Space(AtomValue(a))) {
			f.N++
		}
	case AskDiscard:
		c := Card(AtomValue(a))
		x.close()
		p.move(c, hand(f.Side), PileDiscard)
		x.say(EvDiscarded, int(f.Side), int(c), int(SourceBox5))
		f.Step = matchGoddessDraw
	case AskAnnounce:
		p.force.announced = Card(AtomValue(a))
		p.known[Democrat].add(p.force.announced)
		x.close()
		x.say(EvAnnounced, int(p.force.announced))
	case AskCheck:
		f.Space, f.Step = Space(AtomValue(a)), matchExtraRoll
		x.close()
	case AskCountry:
		x.close()
		x.push(Frame{Proc: ProcStruggle, Side: Democrat, Country: Country(AtomValue(a)), Source: Source(NewYearsEveParty)})
	}
}

func matchOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	q := &p.question
	switch q.Ask {
	case AskBid, AskSide:
		return bidOptions(p, dst)
	case AskSetup:
		dst = atoms(dst, VerbPlace, 0, p.onMap().minus(p.holds[q.Side.Enemy()]))
	case AskCheck:
		dst = atoms(dst, VerbCheck, 0, p.targets(q.Side))
	case AskCountry:
		for c := EastGermany; c < countries; c++ {
			if p.power[c].Held == Communist {
				dst = append(dst, atom(VerbChoose, uint8(ChooseCountry), int(c)))
			}
		}
	case AskDiscard:
		set := p.piles[hand(q.Side)].minus(scoringCards)
		for c := set.next(); c != 0; c = set.next() {
			dst = append(dst, atom(VerbDiscard, 0, int(c)))
		}
	case AskAnnounce:
		set := p.piles[PileDemocrat]
		for c := set.next(); c != 0; c = set.next() {
			dst = append(dst, atom(VerbChoose, uint8(ChooseCard), int(c)))
		}
	}
	return declinable(p, dst)
}
