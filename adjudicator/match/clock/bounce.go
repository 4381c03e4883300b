package clock

import (
	"slices"
	"time"
)

// Whoever has a letter of ours can forge a report that it did not arrive. So reports have
// bounds.
const (
	// MaxRestarts is how many reports let the time for one question begin anew.
	MaxRestarts = 2
	// MaxVoidedTime is by how much they do so in a match in all.
	MaxVoidedTime = 7 * 24 * time.Hour
)

// RecordBounce notes a report that a letter did not arrive, and reports whether it counts. A letter that
// the mail server never took may bounce at any time. Of any other a report counts for nothing
// when the player has written since he was asked, when he has answered, or when his time is
// over, and when as many reports have counted as may.
func (c *Clock) RecordBounce(number int64, at time.Time, stops Pauses) (counts bool) {
	i := slices.IndexFunc(c.QuestionLetters, func(a QuestionLetter) bool { return a.Number == number })
	if i < 0 || !c.QuestionLetters[i].Bounced.IsZero() || !c.QuestionLetters[i].Accepted.IsZero() && c.ignoresBounces(at, stops) {
		return false
	}
	before := *c
	was, ran := c.StartedAt()
	c.QuestionLetters = slices.Clone(c.QuestionLetters)
	c.QuestionLetters[i].Bounced = roundTime(at)
	if is, runs := c.StartedAt(); !ran || runs && is.Equal(was) {
		return true
	}
	if c.Restarts == MaxRestarts {
		*c = before
		return false
	}
	c.RestartUnannounced = c.RestartUnannounced || c.Restarts == 0
	c.Restarts++
	c.LastReminderLeft = 0
	return true
}

// ignoresBounces reports whether no report can stop the clock any more, whatever it says.
func (c *Clock) ignoresBounces(at time.Time, stops Pauses) bool {
	end, comes := c.TimeoutAt(0, stops)
	return c.Flagged || !c.FirstPlayerLetter.IsZero() || !c.AnsweredAt.IsZero() || c.VoidedTime >= MaxVoidedTime || comes && !at.Before(end)
}

// firstAccepted is when the mail server had taken the first letter that asks, whether it arrived or not.
func (c *Clock) firstAccepted() (at time.Time) {
	for _, a := range c.QuestionLetters {
		at = earliest(at, a.Accepted)
	}
	return at
}

// totalVoidedTime is how much time reports have cost in the match, with those of what the seat is asked now.
func (c *Clock) totalVoidedTime() time.Duration {
	start, ok := c.StartedAt()
	if !ok {
		return c.VoidedTime
	}
	return c.VoidedTime + start.Sub(c.firstAccepted())
}

// StartedAt is when the time of the seat began to run; false while it does not run.
func (c *Clock) StartedAt() (at time.Time, ok bool) {
	bounced := false
	for _, a := range c.QuestionLetters {
		if a.Bounced.IsZero() {
			at = earliest(at, a.Accepted)
		}
		bounced = bounced || !a.Bounced.IsZero()
	}
	if bounced {
		at = earliest(at, c.FirstPlayerLetter)
	}
	if at.IsZero() {
		return at, false
	}
	if latest := c.firstAccepted().Add(MaxVoidedTime - c.VoidedTime); bounced && at.After(latest) {
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
