package words

import (
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Samples is rules.Game.Samples: plays of the reader's own hand, and what is written
// in a power struggle.
func (w Words) Samples(rv rules.View, page rules.Topic) rules.Samples {
	v := rv.(*engine.View)
	side := v.Seen.SideOf(v.Seat())
	if side == engine.Neutral || v.Seen.Ending != engine.NotOver {
		return rules.Samples{}
	}
	switch page.Name {
	case wordPlay, wordOps:
		return w.playSamples(v, side)
	case "STRUGGLE":
		return struggleSamples(v, side)
	}
	return rules.Samples{}
}

// playSamples are what an action round of the reader would show if it began now.
func (w Words) playSamples(v *engine.View, side engine.Side) rules.Samples {
	round := v.Suppose(engine.Frame{Proc: engine.ProcRound, Side: side})
	round.Seen.Question = engine.Question{Ask: engine.AskRound, Side: side, Left: 1}
	d := rules.Decision{Seat: v.Seat(), Kind: engine.AskRound.String()}
	q := newAsking(round, d, round.Seen.Choices(nil))
	out := rules.Samples{Head: "No card is asked of you now. If you were to play one, with your hand and the map as they are, these would be legal, and others of the kind."}
	for i, m := range shown {
		c := q.example(m)
		if c == 0 {
			continue
		}
		atoms := q.playForm(c, m, i%2 == 1)
		out.Orders = append(out.Orders, rules.Sample{Order: order(atoms), Meaning: w.Meaning(round, d, []rules.Answer{{Atoms: atoms}})})
	}
	return out
}

// struggleSamples are made of the cards that the reader holds, and where he holds none of
// cards as they are dealt.
func struggleSamples(v *engine.View, side engine.Side) rules.Samples {
	hand := v.Seen.Struggle.Hands[side]
	out := rules.Samples{Head: "No card of a power struggle is asked of you now. When it is, these can be written of your cards, as far as the letter then lists them:"}
	if hand.Len() == 0 {
		out.Head = "There is no power struggle now; its cards are dealt when one begins. With cards like these you can write then:"
		hand = typical()
	}
	var cards, leaders []engine.StruggleCard
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		for range hand[k] {
			switch info := k.Info(); {
			case info.Leader:
				leaders = append(leaders, k)
			case info.Suit != engine.NoSuit:
				cards = append(cards, k)
			}
		}
	}
	add := func(v engine.Verb, suit engine.Suit, ks ...engine.StruggleCard) {
		var atoms []rules.Atom
		for _, k := range ks {
			atoms = append(atoms, engine.NewAtom(v, uint8(suit), int(k)))
		}
		q := asking{side: side}
		out.Orders = append(out.Orders, rules.Sample{Order: order(atoms), Meaning: sentence(meanings[v](&q, atoms))})
	}
	if len(cards) >= raised {
		add(engine.VerbRaise, engine.NoSuit, cards[:raised]...)
	}
	if len(cards) > 0 {
		add(engine.VerbAttack, engine.NoSuit, cards[len(cards)-1])
	}
	if len(leaders) > 0 {
		add(engine.VerbAttack, engine.MarchSuit, leaders[0])
	}
	if len(cards) > 0 {
		add(engine.VerbDefend, engine.NoSuit, cards[0])
	}
	return out
}

// raised is how many cards it takes to raise the stakes.
const raised = 3

// typical is a hand as it may be dealt.
func typical() (h engine.Hand) {
	for k := range engine.StruggleCard(engine.StruggleKinds) {
		if slices.Contains([]string{"Rally", "Strike-3", "March-6", "Worker Leader"}, k.String()) {
			h[k] = 1
		}
	}
	return h
}
