package clocktest

import (
	"math"
	"slices"
)

// Terms are those of a match, in minutes. Zero is the word for what happens when nothing is
// left.
type Terms struct {
	Bank, Increment, Cap, Phase int
	Zero                        string
}

const (
	// Grace is what a seat has beyond zero until the match is forfeited.
	Grace = 12 * 60
	// askLater is how long after the last report a seat is asked again.
	askLater = 24 * 60
	// mostRestarts and mostVoided bound what reports of letters that did not arrive do.
	mostRestarts = 2
	mostVoided   = 7 * 24 * 60
	// never is a minute that does not come.
	never = -1
)

// Happening is what is due for a seat.
type Happening string

// What happens by itself.
const (
	Nothing  Happening = ""
	Reminder Happening = "reminder"
	Told     Happening = "told that nothing is left"
	Forfeit  Happening = "forfeit"
	Silence  Happening = "silence"
	AskAgain Happening = "asked again"
)

// letter is one of ours that asks, with the minutes in which things happened to it.
type letter struct{ number, accepted, bounced int }

// Seat is the log of what a seat is asked.
type Seat struct {
	Terms Terms
	Times *Timeline
	// Has is what it had when it was asked; what it has where it owes nothing.
	Has  int
	Owes bool

	asked    int
	letters  []letter
	wrote    []int
	turns    []int // of its sealed answer: given, taken back, given ...
	told     bool
	restarts int // the reports that have let its time for this question begin anew
	voided   int // the minutes that reports had cost before this question
	reminded int // the minute of the last reminder
	unspent  int // what was left then
}

// NewSeat is that of a seat that was asked nothing.
func NewSeat(terms Terms, times *Timeline) *Seat {
	return &Seat{Terms: terms, Times: times, Has: terms.Bank, reminded: never}
}

// Clone is a copy, of the time as well.
func (s *Seat) Clone() *Seat {
	own := *s
	own.Times, own.letters, own.wrote, own.turns = s.Times.Clone(), slices.Clone(s.letters), slices.Clone(s.wrote), slices.Clone(s.turns)
	return &own
}

// Asked notes that the seat comes to owe.
func (s *Seat) Asked(now int) {
	*s = Seat{Terms: s.Terms, Times: s.Times, Has: s.Has, Owes: true, asked: now, reminded: never, voided: s.lost()}
	if s.Terms.Phase > 0 {
		s.Has = s.Terms.Phase
	}
}

// AskedOther notes that what the seat owes became something else.
func (s *Seat) AskedOther(came, now int) {
	s.Has = s.Left(came)
	s.Asked(now)
}

// Answered notes that the seat owes nothing any more since a letter came.
func (s *Seat) Answered(came int) {
	s.Has, s.voided = s.Left(came), s.lost()
	s.Owes, s.letters = false, nil
	if s.Terms.Phase == 0 && s.Has < s.Terms.Cap {
		s.Has = min(s.Has+s.Terms.Increment, s.Terms.Cap)
	}
}

// Sealed notes that the seat gave a sealed answer, or took it back.
func (s *Seat) Sealed(came int) { s.turns = append(s.turns, came) }

// HasSealed reports whether its answer waits for those of others.
func (s *Seat) HasSealed() bool { return len(s.turns)%2 == 1 }

// Letter notes a letter that asks; it waits to be sent.
func (s *Seat) Letter(number int) {
	if s.Owes && !s.HasSealed() {
		s.letters = append(s.letters, letter{number, never, never})
	}
}

// Accepted notes that the mail server has taken a letter.
func (s *Seat) Accepted(number, now int) {
	for i := range s.letters {
		if l := &s.letters[i]; l.number == number && l.accepted == never {
			l.accepted = now
		}
	}
}

// Bounced notes a report that a letter did not arrive, if it counts.
func (s *Seat) Bounced(number, now int) {
	i := slices.IndexFunc(s.letters, func(l letter) bool { return l.number == number && l.bounced == never })
	if i < 0 || s.letters[i].accepted != never && s.reportsInVain(now) {
		return
	}
	was, ran := s.Began()
	s.letters[i].bounced = now
	switch is, runs := s.Began(); {
	case !ran || runs && is == was:
	case s.restarts == mostRestarts:
		s.letters[i].bounced = never
	default:
		s.restarts, s.unspent = s.restarts+1, 0
	}
}

// reportsInVain reports whether the player has shown that he was asked, or his time is over, or
// reports have cost all that they may.
func (s *Seat) reportsInVain(now int) bool {
	over := s.runsOut(s.Has, true)
	return s.told || s.HasSealed() || s.voided >= mostVoided || over != never && over <= now ||
		len(s.wrote) > 0
}

