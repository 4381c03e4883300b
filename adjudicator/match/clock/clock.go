package clock

import (
	"slices"
	"time"
)

// Clock is the clock of a seat. Everything that is asked of it is computed from the times
// that it keeps.
type Clock struct {
	// TimeLeft is what is left; while the seat owes, what was left when it was asked.
	TimeLeft time.Duration `json:"left"`
	// ToMove means that the seat owes an answer, as far as others know.
	ToMove bool `json:"owes,omitempty"`
	// QuestionLetters are the letters that ask what it owes, the oldest first.
	QuestionLetters []QuestionLetter `json:"asks,omitempty"`
	// FirstPlayerLetter is when the player wrote first after one of them was taken.
	FirstPlayerLetter time.Time `json:"wrote,omitzero"`
	// AnsweredAt is when nothing was unanswered any more that the seat still owes: its
	// sealed answers wait for those of others.
	AnsweredAt time.Time `json:"answered,omitzero"`
	// AnsweredSpans are times in which it had answered, while it owed again later. They are
	// known to the seat alone.
	AnsweredSpans []Span `json:"between,omitempty"`
	// LastReminder is when the seat was reminded last; there are no reminders before less than
	// RemindedLeft is left.
	LastReminder     time.Time     `json:"reminded,omitzero"`
	LastReminderLeft time.Duration `json:"remindedLeft,omitempty"`
	// Flagged is set when it was told that nothing is left.
	Flagged bool `json:"flagged,omitempty"`
	// Restarts counts the reports that have let its time for what it is asked begin anew;
	// Untold means that the others have not been told of the first. Voided is how much time such
	// reports have cost the others in the match, before it was asked this.
	Restarts           int           `json:"restarts,omitempty"`
	RestartUnannounced bool          `json:"untold,omitempty"`
	VoidedTime         time.Duration `json:"voided,omitempty"`
	// OverAt is when its time was over for good: what the seat was asked then is answered
	// otherwise, or the match is over. A letter that comes later is told so once.
	OverAt time.Time `json:"over,omitzero"`
}

// QuestionLetter is a letter that asks.
type QuestionLetter struct {
	Number int64 `json:"n"`
	// Accepted is when the mail server had taken it; zero while it waits to be sent.
	Accepted time.Time `json:"at,omitzero"`
	// Bounced is when somebody reported that it did not arrive, or not yet.
	Bounced time.Time `json:"bounced,omitzero"`
}

// maxQuestionLetters bounds how many letters that ask the same are remembered.
const maxQuestionLetters = 16

// New is the clock of a seat when a match begins.
func New(t Tempo) Clock { return Clock{TimeLeft: t.Bank} }

// StartQuestion lets the seat owe.
func (c *Clock) StartQuestion(t Tempo) {
	*c = Clock{TimeLeft: c.TimeLeft, ToMove: true, OverAt: c.OverAt, VoidedTime: c.totalVoidedTime()}
	if t.Phase > 0 {
		c.TimeLeft = t.Phase
	}
}

// StartNextQuestion lets the seat owe something else than before, without having owed nothing
// between.
func (c *Clock) StartNextQuestion(t Tempo, at time.Time, stops Pauses) {
	c.TimeLeft = c.TimeLeftAt(at, stops)
	c.StartQuestion(t)
}

// FinishQuestions lets the seat owe nothing.
func (c *Clock) FinishQuestions(at time.Time, stops Pauses) {
	*c = Clock{TimeLeft: c.TimeLeftAt(at, stops), OverAt: c.OverAt, VoidedTime: c.totalVoidedTime()}
}

// AddIncrement adds the increment.
func (c *Clock) AddIncrement(t Tempo) {
	c.TimeLeft = max(c.TimeLeft, min(c.TimeLeft+t.Increment, t.Cap))
}

// RecordAnswered notes that nothing is unanswered that the seat owes.
func (c *Clock) RecordAnswered(at time.Time) {
	if c.AnsweredAt.IsZero() {
		c.AnsweredAt = roundTime(at)
	}
}

// RecordReopened notes that something is unanswered again.
func (c *Clock) RecordReopened(at time.Time) {
	if !c.AnsweredAt.IsZero() {
		c.AnsweredSpans = append(c.AnsweredSpans, Span{c.AnsweredAt, roundTime(at)})
		c.AnsweredAt = time.Time{}
	}
}

// AddQuestionLetter notes a letter that asks what the seat owes.
func (c *Clock) AddQuestionLetter(number int64) {
	if !c.ToMove || !c.AnsweredAt.IsZero() {
		return
	}
	if len(c.QuestionLetters) == maxQuestionLetters {
		c.QuestionLetters = slices.Delete(c.QuestionLetters, maxQuestionLetters/2, maxQuestionLetters/2+1)
	}
	c.QuestionLetters = append(slices.Clip(c.QuestionLetters), QuestionLetter{Number: number})
}

// RecordAccepted notes that the mail server has taken a letter, and reports whether the clock
// knows it.
func (c *Clock) RecordAccepted(number int64, at time.Time) bool {
	return c.updateQuestionLetter(number, func(a *QuestionLetter) bool {
		known := a.Accepted.IsZero()
		if known {
			a.Accepted = roundTime(at)
		}
		return known
	})
}

// AskAgainDelay is for how long nobody writes to where letters bounce.
const AskAgainDelay = 24 * time.Hour

