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

// dueAtOnce is how many matches are read from the list at once, dueTogether how many are worked on at the same time: some wait
// for the disk, and the store writes together what comes together.
const dueAtOnce, dueTogether = 100, 8

// Due carries out what was due at a time that is over, or before it: letters that were
// held back, conditional orders that have waited, changes of address. Every letter that came
// until then must have been adjudicated, for it may be one that objects. Due returns how
// much it carried out. What cannot be carried out stays due and stops nothing else;
// failed says of which matches that was, and why. A match that notYet names is left
// alone; notYet is asked once about every match of which something may be due, and may
// be nil.
func (a *Adjudicator) Due(ctx context.Context, until time.Time,
	notYet func(match string) bool) (n int, failed map[string]error, err error) {
	a.clockWatch.observe(a.Now())
	failed = map[string]error{}
	left := map[string]bool{} // what is not looked at again
	asked := map[string]bool{}
	for {
		ids, err := a.Store.DueMatches(ctx, until, dueAtOnce+len(left))
		if err != nil {
			return n, failed, err
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return left[id] })
		if len(ids) == 0 {
			return n, failed, nil
		}
		for _, id := range ids {
			if !asked[id] && notYet != nil && notYet(id) {
				left[id] = true
			}
			asked[id] = true
		}
		ids = slices.DeleteFunc(ids, func(id string) bool { return left[id] })
		for i, of := range carryOutDueOfEach(ctx, a, ids, until) {
			switch id := ids[i]; {
			case of.err != nil && ctx.Err() != nil:
				return n, failed, context.Cause(ctx)
			case of.err != nil:
				left[id], failed[id] = true, of.err
			case of.step == nothing:
				left[id] = true
			case of.step == carried:
				n++
			}
		}
	}
}

// looked is what came of one look at a match.
type looked struct {
	step step
	err  error
}

// carryOutDueOfEach carries out the first thing that was due in each of some matches.
func carryOutDueOfEach(ctx context.Context, a *Adjudicator, ids []string, until time.Time) []looked {
	out := make([]looked, len(ids))
	var g errgroup.Group
	g.SetLimit(dueTogether)
	for i, id := range ids {
		g.Go(func() error {
			out[i].err = retry(func() (err error) { out[i].step, err = carryOutDue(ctx, a, id, until); return err })
			return nil
		})
	}
	_ = g.Wait() // Each match has its own error.
	return out
}

// step is what became of one look at a match.
type step int

const (
	nothing   step = iota // a letter has done it meanwhile, or its time is to come
	carried               // one thing that was due is done
	restarted             // something that was due is due later
)

// carryOutDue carries out the first thing that was due in a match at a time.
func carryOutDue(ctx context.Context, a *Adjudicator, id string, until time.Time) (step, error) {
	m, err := a.Store.Match(ctx, id)
	if err != nil {
		return nothing, err
	}
	if m.RestartWaits(a.Now()) {
		return restarted, a.Store.Apply(ctx, exchange.Change{Match: m})
	}
	if done, err := carryOutDueOfMatch(ctx, a, m, until); done || err != nil {
		return carried, err
	}
	for i := range m.Seats {
		p := m.Seats[i].Player
		if p.NewestTime().After(a.Now()) {
			p.Contact = p.ClampTimes(a.Now())
			return restarted, a.Store.Apply(ctx, exchange.Change{Player: p})
		}
		if p.AddressDue(until) {
			return carried, elapseRequest(ctx, a, m, rules.Seat(i), until)
		}
		t := &m.Seats[i].Timing
		if w := t.DelayedLetter; w != nil && !w.Due.After(until) {
			return carried, carryHeldBack(ctx, a, m, rules.Seat(i), *w, time.Time{})
		}
		if !t.AnswerDue.IsZero() && !t.AnswerDue.After(until) {
			return carried, answerDelayed(ctx, a, m, rules.Seat(i), time.Time{})
		}
	}
	if seat := m.UnannouncedRestart(); seat != rules.NoSeat {
		return carried, tellRestart(ctx, a, m, seat)
	}
	if seat, at := m.FirstOutOfTime(until); seat != rules.NoSeat {
		return carried, endSeatTime(ctx, a, m, seat, at)
	}
	if seat := m.SeatToRemind(until); seat != rules.NoSeat {
		return carried, remindSeat(ctx, a, m, seat, until)
	}
	if m.HasPassedCheck(until) {
		return restarted, a.Store.Apply(ctx, exchange.Change{Match: m})
	}
	return nothing, nil
}

