package command

import (
	"context"
	"strings"

	"samizdat/rules"
)

// card tells what a card does.
var card = &Entry{
	Word: Card, Class: Asking, In: hasCards, Keyword: &rules.Keyword{Takes: []rules.NameKind{rules.CardName}},
	Help: []Form{{Order: "CARD 1", Does: "tells what card 1 does; a title may stand for the number"}},
	Do: func(_ context.Context, h Host, c Command) (Outcome, error) {
		if c.More {
			return Refused("CARD wants the number or the title of a card, and nothing else.")
		}
		return Done(strings.Join(h.Game().(rules.Cards).About(h.View(), c.Name), "\n"))
	},
}
