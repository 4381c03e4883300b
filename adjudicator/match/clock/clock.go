// Package clock implements the clocks of a match. It is pure: all times are parameters, in UTC and
// whole microseconds, and equal inputs give equal deadlines.
//
// # The rules
//
//  1. A seat begins a match with the bank of the [Tempo], for example 72 hours.
//  2. A seat is to move while it has an open decision. A decision with a sealed answer counts as open
//     until the answers of its group are opened, because other seats must not see who has answered.
//  3. The clock starts when the mail server accepts the first letter with the question. A bounced
//     letter does not start the clock. After a bounce, the clock starts with the next accepted
//     question letter or with the first letter of the player, if he writes before that. If all
//     letters bounced, the question is sent again a day after the last bounce. A report of a delay
//     (4.x.x, RFC 3463) is no bounce. Recipients can forge bounces, so a bounce is ignored after the
//     time-out and after a letter of the player. At most [MaxRestarts] bounces restart the clock for
//     a question, and bounces give a seat at most [MaxVoidedTime] of extra time in a match.
//  4. The clock stops when the letter arrives that answers the last open decision. A letter arrives when it is
//     delivered to our mailbox. A delivery time before the start of the clock counts as that start, and a time in the
//     future as the present time. An order delayed by GRACE counts when it is executed, at the latest at the time-out.
//  5. If an answer leads directly to a new question for the same seat, the used time is subtracted and
//     the clock restarts with the new question. If another question of the seat is still open, the
//     clock runs on without a restart.
//  6. When a seat has answered its last decision, it gains the increment. The increment never raises
//     the time above the cap. A seat also gains the increment when its sealed answer is opened and it
//     has no other open decision, even if a new question follows at once. Take-backs, undos, and
//     pending answers that are executed as soon as their question opens give no increment.
//  7. The clock does not run in [Pauses]: vacations of the player, pauses of the match, inbox
//     outages, and the free time of the tempo ([Free]). Overlapping pauses count once. Free time
//     begins and ends when the local clock first reaches the hour, so a change of summer time makes
//     it an hour longer or shorter.
//  8. The time-out is the moment when the remaining time has run out. [TimeoutPolicy] decides what happens then, and
//     which letters are late. Silence: the referee gives the default answer of the game, and letters at or after the
//     time-out are late; a decision without a default is handled as under claim. Forfeit: the seat loses the match
//     after [ForfeitGrace] more time, and letters are late from then on. Claim: from the time-out on, an opponent may
//     claim the match unless it is paused, and no letter is late.
//  9. A time-out takes effect only after an inbox scan that began at or after the time-out, because
//     the scan may find a letter that came in time. Orders of the seat that GRACE delays are executed first.
//  10. If the tempo sets a time for each phase, each question starts with that time, and there is no increment.
//  11. Time added before the time-out moves the time-out by that time. Time added later counts from
//     the moment when it is added. A new player begins with the bank, and so do all players of a match
//     that is resumed after its end.
//  12. Stored times in the future, after the system clock was set back, become the present time.
//
// A sealed answer does not stop the clock that other seats see.
package clock

import (
	"slices"
	"time"
)

// Clock is the clock of a seat. All results are computed from its stored times. The JSON keys of stored matches are older names.
type Clock struct {
	// TimeLeft is the remaining time or, while the seat is to move, the remaining time at the start of the question.
	TimeLeft time.Duration `json:"left"`
	// ToMove is set while the seat has an open decision, even if the decision has a sealed answer (rule 2).
	ToMove bool `json:"owes,omitempty"`
	// QuestionLetters are the letters with the current question, oldest first.
	QuestionLetters []QuestionLetter `json:"asks,omitempty"`
	// FirstPlayerLetter is the time of the player's first letter after an accepted question letter.
	FirstPlayerLetter time.Time `json:"wrote,omitzero"`
	// AnsweredAt is the time at which the seat had answered all its decisions. It is set while the
	// seat's sealed answers wait for the answers of other seats.
	AnsweredAt time.Time `json:"answered,omitzero"`
	// AnsweredSpans are the spans from an AnsweredAt to the time at which the seat reopened a decision. The seat's own clock
	// did not run in them; the clock that other seats see did.
	AnsweredSpans []Span `json:"between,omitempty"`
	// LastReminder is the time of the last reminder. LastReminderLeft is the time that was left at the last reminder or extension; 0
	// for none. The next reminder comes at a threshold below LastReminderLeft (reminderThresholds).
	LastReminder     time.Time     `json:"reminded,omitzero"`
	LastReminderLeft time.Duration `json:"remindedLeft,omitempty"`
	// NudgedAt is the time at which another player asked for a reminder.
	NudgedAt time.Time `json:"nudged,omitzero"`
	// Flagged is set after the time-out of the seat was announced.
	Flagged bool `json:"flagged,omitempty"`
	// Restarts counts the clock restarts by bounces for the current question.
	Restarts int `json:"restarts,omitempty"`
	// RestartUnannounced is set after the first restart, until the other players are told of it.
	RestartUnannounced bool `json:"untold,omitempty"`
	// VoidedTime is the time that bounces added before the current question.
	VoidedTime time.Duration `json:"voided,omitempty"`
	// LateFrom is the time from which letters of the seat are late, because the default answer was given
	// or the match ended. The reply to the player's next letter mentions the time once.
	LateFrom time.Time `json:"over,omitzero"`
}

