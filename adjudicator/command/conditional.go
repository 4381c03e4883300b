package command

import "samizdat/adjudicator/conditional"

// Conditional orders have a language of their own (package conditional) and stand here
// for HELP alone.

var next = &Entry{
	Word: conditional.WordNext, Class: Aside, In: takesConditional,
	Help: []Form{{Order: "NEXT ...", Does: "keeps an order for your next action: NEXT IF ...: ..."}},
}

var answer = &Entry{
	Word: conditional.WordAnswer, Class: Aside, In: takesConditional,
	Help: []Form{{Order: "ANSWER 1 ...", Does: "keeps an answer for what card 1 will ask of you"}},
}
