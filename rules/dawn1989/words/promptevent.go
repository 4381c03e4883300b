package words

import (
	"fmt"

	"samizdat/rules/dawn1989/engine"
)

// The questions that few events ask.

// way asks for one of two ways of an event.
func (q *asking) way() {
	n := int(q.p.Question.Left)
	q.say("%s: %s chooses one of two ways.", upper(q.source()), the(q.side))
	if checks := q.spacesOf(engine.VerbCheck); !checks.Empty() {
		s := q.step()
		q.out.Question += fmt.Sprintf(" Either %s, or %s placed.", count(s.N, "support check"), count(n, "support point"))
		q.form(q.first(engine.VerbCheck)...)
		q.checkNote(checks, "", func(at engine.Space) int {
			return q.p.CheckSum(q.side, at, q.frame().Card.Info().Ops, s.Extra, false).Total()
		})
	} else {
		q.out.Question += fmt.Sprintf(" Either %s placed, or all support of %s removed from these spaces.",
			count(n, "support point"), the(q.side.Enemy()))
		q.form(q.first(engine.VerbChoose)...)
	}
	q.form(q.spread(engine.VerbPlace, nil)...)
	q.legal("Legal to place", q.spacesOf(engine.VerbPlace))
}

// card asks for a card of the hand, to give up or to put aside.
func (q *asking) card() {
	q.say("%s: which card does %s hand over?", upper(q.source()), the(q.side))
	if q.p.Question.Source == engine.Source(engine.Samizdat) {
		q.say("%s: which card does %s put aside until the next turn? A card is drawn for it.", upper(q.source()), the(q.side))
	}
	q.form(q.first(engine.VerbChoose)...)
	q.note("There are", cardList(q.cardsOf(engine.VerbChoose)))
}

// declare asks the Communist whether the match ends with this turn.
func (q *asking) declare() {
	own := q.p.Powers(engine.Communist)
	n := engine.PartyVP * engine.Democrat.Sign()
	if own >= engine.PartyPowers {
		n = engine.PartyVP * engine.Communist.Sign()
	}
	q.say("%s: does %s declare that the match ends with this turn? With Power in %s that is %s VP.",
		upper(q.source()), the(q.side), countriesText(own), signed(n))
	q.form(q.first(engine.VerbChoose)...)
}

func countriesText(n int) string {
	if n == 1 {
		return "1 country"
	}
	return fmt.Sprintf("%d countries", n)
}
