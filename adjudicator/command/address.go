package command

import (
	"context"
	"strings"
)

// address says or changes where a player's letters go. Its choice is KEEP, YES, or none,
// with or without an address; ONLY and ALSO are of a time when a player could have a
// second one.
var address = &Entry{
	Word: "ADDRESS", Class: Setting,
	// The word stands apart from what is behind it: a line may begin with an address.
	Line: row(`ADDRESS(?:\s*[:=]\s*|\s+|$)(?:(KEEP|ONLY|YES)|(?:(ALSO|SECOND)\s+)?(\S+@\S+?))?`, func(m []string) (Command, string) {
		return Command{Choice: strings.ToUpper(m[1] + m[2]), Text: m[3]}, ""
	}),
	Help: []Form{{Order: "ADDRESS ...", Does: "sends your letters to that address"}},
	Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Address(ctx, c) },
}
