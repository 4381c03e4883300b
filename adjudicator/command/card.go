package command

import (
	"strings"

	"samizdat/rules"
)

// Card tells what a card does.
const Card Word = "CARD"

var card = &Entry{
	Word: Card, Class: Asking, In: hasCards, Keyword: &rules.Keyword{Takes: []rules.NameKind{rules.CardName}},
	Help: []Form{{Order: "CARD 1", Does: "tells what card 1 does; a title may stand for the number"}},
	Do: func(h Host, c Command) (Outcome, error) {
		if c.More {
			return refused("CARD wants the number or the title of a card, and nothing else.")
		}
		return done(strings.Join(h.Game().(rules.Cards).About(h.View(), c.Name), "\n"))
	},
}
