package clock

import "time"

const (
	// remindedApart is how long after a letter the next reminder comes at the earliest.
	remindedApart = time.Hour
	// lateLook is how much later than a time something that is due then may be done.
	lateLook = 5 * time.Minute
)

// reminders are what is left of a clock when its seat is reminded: half of what there was
// when it was asked, a day, and six hours. What is left later is behind what is left sooner.
func (c *Clock) reminders() []time.Duration {
	half, day, hours := c.Left/2, 24*time.Hour, 6*time.Hour
	switch {
	case half > day:
		return []time.Duration{half, day, hours}
	case half > hours:
		return []time.Duration{day, half, hours}
	}
	return []time.Duration{day, hours, half}
}

// Reminder is when the seat is to be reminded next of what it has not answered; false where
// that is not known to come. It is never while no time is counted, nor just before.
func (c *Clock) Reminder(stops Stops) (time.Time, bool) {
	if c.Flagged {
		return time.Time{}, false
	}
	limit := c.Left
	if c.RemindedLeft > 0 {
		limit = c.RemindedLeft
	}
	for _, left := range c.reminders() {
		if left >= limit || c.Left-left < remindedApart {
			continue
		}
		at, ok := c.Zero(-left, stops)
		if !ok {
			return time.Time{}, false
		}
		if !c.Reminded.IsZero() && at.Before(c.Reminded.Add(remindedApart)) {
			continue
		}
		return stops.clear(at)
	}
	return time.Time{}, false
}

// clear is the first moment from one on that is not in a stop, nor just before one; false
// where that never comes.
func (s Stops) clear(at time.Time) (time.Time, bool) {
	for _, o := range s {
		if o.From.Add(-lateLook).After(at) || o.ends(at) {
			continue
		}
		if o.To.IsZero() {
			return time.Time{}, false
		}
		at = o.To
	}
	return at, true
}

// Reminds notes that the seat is reminded.
func (c *Clock) Reminds(at time.Time, stops Stops) {
	c.Reminded, c.RemindedLeft = micro(at), c.Remains(at, stops)
}