// QuestionLetter is a letter with the current question.
type QuestionLetter struct {
	Number int64 `json:"n"`
	// AcceptedAt is the time at which the mail server accepted the letter; zero while it is queued.
	AcceptedAt time.Time `json:"at,omitzero"`
	// BouncedAt is the time of the first bounce.
	BouncedAt time.Time `json:"bounced,omitzero"`
}

const maxQuestionLetters = 16

// New returns the clock of a seat at the start of a match.
func New(t Tempo) Clock { return Clock{TimeLeft: t.Bank} }

// StartQuestion resets the clock for a seat that comes to move. The clock runs once a letter with the question is accepted.
func (c *Clock) StartQuestion(t Tempo) {
	*c = Clock{TimeLeft: c.TimeLeft, ToMove: true, LateFrom: c.LateFrom, VoidedTime: c.totalVoidedTime()}
	if t.Phase > 0 {
		c.TimeLeft = t.Phase
	}
}

// StartNextQuestion subtracts the time used for the last question, and restarts the clock for a question that follows it directly.
func (c *Clock) StartNextQuestion(t Tempo, at time.Time, pauses Pauses) {
	c.TimeLeft = c.TimeLeftAt(at, pauses)
	c.StartQuestion(t)
}

// FinishQuestions stops the clock of a seat without open decisions.
func (c *Clock) FinishQuestions(at time.Time, pauses Pauses) {
	*c = Clock{TimeLeft: c.TimeLeftAt(at, pauses), LateFrom: c.LateFrom, VoidedTime: c.totalVoidedTime()}
}

// AddIncrement adds the increment, up to the cap.
func (c *Clock) AddIncrement(t Tempo) {
	c.TimeLeft = max(c.TimeLeft, min(c.TimeLeft+t.Increment, t.Cap))
}

// RecordAnswered records that the seat has answered all its decisions.
func (c *Clock) RecordAnswered(at time.Time) {
	if c.AnsweredAt.IsZero() {
		c.AnsweredAt = roundTime(at)
	}
}

// RecordReopened records that an answered decision is open again.
func (c *Clock) RecordReopened(at time.Time) {
	if !c.AnsweredAt.IsZero() {
		c.AnsweredSpans = append(c.AnsweredSpans, Span{c.AnsweredAt, roundTime(at)})
		c.AnsweredAt = time.Time{}
	}
}

// AddQuestionLetter records a queued letter with the current question.
func (c *Clock) AddQuestionLetter(number int64) {
	if !c.ToMove || !c.AnsweredAt.IsZero() {
		return
	}
	if len(c.QuestionLetters) == maxQuestionLetters {
		c.QuestionLetters = slices.Delete(c.QuestionLetters, maxQuestionLetters/2, maxQuestionLetters/2+1)
	}
	c.QuestionLetters = append(slices.Clip(c.QuestionLetters), QuestionLetter{Number: number})
}

// RecordAccepted records that the mail server accepted a letter. It returns false for a letter that is already recorded
// as accepted, or that does not contain the current question.
func (c *Clock) RecordAccepted(number int64, at time.Time) bool {
	return c.updateQuestionLetter(number, func(letter *QuestionLetter) bool {
		isFirst := letter.AcceptedAt.IsZero()
		if isFirst {
			letter.AcceptedAt = roundTime(at)
		}
		return isFirst
	})
}

// AskAgainDelay is the time between the last bounce and the letter that repeats the question.
const AskAgainDelay = 24 * time.Hour

// AskAgainAt returns the time to send the question again, after all question letters have bounced; false if a
// letter may still arrive or the player has written.
func (c *Clock) AskAgainAt() (at time.Time, ok bool) {
	if _, isRunning := c.StartedAt(); isRunning || !c.ToMove || !c.AnsweredAt.IsZero() {
		return at, false
	}
	for _, letter := range c.QuestionLetters {
		if letter.BouncedAt.IsZero() {
			return at, false
		}
		if letter.BouncedAt.After(at) {
			at = letter.BouncedAt
		}
	}
	return at.Add(AskAgainDelay), !at.IsZero()
}

