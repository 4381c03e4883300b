package adjudicator

import (
	"fmt"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// mostWitnessed is how often a player may sign off on a day (UTC): each time is an entry.
const mostWitnessed = 3

// witnessed tells a reader that a seat has signed off the history. Who observes is not told
// of entries that he may not know.
func witnessed(a *record.Act, seat string, reader rules.Seat) string {
	if reader == rules.Nobody {
		return seat + " has signed off what a letter showed."
	}
	return fmt.Sprintf("%s has signed off the history up to entry %d, whose hash is %s.", seat, *a.Entry, a.Hash)
}
