package daemon

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"samizdat/adjudicator"
	"samizdat/mail"
)

// rescanAfter is after what time another look into the inbox is asked for, when the last
// that was asked for has not been through.
const rescanAfter = time.Minute

// inbox is what of the poller is waited for before something is carried out.
type inbox interface {
	// InboxWatermark is the time up to which every delivered letter has been processed.
	InboxWatermark() time.Time
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
	// outages is told of each look; nil where no letters come.
	outages *outageTracker
	// scanRequested is when a look into it was last asked for.
	scanRequested time.Time
	// failing are the matches whose work has failed; the empty name stands for the list
	// of all.
	failing backoffs
}

func newScheduler(a *adjudicator.Adjudicator, log *slog.Logger) *scheduler {
	return &scheduler{adjudicator: a, log: log}
}

// run carries out what is due at a time and is not waited with.
func (s *scheduler) run(ctx context.Context, now time.Time) {
	if s.failing.isWaiting("", now) {
		return
	}
	waiting := map[string]bool{}
	var failed map[string]error
	var err error
	until := s.dueLimit(now)
	if s.outages != nil {
		err = s.outages.recordScan(ctx, now, until)
	}
	if err == nil && !until.IsZero() {
		_, failed, err = s.adjudicator.Due(ctx, until, func(match string) bool {
			waiting[match] = s.failing.isWaiting(match, now)
			return waiting[match]
		})
	}
	open := func(match string) bool { return waiting[match] || failed[match] != nil }
	if err == nil && until.Before(now) {
		err = s.requestScan(ctx, now, until, open, len(waiting)+len(failed))
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		_, most := s.isFault(err)
		s.log.Error("what is due cannot be looked for", "error", err, "retry_in", s.failing.addCapped("", now, most))
		return
	}
	s.recordFailures(failed, now)
	if !until.IsZero() {
		s.failing.retain(open)
	}
}

// isFault reports whether the database is to blame for an error, and the longest pause behind it: when the fault is over, what is
// due is not to wait for minutes.
func (s *scheduler) isFault(err error) (is bool, most time.Duration) {
	if s.fault != nil {
		_, is = s.fault(err)
	}
	if is {
		return true, minPause
	}
	return false, maxPause
}