func (c *Clock) updateQuestionLetter(number int64, update func(*QuestionLetter) bool) bool {
	i := slices.IndexFunc(c.QuestionLetters, func(letter QuestionLetter) bool { return letter.Number == number })
	if i < 0 {
		return false
	}
	c.QuestionLetters = slices.Clone(c.QuestionLetters)
	return update(&c.QuestionLetters[i])
}

// RecordPlayerLetter records the arrival of a letter of the player. Only the first letter after an accepted question letter counts.
func (c *Clock) RecordPlayerLetter(at time.Time) {
	wasAsked := slices.ContainsFunc(c.QuestionLetters, func(letter QuestionLetter) bool {
		return !letter.AcceptedAt.IsZero() && !letter.AcceptedAt.After(at)
	})
	if wasAsked && c.FirstPlayerLetter.IsZero() {
		c.FirstPlayerLetter = roundTime(at)
	}
}

// EffectiveArrival returns the arrival time that counts for a letter. An unknown time, or a time after now, counts as now. A time before
// the start of the clock counts as that start.
func (c *Clock) EffectiveArrival(arrival, now time.Time) time.Time {
	if arrival.IsZero() || arrival.After(now) {
		arrival = now
	}
	if start, ok := c.StartedAt(); ok && arrival.Before(start) {
		arrival = start
	}
	return roundTime(arrival)
}

// seatPauses returns pauses and AnsweredSpans together: the times in which the seat's own clock does not run.
func (c *Clock) seatPauses(pauses Pauses) Pauses {
	if len(c.AnsweredSpans) == 0 {
		return pauses
	}
	merged := MergeSpans(pauses.Spans, c.AnsweredSpans)
	merged.Free = pauses.Free
	return merged
}

// TimeLeftAt returns the remaining time of the seat at a time.
func (c *Clock) TimeLeftAt(at time.Time, pauses Pauses) time.Duration {
	return c.timeLeftUntil(c.runningUntil(at), c.seatPauses(pauses))
}

// runningUntil returns the time at which the seat answered, or now if the clock still runs.
func (c *Clock) runningUntil(now time.Time) time.Time {
	if !c.AnsweredAt.IsZero() && c.AnsweredAt.Before(now) {
		return c.AnsweredAt
	}
	return now
}

// PublicTimeLeft returns the remaining time as other seats see it.
func (c *Clock) PublicTimeLeft(at time.Time, pauses Pauses) time.Duration {
	return c.timeLeftUntil(at, pauses)
}

func (c *Clock) timeLeftUntil(at time.Time, pauses Pauses) time.Duration {
	start, ok := c.StartedAt()
	if !c.ToMove || !ok {
		return c.TimeLeft
	}
	return max(0, c.TimeLeft-pauses.RunningTime(start, at))
}

// TimeoutAt returns the time at which the seat has used its remaining time and extra. It returns false if the clock does not run, if
// a pause has no end, or if the seat has answered. With 10 hours left at noon and no pauses, TimeoutAt(time.Hour) is 23:00.
func (c *Clock) TimeoutAt(extra time.Duration, pauses Pauses) (time.Time, bool) {
	if !c.AnsweredAt.IsZero() {
		return time.Time{}, false
	}
	return c.findTimeout(extra, c.seatPauses(pauses))
}

// PublicTimeoutAt returns the time-out as other seats see it: as if the seat had given no sealed answer.
func (c *Clock) PublicTimeoutAt(extra time.Duration, pauses Pauses) (time.Time, bool) {
	return c.findTimeout(extra, pauses)
}

func (c *Clock) findTimeout(extra time.Duration, pauses Pauses) (time.Time, bool) {
	start, ok := c.StartedAt()
	if !c.ToMove || !ok {
		return time.Time{}, false
	}
	return pauses.TimeAfter(start, c.TimeLeft+extra)
}

// IsOutOfTime reports whether the time-out was announced and the seat has not answered since.
func (c *Clock) IsOutOfTime() bool { return c.Flagged && c.AnsweredAt.IsZero() }

// Extend gives a seat more time, counted from now if the seat has run out of time: 2 hours after the time-out, Extend(3h) leaves 3 hours.
func (c *Clock) Extend(by time.Duration, at time.Time, pauses Pauses) {
	overrun := time.Duration(0)
	if start, ok := c.StartedAt(); ok && c.ToMove {
		overrun = max(0, c.seatPauses(pauses).RunningTime(start, c.runningUntil(at))-c.TimeLeft)
	}
	c.TimeLeft, c.Flagged = c.TimeLeft+overrun+by, false
	c.LastReminderLeft = c.TimeLeftAt(at, pauses)
}

