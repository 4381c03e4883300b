package command

import "context"

// takeback asks the others whether the writer may take back his last order; behind it
// may stand YES, NO or OFF.
var takeback = &Entry{
	Word: TakeBack, Class: Acting, Line: row(`TAKE[ -]?BACK(?:\s*[,:]?\s*(YES|NO|OFF))?`, choice),
	Help: []Form{{Order: "TAKEBACK", Does: "asks the others whether you may take back your last order"}},
	Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.TakeBack(ctx, c.Choice) },
}