// carryOutDueOfMatch carries out a due step of the whole match, such as the end of a pause, and reports whether there was one.
func carryOutDueOfMatch(ctx context.Context, a *Adjudicator, m *match.Match, until time.Time) (done bool, err error) {
	switch e, h := m.Acts.Ended, m.Acts.Pause; {
	case m.AwaitsBeacon() && isDue(m.Beacon.At, until):
		return beginWithRound(ctx, a, m, until)
	case isDue(m.InvitationsDue(), until):
		return true, dueInvitations(ctx, a, m)
	case e != nil && isDue(e.Final, until):
		return true, publishSecret(ctx, a, m)
	case h != nil && isDue(h.Until, until):
		return true, resumeMatch(ctx, a, m)
	}
	return false, nil
}

// isDue reports whether a time is set and has come.
func isDue(at, until time.Time) bool { return !at.IsZero() && !at.After(until) }

// carryHeldBack adjudicates a delayed letter as if it came at a time, or now where the time is zero.
func carryHeldBack(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, w match.DelayedLetter, at time.Time) error {
	m.Seats[seat].Timing.DelayedLetter = nil
	j, err := a.newRun(ctx, m, seat, exchange.Letter{
		Sender:   exchange.Sender{From: m.Seats[seat].Player.Address, Token: &exchange.Token{Match: m.ID, Seat: seat, Number: w.Number}},
		Header:   exchange.Header{MessageID: w.MessageID},
		Written:  exchange.Written{Orders: w.Orders},
		Delivery: exchange.Delivery{Digest: w.Digest, Arrived: at},
	})
	if err != nil {
		return err
	}
	lines, err := readLetter(j)
	if err != nil {
		return err
	}
	if err := j.carryOut(ctx, lines, lineAside); err != nil {
		return err
	}
	return j.apply(ctx, seat)
}

// answerDelayed lets the delayed conditional orders of a seat answer, as at a time, or now where the time is zero.
func answerDelayed(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, at time.Time) error {
	m.Seats[seat].Timing.EndAnswerDelay()
	j, err := a.newRun(ctx, m, seat, exchange.Letter{Sender: exchange.Sender{From: m.Seats[seat].Player.Address},
		Delivery: exchange.Delivery{Arrived: at}})
	if err != nil {
		return err
	}
	if _, err := j.play.Settle(ctx); err != nil {
		return err
	}
	return j.apply(ctx, rules.NoSeat)
}

// apply stores a run that no letter has just brought. The receipt of a delayed letter was written when the letter came. The
// answered seat gets a letter with or without news; NoSeat where no player has written.
func (j *letterRun) apply(ctx context.Context, answered rules.Seat) error {
	c, err := j.change(ctx, answered)
	if err != nil {
		return err
	}
	return j.a.Store.Apply(ctx, c)
}

// endSeatTime lets the end of a seat's time take effect.
func endSeatTime(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, at time.Time) error {
	t := &m.Seats[seat].Timing
	_, bounced := m.Seats[seat].Clock.AskAgainAt()
	switch w := t.DelayedLetter; {
	case bounced:
	case w != nil:
		return carryHeldBack(ctx, a, m, seat, *w, at) // That letter came in time.
	case !t.AnswerDue.IsZero():
		return answerDelayed(ctx, a, m, seat, at)
	}
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{Delivery: exchange.Delivery{Arrived: at}})
	if err != nil {
		return err
	}
	c := &m.Seats[seat].Clock
	if bounced {
		return askSeatAgain(ctx, j, seat)
	}
	switch {
	case m.OnTimeout == clock.Silence:
		c.OverAt = at
		err = j.play.AnswerTimeout(ctx, seat)
	case c.Flagged:
		c.OverAt = at
		err = j.play.Forfeit(ctx, seat, at)
	case m.OnTimeout == clock.Forfeit:
		c.Flagged = true
		j.turn.Remarks = append(j.turn.Remarks, "The time of "+j.turn.FullName(seat)+" is over. Without an answer the match is "+
			"forfeited after "+
			"12 hours more.")
	default:
		j.play.Flag(seat)
	}
	if err != nil {
		return err
	}
	return j.apply(ctx, rules.NoSeat)
}

// tellRestart tells all other seats that the clock of a seat begins anew, since a letter came back. The holder of that letter
// could have forged the report.
func tellRestart(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat) error {
	m.Seats[seat].Clock.RestartUnannounced = false
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	said := fmt.Sprintf("A mail server reports that our letter to %s did not arrive. It is sent again after a day, and that clock begins "+
		"anew then. A clock does so %d times at most for a question, and for %d days at most in a match.",
		j.turn.FullName(seat), clock.MaxRestarts, clock.MaxVoidedTime/(24*time.Hour))
	for i := range m.Seats {
		if other := rules.Seat(i); other != seat && !m.Acts.Resigned.Has(other) {
			j.answer.AddNotice(other, said)
		}
	}
	return j.apply(ctx, rules.NoSeat)
}

