package letter

import (
	"context"
	"strings"

	"samizdat/rules"
)

// matchName is how a match is named behind an order that ends it.
const matchName = `(m[a-z2-7]{7})`

// resign gives a match up. Without the name of the match its writer is asked whether he
// means it.
var resign = &Entry{
	Word: Resign, Class: Acting, Alone: true, Keyword: &rules.Keyword{Exact: true}, Line: row(`RESIGN\s+`+matchName, matchNamed),
	Help: []Form{{Order: "RESIGN", Does: "gives the match up; you are asked once whether you mean it"}},
	Do: func(ctx context.Context, h Host, c Command) (Outcome, error) {
		if c.More {
			return Refused(string(Resign) + " stands alone on its line. Nothing of it was done.")
		}
		return h.Resign(ctx, c.Text)
	},
}

// matchNamed takes what a pattern finds for the name of a match.
func matchNamed(m []string) (Command, string) { return Command{Text: strings.ToLower(m[1])}, "" }
