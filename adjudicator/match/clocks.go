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

// PausesOf returns the times in which a seat's clock does not run: inbox outages, vacations, pauses of the match, and
// the free time of the tempo.
func (m *Match) PausesOf(seat rules.Seat) clock.Pauses {
	p := clock.MergeSpans(m.InboxOutages, m.Seats[seat].Player.Away.Vacations.Spans(), matchPauses(m))
	p.Free = m.Tempo.Free
	return p
}

// Deadline returns the time of the next event of a seat's clock: a time-out, a forfeit, or a repeated question after a
// bounce. It is zero if there is none. Later inbox outages may postpone the event.
func (m *Match) Deadline(seat rules.Seat) time.Time {
	if m.Tempo.IsUntimed() || m.State != Playing {
		return time.Time{}
	}
	seatClock, extra := &m.Seats[seat].Clock, time.Duration(0)
	if again, bounced := seatClock.AskAgainAt(); bounced {
		return again
	}
	if seatClock.Flagged {
		if m.OnTimeout != clock.Forfeit {
			return time.Time{}
		}
		extra = clock.ForfeitGrace
	}
	at, _ := seatClock.TimeoutAt(extra, m.PausesOf(seat))
	return at
}

// PublicTimeLeft returns the remaining time of a seat, as the other players may know it, and the time-out; zero if
// unknown.
func (m *Match) PublicTimeLeft(seat rules.Seat, now time.Time) (remaining time.Duration, until time.Time) {
	seatClock, pauses := &m.Seats[seat].Clock, m.PausesOf(seat)
	until, _ = seatClock.PublicTimeoutAt(0, pauses)
	return seatClock.PublicTimeLeft(now, pauses), until
}

// FirstDeadline returns the seat with the earliest deadline, and this deadline. It returns rules.NoSeat if all
// deadlines are later than the time until.
func (m *Match) FirstDeadline(until time.Time) (seat rules.Seat, at time.Time) {
	seat = rules.NoSeat
	for i := range m.Seats {
		d := m.Deadline(rules.Seat(i))
		if !d.IsZero() && !d.After(until) && (seat == rules.NoSeat || d.Before(at)) {
			seat, at = rules.Seat(i), d
		}
	}
	return seat, at
}

// IsCheckDue reports whether the stored CheckAt of any seat has passed. After an inbox outage the seat's deadline may be
// later than CheckAt.
func (m *Match) IsCheckDue(until time.Time) bool {
	for i := range m.Seats {
		if d := m.Seats[i].CheckAt; !d.IsZero() && !d.After(until) {
			return true
		}
	}
	return false
}

// IsOverdue reports whether the time of a seat has run out without an answer. A seat with a delayed letter or a delayed answer
// is not overdue, unless its time-out was announced before.
func (m *Match) IsOverdue(seat rules.Seat, at time.Time) bool {
	s := &m.Seats[seat]
	if s.Clock.IsOutOfTime() {
		return true
	}
	timeout, isKnown := s.Clock.TimeoutAt(0, m.PausesOf(seat))
	return isKnown && !timeout.After(at) && s.Private.DelayedLetter == nil && s.Private.AnswerDue.IsZero()
}

// UnannouncedRestart returns a seat with a clock that was restarted after a bounce, if the other players have not been
// told about the restart. It returns rules.NoSeat if there is none.
func UnannouncedRestart(m *Match) rules.Seat {
	i := slices.IndexFunc(m.Seats, func(s Seat) bool { return s.Clock.RestartUnannounced })
	if i < 0 || m.State != Playing {
		return rules.NoSeat
	}
	return rules.Seat(i)
}

// RecordAccepted records that the mail server has accepted a letter to a seat. It reports whether the clock of the seat changes.
func (m *Match) RecordAccepted(seat rules.Seat, number int64, at time.Time) bool {
	return !m.Tempo.IsUntimed() && int(seat) < len(m.Seats) && m.Seats[seat].Clock.RecordAccepted(number, at)
}

