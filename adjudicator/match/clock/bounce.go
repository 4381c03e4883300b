package clock

import (
	"slices"
	"time"
)

// A recipient of our letters can forge a bounce. Therefore the effect of bounces is limited.
const (
	// MaxRestarts is the maximum of clock restarts by bounces for one question.
	MaxRestarts = 2
	// MaxVoidedTime is the maximum of time that bounces may add in a match.
	MaxVoidedTime = 7 * 24 * time.Hour
)

// RecordBounce records a bounce (DSN, RFC 3464) of a question letter and reports whether it counts.
// A letter that our mail server never accepted may bounce at any time. A bounce of an accepted
// letter is ignored after the player has written or answered, after the time-out, and after
// MaxRestarts restarts.
func (c *Clock) RecordBounce(number int64, at time.Time, pauses Pauses) (counts bool) {
	i := slices.IndexFunc(c.QuestionLetters, func(a QuestionLetter) bool { return a.Number == number })
	if i < 0 || !c.QuestionLetters[i].Bounced.IsZero() || !c.QuestionLetters[i].Accepted.IsZero() && c.ignoresBounces(at, pauses) {
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

// ignoresBounces reports whether bounces of accepted letters have no effect on the clock any more.
func (c *Clock) ignoresBounces(at time.Time, pauses Pauses) bool {
	end, comes := c.TimeoutAt(0, pauses)
	return c.Flagged || !c.FirstPlayerLetter.IsZero() || !c.AnsweredAt.IsZero() || c.VoidedTime >= MaxVoidedTime || comes && !at.Before(end)
}

func (c *Clock) firstAccepted() (at time.Time) {
	for _, a := range c.QuestionLetters {
		at = earliest(at, a.Accepted)
	}
	return at
}

// totalVoidedTime returns the time that bounces have added in the match, including the current question.
func (c *Clock) totalVoidedTime() time.Duration {
	start, ok := c.StartedAt()
	if !ok {
		return c.VoidedTime
	}
	return c.VoidedTime + start.Sub(c.firstAccepted())
}

// StartedAt returns the time at which the clock started; false while it does not run.
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

// earliest returns the earlier of two times; the zero time counts as missing.
func earliest(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}
