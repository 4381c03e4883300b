package adjudicator

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/rules"
)

// timeOver lets the end of a seat's time take effect.
func (a *Adjudicator) timeOver(ctx context.Context, m *Match, seat rules.Seat, at time.Time) error {
	t := &m.Seats[seat].Timing
	_, bounced := m.Seats[seat].Clock.Again()
	switch w := t.Waiting; {
	case bounced:
	case w != nil:
		return a.carryHeldBack(ctx, m, seat, *w, at) // That letter came in time.
	case !t.DelayedUntil.IsZero():
		return a.answerDelayed(ctx, m, seat, at)
	}
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{Delivery: Delivery{Arrived: at}})
	if err != nil {
		return err
	}
	c := &m.Seats[seat].Clock
	if bounced {
		return j.askAgain(ctx, seat)
	}
	switch {
	case m.Zero == clock.Silence:
		c.Over = at
		err = j.play.StayedSilent(ctx, seat)
	case c.Flagged:
		c.Over = at
		err = j.play.Forfeit(ctx, seat, at)
	case m.Zero == clock.Forfeit:
		c.Flagged = true
		j.turn.Remarks = append(j.turn.Remarks, "The time of "+j.turn.Called(seat)+" is over. Without an answer the match is forfeited after 12 hours more.")
	default:
		j.play.Flag(seat)
	}
	if err != nil {
		return err
	}
	return j.apply(ctx, rules.Nobody)
}

// tellRestart tells all others that the time of a seat begins anew, since a letter came back. Whoever
// holds that letter could have forged the report.
func (a *Adjudicator) tellRestart(ctx context.Context, m *Match, seat rules.Seat) error {
	m.Seats[seat].Clock.Untold = false
	j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
	if err != nil {
		return err
	}
	said := fmt.Sprintf("A mail server reports that our letter to %s did not arrive. It is sent again after a day, and that clock begins anew then. "+
		"A clock does so %d times at most for a question, and for %d days at most in a match.", j.turn.Called(seat), clock.MostRestarts, clock.MostVoided/(24*time.Hour))
	for i := range m.Seats {
		if other := rules.Seat(i); other != seat && !m.Acts.Resigned.Has(other) {
			j.reply.notices[other] = append(j.reply.notices[other], said)
		}
	}
	return j.apply(ctx, rules.Nobody)
}

// askAgain writes to a seat once more what it is asked.
func (j *adjudication) askAgain(ctx context.Context, seat rules.Seat) error {
	j.reply.whole = rules.Only(seat)
	j.turn.Tell(seat, "", match.OutcomeDone, "The letter before this one did not arrive, so you are asked again. Your time runs from this letter on."+j.lastRestart(seat))
	d, err := j.letterTo(seat, rules.Nobody)
	if err != nil {
		return err
	}
	return j.a.Store.Apply(ctx, Change{Match: j.turn.Match, Letters: []Dispatch{d}})
}

// lastRestart tells a seat that no report stops its clock any more.
func (j *adjudication) lastRestart(seat rules.Seat) string {
	if j.turn.Match.Seats[seat].Clock.Restarts < clock.MostRestarts {
		return ""
	}
	return " From now on it runs even if a letter to you comes back."
}

// cameLate answers a letter that came when the time for it was over.
func (j *adjudication) cameLate(end time.Time) string {
	return "Your letter arrived on " + clockTimeOf(j.turn, j.play.Seat, j.arrival()) + "; your time was over on " + clockTimeOf(j.turn, j.play.Seat, end) + "."
}

// tellsLate tells the writer of a letter that was refused, once, that his time was over when it
// came.
func (j *adjudication) tellsLate() {
	c := &j.turn.Match.Seats[j.play.Seat].Clock
	if j.reply.disposition == Refused && !c.Over.IsZero() && !j.arrival().Before(c.Over) {
		j.report("", match.OutcomeRefused, j.cameLate(c.Over))
		c.Over = time.Time{}
	}
}