// askSeatAgain writes to a seat once more what it is asked.
func askSeatAgain(ctx context.Context, j *letterRun, seat rules.Seat) error {
	j.answer.Whole = rules.Only(seat)
	j.turn.ReportLine(seat, "", match.OutcomeDone, "The letter before this one did not arrive, so you are asked again. Your time "+
		"runs from this "+
		"letter on."+lastRestart(j, seat))
	d, err := letterTo(j, seat, rules.NoSeat)
	if err != nil {
		return err
	}
	return j.a.Store.Apply(ctx, exchange.Change{Match: j.turn.Match, Letters: []exchange.Dispatch{d}})
}

// lastRestart tells a seat that no report stops its clock any more.
func lastRestart(j *letterRun, seat rules.Seat) string {
	if j.turn.Match.Seats[seat].Clock.Restarts < clock.MaxRestarts {
		return ""
	}
	return " From now on it runs even if a letter to you comes back."
}

// lateText answers a letter that came when the time for it was over.
func lateText(j *letterRun, end time.Time) string {
	return "Your letter arrived on " + compose.ClockTimeFor(j.turn, j.play.Seat, j.arrival()) + "; your time was over on " +
		compose.ClockTimeFor(j.turn, j.play.Seat, end) + "."
}

// reportLate tells the writer of a letter that was refused, once, that his time was over when it
// came.
func reportLate(j *letterRun) {
	c := &j.turn.Match.Seats[j.play.Seat].Clock
	if j.reply.disposition == exchange.Refused && !c.OverAt.IsZero() && !j.arrival().Before(c.OverAt) {
		j.report("", match.OutcomeRefused, lateText(j, c.OverAt))
		c.OverAt = time.Time{}
	}
}

// remindSeat writes a short reminder to a seat that has not answered. The other seats are not told. A seat whose clock is
// paused gets none: that reminder is over.
func remindSeat(ctx context.Context, a *Adjudicator, m *match.Match, seat rules.Seat, until time.Time) error {
	pauses := m.PausesOf(seat)
	m.Seats[seat].Clock.RecordReminder(until, pauses)
	if pauses.Contains(until) {
		return a.Store.Apply(ctx, exchange.Change{Match: m})
	}
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	j.answer.Reminded = rules.Only(seat)
	j.answer.AddNotice(seat, "This is a reminder: you were asked on "+
		compose.ClockTimeFor(j.turn, seat, m.Seats[seat].AskedSince)+", and no answer has come.")
	return j.apply(ctx, rules.NoSeat)
}

// ErrClosed says that a decision is not open.
var ErrClosed = errors.New("the decision is not open")

// Silence lets a decision be answered as its silence means, because the time for it
// is over: by the first legal answer, or by lot. Who has given a sealed answer
// already has answered. Of a decision that is not open, or that the match waits for
// however long it takes, the error is ErrClosed or gate.ErrWaits.
func (a *Adjudicator) Silence(ctx context.Context, match string, id rules.DecisionID) error {
	err := a.retryOnConflict(ctx, "silence in match "+match, func() error { return answerSilent(ctx, a, match, id) })
	if err != nil {
		return fmt.Errorf("silence to decision %d of match %s: %w", id, match, err)
	}
	return nil
}

func answerSilent(ctx context.Context, a *Adjudicator, matchID string, id rules.DecisionID) error {
	m, err := a.Store.Match(ctx, matchID)
	if err != nil {
		return err
	}
	if m.State != match.Playing {
		return ErrClosed
	}
	j, err := a.newRun(ctx, m, rules.NoSeat, exchange.Letter{})
	if err != nil {
		return err
	}
	owed := j.turn.After.OpenDecisions(nil)
	i := slices.IndexFunc(owed, func(d rules.Decision) bool { return d.ID == id })
	if i < 0 {
		return ErrClosed
	}
	if slices.ContainsFunc(m.Pending, func(h match.PendingAnswer) bool { return h.Decision == id }) {
		return nil
	}
	j.play.Seat, j.answer.Writer = owed[i].Seat, owed[i].Seat
	if err := j.play.AnswerSilent(ctx, owed[i]); err != nil {
		return err
	}
	if _, err := j.play.Settle(ctx); err != nil {
		return err
	}
	return j.apply(ctx, rules.NoSeat)
}
