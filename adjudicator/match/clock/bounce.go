package clock

import (
	"slices"
	"time"
)

// Whoever has a letter of ours can forge a report that it did not arrive. So reports have
// bounds.
const (
	// MostRestarts is how many reports let the time for one question begin anew.
	MostRestarts = 2
	// MostVoided is by how much they do so in a match in all.
	MostVoided = 7 * 24 * time.Hour
)

// Bounces notes a report that a letter did not arrive, and reports whether it counts. A letter that
// the mail server never took may bounce at any time. Of any other a report counts for nothing
// when the player has written since he was asked, when he has answered, or when his time is
// over, and when as many reports have counted as may.
func (c *Clock) Bounces(number int64, at time.Time, stops Stops) (counts bool) {
	i := slices.IndexFunc(c.Asks, func(a Ask) bool { return a.Number == number })
	if i < 0 || !c.Asks[i].Bounced.IsZero() || !c.Asks[i].Accepted.IsZero() && c.deafToReports(at, stops) {
		return false
	}
	before := *c
	was, ran := c.Start()
	c.Asks = slices.Clone(c.Asks)
	c.Asks[i].Bounced = micro(at)
	if is, runs := c.Start(); !ran || runs && is.Equal(was) {
		return true
	}
	if c.Restarts == MostRestarts {
		*c = before
		return false
	}
	c.Untold = c.Untold || c.Restarts == 0
	c.Restarts++
	c.RemindedLeft = 0
	return true
}

// deafToReports reports whether no report can stop the clock any more, whatever it says.
func (c *Clock) deafToReports(at time.Time, stops Stops) bool {
	end, comes := c.Zero(0, stops)
	return c.Flagged || !c.Wrote.IsZero() || !c.Answered.IsZero() || c.Voided >= MostVoided || comes && !at.Before(end)
}

// first is when the mail server had taken the first letter that asks, whether it arrived or not.
func (c *Clock) first() (at time.Time) {
	for _, a := range c.Asks {
		at = earliest(at, a.Accepted)
	}
	return at
}

// voided is how much time reports have cost in the match, with those of what the seat is asked now.
func (c *Clock) voided() time.Duration {
	start, ok := c.Start()
	if !ok {
		return c.Voided
	}
	return c.Voided + start.Sub(c.first())
}

// Start is when the time of the seat began to run; false while it does not run.
func (c *Clock) Start() (at time.Time, ok bool) {
	bounced := false
	for _, a := range c.Asks {
		if a.Bounced.IsZero() {
			at = earliest(at, a.Accepted)
		}
		bounced = bounced || !a.Bounced.IsZero()
	}
	if bounced {
		at = earliest(at, c.Wrote)
	}
	if at.IsZero() {
		return at, false
	}
	if latest := c.first().Add(MostVoided - c.Voided); bounced && at.After(latest) {
		at = latest
	}
	return at, true
}

// earliest is the earlier of two times, of those that there are.
func earliest(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}
