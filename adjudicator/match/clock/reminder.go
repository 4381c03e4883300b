package clock

import "time"

const (
	// minReminderGap is the least time between a question or reminder and the next reminder.
	minReminderGap = time.Hour
	// scanTolerance is the possible delay of a due action.
	scanTolerance = 5 * time.Minute
)

// reminderThresholds returns the remaining times at which a seat is reminded: half of the time at the start of the
// question, a day, and six hours, in descending order.
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

// NextReminder returns the time of the next reminder; false if none is foreseeable. Reminders are never sent during
// a pause or just before one.
func (c *Clock) NextReminder(pauses Pauses) (time.Time, bool) {
	if c.Flagged {
		return time.Time{}, false
	}
	limit := c.TimeLeft
	if c.LastReminderLeft > 0 {
		limit = c.LastReminderLeft
	}
	for _, remaining := range c.reminderThresholds() {
		if remaining >= limit || c.TimeLeft-remaining < minReminderGap {
			continue
		}
		at, ok := c.TimeoutAt(-remaining, pauses)
		if !ok {
			return time.Time{}, false
		}
		if !c.LastReminder.IsZero() && at.Before(c.LastReminder.Add(minReminderGap)) {
			continue
		}
		return pauses.nextRunning(at)
	}
	return time.Time{}, false
}

// nextRunning returns the first moment from at on that is outside pauses and not just before one; false if there is
// none.
func (p Pauses) nextRunning(at time.Time) (time.Time, bool) {
	for _, o := range p {
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

// RecordReminder records a reminder.
func (c *Clock) RecordReminder(at time.Time, pauses Pauses) {
	c.LastReminder, c.LastReminderLeft = roundTime(at), c.TimeLeftAt(at, pauses)
}
