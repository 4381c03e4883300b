package contact

import (
	"slices"
	"time"
)

// NewestTime returns the latest stored time, or zero. If it is in the future, the system clock was set back.
func (c Contact) NewestTime() time.Time {
	var newest time.Time
	for _, t := range c.RequestTimes {
		newest = later(newest, t)
	}
	if r := c.Request; r != nil {
		newest = later(newest, later(r.At, r.NoticeTime))
	}
	return newest
}

// ClampTimes replaces stored times after now by now and keeps the waiting times, after the system
// clock was set back.
func (c Contact) ClampTimes(now time.Time) Contact {
	now = now.UTC()
	c.RequestTimes = slices.Clone(c.RequestTimes)
	for i, t := range c.RequestTimes {
		if t.After(now) {
			c.RequestTimes[i] = now
		}
	}
	if c.Request == nil {
		return c
	}
	r := *c.Request
	began := later(r.At, r.NoticeTime)
	if began.After(now) && !r.Due.IsZero() {
		r.Due = now.Add(r.Due.Sub(began))
	}
	for _, t := range []*time.Time{&r.At, &r.NoticeTime} {
		if t.After(now) {
			*t = now
		}
	}
	c.Request = &r
	return c
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
