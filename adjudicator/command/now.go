package command

import "samizdat/rules"

// now stands for the orders that GRACE holds back, or beside orders that it is not to
// hold back. It is carried out where the whole letter is seen, and refused elsewhere.
var now = &Entry{
	Word: Now, Class: Acting, Keyword: &rules.Keyword{Exact: true},
	Do: always(Refused("No orders of yours are held back.")),
}
