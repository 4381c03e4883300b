package match

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"time"

	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// Stops are the times in which no time of a seat is counted, beside those that its clock
// keeps.
func (m *Match) Stops(seat rules.Seat) clock.Pauses {
	return clock.MergeSpans(m.Deaf, m.Seats[seat].Player.Away.Vacations.Spans(), pausesOf(m))
}

// Deadline is when something becomes of the time of a seat, as far as that is known; zero
// where nothing does. It may come later, as nobody knows beforehand when letters cannot
// be looked for, and never earlier.
func (m *Match) Deadline(seat rules.Seat) time.Time {
	if m.Tempo.IsUntimed() || m.State != Playing {
		return time.Time{}
	}
	c, beyond := &m.Seats[seat].Clock, time.Duration(0)
	if again, bounced := c.AskAgainAt(); bounced {
		return again
	}
	if c.Flagged {
		if m.Zero != clock.Forfeit {
			return time.Time{}
		}
		beyond = clock.ForfeitGrace
	}
	at, _ := c.TimeoutAt(beyond, m.Stops(seat))
	return at
}

// Shown is how much time a seat has at a moment, and until when if that is known, as all
// may know it.
func (m *Match) Shown(seat rules.Seat, now time.Time) (left time.Duration, until time.Time) {
	c, stops := &m.Seats[seat].Clock, m.Stops(seat)
	until, _ = c.PublicTimeoutAt(0, stops)
	return c.PublicTimeLeft(now, stops), until
}

// OutOfTime is the seat whose time was over first at a moment, and since when; Nobody
// where no one's was.
func (m *Match) OutOfTime(until time.Time) (seat rules.Seat, at time.Time) {
	seat = rules.NoSeat
	for i := range m.Seats {
		d := m.Deadline(rules.Seat(i))
		if !d.IsZero() && !d.After(until) && (seat == rules.NoSeat || d.Before(at)) {
			seat, at = rules.Seat(i), d
		}
	}
	return seat, at
}

// LooksEarly reports whether the store lets the match be looked at although nothing has become
// of anybody's time yet.
func (m *Match) LooksEarly(until time.Time) bool {
	for i := range m.Seats {
		if d := m.Seats[i].Deadline; !d.IsZero() && !d.After(until) {
			return true
		}
	}
	return false
}

// Overdue reports whether the time of a seat was over at a moment without an answer. What is held
// back for it came in time.
func (m *Match) Overdue(seat rules.Seat, at time.Time) bool {
	s := &m.Seats[seat]
	if s.Clock.OutOfTime() {
		return true
	}
	end, comes := s.Clock.TimeoutAt(0, m.Stops(seat))
	return comes && !end.After(at) && s.Timing.Waiting == nil && s.Timing.DelayedUntil.IsZero()
}

// UntoldRestart is a seat whose time has begun anew since a letter came back, which the others
// have not been told; Nobody where there is none.
func (m *Match) UntoldRestart() rules.Seat {
	i := slices.IndexFunc(m.Seats, func(s Seat) bool { return s.Clock.RestartUnannounced })
	if i < 0 || m.State != Playing {
		return rules.NoSeat
	}
	return rules.Seat(i)
}

// Accepted notes that the mail server has taken a letter to a seat, and reports whether
// a clock begins to run by that.
func (m *Match) Accepted(seat rules.Seat, number int64, at time.Time) bool {
	return !m.Tempo.IsUntimed() && int(seat) < len(m.Seats) && m.Seats[seat].Clock.RecordAccepted(number, at)
}

// Returned notes that a letter to a seat did not arrive, and reports whether it matters: to a
// clock, or since it had the picture that later letters would name. A letter that may still
// arrive (4.x.x) stops no clock.
func (m *Match) Returned(seat rules.Seat, number int64, at time.Time, mayArrive bool) bool {
	if seat < 0 || int(seat) >= len(m.Seats) {
		return false
	}
	who := &m.Seats[seat]
	pictured := who.Pictured.Number == number && number > 0
	if pictured {
		who.Pictured = Pictured{}
	}
	return !m.Tempo.IsUntimed() && !mayArrive && who.Clock.RecordBounce(number, at, m.Stops(seat)) || pictured
}

// Look is when the store lets the match be looked at for the clock of a seat: at the end of
// its time, when it is to be reminded, or at once when the others are to be told of it.
func (m *Match) Look(seat rules.Seat) time.Time {
	if c := &m.Seats[seat].Clock; c.RestartUnannounced && m.State == Playing {
		return m.Created
	}
	end, reminder := m.Deadline(seat), reminderOf(m, seat)
	if reminder.IsZero() || !end.IsZero() && end.Before(reminder) {
		return end
	}
	return reminder
}

