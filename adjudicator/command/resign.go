package command

import "samizdat/rules"

// resign is known only to be refused in plain words.
var resign = &Entry{
	Word: "RESIGN", Class: Acting, Keyword: &rules.Keyword{Exact: true},
	Do: always(Refused("A match cannot be given up by mail: you have not resigned, and the match goes on.")),
}
