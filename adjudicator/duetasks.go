package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// dueBatchSize is the number of due matches that are read from the store at once. dueWorkers is the number of matches that
// are handled concurrently, so that the store can commit several changes in one batch.
const dueBatchSize, dueWorkers = 100, 8

// RunDueTasks runs the tasks that are due at the time until: delayed letters, delayed answers, changes of address,
// time-outs. The caller must first handle all letters that arrived before this time, because a letter may prevent a
// task. It returns the number of completed tasks. If a task fails, its match stays due, and failed holds the error by
// match ID. skip is called once for each match, and may be nil; if it returns true, the match is left out.
func (a *Adjudicator) RunDueTasks(ctx context.Context, until time.Time,
	skip func(matchID string) bool) (tasks int, failed map[string]error, err error) {
	a.clockJumps.recordRun(a.Now())
	failed = map[string]error{}
	skipped := map[string]bool{}
	wasChecked := map[string]bool{}
	for {
		ids, err := a.Store.DueMatches(ctx, until, dueBatchSize+len(skipped))
		if err != nil {
			return tasks, failed, err
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return skipped[id] })
		if len(ids) == 0 {
			return tasks, failed, nil
		}
		for _, id := range ids {
			if !wasChecked[id] && skip != nil && skip(id) {
				skipped[id] = true
			}
			wasChecked[id] = true
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return skipped[id] })
		for i, result := range runDueTasksFor(ctx, a, ids, until) {
			switch id := ids[i]; {
			case result.err != nil && ctx.Err() != nil:
				return tasks, failed, context.Cause(ctx)
			case result.err != nil:
				skipped[id], failed[id] = true, result.err
			case result.progress == taskNone:
				skipped[id] = true
			case result.progress == taskDone:
				tasks++
			}
		}
	}
}

type dueResult struct {
	progress taskProgress
	err      error
}

func runDueTasksFor(ctx context.Context, a *Adjudicator, ids []string, until time.Time) []dueResult {
	out := make([]dueResult, len(ids))
	var g errgroup.Group
	g.SetLimit(dueWorkers)
	for i, id := range ids {
		g.Go(func() error {
			out[i].err = retry(func() (err error) { out[i].progress, err = runDueTask(ctx, a, id, until); return err })
			return nil
		})
	}
	_ = g.Wait() // Each match has its own error.
	return out
}

type taskProgress int

const (
	taskNone      taskProgress = iota // no task is due now
	taskDone                          // one task was carried out
	taskPostponed                     // a task was postponed
)

// runDueTask runs the first due task of a match.
func runDueTask(ctx context.Context, a *Adjudicator, id string, until time.Time) (taskProgress, error) {
	m, err := a.Store.Match(ctx, id)
	if err != nil {
		return taskNone, err
	}
	if m.RestartFutureTimers(a.Now()) {
		return taskPostponed, a.Store.Apply(ctx, exchange.Change{Match: m})
	}
	if done, err := runDueMatchTask(ctx, a, m, until); done || err != nil {
		return taskDone, err
	}
	for i := range m.Seats {
		player := m.Seats[i].Player
		if player.NewestTime().After(a.Now()) {
			player.Contact = player.ClampTimes(a.Now())
			return taskPostponed, a.Store.Apply(ctx, exchange.Change{Player: player})
		}
		if player.IsAddressChangeDue(until) {
			return taskDone, completeAddressChange(ctx, a, m, rules.Seat(i), until)
		}
		private := &m.Seats[i].Private
		if delayed := private.DelayedLetter; delayed != nil && !delayed.Due.After(until) {
			return taskDone, carryOutDelayed(ctx, a, m, rules.Seat(i), *delayed, time.Time{})
		}
		if isDue(private.AnswerDue, until) {
			return taskDone, giveDelayedAnswers(ctx, a, m, rules.Seat(i), time.Time{})
		}
	}
	if seat := match.UnannouncedRestart(m); seat != rules.NoSeat {
		return taskDone, announceRestart(ctx, a, m, seat)
	}
	if seat, at := m.FirstDeadline(until); seat != rules.NoSeat {
		return taskDone, handleSeatTimeout(ctx, a, m, seat, at)
	}
	if seat := m.SeatToRemind(until); seat != rules.NoSeat {
		return taskDone, remindSeat(ctx, a, m, seat, until)
	}
	if m.IsCheckDue(until) {
		return taskPostponed, a.Store.Apply(ctx, exchange.Change{Match: m})
	}
	return taskNone, nil
}

