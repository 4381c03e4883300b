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

// rescanAfter is the time after which a scan is requested again if the requested scan has not ended.
const rescanAfter = time.Minute

// inbox is the part of the poller that the scheduler waits for.
type inbox interface {
	// InboxWatermark is the time up to which all delivered letters were handled.
	InboxWatermark() time.Time
	// ScanNow requests a scan, which advances the watermark.
	ScanNow()
}

// scheduler carries out due work of matches, e.g. a time-out. It waits until the inbox was scanned after the due time, because a letter
// delivered before that time counts. Failed work is repeated after increasing pauses, with one line in the log for each try. The pauses
// are kept in memory: a restart repeats all work immediately.
type scheduler struct {
	adjudicator *adjudicator.Adjudicator
	log         *slog.Logger
	// fault reports whether an error is a fault of the database, see storage.DB.Fault; it may be nil.
	fault func(error) (reason string, ok bool)
	// inbox and outages are nil if no letters are received.
	inbox         inbox
	outages       *outageTracker
	scanRequested time.Time
	// matchBackoffs contains the matches with failed work. The key "" stands for the list of due matches. backgroundBackoffs
	// contains the matches with a failed background job, i.e. an answer of a robot or an analysis.
	matchBackoffs, backgroundBackoffs backoffs
}

func newScheduler(a *adjudicator.Adjudicator, log *slog.Logger) *scheduler {
	return &scheduler{adjudicator: a, log: log}
}

// run carries out the due work, except work that has failed and whose pause has not ended.
func (s *scheduler) run(ctx context.Context, now time.Time) {
	if s.matchBackoffs.isWaiting("", now) {
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
		_, failed, err = s.adjudicator.RunDueTasks(ctx, until, func(match string) bool {
			waiting[match] = s.matchBackoffs.isWaiting(match, now)
			return waiting[match]
		})
	}
	isFailing := func(match string) bool { return waiting[match] || failed[match] != nil }
	if err == nil && until.Before(now) {
		err = s.requestScan(ctx, now, until, isFailing, len(waiting)+len(failed))
	}
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		_, maximum := s.classifyFailure(err)
		s.log.Error("due work cannot be listed or carried out", "error", err, "retry_in", s.matchBackoffs.addCapped("", now, maximum))
		return
	}
	s.recordFailures(failed, now)
	if !until.IsZero() {
		s.matchBackoffs.dropFinished(isFailing)
	}
}

// runBackgroundJobs runs the robots that need seconds for an answer, and the analyses of finished matches. It runs
// concurrently with run and waits for no inbox scan.
func (s *scheduler) runBackgroundJobs(ctx context.Context) {
	now := s.adjudicator.Now()
	waiting := map[string]bool{}
	failed, err := s.adjudicator.RunBackgroundJobs(ctx, func(match string) bool {
		waiting[match] = s.backgroundBackoffs.isWaiting(match, now)
		return waiting[match]
	})
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.log.Error("background jobs cannot be listed: answers of robots, and analyses of matches", "error", err)
	}
	for match, err := range failed {
		s.backgroundBackoffs.logFailure(s.log, "a robot cannot answer, or a match cannot be analysed", match, err, now)
	}
	s.backgroundBackoffs.dropFinished(func(match string) bool { return failed[match] != nil || waiting[match] })
}

// classifyFailure reports whether an error is a fault of the database, and the maximum pause after it. The pause is short for
// a fault, so that due work does not wait for minutes.
func (s *scheduler) classifyFailure(err error) (isFault bool, maximum time.Duration) {
	if s.fault != nil {
		_, isFault = s.fault(err)
	}
	if isFault {
		return true, minPause
	}
	return false, maxPause
}

func (s *scheduler) recordFailures(failed map[string]error, now time.Time) {
	waiting := 0
	for match, err := range failed {
		isFault, maximum := s.classifyFailure(err)
		pause := s.matchBackoffs.addCapped(match, now, maximum)
		if isFault {
			if waiting++; waiting == 1 {
				s.log.Error("due work of matches waits for the database", "error", err, "retry_in", pause)
			}
			continue
		}
		args := []any{"match", match, "error", err, "retry_in", pause}
		if p := (*adjudicator.PanicError)(nil); errors.As(err, &p) {
			args = append(args, "stack", p.Stack)
		}
		s.log.Error("due work of a match cannot be carried out", args...)
	}
}

// dueLimit returns the time up to which due work may be carried out; it is the zero time if no work may be carried out.
func (s *scheduler) dueLimit(now time.Time) time.Time {
	if s.inbox == nil {
		return now
	}
	// Round(0) drops the monotonic clock: due times are wall clock times. A watermark in the
	// future was taken from a clock that has been set back since.
	watermark := s.inbox.InboxWatermark().Round(0)
	if watermark.After(now.Round(0)) {
		return time.Time{}
	}
	return watermark
}

// requestScan requests an inbox scan if the last scan is old, or if more work has become due since. Work of a match for
// which isFailing is true needs no scan; there are at most failingCount of these matches.
func (s *scheduler) requestScan(ctx context.Context, now, until time.Time, isFailing func(match string) bool, failingCount int) error {
	if until.Before(s.scanRequested) && now.Sub(s.scanRequested) < rescanAfter {
		return nil
	}
	if s.outages != nil && !s.outages.hasRecentScan(now) {
		s.scanRequested = now
		s.inbox.ScanNow()
		return nil
	}
	ids, err := s.adjudicator.Store.DueMatches(ctx, now, failingCount+1)
	if err != nil || !slices.ContainsFunc(ids, func(id string) bool { return !isFailing(id) }) {
		return err
	}
	s.scanRequested = now
	s.inbox.ScanNow()
	return nil
}

