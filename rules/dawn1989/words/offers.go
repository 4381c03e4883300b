package words

import (
	"slices"
	"strconv"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// offer gives an answer for each card of the hand that can be one: by itself, or as it
// is played most often.
func (q *asking) offer() {
	hand := q.p.Piles[engine.HandOf(q.side)]
	for c := hand.Next(); c != 0; c = hand.Next() {
		if atoms := q.withCard(c); len(atoms) > 0 {
			q.out.Offers = append(q.out.Offers, rules.Offer{Label: strconv.Itoa(int(c)), Order: order(atoms)})
		}
	}
}

// withCard is an answer with a card of the hand, or none.
func (q *asking) withCard(c engine.Card) []rules.Atom {
	switch q.ask {
	case engine.AskRound, engine.AskExtraRound, engine.AskStrike:
		for _, m := range append(shown[:], engine.PlayStrike) {
			if a := engine.AtomPlay(c, m); slices.Contains(q.options, a) && !q.rash(a) {
				return q.playForm(c, m, false)
			}
		}
	case engine.AskDiscard, engine.AskCard, engine.AskAnnounce:
		for _, a := range q.options {
			if v := engine.AtomVerb(a); (v == engine.VerbDiscard || v == engine.VerbChoose) && engine.Card(engine.AtomValue(a)) == c && !q.rash(a) {
				return []rules.Atom{a}
			}
		}
	}
	return nil
}

// rash reports whether an answer is one that only SURELY carries out: it is no example.
func (q *asking) rash(atoms ...rules.Atom) bool { return Words{}.Rash(q.v, q.d, atoms) != "" }
