package command

import (
	"context"

	"samizdat/rules"
)

// help explains orders.
var help = &Entry{
	Word: HelpWord, Class: Asking, Keyword: &rules.Keyword{},
	Help: []Form{{Order: "HELP", Does: "sends this page"}},
	Do: func(_ context.Context, h Host, _ Command) (Outcome, error) {
		h.Help()
		return Done("Help is below.")
	},
}
