package engine

import "samizdat/rules"

// Bidding for sides (rule 13): each player bids, sealed, for the side that he
// wants and the support points that he would give the other for it. Until the
// sides are settled, the Democrat stands for the first chair and the Communist
// for the second.

// Bid is one player's bid.
type Bid struct {
	// In is set when the bid is there.
	In bool
	// Side is the side that the bidder wants to play.
	Side Side
	// Give is how many support points the enemy gets for it.
	Give int8
}

// MostGiven bounds a bid.
const MostGiven = 20

// bidding asks both chairs for their bids and settles the sides.
func (x *Run) bidding(f *Frame) error {
	p := x.p
	if p.Phase != PhaseBid {
		p.Phase = PhaseBid
		p.play++
		p.lastID += uint32(len(p.Bids))
	}
	for chair := range p.Bids {
		if !p.Bids[chair].In {
			p.Question = p.bidQuestion(chair)
			return nil
		}
	}
	for chair, b := range p.Bids {
		x.say(EvBid, chair, int(b.Side), int(b.Give))
	}
	a, b := p.Bids[0], p.Bids[1]
	switch {
	case a.Side != b.Side:
		x.settle(f, 0, a.Side, 0)
	case a.Give > b.Give:
		x.settle(f, 0, a.Side, a.Give)
	case b.Give > a.Give:
		x.settle(f, 1, b.Side, b.Give)
	default:
		f.Step, f.Result = matchBidRoll, 0
	}
	return nil
}

// bidQuestion is the question to a chair. Both are open at the same time, under
// identifiers that were set apart for them.
func (p *Position) bidQuestion(chair int) Question {
	return Question{Ask: AskBid, Side: Side(chair), Source: SourceBid, Left: 1, ID: p.lastID - uint32(len(p.Bids)-1-chair)}
}

// settle gives a chair its side, and the enemy of the side that was bid for his
// points.
func (x *Run) settle(f *Frame, chair int, plays Side, give int8) {
	p := x.p
	p.Sits[plays], p.Sits[plays.Enemy()] = rules.Seat(chair), rules.Seat(1-chair)
	if p.Extra = give; give > 0 {
		p.ExtraTo = p.Bids[chair].Side.Enemy()
	}
	x.say(EvSides, int(p.Sits[Democrat]), int(p.Extra), int(p.ExtraTo))
	f.Step, f.Side, f.Result = matchDeal, Communist, 0
}

// bidRoll settles equal bids for the same side: both roll, and the higher says
// which bid wins. A tie is rolled again (ruling 1).
func (x *Run) bidRoll(f *Frame) error {
	chair := flag(f.Result != 0)
	die, err := x.roll(ReasonBid, chair)
	if err != nil {
		return err
	}
	if chair == 0 {
		f.Result = int8(die)
		return nil
	}
	first := int(f.Result)
	f.Result = 0
	x.say(EvBidRoll, first, die)
	if first == die {
		return nil
	}
	x.ask(Question{Ask: AskSide, Side: Side(flag(die > first)), Source: SourceBid, Left: 1})
	return nil
}

// answerBid takes a bid, or the choice of a side after equal bids.
func (x *Run) answerBid(f *Frame, a rules.Atom) {
	p := x.p
	chair := int(p.Question.Side)
	x.close()
	if AtomVerb(a) == VerbBid {
		p.Bids[chair] = Bid{In: true, Side: Side(AtomFlag(a)), Give: int8(AtomValue(a))}
		return
	}
	x.settle(f, chair, Side(AtomValue(a)), p.Bids[0].Give)
}

func bidOptions(p *Position, dst []rules.Atom) []rules.Atom {
	for side := Democrat; side <= Communist; side++ {
		if p.Question.Ask == AskSide {
			dst = append(dst, NewAtom(VerbChoose, uint8(ChooseSide), int(side)))
			continue
		}
		for n := range MostGiven + 1 {
			dst = append(dst, NewAtom(VerbBid, uint8(side), n))
		}
	}
	return dst
}

// owedBids are the open bids: one decision a chair, sealed and opened together.
func (p *Position) owedBids(dst []rules.Decision) []rules.Decision {
	group := uint32(p.bidQuestion(0).ID)
	for chair := range p.Bids {
		if p.Bids[chair].In {
			continue
		}
		q := p.bidQuestion(chair)
		dst = append(dst, rules.Decision{ID: rules.DecisionID(q.ID), Seat: rules.Seat(chair), Kind: q.Ask.String(),
			Source: q.Source.String(), Min: 1, Max: 1, Sealed: true, Group: group, Play: p.play})
	}
	return dst
}

// turnTo makes the question that of a decision: while bids are open there is one
// for each chair.
func (p *Position) turnTo(id rules.DecisionID) {
	for chair := range p.Bids {
		if q := p.bidQuestion(chair); p.Question.Ask == AskBid && q.ID == uint32(id) && !p.Bids[chair].In {
			p.Question = q
		}
	}
}
