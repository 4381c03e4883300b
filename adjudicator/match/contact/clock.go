package contact

import (
	"slices"
	"time"
)

// NewestTime is the newest time from which something of a contact is counted; zero when there
// is none. A clock that shows an earlier time was set back.
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

// ClampTimes lets what began at a time that is still to come begin at once, with the length
// that it had: the clock was ahead when that time was written, and was set back.
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