// first is the minute in which the first letter was taken, or -1.
func (s *Seat) first() int {
	first := never
	for _, l := range s.letters {
		if l.accepted != never && (first == never || l.accepted < first) {
			first = l.accepted
		}
	}
	return first
}

// lost is how many minutes reports have cost in all.
func (s *Seat) lost() int {
	if began, ok := s.Began(); ok && s.Owes {
		return s.voided + began - s.first()
	}
	return s.voided
}

// Wrote notes a letter of the player, if one of ours was taken before.
func (s *Seat) Wrote(came int) {
	if first := s.first(); first != never && first <= came {
		s.wrote = append(s.wrote, came)
	}
}

// Extended notes that the seat gets more time than it has.
func (s *Seat) Extended(by, now int) {
	s.Has, s.told = s.Used(now, true)+s.Left(now)+by, false
	s.unspent = s.Left(now)
}

// SetBack lets what began later than now begin now.
func (s *Seat) SetBack(now int) {
	s.Times.SetBack(now)
	back := func(minute *int) { *minute = min(*minute, now) }
	back(&s.asked)
	back(&s.reminded)
	for i := range s.letters {
		back(&s.letters[i].accepted)
		back(&s.letters[i].bounced)
	}
	for i := range s.wrote {
		back(&s.wrote[i])
	}
	for i := range s.turns {
		back(&s.turns[i])
	}
}

// begun reports whether by a minute the seat had got what it is asked, or reports had cost all
// that they may. Where nothing shows that it ever gets it, its time does not begin.
func (s *Seat) begun(minute int) bool {
	if s.got(minute) {
		return true
	}
	return slices.ContainsFunc(s.letters, func(l letter) bool { return l.bounced != never }) && s.got(math.MaxInt) && minute >= s.first()+mostVoided-s.voided
}

// got reports whether by a minute the seat had got what it is asked.
func (s *Seat) got(minute int) bool {
	returned := false
	for _, l := range s.letters {
		if l.bounced == never && l.accepted != never && l.accepted <= minute {
			return true
		}
		returned = returned || l.bounced != never
	}
	return returned && slices.ContainsFunc(s.wrote, func(w int) bool { return w <= minute })
}

// answeredBy reports whether its sealed answer lay there in a minute.
func (s *Seat) answeredBy(minute int) bool {
	in := false
	for _, turn := range s.turns {
		if turn <= minute {
			in = !in
		}
	}
	return in
}

// Used counts minutes until a minute; own is what the seat itself knows, which is more than
// others do.
func (s *Seat) Used(until int, own bool) (n int) {
	s.walk(until, own, func(_, used int) bool { n = used; return true })
	return n
}

// walk goes through the minutes from the question until one, which is the last, with
// what was used before each. It stops when do returns false.
func (s *Seat) walk(until int, own bool, do func(minute, used int) bool) {
	used, begun := 0, false
	if !s.begun(math.MaxInt) {
		return
	}
	for m := s.asked; m <= until && s.Owes; m++ {
		if begun = begun || s.begun(m); begun && !do(m, used) {
			return
		}
		if begun && !s.Times.Stopped(m) && (!own || !s.answeredBy(m)) {
			used++
		}
	}
}

// Left is what the seat has left in a minute, Shown what others are told of that.
func (s *Seat) Left(minute int) int  { return max(0, s.Has-s.Used(minute, true)) }
func (s *Seat) Shown(minute int) int { return max(0, s.Has-s.Used(minute, false)) }

// Began is the minute since which its time runs; false where it does not.
func (s *Seat) Began() (minute int, ok bool) {
	s.walk(s.Times.Len(), false, func(m, _ int) bool { minute, ok = m, true; return false })
	return minute, ok
}

// runsOut is the first minute in which so much was used, as far as is known, or -1.
func (s *Seat) runsOut(used int, own bool) int {
	at := never
	s.walk(s.Times.Len(), own, func(m, n int) bool {
		if n >= used {
			at = m
		}
		return at == never
	})
	return at
}

// ShownZero is the minute in which nothing is left as others know it, or -1.
func (s *Seat) ShownZero() int { return s.runsOut(s.Has, false) }

// Late reports whether a letter comes too late.
func (s *Seat) Late(came int) bool {
	beyond := 0
	switch {
	case s.Terms.Zero == "claim" || s.HasSealed() || !s.Owes:
		return false
	case s.Terms.Zero == "forfeit":
		beyond = Grace
	}
	if _, runs := s.Began(); !runs {
		return false
	}
	return s.Used(came, true) >= s.Has+beyond
}
