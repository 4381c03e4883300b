package command

import (
	"context"

	"samizdat/rules"
)

// HelpWord explains orders.
const HelpWord Word = "HELP"

var help = &Entry{
	Word: HelpWord, Class: Asking, Keyword: &rules.Keyword{},
	Help: []Form{{Order: "HELP", Does: "sends this page"}},
	Do: func(_ context.Context, h Host, _ Command) (Outcome, error) {
		h.Help()
		return Done("Help is below.")
	},
}