func (s *scheduler) countFailing() int { return s.matchBackoffs.count() }

const (
	// minOutage is the time without an inbox scan that counts as an inbox outage.
	minOutage = 5 * time.Minute
	// maxScanAge is the age of the last scan after which a scan is requested even if no work is due.
	maxScanAge = 2 * time.Minute
	// scanStoreInterval is the time between two writes of the watermark to the database.
	scanStoreInterval = 30 * time.Second
)

type watermarkStore interface {
	Watermark(ctx context.Context) (time.Time, error)
	SetWatermark(ctx context.Context, at time.Time) error
	AddOutage(ctx context.Context, since, until time.Time) error
	TruncateFuture(ctx context.Context, now time.Time) error
}

// outageTracker detects inbox outages: the time from the last complete inbox scan before an outage to the first one
// after it. For example, if scans end at 12:00 and at 12:20, no player's clock runs from 12:00 to 12:20. A system
// clock that jumps forward has the same effect.
type outageTracker struct {
	store watermarkStore

	mu sync.Mutex
	// lastScan is the time of the last complete scan. storedScan is the watermark in the database.
	lastScan, storedScan time.Time
	isLoaded             bool
}

// load reads the watermark from the database once. Times in the future are set to now.
func (t *outageTracker) load(ctx context.Context, now time.Time) (err error) {
	if !t.isLoaded {
		if t.lastScan, err = t.store.Watermark(ctx); err != nil {
			return err
		}
		t.storedScan, t.isLoaded = t.lastScan, true
	}
	if t.lastScan.After(now) {
		t.lastScan, t.storedScan = now, now
	}
	return t.store.TruncateFuture(ctx, now)
}

// recordScan records the time of an inbox scan. scanned is zero if there was no scan.
func (t *outageTracker) recordScan(ctx context.Context, now, scanned time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	// The wall clock is used, because the monotonic clock stops while the machine sleeps.
	now, scanned = now.Round(0), scanned.Round(0)
	if err := t.load(ctx, now); err != nil {
		return err
	}
	if !scanned.After(t.lastScan) || scanned.After(now) {
		return nil
	}
	if err := t.recordOutage(ctx, scanned); err != nil {
		return err
	}
	t.lastScan = scanned
	if t.lastScan.Sub(t.storedScan) < scanStoreInterval {
		return nil
	}
	t.storedScan = t.lastScan
	return t.store.SetWatermark(ctx, t.lastScan)
}

// recordOutage records an outage from the last scan to the end until, if the outage is longer than minOutage.
func (t *outageTracker) recordOutage(ctx context.Context, until time.Time) error {
	if t.lastScan.IsZero() || until.Sub(t.lastScan) <= minOutage {
		return nil
	}
	return t.store.AddOutage(ctx, t.lastScan, until)
}

func (t *outageTracker) hasRecentScan(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return now.Sub(t.lastScan) < maxScanAge
}

// recordBeforeHandling returns a handler that records an outage up to now before it calls next, because the letter may
// have arrived during the outage.
func (t *outageTracker) recordBeforeHandling(clock func() time.Time, next mail.Handler) mail.Handler {
	return mail.HandlerFunc(func(ctx context.Context, r mail.Received) (mail.Folder, error) {
		if err := t.recordLetter(ctx, clock().Round(0)); err != nil {
			return "", err
		}
		return next.Handle(ctx, r)
	})
}

func (t *outageTracker) recordLetter(ctx context.Context, now time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.load(ctx, now); err != nil {
		return err
	}
	return t.recordOutage(ctx, now)
}

// The pause after failed work doubles from minPause to maxPause.
const (
	minPause = 2 * defaultTickInterval
	maxPause = 10 * time.Minute
)

// backoffs are the pauses of failed work by name, e.g. match ID. The zero value is ready to use.
type backoffs struct {
	mu     sync.Mutex
	byName map[string]backoff
}

type backoff struct {
	pause time.Duration
	until time.Time
}

func (b *backoffs) isWaiting(name string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Before(b.byName[name].until)
}

// add records a failure, and returns the pause before the next try.
func (b *backoffs) add(name string, now time.Time) time.Duration {
	return b.addCapped(name, now, maxPause)
}

func (b *backoffs) addCapped(name string, now time.Time, maximum time.Duration) time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	pause := min(max(2*b.byName[name].pause, minPause), maximum)
	if b.byName == nil {
		b.byName = map[string]backoff{}
	}
	b.byName[name] = backoff{pause, now.Add(pause)}
	return pause
}

// logFailure logs the first failure as an error, and later failures at level debug.
func (b *backoffs) logFailure(log *slog.Logger, text, match string, err error, now time.Time) {
	level, pause := slog.LevelDebug, b.add(match, now)
	if pause == minPause {
		level = slog.LevelError
	}
	log.Log(context.Background(), level, text, "match", match, "error", err, "retry_in", pause)
}

// dropFinished removes the pauses of work for which keep is false: the work has succeeded or is no longer due.
func (b *backoffs) dropFinished(keep func(name string) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.byName, func(name string, _ backoff) bool { return !keep(name) })
}

// count returns the number of matches with failed work; the key "" is no match.
func (b *backoffs) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.byName)
	if _, nameless := b.byName[""]; nameless {
		n--
	}
	return n
}