// RecordBounce records that a letter to a seat bounced. It reports whether the match changes: a clock stops, or
// later letters can no longer refer to the picture or the position in the letter. mayArrive is set for a delay report
// (4.x.x), which stops no clock.
func (m *Match) RecordBounce(seat rules.Seat, number int64, at time.Time, mayArrive bool) bool {
	if seat < 0 || int(seat) >= len(m.Seats) {
		return false
	}
	seatState := &m.Seats[seat]
	hadPicture, wasFull := seatState.LastPicture.Number == number && number > 0, seatState.LastFullLetter == number && number > 0
	if hadPicture {
		seatState.LastPicture = SentPicture{}
	}
	if wasFull {
		seatState.LastFullLetter = 0
	}
	return !m.Tempo.IsUntimed() && !mayArrive && seatState.Clock.RecordBounce(number, at, m.PausesOf(seat)) || hadPicture || wasFull
}

// NextCheck returns the time at which the clock of a seat next needs attention: the earlier of its deadline and its next reminder; zero
// for none. If a restart has to be announced, it is m.Created, so that the match is due at once.
func (m *Match) NextCheck(seat rules.Seat) time.Time {
	if seatClock := &m.Seats[seat].Clock; seatClock.RestartUnannounced && m.State == Playing {
		return m.Created
	}
	end, reminder := m.Deadline(seat), reminderTime(m, seat)
	if reminder.IsZero() || !end.IsZero() && end.Before(reminder) {
		return end
	}
	return reminder
}

// reminderTime returns zero if no reminder is planned, e.g. for a seat with a delayed letter or a delayed answer.
func reminderTime(m *Match, seat rules.Seat) time.Time {
	seatState := &m.Seats[seat]
	if m.Tempo.IsUntimed() || m.State != Playing || seatState.Private.DelayedLetter != nil || !seatState.Private.AnswerDue.IsZero() {
		return time.Time{}
	}
	pauses, p := m.PausesOf(seat), seatState.Player
	at, ok := seatState.Clock.NextReminder(pauses)
	if ok {
		at, ok = p.Away.Quiet.NextAllowed(at, p.Zone, pauses)
	}
	if !ok {
		return time.Time{}
	}
	return at
}

// SeatToRemind returns a seat with a reminder that is due; rules.NoSeat for none.
func (m *Match) SeatToRemind(until time.Time) rules.Seat {
	for i := range m.Seats {
		if at := reminderTime(m, rules.Seat(i)); !at.IsZero() && !at.After(until) {
			return rules.Seat(i)
		}
	}
	return rules.NoSeat
}

// timer points to the stored start and end of a timer, e.g. of a letter that GRACE delays. If the start is in the
// future, the system clock was wrong when the timer started; RestartFutureTimers then restarts the timer with the same
// length. For example, a letter was delayed by 10 minutes while the clock was a year ahead. It is carried out 10
// minutes after the clock is corrected, and not in a year.
type timer struct{ since, due *time.Time }

func listTimers(m *Match) []timer {
	var out []timer
	if e := m.Ended; e != nil && !e.Final.IsZero() {
		out = append(out, timer{&e.At, &e.Final})
	}
	if pause := m.Pause; pause != nil {
		out = append(out, timer{&pause.Since, &pause.Until})
	}
	for i := range m.Seats {
		private := &m.Seats[i].Private
		if !private.AnswerDue.IsZero() {
			out = append(out, timer{&private.AnswerDelayedSince, &private.AnswerDue})
		}
		if delayed := private.DelayedLetter; delayed != nil {
			out = append(out, timer{&delayed.Since, &delayed.Due})
		}
	}
	return out
}

// NextDue returns the time of the next due event of a match, without the events of clocks; zero for none.
func (m *Match) NextDue() time.Time {
	at := m.NextInvitationTask()
	if m.AwaitsBeacon() {
		at = m.Beacon.At
	}
	for _, w := range listTimers(m) {
		if !w.due.IsZero() && (at.IsZero() || w.due.Before(at)) {
			at = *w.due
		}
	}
	return at
}

