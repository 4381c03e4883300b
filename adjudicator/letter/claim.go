package letter

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// claim takes the win when another's time is over, and give gives him more of it.
var (
	claim = &Entry{
		Word: "CLAIM", Class: Acting, Alone: true, Line: row(`CLAIM`, nil),
		Help: []Form{{Order: "CLAIM", Does: "wins the match when another's time is over"}},
		Do:   func(ctx context.Context, h Host, _ Command) (Outcome, error) { return h.Claim(ctx) },
	}
	give = &Entry{
		Word: "GIVE", Class: Acting, Alone: true, Line: row(`GIVE\s+(?:(?:HIM|HER|THEM)\s+)?(\d{1,4})\s*(H|HRS?|HOURS?|D|DAYS?)(?:\s+MORE)?`, timeGiven),
		Help: []Form{{Order: "GIVE 3 days", Does: "gives another more time when his is over"}},
		Do: func(ctx context.Context, h Host, c Command) (Outcome, error) {
			if c.Time == 0 || c.Time > mostGiven {
				return Refused("From an hour to 30 days can be given at once, such as GIVE 3 days.")
			}
			return h.Give(ctx, c.Time)
		},
	}
)

// mostGiven is how much time can be given at once.
const mostGiven = 30 * 24 * time.Hour

// timeGiven takes what a pattern finds for a length of time.
func timeGiven(m []string) (Command, string) {
	n, _ := strconv.Atoi(m[1]) // Four digits at most.
	unit := 24 * time.Hour
	if strings.EqualFold(m[2][:1], "H") {
		unit = time.Hour
	}
	return Command{Time: time.Duration(n) * unit}, ""
}
