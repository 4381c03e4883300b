package command

import "samizdat/adjudicator/conditional"

// Conditional orders have a language of their own (package conditional) and stand here
// for HELP alone. preview stands above orders, or before one on its line, and asks what
// they would do.
var (
	next = &Entry{
		Word: conditional.WordNext, Class: Aside, In: takesConditional,
		Help: []Form{{Order: "NEXT ...", Does: "keeps an order for your next action: NEXT IF ...: ..."}},
	}
	answer = &Entry{
		Word: conditional.WordAnswer, Class: Aside, In: takesConditional,
		Help: []Form{{Order: "ANSWER 1 ...", Does: "keeps an answer for what card 1 will ask of you"}},
	}
	preview = &Entry{
		Word: Preview, Class: Aside,
		Help: []Form{{Order: "PREVIEW", Does: "above other orders: tells what they would do, no more", In: takesConditional}},
	}
)
