package dawn1989

import "fmt"

// The questions that few events ask.

// way asks for one of two ways of an event.
func (q *asking) way() {
	n := int(q.p.question.Left)
	q.say("%s: %s chooses one of two ways.", upper(q.source()), q.side.the())
	if checks := q.spacesOf(VerbCheck); !checks.empty() {
		s := q.step()
		q.out.Question += fmt.Sprintf(" Either %s, or %s placed.", count(s.n, "support check"), count(n, "support point"))
		q.form(q.first(VerbCheck)...)
		q.checkNote(checks, "", func(at Space) int {
			return q.p.sum(q.side, at, q.frame().Card.Info().Ops, s.extra, false).total()
		})
	} else {
		q.out.Question += fmt.Sprintf(" Either %s placed, or all support of %s removed from these spaces.",
			count(n, "support point"), q.side.Enemy().the())
		q.form(q.first(VerbChoose)...)
	}
	q.form(q.spread(VerbPlace, nil)...)
	q.note("Legal to place", q.compact(q.spacesOf(VerbPlace)))
}

// card asks for a card of the hand, to give up or to put aside.
func (q *asking) card() {
	q.say("%s: which card does %s hand over?", upper(q.source()), q.side.the())
	if q.p.question.Source == Source(Samizdat) {
		q.say("%s: which card does %s put aside until the next turn? A card is drawn for it.", upper(q.source()), q.side.the())
	}
	q.form(q.first(VerbChoose)...)
	q.note("There are", cardList(q.cardsOf(VerbChoose)))
}

// declare asks the Communist whether the match ends with this turn.
func (q *asking) declare() {
	own := q.p.powers(Communist)
	n := partyVP * Democrat.sign()
	if own >= partyPowers {
		n = partyVP * Communist.sign()
	}
	q.say("%s: does %s declare that the match ends with this turn? With Power in %s that is %s VP.",
		upper(q.source()), q.side.the(), countriesText(own), signed(n))
	q.form(q.first(VerbChoose)...)
}

func countriesText(n int) string {
	if n == 1 {
		return "1 country"
	}
	return fmt.Sprintf("%d countries", n)
}
