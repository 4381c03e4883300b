package rehearse

import (
	"context"
	"errors"
	"fmt"
	"time"

	"samizdat/adjudicator/match/clock"
)

const (
	// stride is how far the clock goes at once at most: whoever does not look into the inbox for
	// five minutes was deaf, and no clock of a match runs.
	stride = 5 * time.Minute
	// heard is how old the newest look into the inbox may be.
	heard = 2 * time.Minute
	// answerTimeout is for how long, by the clock on the wall, all has to be answered.
	answerTimeout = 2 * time.Minute
	// grace is how much longer than shown a seat has, for letters on their way.
	grace = clock.Grace + time.Minute
)

// errUnanswered is when letters stay where they are.
var errUnanswered = errors.New("not all was answered, or done")

// pass lets time pass until something is done, in whole minutes: what becomes due in between
// is done in its minute.
func (r *rehearsal) pass(ctx context.Context, until time.Time) error {
	for now := r.clock.now(); now.Before(until); now = r.clock.now() {
		next := now.Add(min(stride, until.Sub(now)))
		due, is, err := r.nextDue(ctx, now, next)
		if err != nil {
			return err
		}
		if is {
			next = minute(due)
		}
		if waits, ok, err := r.d.DB.Outbox("").NextDue(ctx); err != nil {
			return err
		} else if ok && waits.After(now) && waits.Before(next) {
			next = minute(waits)
		}
		r.clock.set(next)
		if err := r.settle(ctx); err != nil {
			return err
		}
		if is {
			r.sum.Due++
			r.sum.LatestSeconds = max(r.sum.LatestSeconds, r.clock.now().Sub(due).Seconds())
		}
	}
	return nil
}

// minute is the whole minute that a time falls into, or the next.
func minute(t time.Time) time.Time {
	if m := t.Truncate(time.Minute); m.Equal(t) {
		return m
	}
	return t.Truncate(time.Minute).Add(time.Minute)
}

// nextDue is the second in which something becomes due in a match, if that is until a time.
func (r *rehearsal) nextDue(ctx context.Context, after, until time.Time) (time.Time, bool, error) {
	is := func(t time.Time) (bool, error) {
		ids, err := r.d.DB.DueMatches(ctx, t, 1)
		return len(ids) > 0, err
	}
	if due, err := is(until); err != nil || !due {
		return until, false, err
	}
	for until.Sub(after) > time.Second {
		middle := after.Add(until.Sub(after) / 2)
		due, err := is(middle)
		if err != nil {
			return until, false, err
		}
		if due {
			until = middle
		} else {
			after = middle
		}
	}
	return until, true, nil
}

// settle waits until the inbox is empty, nothing waits that could be sent, and what is due was
// done. Whoever waits asks; the clock of the club stands meanwhile.
func (r *rehearsal) settle(ctx context.Context) error {
	began := time.Now()
	// Nobody else tells the daemon that a letter was queued, or that time has passed.
	if err := r.tick(ctx); err != nil {
		return err
	}
	for quiet := 0; quiet < 2; {
		still, why, err := r.still(ctx)
		if err != nil {
			return err
		}
		if still {
			quiet++
		} else {
			quiet = 0
		}
		if still || why == undone {
			if err := r.tick(ctx); err != nil {
				return err
			}
		}
		if quiet > 0 {
			continue
		}
		if time.Since(began) > answerTimeout {
			return fmt.Errorf("%w: %s", errUnanswered, why)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(2 * time.Millisecond):
		}
	}
	return nil
}

// tick lets the daemon look for what no letter brings. It takes a tick when it has done with the
// one before.
func (r *rehearsal) tick(ctx context.Context) error {
	select {
	case r.ticks <- r.clock.now():
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// looks measures what it takes the daemon to look for what is due, when nothing is: as it does
// every two seconds, and as it does once a minute. The mailbox is left alone.
func (r *rehearsal) looks(ctx context.Context) error {
	if r.Measured == 0 {
		return nil
	}
	var short, whole []float64
	for range measuredMinutes {
		for i, to := range []*[]float64{&whole, &short} {
			if i == 0 {
				if err := r.pass(ctx, r.clock.now().Add(time.Minute)); err != nil {
					return err
				}
				r.clock.set(r.clock.now().Add(time.Minute))
			}
			began := time.Now()
			for range 2 { // The first is taken at once, the second when it is done.
				if err := r.tick(ctx); err != nil {
					return err
				}
			}
			*to = append(*to, float64(time.Since(began).Microseconds())/1000)
		}
	}
	r.sum.LookMS, _ = median(short)
	r.sum.MinuteMS, _ = median(whole)
	return nil
}

// measuredMinutes is for how many minutes looks are measured.
const measuredMinutes = 10

// undone is why it is not still while the daemon has to look.
const undone = "the daemon has not looked"

// still reports whether nothing is under way.
func (r *rehearsal) still(ctx context.Context) (still bool, why string, err error) {
	now := r.clock.now()
	box, err := r.inbox.Status("INBOX", &statusOptions).Wait()
	if err != nil {
		return false, "", fmt.Errorf("look into the inbox: %w", err)
	}
	if n := *box.NumMessages; n > 0 {
		return false, fmt.Sprintf("%d letters lie in the inbox", n), nil
	}
	waits, ok, err := r.d.DB.Outbox("").NextDue(ctx)
	if err != nil {
		return false, "", err
	}
	looked, err := r.d.DB.LastLook(ctx)
	if err != nil || now.Sub(looked) >= heard {
		return false, undone, err
	}
	due, err := r.d.DB.DueMatches(ctx, now, 1)
	if err != nil || len(due) > 0 {
		return false, undone, err
	}
	if ok && !waits.After(now) {
		return false, "a letter waits to be sent since " + waits.Format(time.DateTime), nil
	}
	return true, "", nil
}