// NewestTime returns the latest stored time.
func (c *Clock) NewestTime() time.Time {
	var at time.Time
	c.visitTimes(func(t *time.Time) {
		if t.After(at) {
			at = *t
		}
	})
	return at
}

// ClampTimes corrects the stored times after the system clock was set back: times in the future become now.
func (c *Clock) ClampTimes(now time.Time) {
	c.QuestionLetters, c.AnsweredSpans = slices.Clone(c.QuestionLetters), slices.Clone(c.AnsweredSpans)
	c.visitTimes(func(t *time.Time) {
		if t.After(now) {
			*t = roundTime(now)
		}
	})
}

func (c *Clock) visitTimes(visit func(*time.Time)) {
	for i := range c.QuestionLetters {
		visit(&c.QuestionLetters[i].AcceptedAt)
		visit(&c.QuestionLetters[i].BouncedAt)
	}
	for i := range c.AnsweredSpans {
		visit(&c.AnsweredSpans[i].From)
		visit(&c.AnsweredSpans[i].To)
	}
	visit(&c.FirstPlayerLetter)
	visit(&c.AnsweredAt)
	visit(&c.LastReminder)
	visit(&c.NudgedAt)
	visit(&c.LateFrom)
}

func roundTime(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// The limits for bounces, which the recipient of a letter can forge.
const (
	// MaxRestarts is the maximum number of clock restarts by bounces for one question.
	MaxRestarts = 2
	// MaxVoidedTime is the maximum time that bounces may add in a match.
	MaxVoidedTime = 7 * 24 * time.Hour
)

// RecordBounce records a bounce (DSN, RFC 3464) of a question letter and reports whether it counts. A bounce of a letter that
// our mail server never accepted always counts. A bounce of an accepted letter is ignored after the player has written or
// answered, after the time-out, and once MaxRestarts or MaxVoidedTime is reached.
func (c *Clock) RecordBounce(number int64, at time.Time, pauses Pauses) (isCounted bool) {
	i := slices.IndexFunc(c.QuestionLetters, func(letter QuestionLetter) bool { return letter.Number == number })
	if i < 0 || !c.QuestionLetters[i].BouncedAt.IsZero() || !c.QuestionLetters[i].AcceptedAt.IsZero() && c.ignoresBounces(at, pauses) {
		return false
	}
	before := *c
	startBefore, wasRunning := c.StartedAt()
	c.QuestionLetters = slices.Clone(c.QuestionLetters)
	c.QuestionLetters[i].BouncedAt = roundTime(at)
	if after, isRunning := c.StartedAt(); !wasRunning || isRunning && after.Equal(startBefore) {
		return true
	}
	if c.Restarts == MaxRestarts {
		*c = before
		return false
	}
	c.RestartUnannounced = c.RestartUnannounced || c.Restarts == 0
	c.Restarts++
	c.LastReminderLeft = 0
	return true
}

func (c *Clock) ignoresBounces(at time.Time, pauses Pauses) bool {
	timeout, isKnown := c.TimeoutAt(0, pauses)
	return c.Flagged || !c.FirstPlayerLetter.IsZero() || !c.AnsweredAt.IsZero() || c.VoidedTime >= MaxVoidedTime || isKnown &&
		!at.Before(timeout)
}

func (c *Clock) firstAccepted() (at time.Time) {
	for _, letter := range c.QuestionLetters {
		at = earliest(at, letter.AcceptedAt)
	}
	return at
}

// totalVoidedTime returns the time that bounces have added in the match, including the current question.
func (c *Clock) totalVoidedTime() time.Duration {
	start, ok := c.StartedAt()
	if !ok {
		return c.VoidedTime
	}
	return c.VoidedTime + start.Sub(c.firstAccepted())
}

// StartedAt returns the time at which the clock started; false while it does not run.
func (c *Clock) StartedAt() (at time.Time, ok bool) {
	hasBounce := false
	for _, letter := range c.QuestionLetters {
		if letter.BouncedAt.IsZero() {
			at = earliest(at, letter.AcceptedAt)
		}
		hasBounce = hasBounce || !letter.BouncedAt.IsZero()
	}
	if hasBounce {
		at = earliest(at, c.FirstPlayerLetter)
	}
	if at.IsZero() {
		return at, false
	}
	if latest := c.firstAccepted().Add(MaxVoidedTime - c.VoidedTime); hasBounce && at.After(latest) {
		at = latest
	}
	return at, true
}

// earliest returns the earlier of two times; the zero time counts as missing.
func earliest(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}
