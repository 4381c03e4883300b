package clock

import "time"

const (
	// minReminderGap is how long after a letter the next reminder comes at the earliest.
	minReminderGap = time.Hour
	// scanTolerance is how much later than a time something that is due then may be done.
	scanTolerance = 5 * time.Minute
)

// reminderThresholds are what is left of a clock when its seat is reminded: half of what there was
// when it was asked, a day, and six hours. What is left later is behind what is left sooner.
func (c *Clock) reminderThresholds() []time.Duration {
	half, day, hours := c.TimeLeft/2, 24*time.Hour, 6*time.Hour
	switch {
	case half > day:
		return []time.Duration{half, day, hours}
	case half > hours:
		return []time.Duration{day, half, hours}
	}
	return []time.Duration{day, hours, half}
}

// NextReminder is when the seat is to be reminded next of what it has not answered; false where
// that is not known to come. It is never while no time is counted, nor just before.
func (c *Clock) NextReminder(stops Pauses) (time.Time, bool) {
	if c.Flagged {
		return time.Time{}, false
	}
	limit := c.TimeLeft
	if c.LastReminderLeft > 0 {
		limit = c.LastReminderLeft
	}
	for _, left := range c.reminderThresholds() {
		if left >= limit || c.TimeLeft-left < minReminderGap {
			continue
		}
		at, ok := c.TimeoutAt(-left, stops)
		if !ok {
			return time.Time{}, false
		}
		if !c.LastReminder.IsZero() && at.Before(c.LastReminder.Add(minReminderGap)) {
			continue
		}
		return stops.nextRunning(at)
	}
	return time.Time{}, false
}

// nextRunning is the first moment from one on that is not in a stop, nor just before one; false
// where that never comes.
func (s Pauses) nextRunning(at time.Time) (time.Time, bool) {
	for _, o := range s {
		if o.From.Add(-scanTolerance).After(at) || o.hasEnded(at) {
			continue
		}
		if o.To.IsZero() {
			return time.Time{}, false
		}
		at = o.To
	}
	return at, true
}

// RecordReminder notes that the seat is reminded.
func (c *Clock) RecordReminder(at time.Time, stops Pauses) {
	c.LastReminder, c.LastReminderLeft = roundTime(at), c.TimeLeftAt(at, stops)
}
