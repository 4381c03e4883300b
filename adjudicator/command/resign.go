package command

import (
	"context"

	"samizdat/rules"
)

// Resign is known only to be refused in plain words.
const Resign Word = "RESIGN"

var resign = &Entry{
	Word: Resign, Class: Acting, Keyword: &rules.Keyword{Exact: true},
	Do: func(context.Context, Host, Command) (Outcome, error) {
		return Refused("A match cannot be given up by mail: you have not resigned, and the match goes on.")
	},
}
