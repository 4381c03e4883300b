package daemon

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"samizdat/mail"
	"samizdat/mail/keyqueue"
	"samizdat/mail/message"
	"samizdat/storage"
)

const (
	// Outcomes of letters that were not adjudicated. The outcome of an adjudicated letter is the name of its folder.
	outcomeFailed  = "failed"  // The log of the worker has the reason.
	outcomeLater   = "later"   // The letter cannot be checked yet, e.g. because DNS does not answer.
	outcomeCrashed = "crashed" // The handler panicked, and the daemon went on.
	outcomeDied    = "died"    // In each of maxTries tries, the daemon died.
	// outcomeFault is followed by the reason that the database gives, e.g. "fault: disk full".
	outcomeFault = "fault: "
)

// reportedFault is a fault of the database that occurred in a worker of any daemon.
type reportedFault string

func (e reportedFault) Error() string { return "a daemon met a fault of the database: " + string(e) }

// findFault returns the fault of the database behind an error, or false for other errors.
func findFault(db *storage.DB, err error) (reason string, ok bool) {
	if reported := reportedFault(""); errors.As(err, &reported) {
		return string(reported), true
	}
	return db.Fault(err)
}

var errNotHandled = errors.New("a daemon could not handle the letter: its log says why")

// outcomeErrors are the errors that the poller gets for stored outcomes.
var outcomeErrors = map[string]error{
	outcomeFailed: errNotHandled, outcomeLater: message.ErrTemporary, outcomeCrashed: mail.ErrCrashed, outcomeDied: mail.ErrDied,
}

var outcomeFolders = map[string]mail.Folder{
	string(mail.Done): mail.Done, string(mail.Refused): mail.Refused, string(mail.Ignored): mail.Ignored,
	string(mail.Questions): mail.Questions,
}

// inboxUID is the UIDVALIDITY and the UID of a letter in the inbox (RFC 3501, section 2.3.1.1).
type inboxUID struct{ validity, uid uint32 }

// workers claim the letters that the poller has stored (storage.Arrival), adjudicate up to maxWorkers of them
// concurrently and record their outcomes. Letters with a common key, e.g. of the same match, are adjudicated in order
// of arrival. A letter that was being adjudicated when a daemon died is tried again alone.
type workers struct {
	db            *storage.DB
	handler       mail.Handler
	handleTimeout time.Duration
	startedAt     time.Time
	interrupted   *interruptedLetters
	log           *slog.Logger

	queue *keyqueue.Queue

	mu         sync.Mutex
	unrecorded []storage.Outcome
	// slotFreed signals that a letter has left the queue or that an outcome was recorded.
	slotFreed    chan struct{}
	outcomeReady chan struct{}
}

func newWorkers(db *storage.DB, handler mail.Handler, handleTimeout time.Duration, startedAt time.Time, interrupted *interruptedLetters,
	log *slog.Logger) *workers {
	slotFreed := make(chan struct{}, 1)
	return &workers{db: db, handler: handler, handleTimeout: handleTimeout, startedAt: startedAt, interrupted: interrupted, log: log,
		queue: keyqueue.New(maxWorkers, func() { signal(slotFreed) }), slotFreed: slotFreed, outcomeReady: make(chan struct{}, 1)}
}

// interruptedLetters are letters that were being handled when a session ended. The claims of these letters must not
// count as tries, because the letters did not crash the daemon.
type interruptedLetters struct {
	mu      sync.Mutex
	letters []inboxUID
}

func (u *interruptedLetters) add(validity, uid uint32) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.letters = append(u.letters, inboxUID{validity, uid})
}

func (u *interruptedLetters) refundTries(ctx context.Context, db *storage.DB) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.letters) > 0 {
		if err := db.Daemons.RefundTry(ctx, u.letters[0].validity, u.letters[0].uid); err != nil {
			return err
		}
		u.letters = u.letters[1:]
	}
	return nil
}

const (
	// maxWorkers is the number of letters that a daemon adjudicates concurrently.
	maxWorkers = 8
	// claimBatch is the number of letters that a daemon claims by one statement.
	claimBatch = 8
	// maxClaimed limits the claimed letters of a daemon, including letters that wait for letters with the same key.
	maxClaimed = 32
)

// run claims letters until the session ends. arrived receives a value when letters are stored. handled receives a value
// when another daemon has handled a letter for which other letters wait.
func (w *workers) run(ctx context.Context, s *storage.Session, arrived, handled <-chan struct{}) {
	if err := w.interrupted.refundTries(ctx, w.db); err != nil && ctx.Err() == nil {
		w.log.Warn("letters that an earlier session interrupted still count as tried", "error", err)
	}
	queueDone := make(chan struct{})
	var recorder sync.WaitGroup
	recorder.Go(func() { w.runRecorder(ctx, s, queueDone) })
	defer func() {
		w.queue.Wait()
		close(queueDone)
		recorder.Wait()
	}()
	for {
		claimed, hasMore, err := w.claim(ctx, s)
		if err != nil && ctx.Err() == nil {
			w.log.Warn("letters cannot be claimed yet", "error", err)
		}
		for _, a := range claimed {
			w.queue.Add(a.Keys, func() { w.handle(ctx, s, a) })
		}
		if len(claimed) > 0 && w.claimLimit() > 0 {
			continue
		}
		handledIfNeeded := handled
		if !hasMore {
			handledIfNeeded = nil // No unclaimed letter waits for another daemon.
		}
		select {
		case <-ctx.Done():
			return
		case <-arrived:
		case <-handledIfNeeded:
		case <-w.slotFreed:
		}
	}
}

