package command

import "samizdat/rules"

// HelpWord explains orders.
const HelpWord Word = "HELP"

var help = &Entry{
	Word: HelpWord, Class: Asking, Keyword: &rules.Keyword{},
	Help: []Form{{Order: "HELP", Does: "sends this page"}},
	Do: func(h Host, _ Command) (Outcome, error) {
		h.Help()
		return done("Help is below.")
	},
}
