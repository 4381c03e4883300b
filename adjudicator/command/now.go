package command

import "samizdat/rules"

// Now stands for the orders that GRACE holds back, or beside orders that it is not to
// hold back.
const Now Word = "NOW"

var now = &Entry{
	Word: Now, Class: Acting, Keyword: &rules.Keyword{Exact: true},
	Do: func(Host, Command) (Outcome, error) { return refused("No orders of yours are held back.") },
}