// claimLimit returns how many more letters may be claimed now.
func (w *workers) claimLimit() int {
	if claimed, ready := w.queue.Len(); ready >= maxWorkers || claimed+claimBatch > maxClaimed {
		return 0
	}
	return claimBatch
}

// claim claims letters that were not tried before or, if the daemon is idle, a letter that was tried before. hasMore is
// set if unclaimed letters may remain.
func (w *workers) claim(ctx context.Context, s *storage.Session) (claimed []storage.Arrival, hasMore bool, err error) {
	limit := w.claimLimit()
	if limit == 0 || !s.IsAlive() {
		return nil, true, nil
	}
	claimed, hasMore, err = w.db.Daemons.Claim(ctx, s, limit, false, 0)
	if err != nil || len(claimed) > 0 || !hasMore || !w.isIdle() {
		return claimed, hasMore, err
	}
	triesLimit := 0
	if time.Since(w.startedAt) < provenAfter {
		// A daemon does not make the last try soon after its start: something other than the letter may be killing it.
		triesLimit = maxTries - 1
	}
	return w.db.Daemons.Claim(ctx, s, 1, true, triesLimit)
}

func (w *workers) isIdle() bool {
	if claimed, _ := w.queue.Len(); claimed > 0 {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.unrecorded) == 0
}

const (
	// maxTries limits the claims of a letter. After the first try the letter is adjudicated alone. Only a daemon that
	// has run for provenAfter makes the last try.
	maxTries    = 5
	provenAfter = 5 * time.Second
)

// handle adjudicates one letter, and leaves its outcome to runRecorder.
func (w *workers) handle(ctx context.Context, s *storage.Session, a storage.Arrival) {
	outcome, err := outcomeDied, mail.ErrDied
	if a.Tries <= maxTries {
		outcome, err = w.nameOutcome(mail.HandleSafely(ctx, w.handler, a.Received, w.handleTimeout))
	}
	if err != nil {
		if ctx.Err() != nil {
			w.interrupted.add(a.UIDValidity, a.UID) // The next session claims the letter again.
			return
		}
		w.log.Error("letter was not handled", "uid", a.UID, "error", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unrecorded = append(w.unrecorded, storage.Outcome{UIDValidity: a.UIDValidity, UID: a.UID, Value: outcome})
	signal(w.outcomeReady)
}

// outcomeBatchDelay is how long an outcome waits for others that are recorded in the same transaction. It delays only
// the move of the letter to its folder, and later letters with the same key.
const outcomeBatchDelay = 20 * time.Millisecond

// sleep waits for a duration or until the context ends. It returns false if the context has ended.
func sleep(ctx context.Context, d time.Duration) bool {
	waitUntilDone(ctx, d, nil)
	return ctx.Err() == nil
}

func waitUntilDone(ctx context.Context, d time.Duration, done <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-done:
	case <-ctx.Done():
	}
}

const recordRetryPause = 200 * time.Millisecond

// runRecorder records outcomes until the queue has ended and every outcome is recorded.
func (w *workers) runRecorder(ctx context.Context, s *storage.Session, queueDone <-chan struct{}) {
	// Outcomes are still recorded for recordTimeout after a stop, so that these letters are not adjudicated again.
	recordCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(recordTimeout, cancel) })()
	for {
		w.mu.Lock()
		batch := w.unrecorded
		w.mu.Unlock()
		if len(batch) > 0 {
			if len(batch) < maxWorkers {
				waitUntilDone(recordCtx, outcomeBatchDelay, queueDone)
			}
			w.recordOutcomes(recordCtx, s)
			continue
		}
		select {
		case <-w.outcomeReady:
			continue
		case <-queueDone:
		}
		if w.isIdle() {
			return
		}
	}
}

// recordOutcomes tries until the outcomes are recorded or the context ends.
func (w *workers) recordOutcomes(ctx context.Context, s *storage.Session) {
	w.mu.Lock()
	batch := w.unrecorded
	w.mu.Unlock()
	for {
		err := w.db.Daemons.RecordOutcomes(ctx, s, batch...)
		if err == nil {
			break
		}
		// The claims hold while the session lives, so no other daemon takes the letters.
		w.log.Warn("outcomes of letters cannot be recorded yet", "uid", batch[0].UID, "letters", len(batch), "error", err)
		if sleep(ctx, recordRetryPause) {
			continue
		}
		for _, o := range batch {
			w.interrupted.add(o.UIDValidity, o.UID)
		}
		break
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unrecorded = slices.Clone(w.unrecorded[len(batch):])
	signal(w.slotFreed)
}

// nameOutcome returns the outcome to be recorded, e.g. "Samizdat/Done" or "fault: disk full".
func (w *workers) nameOutcome(f mail.Folder, hasCrashed bool, err error) (string, error) {
	reason, isFault := w.db.Fault(err)
	switch {
	case err == nil:
		return string(f), nil
	case errors.Is(err, message.ErrTemporary):
		return outcomeLater, err
	case isFault:
		return outcomeFault + reason, err
	case hasCrashed:
		return outcomeCrashed, err
	}
	return outcomeFailed, err
}

// signal wakes the receiver of a channel with room for one value. It never blocks.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
