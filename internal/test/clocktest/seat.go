package clocktest

import (
	"math"
	"slices"
)

// Terms are the time controls of a match, in minutes. Zero names the rule for a time-out: "forfeit",
// "silence" or "claim".
type Terms struct {
	Bank, Increment, Cap, Phase int
	Zero                        string
}

const (
	// Grace is the number of minutes after the time-out before the match is forfeited.
	Grace = 12 * 60
	// askLater is the number of minutes after the last bounce before a seat is asked again.
	askLater = 24 * 60
	// maxRestarts limits how often bounces restart the clock for one question, maxVoided how many
	// minutes bounces may cost.
	maxRestarts = 2
	maxVoided   = 7 * 24 * 60
	// never stands for a missing minute.
	never = -1
)

// Happening is an event that the clock of a seat causes.
type Happening string

// The events.
const (
	Nothing  Happening = ""
	Reminder Happening = "reminder"
	Told     Happening = "told that nothing is left"
	Forfeit  Happening = "forfeit"
	Silence  Happening = "silence"
	AskAgain Happening = "asked again"
)

// letter is an outgoing letter with a question, with the minutes of its acceptance by the mail
// server and of its bounce.
type letter struct{ number, accepted, bounced int }

// Seat is the log of the questions to a seat. It counts the seat's time minute by minute.
type Seat struct {
	Terms Terms
	Times *Timeline
	// Has is the time, in minutes, that the seat had when the question was asked; without an open
	// question, the time that it has now. Owes means that a question is open.
	Has  int
	Owes bool

	asked    int
	letters  []letter
	wrote    []int
	turns    []int // minutes when the sealed answer was given, taken back, given ...
	told     bool
	restarts int // clock restarts after bounces of this question
	voided   int // minutes that bounces cost before this question
	reminded int // the minute of the last reminder
	unspent  int // time left at the last reminder
}

// NewSeat returns a seat with a full bank and without a question.
func NewSeat(terms Terms, times *Timeline) *Seat {
	return &Seat{Terms: terms, Times: times, Has: terms.Bank, reminded: never}
}

// Clone returns a deep copy, with its own Timeline.
func (s *Seat) Clone() *Seat {
	own := *s
	own.Times, own.letters, own.wrote, own.turns = s.Times.Clone(), slices.Clone(s.letters), slices.Clone(s.wrote), slices.Clone(s.turns)
	return &own
}

// Asked records a new question to the seat.
func (s *Seat) Asked(now int) {
	*s = Seat{Terms: s.Terms, Times: s.Times, Has: s.Has, Owes: true, asked: now, reminded: never, voided: s.lost()}
	if s.Terms.Phase > 0 {
		s.Has = s.Terms.Phase
	}
}

// AskedOther records that a letter of minute came replaced the open question by another.
func (s *Seat) AskedOther(came, now int) {
	s.Has = s.Left(came)
	s.Asked(now)
}

// Answered records that a letter of minute came answered the question.
func (s *Seat) Answered(came int) {
	s.Has, s.voided = s.Left(came), s.lost()
	s.Owes, s.letters = false, nil
	if s.Terms.Phase == 0 && s.Has < s.Terms.Cap {
		s.Has = min(s.Has+s.Terms.Increment, s.Terms.Cap)
	}
}

// Sealed records that the seat gave a sealed answer, or took it back.
func (s *Seat) Sealed(came int) { s.turns = append(s.turns, came) }

// HasSealed reports whether a sealed answer of the seat is pending.
func (s *Seat) HasSealed() bool { return len(s.turns)%2 == 1 }

// Letter records that a letter with the question was queued.
func (s *Seat) Letter(number int) {
	if s.Owes && !s.HasSealed() {
		s.letters = append(s.letters, letter{number, never, never})
	}
}

// Accepted records that the mail server accepted a letter.
func (s *Seat) Accepted(number, now int) {
	for i := range s.letters {
		if l := &s.letters[i]; l.number == number && l.accepted == never {
			l.accepted = now
		}
	}
}