// recordFailures notes what has failed.
func (s *scheduler) recordFailures(failed map[string]error, now time.Time) {
	waiting := 0
	for match, err := range failed {
		is, most := s.isFault(err)
		pause := s.failing.addCapped(match, now, most)
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

// dueLimit is the time until when what was due can be carried out; zero when nothing can.
func (s *scheduler) dueLimit(now time.Time) time.Time {
	if s.inbox == nil {
		return now
	}
	// What is due is compared with what the clock shows, and so is the look: one that
	// began at a time that is still to come was timed by a clock that was set back.
	watermark := s.inbox.InboxWatermark().Round(0)
	if watermark.After(now.Round(0)) {
		return time.Time{}
	}
	return watermark
}

// requestScan asks for a look into the inbox if something has become due since the last one. It
// leaves out the matches that were tried, which are so many or fewer.
func (s *scheduler) requestScan(ctx context.Context, now, until time.Time, tried func(match string) bool, triedCount int) error {
	if until.Before(s.scanRequested) && now.Sub(s.scanRequested) < rescanAfter {
		return nil
	}
	if s.outages != nil && !s.outages.hasRecentScan(now) {
		s.scanRequested = now
		s.inbox.ScanNow()
		return nil
	}
	ids, err := s.adjudicator.Store.DueMatches(ctx, now, triedCount+1)
	if err != nil || !slices.ContainsFunc(ids, func(id string) bool { return !tried(id) }) {
		return err
	}
	s.scanRequested = now
	s.inbox.ScanNow()
	return nil
}

// countFailing is how many matches there are whose work has failed.
func (s *scheduler) countFailing() int { return s.failing.count() }

const (
	// minOutage is how much time between two looks into the inbox makes us deaf meanwhile.
	minOutage = 5 * time.Minute
	// maxScanAge is how often somebody looks, if only to be sure that we hear.
	maxScanAge = 2 * time.Minute
	// scanStoreInterval is how often the newest look is noted for the next start.
	scanStoreInterval = 30 * time.Second
)

// watermarkStore keeps when the inbox was looked through, and when it was not; the database fulfils
// it.
type watermarkStore interface {
	Watermark(ctx context.Context) (time.Time, error)
	SetWatermark(ctx context.Context, at time.Time) error
	AddOutage(ctx context.Context, since, until time.Time) error
	TruncateFuture(ctx context.Context, now time.Time) error
}

// outageTracker finds out when we were deaf: from the last complete look through the inbox
// before an outage to the first one after it. A clock of the system that jumps forward looks
// the same, and costs no player anything either.
type outageTracker struct {
	store watermarkStore

	mu sync.Mutex
	// lastScan is the newest complete look, noted the newest that the database knows.
	lastScan, storedScan time.Time
	loaded               bool
}

// load reads what is known from before, and forgets what is later than now.
func (h *outageTracker) load(ctx context.Context, now time.Time) (err error) {
	if !h.loaded {
		if h.lastScan, err = h.store.Watermark(ctx); err != nil {
			return err
		}
		h.storedScan, h.loaded = h.lastScan, true
	}
	if h.lastScan.After(now) {
		h.lastScan, h.storedScan = now, now
	}
	return h.store.TruncateFuture(ctx, now)
}

// recordScan takes in when somebody looked through the inbox last; zero where nobody did.
func (h *outageTracker) recordScan(ctx context.Context, now, scanned time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	// What the clock shows counts, also when the machine slept.
	now, scanned = now.Round(0), scanned.Round(0)
	if err := h.load(ctx, now); err != nil {
		return err
	}
	if !scanned.After(h.lastScan) || scanned.After(now) {
		return nil
	}
	if err := h.recordOutage(ctx, scanned); err != nil {
		return err
	}
	h.lastScan = scanned
	if h.lastScan.Sub(h.storedScan) < scanStoreInterval {
		return nil
	}
	h.storedScan = h.lastScan
	return h.store.SetWatermark(ctx, h.lastScan)
}

// recordOutage notes that nobody has looked since the last look until a time, if that is long.
func (h *outageTracker) recordOutage(ctx context.Context, until time.Time) error {
	if h.lastScan.IsZero() || until.Sub(h.lastScan) <= minOutage {
		return nil
	}
	return h.store.AddOutage(ctx, h.lastScan, until)
}

// hasRecentScan reports whether the newest look is new enough.
func (h *outageTracker) hasRecentScan(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return now.Sub(h.lastScan) < maxScanAge
}

// recordBefore notes that we were deaf before a letter is handled that may have come meanwhile.
func (h *outageTracker) recordBefore(clock func() time.Time, next mail.Handler) mail.Handler {
	return mail.HandlerFunc(func(ctx context.Context, r mail.Received) (mail.Folder, error) {
		if err := h.recordLetter(ctx, clock().Round(0)); err != nil {
			return "", err
		}
		return next.Handle(ctx, r)
	})
}

// recordLetter takes in that a letter is in hand.
func (h *outageTracker) recordLetter(ctx context.Context, now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.load(ctx, now); err != nil {
		return err
	}
	return h.recordOutage(ctx, now)
}

// The pause after work that was due has failed: it doubles from the first to the most.
const (
	minPause = 2 * defaultTickInterval
	maxPause = 10 * time.Minute
)

// backoffs are the pauses of work that fails, by its name. The zero value is ready to use.
type backoffs struct {
	mu     sync.Mutex
	byName map[string]backoff
}

// backoff is how long is waited after a failure, and until when.
type backoff struct {
	pause time.Duration
	until time.Time
}

// isWaiting reports whether some work is not to be tried yet.
func (b *backoffs) isWaiting(name string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Before(b.byName[name].until)
}

// add notes a failure, and returns the pause until the next try.
func (b *backoffs) add(name string, now time.Time) time.Duration {
	return b.addCapped(name, now, maxPause)
}

// addCapped is add for what is tried again after a time at most.
func (b *backoffs) addCapped(name string, now time.Time, most time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	pause := min(max(2*b.byName[name].pause, minPause), most)
	if b.byName == nil {
		b.byName = map[string]backoff{}
	}
	b.byName[name] = backoff{pause, now.Add(pause)}
	return pause
}

// logFailure notes that work on a match has failed, and logs it: as an error once, since it may stay so.
func (b *backoffs) logFailure(log *slog.Logger, what, match string, err error, now time.Time) {
	level, pause := slog.LevelDebug, b.add(match, now)
	if pause == minPause {
		level = slog.LevelError
	}
	log.Log(context.Background(), level, what, "match", match, "error", err, "retry_in", pause)
}

// retain forgets all but some: the others went well, or are not due any more.
func (b *backoffs) retain(some func(name string) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.byName, func(name string, _ backoff) bool { return !some(name) })
}

// count is how much work with a name fails.
func (b *backoffs) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.byName)
	if _, nameless := b.byName[""]; nameless {
		n--
	}
	return n
}