// reminderOf is when a seat is to be reminded of what it is asked; zero where it is not. Whose
// orders are held back, or wait for their time, has answered.
func reminderOf(m *Match, seat rules.Seat) time.Time {
	who := &m.Seats[seat]
	if m.Tempo.IsUntimed() || m.State != Playing || who.Timing.Waiting != nil || !who.Timing.DelayedUntil.IsZero() {
		return time.Time{}
	}
	at, _ := who.Clock.NextReminder(m.Stops(seat))
	return at
}

// Unreminded is a seat that is to be reminded by a moment; Nobody where none is.
func (m *Match) Unreminded(until time.Time) rules.Seat {
	for i := range m.Seats {
		if at := reminderOf(m, rules.Seat(i)); !at.IsZero() && !at.After(until) {
			return rules.Seat(i)
		}
	}
	return rules.NoSeat
}

// A wait is kept by two times: when it began, and when it is over. Clocks are set
// back, by a second or by years after one that ran ahead. As long as the clock shows
// no time before the beginning, the end stands as it was told. When it does, the
// beginning was written by a clock that was wrong, and so was the end: the wait begins
// anew, with the length that it had. So nothing waits for longer than its own time from
// the moment when the clock is right, and nothing that is held back goes early.

// wait points to the times of something that a seat waits for: since when, and until
// when.
type wait struct{ since, due *time.Time }

// waitsOf lists what in a match waits for its time.
func waitsOf(m *Match) []wait {
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
	for _, w := range waitsOf(m) {
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
	for _, w := range waitsOf(m) {
		if w.since.After(at) {
			at = *w.since
		}
	}
	for i := range m.Seats {
		if newest := m.Seats[i].Clock.NewestTime(); newest.After(at) {
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
		m.Seats[i].Clock.ClampTimes(now)
	}
	for _, w := range waitsOf(m) {
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

// delayed reports whether what is kept for a seat does not answer at once: its owner
// wants nobody to see that it was kept, and somebody else has just written.
func (p *Play) delayed(seat rules.Seat) bool {
	return seat != p.Seat && p.Turn.Match.Seats[seat].Timing.Delay > 0
}

// Delay chooses when what is kept for such a seat answers, if it does.
func (p *Play) Delay() error {
	for i := range p.Turn.Match.Seats {
		seat, t := rules.Seat(i), &p.Turn.Match.Seats[i].Timing
		switch {
		case t.DelayedUntil.IsZero() && !p.delayed(seat):
		case !wouldAnswer(p, seat):
			t.EndDelay()
		case t.Delay == 0:
			// Its owner does not want to wait any longer.
			t.DelayedSince = p.Turn.Now
			t.DelayedUntil = t.DelayedSince
		case t.DelayedUntil.IsZero():
			d, err := within(p.Random, t.Delay)
			if err != nil {
				return err
			}
			t.DelayedSince = p.Turn.Now
			t.DelayedUntil = t.DelayedSince.Add(d)
		}
	}
	return nil
}

// wouldAnswer reports whether something that is kept for a seat answers what it is
// asked now.
func wouldAnswer(p *Play, seat rules.Seat) bool {
	if p.Turn.After == nil || p.Turn.Match.State != Playing || p.Turn.After.Stalled() {
		return false
	}
	if keptFor(p.Turn, seat) {
		return true
	}
	if p.Conditional == nil {
		return false
	}
	lines, _ := conditionalsOf(p.Turn, func(s rules.Seat) bool { return s == seat })
	if len(lines) == 0 {
		return false
	}
	f, _, _ := p.Conditional.Fire(p.Turn.After, lines)
	return f != nil
}

// within is a random time up to a longest one, in whole seconds.
func within(random io.Reader, most time.Duration) (time.Duration, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return 0, fmt.Errorf("choose a time: %w", err)
	}
	// The remainder favours the first seconds by less than one in 10^14.
	return time.Duration(1+binary.BigEndian.Uint64(b[:])%uint64(most/time.Second)) * time.Second, nil
}

// keptFor reports whether an answer is kept for what a seat is asked now.
func keptFor(t *Turn, seat rules.Seat) bool {
	return slices.ContainsFunc(t.Owed(seat), func(d rules.Decision) bool {
		return !d.Sealed && slices.ContainsFunc(t.Match.Held, func(h Held) bool { return fits(h, d) })
	})
}

// endTiming ends everybody's waits. Whose orders are held back is told why they are dropped.
func endTiming(t *Turn, why string) {
	for i := range t.Match.Seats {
		timing := &t.Match.Seats[i].Timing
		if timing.Waiting != nil {
			t.Tell(rules.Seat(i), "", OutcomeLapsed, why)
		}
		timing.Waiting = nil
		timing.EndDelay()
	}
}

// DropHeldBack drops what is held back for anybody when the match is over: it will not
// be asked for any more.
func (t *Turn) DropHeldBack() {
	if t.Match.State == Over {
		endTiming(t, "The match is over, and the orders that were held back for you are dropped.")
	}
}