// runDueMatchTask runs a due task of the whole match, e.g. the end of a pause. done is false if no task of the whole
// match is due.
func runDueMatchTask(ctx context.Context, a *Adjudicator, m *match.Match, until time.Time) (done bool, err error) {
	switch ended, pause := m.Ended, m.Pause; {
	case m.AwaitsBeacon() && isDue(m.Beacon.At, until):
		return beginWithRound(ctx, a, m, until)
	case isDue(m.NextInvitationTask(), until):
		return true, runInvitationTask(ctx, a, m)
	case ended != nil && isDue(ended.Final, until):
		return true, publishSecret(ctx, a, m)
	case pause != nil && isDue(pause.Until, until):
		return true, resumeMatch(ctx, a, m)
	}
	return false, nil
}

func isDue(at, until time.Time) bool { return !at.IsZero() && !at.After(until) }

// carryOutDelayed carries out a delayed letter as if it came at the time arrival, or now if arrival is zero.
func carryOutDelayed(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, delayed match.DelayedLetter,
	arrival time.Time) error {
	m.Seats[seat].Private.DelayedLetter = nil
	run, err := a.newRun(ctx, m, seat, exchange.Letter{
		Sender:      exchange.Sender{From: m.Seats[seat].Player.Address, Token: &exchange.Token{Match: m.ID, Seat: seat, Number: delayed.Number}},
		Header:      exchange.Header{MessageID: delayed.MessageID},
		DecodedText: exchange.DecodedText{Text: delayed.Orders},
		Delivery:    exchange.Delivery{Digest: delayed.Digest, ArrivedAt: arrival},
	})
	if err != nil {
		return err
	}
	lines, err := readLetter(run)
	if err != nil {
		return err
	}
	if err := run.carryOutLines(ctx, lines, lineNoEffect); err != nil {
		return err
	}
	return run.store(ctx, seat)
}

// giveDelayedAnswers carries out the delayed answers of a seat as if they came at the time arrival, or now if arrival
// is zero.
func giveDelayedAnswers(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, arrival time.Time) error {
	m.Seats[seat].Private.CancelAnswerDelay()
	run, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: m.Seats[seat].Player.Address},
		Delivery: exchange.Delivery{ArrivedAt: arrival}})
	if err != nil {
		return err
	}
	if _, err := run.execution.Settle(ctx); err != nil {
		return err
	}
	return run.store(ctx, rules.NoSeat)
}

// store stores the change of a due task. The change has no receipt: the receipt of a delayed letter was stored on
// arrival. The seat replyTo (rules.NoSeat for none) gets a letter even if there is no news for it.
func (run *letterRun) store(ctx context.Context, replyTo rules.Seat) error {
	change, err := run.buildChange(ctx, replyTo)
	if err != nil {
		return err
	}
	return run.adjudicator.Store.Apply(ctx, change)
}

// handleSeatTimeout handles the end of a seat's time. If our question has bounced, the seat is asked again. A delayed letter or
// delayed answers are carried out. Otherwise the time-out policy decides.
func handleSeatTimeout(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, at time.Time) error {
	private := &m.Seats[seat].Private
	_, hasBounced := m.Seats[seat].Clock.AskAgainAt()
	switch delayed := private.DelayedLetter; {
	case hasBounced:
	case delayed != nil:
		return carryOutDelayed(ctx, a, m, seat, *delayed, at) // The letter arrived in time.
	case !private.AnswerDue.IsZero():
		return giveDelayedAnswers(ctx, a, m, seat, at)
	}
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{Delivery: exchange.Delivery{ArrivedAt: at}})
	if err != nil {
		return err
	}
	seatClock := &m.Seats[seat].Clock
	if hasBounced {
		return askSeatAgain(ctx, run, seat)
	}
	switch {
	case m.OnTimeout == clock.Silence:
		seatClock.LateFrom = at
		err = run.execution.AnswerTimeout(ctx, seat)
	case seatClock.Flagged:
		seatClock.LateFrom = at
		err = run.execution.Forfeit(ctx, seat, at)
	case m.OnTimeout == clock.Forfeit:
		seatClock.Flagged = true
		run.turn.Remarks = append(run.turn.Remarks, match.Capitalize(run.turn.FullName(seat))+" has run out of time, and "+
			"has 12 hours of grace.")
	default:
		run.execution.AnnounceOutOfTime(seat)
	}
	if err != nil {
		return err
	}
	return run.store(ctx, rules.NoSeat)
}

// announceRestart tells the other seats that the clock of a seat restarts after a bounce, because the player could have forged the bounce.
func announceRestart(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat) error {
	m.Seats[seat].Clock.RestartUnannounced = false
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("Our letter to %s did not arrive, as a mail server reports. We send it again after a day, and that "+
		"clock starts again then. A clock can start again at most %d times for one question, and for at most %d days in a match.",
		run.turn.FullName(seat), clock.MaxRestarts, clock.MaxVoidedTime/(24*time.Hour))
	for i := range m.Seats {
		if other := rules.Seat(i); other != seat && !m.Resigned.Has(other) {
			run.answer.AddNotice(other, text)
		}
	}
	return run.store(ctx, rules.NoSeat)
}

