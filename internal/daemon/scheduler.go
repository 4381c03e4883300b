package daemon

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"samizdat/adjudicator"
)

// lookAgain is after what time another look into the inbox is asked for, when the last
// that was asked for has not been through.
const lookAgain = time.Minute

// inbox is what of the poller is waited for before something is carried out.
type inbox interface {
	// LastPoll is a time before which every letter was adjudicated that came until then.
	LastPoll() time.Time
	// ScanNow asks for a scan that moves it on.
	ScanNow()
}

// scheduler carries out what is due in matches, as soon as the inbox was looked through
// after that time: a letter that came before it may be one that objects. What fails is
// tried again after a pause that grows, with one line in the log each time. It is kept
// in memory: a restart tries everything at once.
type scheduler struct {
	adjudicator *adjudicator.Adjudicator
	log         *slog.Logger
	// fault tells whether the database is to blame for an error; it may be nil.
	fault func(error) (reason string, is bool)
	// inbox is nil where no letters come.
	inbox inbox
	// hearing is told of each look; nil where no letters come.
	hearing *hearing
	// asked is when a look into it was last asked for.
	asked time.Time
	// failing are the matches whose work has failed; the empty name stands for the list
	// of all.
	failing backoffs
}

func newScheduler(a *adjudicator.Adjudicator, log *slog.Logger) *scheduler {
	return &scheduler{adjudicator: a, log: log}
}

// run carries out what is due at a time and is not waited with.
func (s *scheduler) run(ctx context.Context, now time.Time) {
	if s.failing.waits("", now) {
		return
	}
	waiting := map[string]bool{}
	var failed map[string]error
	var err error
	until := s.until(now)
	if s.hearing != nil {
		err = s.hearing.listens(ctx, now, until)
	}
	if err == nil && !until.IsZero() {
		_, failed, err = s.adjudicator.Due(ctx, until, func(match string) bool {
			waiting[match] = s.failing.waits(match, now)
			return waiting[match]
		})
	}
	open := func(match string) bool { return waiting[match] || failed[match] != nil }
	if err == nil && until.Before(now) {
		err = s.look(ctx, now, until, open, len(waiting)+len(failed))
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		_, most := s.isFault(err)
		s.log.Error("what is due cannot be looked for", "error", err, "retry_in", s.failing.addAtMost("", now, most))
		return
	}
	s.fail(failed, now)
	if !until.IsZero() {
		s.failing.keep(open)
	}
}

// isFault reports whether the database is to blame for an error, and the longest pause behind it: when the fault is over, what is
// due is not to wait for minutes.
func (s *scheduler) isFault(err error) (is bool, most time.Duration) {
	if s.fault != nil {
		_, is = s.fault(err)
	}
	if is {
		return true, firstPause
	}
	return false, mostPause
}

// fail notes what has failed.
func (s *scheduler) fail(failed map[string]error, now time.Time) {
	waiting := 0
	for match, err := range failed {
		is, most := s.isFault(err)
		pause := s.failing.addAtMost(match, now, most)
		if is {
			if waiting++; waiting == 1 {
				s.log.Error("what is due in matches waits for the database", "error", err, "retry_in", pause)
			}
			continue
		}
		args := []any{"match", match, "error", err, "retry_in", pause}
		if p := (*adjudicator.Panic)(nil); errors.As(err, &p) {
			args = append(args, "stack", p.Stack)
		}
		s.log.Error("what is due in a match cannot be carried out", args...)
	}
}

// until is the time until when what was due can be carried out; zero when nothing can.
func (s *scheduler) until(now time.Time) time.Time {
	if s.inbox == nil {
		return now
	}
	// What is due is compared with what the clock shows, and so is the look: one that
	// began at a time that is still to come was timed by a clock that was set back.
	looked := s.inbox.LastPoll().Round(0)
	if looked.After(now.Round(0)) {
		return time.Time{}
	}
	return looked
}

// look asks for a look into the inbox if something has become due since the last one. It
// leaves out the matches that were tried, which are so many or fewer.
func (s *scheduler) look(ctx context.Context, now, until time.Time, tried func(match string) bool, most int) error {
	if until.Before(s.asked) && now.Sub(s.asked) < lookAgain {
		return nil
	}
	if s.hearing != nil && !s.hearing.hears(now) {
		s.asked = now
		s.inbox.ScanNow()
		return nil
	}
	ids, err := s.adjudicator.Store.DueMatches(ctx, now, most+1)
	if err != nil || !slices.ContainsFunc(ids, func(id string) bool { return !tried(id) }) {
		return err
	}
	s.asked = now
	s.inbox.ScanNow()
	return nil
}

// stuck is how many matches there are whose work has failed.
func (s *scheduler) stuck() int { return s.failing.count() }
