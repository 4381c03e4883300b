package match

import "time"

// A wait is kept by two times: when it began, and when it is over. Clocks are set
// back, by a second or by years after one that ran ahead. As long as the clock shows
// no time before the beginning, the end stands as it was told. When it does, the
// beginning was written by a clock that was wrong, and so was the end: the wait begins
// anew, with the length that it had. So nothing waits for longer than its own time from
// the moment when the clock is right, and nothing that is held back goes early.

// wait points to the times of something that a seat waits for: since when, and until
// when.
type wait struct{ since, due *time.Time }

// waits lists what in a match waits for its time.
func (m *Match) waits() []wait {
	var out []wait
	if e := m.Acts.Ended; e != nil && !e.Final.IsZero() {
		out = append(out, wait{&e.At, &e.Final})
	}
	if h := m.Acts.Halt; h != nil {
		out = append(out, wait{&h.Since, &h.Until})
	}
	for i := range m.Seats {
		t := &m.Seats[i].Timing
		if !t.DelayedUntil.IsZero() {
			out = append(out, wait{&t.DelayedSince, &t.DelayedUntil})
		}
		if w := t.Waiting; w != nil {
			out = append(out, wait{&w.Since, &w.Due})
		}
	}
	return out
}

// Due is when something of a match is due next; zero when nothing is.
func (m *Match) Due() time.Time {
	at := m.InvitationsDue()
	if m.AwaitsBeacon() {
		at = m.Beacon.At
	}
	for _, w := range m.waits() {
		if !w.due.IsZero() && (at.IsZero() || w.due.Before(at)) {
			at = *w.due
		}
	}
	return at
}

// Since is the newest time from which something of a match is counted; zero when there
// is none, or when it is not known. A clock that shows an earlier time was set back.
func (m *Match) Since() time.Time {
	var at time.Time
	for _, w := range m.waits() {
		if w.since.After(at) {
			at = *w.since
		}
	}
	for i := range m.Seats {
		if newest := m.Seats[i].Clock.Newest(); newest.After(at) {
			at = newest
		}
	}
	return at
}

// RestartWaits lets what began at a time that is still to come begin now. It reports
// whether there was any.
func (m *Match) RestartWaits(now time.Time) bool {
	if !m.Since().After(now) {
		return false
	}
	if e := m.Acts.Ended; e != nil {
		own := *e
		m.Acts.Ended = &own
	}
	if h := m.Acts.Halt; h != nil {
		own := *h
		m.Acts.Halt = &own
	}
	for i := range m.Seats {
		// Whoever else has the match keeps what he has.
		if w := m.Seats[i].Timing.Waiting; w != nil {
			own := *w
			m.Seats[i].Timing.Waiting = &own
		}
	}
	for i := range m.Seats {
		m.Seats[i].Clock.SetBack(now)
	}
	for _, w := range m.waits() {
		if !w.since.After(now) {
			continue
		}
		if !w.due.IsZero() {
			*w.due = now.Add(w.due.Sub(*w.since)).UTC()
		}
		*w.since = now.UTC()
	}
	return true
}
