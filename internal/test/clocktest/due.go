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
	at, what := s.over()
	if r := s.reminder(); r != never && what != AskAgain && (at == never || r < at) {
		return r, Reminder
	}
	return at, what
}

// Due is what a look does in a minute: where nothing is left nobody is reminded any more.
func (s *Seat) Due(now int) (minute int, what Happening) {
	if at, what := s.over(); what != Nothing && at <= now {
		return at, what
	}
	if at, what := s.Next(); what != Nothing && at <= now {
		return at, what
	}
	return never, Nothing
}

// over is when its time is over, and what comes of that.
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
		case used < 2*apart: // as soon as it is asked
		case s.unspent > 0 && left >= 2*s.unspent: // it was reminded of that
		case at == never:
			return never
		case s.reminded != never && 2*at-half < 2*(s.reminded+apart):
		default:
			return s.quiet(at, soon-half)
		}
	}
	return never
}

// quiet is the first minute from one on in which time is counted, and for so long after as well.
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
