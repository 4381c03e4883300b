package letter

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
		Word: "SHOW ORDERS", Class: Asking, Fresh: true, Keyword: &rules.Keyword{},
		Help: []Form{{Order: "SHOW ORDERS", Does: "lists what is kept for you; CANCEL ORDERS forgets it", In: keepsOrders}},
		Do: func(_ context.Context, h Host, _ Command) (Outcome, error) {
			if kept := h.Kept(); len(kept) > 0 {
				return Done(strings.Join(kept, "\n"))
			}
			return Done("Nothing is kept for you.")
		},
	}
	// takeback asks the others whether the writer may take back his last order; behind
	// it may stand YES, NO or OFF.
	takeback = &Entry{
		Word: TakeBack, Class: Acting, Line: row(`TAKE[ -]?BACK(?:\s*[,:]?\s*(YES|NO|OFF))?`, choice),
		Help: []Form{{Order: "TAKEBACK", Does: "asks the others whether you may take back your last order"}},
		Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.TakeBack(ctx, c.Choice) },
	}
	// now stands for the orders that GRACE holds back, or beside orders that it is not to
	// hold back. It is carried out where the whole letter is seen, and refused elsewhere.
	now = &Entry{
		Word: Now, Class: Acting, Keyword: &rules.Keyword{Exact: true},
		Do: always(Refused("No orders of yours are held back.")),
	}
)
