package dawn1989

import "samizdat/rules"

// View implements rules.Position: what the rules make private (hands, power
// struggle hands, cards put aside, the cards of box 3) is taken out unless it is
// the seat's own. Frames hold nothing private.
func (p *Position) View(seat rules.Seat) rules.View {
	v := new(View)
	p.show(v, seat)
	return v
}

// show writes what a seat may see into a view, over whatever it showed before.
func (p *Position) show(v *View, seat rules.Seat) {
	v.seat, v.p, v.told = seat, *p, CardSet{}
	for pile := range piles {
		v.count[pile] = p.piles[pile].len()
	}
	side := p.sideOf(seat)
	// It has room for every pile that is ever hidden: a view leaves no garbage
	// but itself.
	hidden := append(make([]Pile, 0, piles), PileDeck)
	for s := Democrat; s <= Communist; s++ {
		v.struggleCount[s] = p.struggle.Hands[s].len()
		if !p.looked() {
			v.p.struggle.Hands[s] = Hand{}
		}
		if s == side {
			continue
		}
		hidden = append(hidden, hand(s))
		// Securitate shows the Democrat's power struggle hand in Romania.
		open := s == Democrat && side == Communist && p.force.cards.has(Securitate) && p.struggle.Country == Romania
		if !open {
			v.p.struggle.Hands[s] = Hand{}
		}
	}
	if side != Democrat {
		hidden = append(hidden, PileAside)
	}
	if p.question.Ask == AskTake && p.question.Source == SourceBox3 && p.question.Side != side || p.question.Ask == AskNothing {
		hidden = append(hidden, PileShown)
	}
	if side != Neutral {
		v.told = p.known[side.Enemy()]
	} else {
		// What a side was shown is not for spectators.
		v.p.known = [2]CardSet{}
	}
	for _, pile := range hidden {
		v.p.piles[pile] = CardSet{}
	}
	v.p.struggle.Deck = Hand{}
	if !p.bids[0].In || !p.bids[1].In {
		v.p.bids = [2]Bid{}
	}
	if q := &v.p.question; q.Side != side {
		q.Left, q.Given, q.Tally = q.Left+q.Given, 0, [spaces]int8{}
	}
}

// Seat implements rules.View.
func (v *View) Seat() rules.Seat { return v.seat }
