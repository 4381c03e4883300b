package command

import (
	"context"

	"samizdat/rules"
)

// Now stands for the orders that GRACE holds back, or beside orders that it is not to
// hold back.
const Now Word = "NOW"

var now = &Entry{
	Word: Now, Class: Acting, Keyword: &rules.Keyword{Exact: true},
	Do: func(context.Context, Host, Command) (Outcome, error) {
		return Refused("No orders of yours are held back.")
	},
}
