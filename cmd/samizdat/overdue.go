package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"

	"samizdat/adjudicator"
)

// The pause after work that was due has failed: it doubles from the first to the most.
const (
	firstSetback = 2 * between
	mostSetback  = 10 * time.Minute
)

// overdue carries out what is due in matches. What fails is tried again after a pause
// that grows, with one line in the log each time. It is kept in memory: a restart tries
// everything at once.
type overdue struct {
	adjudicator *adjudicator.Adjudicator
	log         *slog.Logger

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
	_, failed, err := o.adjudicator.Due(ctx, func(match string) bool {
		off[match] = o.putOff(match, now)
		return off[match]
	})
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
	o.keep(func(match string) bool { return off[match] || failed[match] != nil })
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
