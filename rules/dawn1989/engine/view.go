package engine

import "samizdat/rules"

// View implements rules.Position: what the rules make private (hands, power
// struggle hands, cards put aside, the cards of box 3) is taken out unless it is
// the seat's own. Frames hold nothing private.
func (p *Position) View(seat rules.Seat) rules.View {
	v := new(View)
	p.show(v, seat)
	return v
}

// hideStruggleHand takes out of a view what a side may not see of a power struggle hand.
func (v *View) hideStruggleHand(p *Position, of, side Side) {
	switch {
	case p.looked() && of == side:
	case p.looked() && of == Democrat && side == Communist && p.shown():
		for k, n := range p.Struggle.Drawn {
			v.Seen.Struggle.Hands[of][k] -= n
		}
	default:
		v.Seen.Struggle.Hands[of] = Hand{}
	}
}

// show writes what a seat may see into a view, over whatever it showed before.
func (p *Position) show(v *View, seat rules.Seat) {
	v.seat, v.Seen, v.EnemyHolds = seat, *p, CardSet{}
	for pile := range Piles {
		v.Count[pile] = p.Piles[pile].Len()
	}
	side := p.SideOf(seat)
	// It has room for every pile that is ever hidden: a view leaves no garbage
	// but itself.
	hidden := append(make([]Pile, 0, Piles), PileDeck)
	for s := Democrat; s <= Communist; s++ {
		v.StruggleCount[s] = p.Struggle.Hands[s].Len()
		if s != side {
			hidden = append(hidden, HandOf(s))
		}
		v.hideStruggleHand(p, s, side)
	}
	if side != Democrat {
		hidden = append(hidden, PileAside)
	}
	if p.Question.Ask == AskTake && p.Question.Source == SourceBox3 && p.Question.Side != side || p.Question.Ask == AskNothing {
		hidden = append(hidden, PileShown)
	}
	if side != Neutral {
		v.EnemyHolds = p.Known[side.Enemy()]
	} else {
		// What a side was shown is not for observers.
		v.Seen.Known = [2]CardSet{}
	}
	for _, pile := range hidden {
		v.Seen.Piles[pile] = CardSet{}
	}
	v.StrugglePlayed = p.strugglePlayed()
	v.Seen.Struggle.Deck = Hand{}
	if side != Democrat {
		v.Seen.Struggle.Drawn = Hand{}
	}
	if !p.Bids[0].In || !p.Bids[1].In {
		v.Seen.Bids = [2]Bid{}
	}
	if q := &v.Seen.Question; q.Side != side {
		q.Left, q.Given, q.Tally = q.Left+q.Given, 0, [Spaces]int8{}
	}
}

// strugglePlayed are the power struggle cards that are neither in the deck nor in a
// hand. All of them were laid open.
func (p *Position) strugglePlayed() Hand {
	st := &p.Struggle
	if st.Country == NoCountry {
		return Hand{}
	}
	out := WholeStruggleDeck
	for k := range out {
		out[k] -= st.Deck[k] + st.Hands[Democrat][k] + st.Hands[Communist][k]
	}
	return out
}

// StruggleUnseen are the power struggle cards that the view shows nowhere: in the deck,
// or in a hand that is hidden.
func (v *View) StruggleUnseen() Hand {
	out := WholeStruggleDeck
	for k := range out {
		out[k] -= v.StrugglePlayed[k] + v.Seen.Struggle.Hands[Democrat][k] + v.Seen.Struggle.Hands[Communist][k]
	}
	return out
}

// Seat implements rules.View.
func (v *View) Seat() rules.Seat { return v.seat }
