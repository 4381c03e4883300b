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

// rescanAfter is the time before another inbox scan is asked for, when the last that was asked for has not ended.
const rescanAfter = time.Minute

// inbox is the part of the poller that the scheduler waits for.
type inbox interface {
	// InboxWatermark is the time up to which every delivered letter has been processed.
	InboxWatermark() time.Time
	// ScanNow asks for a scan that moves it on.
	ScanNow()
}

// scheduler carries out due work of matches, e.g. a time-out, once the inbox was scanned after the due time: a letter
// delivered before that time may still count. Failed work is tried again after a growing pause, with one line in the log
// for each try. The pauses are kept in memory: a restart tries everything at once.
type scheduler struct {
	adjudicator *adjudicator.Adjudicator
	log         *slog.Logger
	// fault returns the fault of the database behind an error; it may be nil.
	fault func(error) (reason string, ok bool)
	// inbox is nil where no letters come.
	inbox inbox
	// outages is nil where no letters come.
	outages *outageTracker
	// scanRequested is the time when a scan was last asked for.
	scanRequested time.Time
	// failing holds the matches with failed work; "" stands for the list of due matches. unthinking holds the matches
	// with robots that failed.
	failing, unthinking backoffs
}

func newScheduler(a *adjudicator.Adjudicator, log *slog.Logger) *scheduler {
	return &scheduler{adjudicator: a, log: log}
}

// run carries out the work that is due at now and not backed off.
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
		_, failed, err = s.adjudicator.RunDueTasks(ctx, until, func(match string) bool {
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
		_, maximum := s.isFault(err)
		s.log.Error("due work cannot be listed or carried out", "error", err, "retry_in", s.failing.addCapped("", now, maximum))
		return
	}
	s.recordFailures(failed, now)
	if !until.IsZero() {
		s.failing.retain(open)
	}
}

// think lets robots answer that think for seconds, and matches be analysed. It runs beside run, and waits for no inbox scan.
func (s *scheduler) think(ctx context.Context) {
	now := s.adjudicator.Now()
	waiting := map[string]bool{}
	failed, err := s.adjudicator.Think(ctx, func(match string) bool {
		waiting[match] = s.unthinking.isWaiting(match, now)
		return waiting[match]
	})
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.log.Error("matches whose robots are to move, or that are to be analysed, cannot be listed", "error", err)
	}
	for match, err := range failed {
		s.unthinking.logFailure(s.log, "a robot cannot answer, or a match cannot be analysed", match, err, now)
	}
	s.unthinking.retain(func(match string) bool { return failed[match] != nil || waiting[match] })
}

// isFault reports whether the database is to blame for an error, and the longest pause after that error. The pause is
// short for a fault of the database: after its end due work must not wait for minutes.
func (s *scheduler) isFault(err error) (ok bool, maximum time.Duration) {
	if s.fault != nil {
		_, ok = s.fault(err)
	}
	if ok {
		return true, minPause
	}
	return false, maxPause
}

func (s *scheduler) recordFailures(failed map[string]error, now time.Time) {
	waiting := 0
	for match, err := range failed {
		ok, maximum := s.isFault(err)
		pause := s.failing.addCapped(match, now, maximum)
		if ok {
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

// dueLimit returns the time up to which due work may be carried out; zero if none may.
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

// requestScan asks for an inbox scan if more work has become due since the last scan. tried reports the matches that
// were tried in this run, which are triedCount or fewer.
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

func (s *scheduler) countFailing() int { return s.failing.count() }

const (
	// minOutage is the time between two inbox scans beyond which that time is an inbox outage.
	minOutage = 5 * time.Minute
	// maxScanAge is the age of the last scan after which a scan is asked for although no work is due.
	maxScanAge = 2 * time.Minute
	// scanStoreInterval is the time between two writes of the watermark to the database.
	scanStoreInterval = 30 * time.Second
)

// watermarkStore stores the inbox watermark and the inbox outages. The database implements it.
type watermarkStore interface {
	Watermark(ctx context.Context) (time.Time, error)
	SetWatermark(ctx context.Context, at time.Time) error
	AddOutage(ctx context.Context, since, until time.Time) error
	TruncateFuture(ctx context.Context, now time.Time) error
}

// outageTracker detects inbox outages: the time from the last complete inbox scan before an outage to the first one
// after it. For example, scans end at 12:00 and at 12:20: no player's clock runs from 12:00 to 12:20. A system clock
// that jumps forward looks the same, and costs no player time either.
type outageTracker struct {
	store watermarkStore

	mu sync.Mutex
	// lastScan is the time of the last complete scan, and storedScan that in the database.
	lastScan, storedScan time.Time
	loaded               bool
}

// load reads the watermark from the database once, and drops times later than now.
func (t *outageTracker) load(ctx context.Context, now time.Time) (err error) {
	if !t.loaded {
		if t.lastScan, err = t.store.Watermark(ctx); err != nil {
			return err
		}
		t.storedScan, t.loaded = t.lastScan, true
	}
	if t.lastScan.After(now) {
		t.lastScan, t.storedScan = now, now
	}
	return t.store.TruncateFuture(ctx, now)
}

// recordScan records that the inbox was scanned at a time; zero if it was not.
func (t *outageTracker) recordScan(ctx context.Context, now, scanned time.Time) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	// The wall clock counts: the monotonic clock stands still while the machine sleeps.
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

// recordOutage records an outage from the last scan until a time, if that is longer than minOutage.
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

// recordBefore records an outage up to now before each letter is handled, since the letter may have come during the
// outage.
func (t *outageTracker) recordBefore(clock func() time.Time, next mail.Handler) mail.Handler {
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

// backoffs are the pauses of failed work by its name, e.g. the ID of a match. The zero value is ready to use.
type backoffs struct {
	mu     sync.Mutex
	byName map[string]backoff
}

type backoff struct {
	pause time.Duration
	until time.Time
}

// isWaiting reports whether the pause of some work has not ended.
func (b *backoffs) isWaiting(name string, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return now.Before(b.byName[name].until)
}

// add records a failure, and returns the pause before the next try.
func (b *backoffs) add(name string, now time.Time) time.Duration {
	return b.addCapped(name, now, maxPause)
}

// addCapped works like add with another maximum pause.
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

// logFailure records and logs that work on a match has failed. The first failure is an error, and later ones are debug
// lines.
func (b *backoffs) logFailure(log *slog.Logger, what, match string, err error, now time.Time) {
	level, pause := slog.LevelDebug, b.add(match, now)
	if pause == minPause {
		level = slog.LevelError
	}
	log.Log(context.Background(), level, what, "match", match, "error", err, "retry_in", pause)
}

// retain drops the pauses of all other work, which has succeeded or is no longer due.
func (b *backoffs) retain(some func(name string) bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.DeleteFunc(b.byName, func(name string, _ backoff) bool { return !some(name) })
}

// count returns the number of failing names other than "".
func (b *backoffs) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := len(b.byName)
	if _, nameless := b.byName[""]; nameless {
		n--
	}
	return n
}