// NewestStart returns the newest start of a timer or a clock; zero if there is none. If this time is in the future, the
// system clock was set back.
func (m *Match) NewestStart() time.Time {
	var at time.Time
	for _, w := range listTimers(m) {
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

// RestartFutureTimers restarts timers and clocks that start in the future. It reports whether it has restarted any.
func (m *Match) RestartFutureTimers(now time.Time) bool {
	if !m.NewestStart().After(now) {
		return false
	}
	if e := m.Ended; e != nil {
		copied := *e
		m.Ended = &copied
	}
	if pause := m.Pause; pause != nil {
		copied := *pause
		m.Pause = &copied
	}
	for i := range m.Seats {
		// Copy the value, because other copies of the match share the pointer.
		if w := m.Seats[i].Private.DelayedLetter; w != nil {
			copied := *w
			m.Seats[i].Private.DelayedLetter = &copied
		}
		m.Seats[i].Clock.ClampTimes(now)
	}
	for _, w := range listTimers(m) {
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

// isAnswerDelayed reports whether pending answers of a seat are delayed by a random time (DELAY), so that others
// cannot see that the answer was given early. Answers of the writer of the current letter are not delayed.
func (p *Execution) isAnswerDelayed(seat rules.Seat) bool {
	return seat != p.Seat && p.Turn.Match.Seats[seat].Private.AnswerDelay > 0
}

// ScheduleDelayedAnswers chooses the time of delayed answers: a random time within AnswerDelay. It deletes the time of
// a seat if none of its pending answers answers an open decision.
func (p *Execution) ScheduleDelayedAnswers() error {
	for i := range p.Turn.Match.Seats {
		seat, private := rules.Seat(i), &p.Turn.Match.Seats[i].Private
		switch {
		case private.AnswerDue.IsZero() && !p.isAnswerDelayed(seat):
		case !hasReadyAnswer(p, seat):
			private.CancelAnswerDelay()
		case private.AnswerDelay == 0:
			// The player has turned the delay off.
			private.AnswerDelayedSince = p.Turn.Now
			private.AnswerDue = private.AnswerDelayedSince
		case private.AnswerDue.IsZero():
			d, err := randomDuration(p.Random, private.AnswerDelay)
			if err != nil {
				return err
			}
			private.AnswerDelayedSince = p.Turn.Now
			private.AnswerDue = private.AnswerDelayedSince.Add(d)
		}
	}
	return nil
}

// hasReadyAnswer reports whether a pending answer or a conditional order of a seat can answer an open decision now.
func hasReadyAnswer(p *Execution, seat rules.Seat) bool {
	if p.Turn.After == nil || p.Turn.Match.State != Playing || p.Turn.After.Stalled() {
		return false
	}
	if hasPendingAnswerFor(p.Turn, seat) {
		return true
	}
	if p.Conditional == nil {
		return false
	}
	lines, _ := splitConditionals(p.Turn, func(s rules.Seat) bool { return s == seat })
	if len(lines) == 0 {
		return false
	}
	fired, _, _ := p.Conditional.Fire(p.Turn.After, lines)
	return fired != nil
}

func randomDuration(random io.Reader, maximum time.Duration) (time.Duration, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return 0, fmt.Errorf("choose a time: %w", err)
	}
	return time.Duration(1+binary.BigEndian.Uint64(b[:])%uint64(maximum/time.Second)) * time.Second, nil
}

func hasPendingAnswerFor(t *Turn, seat rules.Seat) bool {
	return slices.ContainsFunc(t.OpenDecisions(seat), func(d rules.Decision) bool {
		return !d.Sealed && slices.ContainsFunc(t.Match.Pending, func(pending PendingAnswer) bool { return answersDecision(pending, d) })
	})
}

func endDelays(t *Turn, reason string) {
	for i := range t.Match.Seats {
		private := &t.Match.Seats[i].Private
		if private.DelayedLetter != nil {
			t.ReportLine(rules.Seat(i), "", OutcomeLapsed, reason)
		}
		private.DelayedLetter = nil
		private.CancelAnswerDelay()
	}
}

// DropDelayedOrders drops delayed letters and answers when the match is over.
func (t *Turn) DropDelayedOrders() {
	if t.Match.State == Over {
		endDelays(t, "The match is over, so your waiting orders are dropped.")
	}
}
