package adjudicator

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
)

// pausing stops all clocks.
func (j *adjudication) pausing(_ context.Context, act match.DirectorAct) (deed, error) {
	if err := j.mayDirect(false); err != nil {
		return deed{}, err
	}
	if j.turn.Match.Tempo.None() {
		return undirected("The match has no time limit, so there is nothing to pause.")
	}
	how := "until you end that with RESUME"
	if act.Span > 0 {
		how = "for " + match.Span(act.Span)
	}
	return deed{"All clocks stand still " + how + ". Orders count all the same, and only the director ends the pause.", func(ctx context.Context) (Change, error) {
		var until time.Time
		if act.Span > 0 {
			until = j.a.Now().UTC().Add(act.Span).Truncate(time.Second)
		}
		return j.enter(ctx, record.Entry{Act: &record.Act{Kind: record.Pause, Why: act.Why, Until: until}})
	}}, nil
}

// resuming lets all clocks run again.
func (j *adjudication) resuming(_ context.Context, act match.DirectorAct) (deed, error) {
	if err := j.mayDirect(false); err != nil {
		return deed{}, err
	}
	if j.turn.Match.Acts.Halt == nil {
		return undirected("The match is not paused.")
	}
	return deed{"The pause ends, and all clocks run again at once.", func(ctx context.Context) (Change, error) {
		return j.enter(ctx, record.Entry{Act: &record.Act{Kind: record.Resume, Why: act.Why, Until: j.a.Now().UTC().Truncate(time.Second)}})
	}}, nil
}

// extending gives a seat more time.
func (j *adjudication) extending(_ context.Context, act match.DirectorAct) (deed, error) {
	if err := j.mayDirect(false); err != nil {
		return deed{}, err
	}
	seat, err := seatNamed(j.turn.Match, act.Seat)
	switch {
	case err != nil:
		return deed{}, err
	case j.turn.Match.Tempo.None():
		return undirected("The match has no time limit.")
	}
	return deed{fmt.Sprintf("%s gets %s more.", match.Capital(j.turn.Role(seat)), match.Span(act.Span)), func(ctx context.Context) (Change, error) {
		k, stops := &j.turn.Match.Seats[seat].Clock, j.turn.Match.Stops(seat)
		k.Extend(act.Span, j.a.Now(), stops)
		until, _ := k.ShownZero(0, stops)
		return j.enter(ctx, record.Entry{Seat: record.SeatName(j.turn.Match.Seats[seat].Name), Act: &record.Act{Kind: record.Extend, Why: act.Why, Until: until.UTC().Truncate(time.Second)}})
	}}, nil
}
