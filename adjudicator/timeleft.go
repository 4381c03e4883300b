package adjudicator

import (
	"fmt"
	"strings"
	"time"

	"samizdat/rules"
)

// timeLeft says how much time the seats of a match have, as a reader may know it, and what
// happens when none is left: what he has himself comes first.
func (c *account) timeLeft(reader rules.Seat) string {
	if c.m.State != Playing || c.pos == nil {
		return ""
	}
	return "Time left: " + c.seatTime(reader) + "."
}

// seatTime says how much time a seat has.
func (c *account) seatTime(seat rules.Seat) string {
	k := &c.m.Seats[seat].Clock
	return spanWords(k.Left)
}

// spanWords says in words how long a time is, without the seconds.
func spanWords(d time.Duration) string {
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	if days >= 2 {
		minutes = 0
	} else {
		hours, days = hours+24*days, 0
	}
	var out []string
	for _, p := range []struct {
		n    int
		unit string
	}{{days, "day"}, {hours, "hour"}, {minutes, "minute"}} {
		switch {
		case p.n == 1:
			out = append(out, "1 "+p.unit)
		case p.n > 1:
			out = append(out, fmt.Sprintf("%d %ss", p.n, p.unit))
		}
	}
	if len(out) == 0 {
		return "less than a minute"
	}
	return strings.Join(out, " and ")
}
