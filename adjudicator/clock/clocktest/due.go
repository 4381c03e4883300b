package clocktest

import "slices"

const (
	// apart is how long after a letter a reminder may come.
	apart = 60
	// soon is how long before a stop none comes.
	soon = 5
)

// Next is what happens next by itself, if nothing else does: it is done at the first look
// through the inbox that begins then or later.
func (s *Seat) Next() (minute int, what Happening) {
	if !s.Owes || s.HasSealed() {
		return never, Nothing
	}
	if _, runs := s.Began(); !runs {
		return s.again()
	}
	at, what := never, Told
	switch {
	case !s.told:
		at = s.runsOut(s.Has, true)
	case s.Terms.Zero == "forfeit":
		at = s.runsOut(s.Has+Grace, true)
	}
	switch {
	case s.Terms.Zero == "silence":
		what = Silence
	case s.told:
		what = Forfeit
	}
	if r := s.reminder(); r != never && (at == never || r < at) {
		return r, Reminder
	}
	if at == never {
		return never, Nothing
	}
	return at, what
}

// again is when a seat is asked again of which all letters came back.
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

// reminder is when the seat is reminded next, or -1. There is one when half is left, when a
// day is and when six hours are. None comes within an hour of another letter, and one for which
// nobody looked in time comes together with the next.
func (s *Seat) reminder() int {
	if s.told {
		return never
	}
	marks := []int{s.Has / 2, 24 * 60, 6 * 60}
	slices.Sort(marks)
	slices.Reverse(marks)
	for _, left := range marks {
		at := s.runsOut(s.Has-left, true)
		switch {
		case s.Has-left < apart: // as soon as it is asked
		case s.unspent > 0 && left >= s.unspent: // it was reminded of that
		case at == never:
			return never
		case s.reminded != never && at < s.reminded+apart:
		default:
			return s.quiet(at)
		}
	}
	return never
}

// quiet is the first minute from one on in which time is counted, and soon after as well.
func (s *Seat) quiet(minute int) int {
	for ; minute < s.Times.Len(); minute++ {
		stopped := false
		for m := minute; m <= minute+soon; m++ {
			stopped = stopped || s.Times.Stopped(m)
		}
		if !stopped {
			return minute
		}
	}
	return never
}

// Happens notes that what was due next is done in a minute.
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
