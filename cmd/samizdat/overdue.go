package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"samizdat/adjudicator"
)

// The pause after work that was due has failed: it doubles from the first to the most.
const (
	firstSetback = 2 * between
	mostSetback  = 10 * time.Minute
)

// lookAgain is after what time another look into the inbox is asked for, when the last
// that was asked for has not been through.
const lookAgain = time.Minute

// inbox is what of the poller is waited for before something is carried out.
type inbox interface {
	// LastPoll is a time before which every letter was adjudicated that came until then.
	LastPoll() time.Time
	// LookNow asks for a look that moves it on.
	LookNow()
}

// overdue carries out what is due in matches, as soon as the inbox was looked through
// after that time: a letter that came before it may be one that objects. What fails is
// tried again after a pause that grows, with one line in the log each time. It is kept
// in memory: a restart tries everything at once.
type overdue struct {
	adjudicator *adjudicator.Adjudicator
	log         *slog.Logger
	// inbox is nil where no letters come.
	inbox inbox
	// asked is when a look into it was last asked for.
	asked time.Time

	mu sync.Mutex
	// failing are the matches whose work has failed, by name; the empty name stands for
	// the list of all.
	failing map[string]*setback
}

// setback is a failure: how long is waited after it, and until when.
type setback struct {
	pause time.Duration
	until time.Time
}

func newOverdue(a *adjudicator.Adjudicator, log *slog.Logger) *overdue {
	return &overdue{adjudicator: a, log: log, failing: map[string]*setback{}}
}

// look carries out what is due and was not put off.
func (o *overdue) look(ctx context.Context) {
	now := time.Now()
	if o.putOff("", now) {
		return
	}
	off := map[string]bool{}
	var failed map[string]error
	var err error
	until := o.until(now)
	if !until.IsZero() {
		_, failed, err = o.adjudicator.Due(ctx, until, func(match string) bool {
			off[match] = o.putOff(match, now)
			return off[match]
		})
	}
	if err == nil && until.Before(now) {
		err = o.lookInto(ctx, now, until, func(match string) bool { return off[match] || failed[match] != nil }, len(off)+len(failed))
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		o.log.Error("what is due cannot be looked for", "error", err, "retry_in", o.failed("", now))
		return
	}
	for match, err := range failed {
		args := []any{"match", match, "error", err, "retry_in", o.failed(match, now)}
		if p := (*adjudicator.Panic)(nil); errors.As(err, &p) {
			args = append(args, "stack", p.Stack)
		}
		o.log.Error("what is due in a match cannot be carried out", args...)
	}
	if until.IsZero() {
		return
	}
	o.keep(func(match string) bool { return off[match] || failed[match] != nil })
}

// until is the time until when what was due can be carried out; zero when nothing can.
func (o *overdue) until(now time.Time) time.Time {
	if o.inbox == nil {
		return now
	}
	// What is due is compared with what the clock shows, and so is the look: one that
	// began at a time that is still to come was timed by a clock that was set back.
	looked := o.inbox.LastPoll().Round(0)
	if looked.After(now.Round(0)) {
		return time.Time{}
	}
	return looked
}

// lookInto asks for a look into the inbox if something has become due since the last
// one. It leaves out the matches that were tried, which are so many or fewer.
func (o *overdue) lookInto(ctx context.Context, now, until time.Time, tried func(match string) bool, most int) error {
	if until.Before(o.asked) && now.Sub(o.asked) < lookAgain {
		return nil
	}
	ids, err := o.adjudicator.Store.DueMatches(ctx, now, most+1)
	if err != nil || !slices.ContainsFunc(ids, func(id string) bool { return !tried(id) }) {
		return err
	}
	o.asked = now
	o.inbox.LookNow()
	return nil
}

// putOff reports whether a match is not to be tried yet.
func (o *overdue) putOff(match string, now time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.failing[match]
	return s != nil && now.Before(s.until)
}

// failed notes a failure, and returns the pause until the next try.
func (o *overdue) failed(match string, now time.Time) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	s := o.failing[match]
	if s == nil {
		s = &setback{pause: firstSetback / 2}
		o.failing[match] = s
	}
	s.pause = min(2*s.pause, mostSetback)
	s.until = now.Add(s.pause)
	return s.pause
}

// keep forgets all but some: the others went well now, or are not due any more.
func (o *overdue) keep(some func(match string) bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.DeleteFunc(o.failing, func(match string, _ *setback) bool { return !some(match) })
}

// count is how many matches there are whose work has failed.
func (o *overdue) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.failing)
	if o.failing[""] != nil {
		n--
	}
	return n
}