func askSeatAgain(ctx context.Context, run *letterRun, seat rules.Seat) error {
	run.answer.FullLetterSeats = rules.Only(seat)
	run.turn.ReportLine(seat, "", match.OutcomeDone, "Our previous letter did not arrive, so we are asking you again. Your "+
		"time runs from this letter on."+lastRestartNote(run, seat))
	outgoing, err := writeSeatLetter(run, seat, rules.NoSeat)
	if err != nil {
		return err
	}
	return run.adjudicator.Store.Apply(ctx, exchange.Change{Match: run.turn.Match, Letters: []exchange.OutgoingLetter{outgoing}})
}

// lastRestartNote tells a seat, after the last allowed restart of its clock, that further bounces do not stop the
// clock. It is empty after earlier restarts.
func lastRestartNote(run *letterRun, seat rules.Seat) string {
	if run.turn.Match.Seats[seat].Clock.Restarts < clock.MaxRestarts {
		return ""
	}
	return " From now on your clock runs even if a letter to you comes back."
}

func lateArrivalText(run *letterRun, deadline time.Time) string {
	return "Your letter arrived on " + compose.FormatReaderTime(run.turn, run.execution.Seat, run.arrivalTime()) +
		", but your time ran out on " + compose.FormatReaderTime(run.turn, run.execution.Seat, deadline) + "."
}

// reportLateArrival tells the writer of a refused letter, once, that it arrived after the time-out.
func reportLateArrival(run *letterRun) {
	seatClock := &run.turn.Match.Seats[run.execution.Seat].Clock
	if run.effects.disposition == exchange.DispositionRefused && !seatClock.LateFrom.IsZero() &&
		!run.arrivalTime().Before(seatClock.LateFrom) {
		run.report("", match.OutcomeRefused, lateArrivalText(run, seatClock.LateFrom))
		seatClock.LateFrom = time.Time{}
	}
}

// remindSeat sends a short reminder to a seat that has not answered. While its clock is stopped, no reminder is sent.
func remindSeat(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, until time.Time) error {
	pauses, wasNudged := m.PausesOf(seat), m.Seats[seat].Clock.IsNudged()
	m.Seats[seat].Clock.RecordReminder(until, pauses)
	if pauses.Contains(until) {
		return a.Store.Apply(ctx, exchange.Change{Match: m})
	}
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	run.answer.RemindedSeats = rules.Only(seat)
	notice := "This is a reminder: we asked you on " + compose.FormatReaderTime(run.turn, seat,
		m.Seats[seat].AskedSince) + ", and have no answer yet."
	if wasNudged {
		notice += " " + match.Capitalize(match.NameUnknownOther(run.turn, seat)) + " has asked us to remind you."
	}
	run.answer.AddNotice(seat, notice)
	return run.store(ctx, rules.NoSeat)
}

// ErrDecisionClosed is the error of AnswerBySilence for a decision that is not open.
var ErrDecisionClosed = errors.New("the decision is not open")

// AnswerBySilence gives the default answer to a decision: the first legal answer or a random one, depending on the
// decision's rules.Silence. If the seat has given a sealed answer, that answer stays. The error is ErrDecisionClosed
// if the decision is not open, and gate.ErrMustAnswer if the decision has no default answer.
func (a *Adjudicator) AnswerBySilence(ctx context.Context, match string, id rules.DecisionID) error {
	err := a.retryOnConflict(ctx, "silence in match "+match, func() error { return answerBySilence(ctx, a, match, id) })
	if err != nil {
		return fmt.Errorf("give the default answer to decision %d of match %s: %w", id, match, err)
	}
	return nil
}

func answerBySilence(ctx context.Context, a *Adjudicator, matchID string, id rules.DecisionID) error {
	m, err := a.Store.Match(ctx, matchID)
	if err != nil {
		return err
	}
	if m.State != match.Playing {
		return ErrDecisionClosed
	}
	run, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	decisions := run.turn.After.OpenDecisions(nil)
	i := slices.IndexFunc(decisions, func(d rules.Decision) bool { return d.ID == id })
	if i < 0 {
		return ErrDecisionClosed
	}
	if slices.ContainsFunc(m.Pending, func(pending match.PendingAnswer) bool { return pending.Decision == id }) {
		return nil
	}
	run.execution.Seat, run.answer.Writer = decisions[i].Seat, decisions[i].Seat
	if err := run.execution.AnswerSilent(ctx, decisions[i]); err != nil {
		return err
	}
	if _, err := run.execution.Settle(ctx); err != nil {
		return err
	}
	return run.store(ctx, rules.NoSeat)
}
