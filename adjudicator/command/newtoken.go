package command

import "context"

// newToken changes the address that a player answers to, if he fears that somebody has
// read his letters.
var newToken = &Entry{
	Word: "NEW TOKEN", Class: Setting, Line: row(`NEW\s+TOKEN`, nil),
	Help: []Form{{Order: "NEW TOKEN", Does: "gives you another address to answer to; older ones end"}},
	Do: func(ctx context.Context, h Host, _ Command) (Outcome, error) {
		if err := h.Renew(ctx); err != nil {
			return Declined("Samizdat failed over it. Please try again.")
		}
		return Done("The address that you answer to has changed: reply to this letter, older ones no longer count.")
	},
}
