package clocktest

import "slices"

const (
	// apart is the shortest time between a question or a reminder and the next reminder, in minutes.
	apart = 60
	// soon is the shortest time between a reminder and a stop of the clock, in minutes.
	soon = 5
)

// Next returns the next event that the clock itself causes, and its minute. The first inbox scan
// that begins in that minute or later carries the event out.
func (s *Seat) Next() (minute int, what Happening) {
	at, what := s.over()
	if r := s.reminder(); r != never && what != AskAgain && (at == never || r < at) {
		return r, Reminder
	}
	return at, what
}

// Due returns the event that an inbox scan in minute now carries out. A time-out comes before a
// reminder.
func (s *Seat) Due(now int) (minute int, what Happening) {
	if at, what := s.over(); what != Nothing && at <= now {
		return at, what
	}
	if at, what := s.Next(); what != Nothing && at <= now {
		return at, what
	}
	return never, Nothing
}

// over returns the minute of the time-out and the event that follows from it.
func (s *Seat) over() (at int, what Happening) {
	if !s.Owes || s.HasSealed() {
		return never, Nothing
	}
	if _, runs := s.Began(); !runs {
		return s.again()
	}
	at, what = never, Told
	switch {
	case !s.told:
		at = s.runsOut(s.Has, true)
	case s.Terms.Zero == "forfeit":
		at = s.runsOut(s.Has+Grace, true)
	}
	switch {
	case at == never:
		what = Nothing
	case s.Terms.Zero == "silence":
		what = Silence
	case s.told:
		what = Forfeit
	}
	return at, what
}

// again returns the minute when the seat is asked again, if every letter with the question bounced.
func (s *Seat) again() (int, Happening) {
	last := never
	for _, l := range s.letters {
		if l.bounced == never {
			return never, Nothing
		}
		last = max(last, l.bounced)
	}
	if last == never {
		return never, Nothing
	}
	return last + askLater, AskAgain
}

// reminder returns the minute of the next reminder, or never. Reminders are sent when half the time,
// one day and six hours are left. None is sent within an hour of the question or of the last
// reminder. A reminder that was missed for lack of inbox scans is merged with the next.
func (s *Seat) reminder() int {
	if s.told || !s.Owes || s.HasSealed() {
		return never
	}
	marks := []int{s.Has, 2 * 24 * 60, 2 * 6 * 60} // half minutes
	slices.Sort(marks)
	slices.Reverse(marks)
	for _, left := range marks {
		used := 2*s.Has - left
		at, half := s.runsOut((used+1)/2, true), used%2
		switch {
		case used < 2*apart: // too soon after the question
		case s.unspent > 0 && left >= 2*s.unspent: // covered by the last reminder
		case at == never:
			return never
		case s.reminded != never && 2*at-half < 2*(s.reminded+apart):
		default:
			return s.quiet(at, soon-half)
		}
	}
	return never
}

// quiet returns the first minute, at or after the given one, when the clock runs and keeps running
// for the next after minutes.
func (s *Seat) quiet(minute, after int) int {
	for ; minute < s.Times.Len(); minute++ {
		stopped := false
		for m := minute; m <= minute+after; m++ {
			stopped = stopped || s.Times.Stopped(m)
		}
		if !stopped {
			return minute
		}
		after = soon
	}
	return never
}

// Happens records that the event that was due in minute due was carried out in minute now.
func (s *Seat) Happens(what Happening, due, now int) {
	switch what {
	case Reminder:
		s.reminded, s.unspent = now, s.Left(now)
	case Told:
		s.told = true
	case Silence:
		s.Answered(due)
	case Forfeit:
		s.Owes = false
	}
}
