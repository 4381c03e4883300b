package command

import "samizdat/rules"

// Resign is known only to be refused in plain words.
const Resign Word = "RESIGN"

var resign = &Entry{
	Word: Resign, Class: Acting, Keyword: &rules.Keyword{Exact: true},
	Do: func(Host, Command) (Outcome, error) {
		return refused("A match cannot be given up by mail: you have not resigned, and the match goes on.")
	},
}
