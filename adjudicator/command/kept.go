package command

import (
	"context"
	"strings"

	"samizdat/rules"
)

// What is kept for a player is shown and dropped.
var (
	drop = &Entry{
		Word: "DROP", Class: Acting, Keyword: &rules.Keyword{}, Do: cancel.Do,
		Help: []Form{{Order: "DROP", Does: "forgets the orders that are kept for you"}},
	}
	cancel = &Entry{
		Word: "CANCEL ORDERS", Class: Acting, Keyword: &rules.Keyword{},
		Do: func(_ context.Context, h Host, _ Command) (Outcome, error) {
			if h.Forget() {
				return Done("Nothing is kept for you any more.")
			}
			return Done("Nothing was kept for you.")
		},
	}
	show = &Entry{
		Word: "SHOW ORDERS", Class: Asking, Keyword: &rules.Keyword{},
		Help: []Form{{Order: "SHOW ORDERS", Does: "lists what is kept for you; CANCEL ORDERS forgets it", In: takesConditional}},
		Do: func(_ context.Context, h Host, _ Command) (Outcome, error) {
			if kept := h.Kept(); len(kept) > 0 {
				return Done(strings.Join(kept, "\n"))
			}
			return Done("Nothing is kept for you.")
		},
	}
)