// Bounced records the bounce of a letter. It ignores a bounce that may not restart the clock.
func (s *Seat) Bounced(number, now int) {
	i := slices.IndexFunc(s.letters, func(l letter) bool { return l.number == number && l.bounced == never })
	if i < 0 || s.letters[i].accepted != never && s.reportsInVain(now) {
		return
	}
	was, ran := s.Began()
	s.letters[i].bounced = now
	switch is, runs := s.Began(); {
	case !ran || runs && is == was:
	case s.restarts == maxRestarts:
		s.letters[i].bounced = never
	default:
		s.restarts, s.unspent = s.restarts+1, 0
	}
}

// reportsInVain reports whether a bounce of an accepted letter no longer counts: the player has
// written since, gave a sealed answer or timed out, or bounces have cost maxVoided minutes already.
func (s *Seat) reportsInVain(now int) bool {
	over := s.runsOut(s.Has, true)
	return s.told || s.HasSealed() || s.voided >= maxVoided || over != never && over <= now ||
		len(s.wrote) > 0
}

// first returns the minute when the mail server accepted the first letter, or never.
func (s *Seat) first() int {
	first := never
	for _, l := range s.letters {
		if l.accepted != never && (first == never || l.accepted < first) {
			first = l.accepted
		}
	}
	return first
}

// lost returns the number of minutes that bounces have cost in all.
func (s *Seat) lost() int {
	if began, ok := s.Began(); ok && s.Owes {
		return s.voided + began - s.first()
	}
	return s.voided
}

// Wrote records a letter of the player, if the mail server had accepted a question before it.
func (s *Seat) Wrote(came int) {
	if first := s.first(); first != never && first <= came {
		s.wrote = append(s.wrote, came)
	}
}

// Extended records that the seat gets by more minutes.
func (s *Seat) Extended(by, now int) {
	s.Has, s.told = s.Used(now, true)+s.Left(now)+by, false
	s.unspent = s.Left(now)
}

// SetBack records that the clock was set back to now: later minutes in the log become now.
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

// begun reports whether the clock runs in a minute: the question was delivered, or bounces have cost
// maxVoided minutes. Without any sign of a delivery the clock never starts.
func (s *Seat) begun(minute int) bool {
	if s.got(minute) {
		return true
	}
	return slices.ContainsFunc(s.letters, func(l letter) bool { return l.bounced != never }) && s.got(math.MaxInt) && minute >= s.first()+maxVoided-s.voided
}

// got reports whether the question was delivered by a minute: a letter was accepted and did not
// bounce, or the player wrote after a bounce.
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

// answeredBy reports whether a sealed answer was pending in a minute.
func (s *Seat) answeredBy(minute int) bool {
	in := false
	for _, turn := range s.turns {
		if turn <= minute {
			in = !in
		}
	}
	return in
}

// Used returns the minutes used until a minute. With own, the time since a sealed answer does not
// count; without own, it counts, because opponents may not learn of the sealed answer.
func (s *Seat) Used(until int, own bool) (n int) {
	s.walk(until, own, func(_, used int) bool { n = used; return true })
	return n
}

// walk calls do for each minute since the start of the clock, up to and including until, with the
// minutes used before it. It stops when do returns false.
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

// Left returns the minutes left; Shown returns the minutes left as opponents see them.
func (s *Seat) Left(minute int) int  { return max(0, s.Has-s.Used(minute, true)) }
func (s *Seat) Shown(minute int) int { return max(0, s.Has-s.Used(minute, false)) }

// Began returns the minute when the clock started; ok is false if it has not.
func (s *Seat) Began() (minute int, ok bool) {
	s.walk(s.Times.Len(), false, func(m, _ int) bool { minute, ok = m, true; return false })
	return minute, ok
}

// runsOut returns the first minute with used minutes used up, or never.
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

// ShownZero returns the minute of the time-out as opponents see it, or never.
func (s *Seat) ShownZero() int { return s.runsOut(s.Has, false) }

// Late reports whether a letter of minute came arrives after the deadline.
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