// AskAgainAt is when the seat is to be asked again, since all letters that ask have bounced;
// false where one may still arrive, or its player has written.
func (c *Clock) AskAgainAt() (at time.Time, ok bool) {
	if _, runs := c.StartedAt(); runs || !c.ToMove || !c.AnsweredAt.IsZero() {
		return at, false
	}
	for _, a := range c.QuestionLetters {
		if a.Bounced.IsZero() {
			return at, false
		}
		if a.Bounced.After(at) {
			at = a.Bounced
		}
	}
	return at.Add(AskAgainDelay), !at.IsZero()
}

func (c *Clock) updateQuestionLetter(number int64, note func(*QuestionLetter) bool) bool {
	i := slices.IndexFunc(c.QuestionLetters, func(a QuestionLetter) bool { return a.Number == number })
	if i < 0 {
		return false
	}
	c.QuestionLetters = slices.Clone(c.QuestionLetters)
	return note(&c.QuestionLetters[i])
}

// RecordPlayerLetter notes a letter of the player.
func (c *Clock) RecordPlayerLetter(at time.Time) {
	taken := slices.ContainsFunc(c.QuestionLetters, func(a QuestionLetter) bool { return !a.Accepted.IsZero() && !a.Accepted.After(at) })
	if taken && c.FirstPlayerLetter.IsZero() {
		c.FirstPlayerLetter = roundTime(at)
	}
}

// CountedArrival is the moment for which a letter counts that came at a time and is read now.
func (c *Clock) CountedArrival(came, now time.Time) time.Time {
	if came.IsZero() || came.After(now) {
		came = now
	}
	if start, ok := c.StartedAt(); ok && came.Before(start) {
		came = start
	}
	return roundTime(came)
}

// ownPauses are all stops of the seat.
func (c *Clock) ownPauses(stops Pauses) Pauses {
	if len(c.AnsweredSpans) == 0 {
		return stops
	}
	return MergeSpans(stops, c.AnsweredSpans)
}

// TimeLeftAt is what is left for the seat at a time.
func (c *Clock) TimeLeftAt(at time.Time, stops Pauses) time.Duration {
	return c.timeLeftUntil(c.countedUntil(at), c.ownPauses(stops))
}

// countedUntil is the moment until which time is counted at a moment.
func (c *Clock) countedUntil(at time.Time) time.Time {
	if !c.AnsweredAt.IsZero() && c.AnsweredAt.Before(at) {
		return c.AnsweredAt
	}
	return at
}

// PublicTimeLeft is what others are told that is left.
func (c *Clock) PublicTimeLeft(at time.Time, stops Pauses) time.Duration {
	return c.timeLeftUntil(at, stops)
}

func (c *Clock) timeLeftUntil(at time.Time, stops Pauses) time.Duration {
	start, ok := c.StartedAt()
	if !c.ToMove || !ok {
		return c.TimeLeft
	}
	return max(0, c.TimeLeft-stops.CountTime(start, at))
}

// TimeoutAt is when nothing is left, or so much beyond; false while that is not known to come.
// Who has answered is not waited for.
func (c *Clock) TimeoutAt(beyond time.Duration, stops Pauses) (time.Time, bool) {
	if !c.AnsweredAt.IsZero() {
		return time.Time{}, false
	}
	return c.findTimeout(beyond, c.ownPauses(stops))
}

// PublicTimeoutAt is what others are told of Zero.
func (c *Clock) PublicTimeoutAt(beyond time.Duration, stops Pauses) (time.Time, bool) {
	return c.findTimeout(beyond, stops)
}

func (c *Clock) findTimeout(beyond time.Duration, stops Pauses) (time.Time, bool) {
	start, ok := c.StartedAt()
	if !c.ToMove || !ok {
		return time.Time{}, false
	}
	return stops.TimeAfter(start, c.TimeLeft+beyond)
}

// OutOfTime reports whether the seat was told that nothing is left, and has not answered
// since.
func (c *Clock) OutOfTime() bool { return c.Flagged && c.AnsweredAt.IsZero() }

// Extend gives the seat more time than is left at a moment.
func (c *Clock) Extend(by time.Duration, at time.Time, stops Pauses) {
	over := time.Duration(0)
	if start, ok := c.StartedAt(); ok && c.ToMove {
		over = max(0, c.ownPauses(stops).CountTime(start, c.countedUntil(at))-c.TimeLeft)
	}
	c.TimeLeft, c.Flagged = c.TimeLeft+over+by, false
	c.LastReminderLeft = c.TimeLeftAt(at, stops)
}

// NewestTime is the newest time that the clock keeps.
func (c *Clock) NewestTime() time.Time {
	var at time.Time
	c.eachTime(func(t *time.Time) {
		if t.After(at) {
			at = *t
		}
	})
	return at
}

// ClampTimes lets what began at a time that is still to come begin now.
func (c *Clock) ClampTimes(now time.Time) {
	c.QuestionLetters, c.AnsweredSpans = slices.Clone(c.QuestionLetters), slices.Clone(c.AnsweredSpans)
	c.eachTime(func(t *time.Time) {
		if t.After(now) {
			*t = roundTime(now)
		}
	})
}

func (c *Clock) eachTime(do func(*time.Time)) {
	for i := range c.QuestionLetters {
		do(&c.QuestionLetters[i].Accepted)
		do(&c.QuestionLetters[i].Bounced)
	}
	for i := range c.AnsweredSpans {
		do(&c.AnsweredSpans[i].From)
		do(&c.AnsweredSpans[i].To)
	}
	do(&c.FirstPlayerLetter)
	do(&c.AnsweredAt)
	do(&c.LastReminder)
	do(&c.OverAt)
}

// roundTime is a time as it is kept.
func roundTime(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }
