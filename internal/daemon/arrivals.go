package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"samizdat/mail"
	"samizdat/mail/keyqueue"
	"samizdat/mail/message"
	"samizdat/storage"
)

// What a daemon notes of an arrival that it could not handle, in the place of a folder. The reason
// stands in its own log.
const (
	outcomeFailed  = "failed"
	outcomeLater   = "later"
	outcomeCrashed = "crashed"
	outcomeDied    = "died"
	// outcomeFault begins what is noted where the database is to blame; why comes behind it.
	outcomeFault = "fault: "
)

// errFault is that a daemon, perhaps another, met a fault of the database with a letter.
type errFault string

func (e errFault) Error() string { return "a daemon met a fault of the database: " + string(e) }

// findFault tells whether the database is to blame for an error.
func findFault(db *storage.DB, err error) (reason string, is bool) {
	if reported := errFault(""); errors.As(err, &reported) {
		return string(reported), true
	}
	return db.Fault(err)
}

// errNotHandled is that a daemon, perhaps another, could not handle a letter.
var errNotHandled = errors.New("a daemon could not handle the letter: its log says why")

// outcomeErrors are what the poller makes of them.
var outcomeErrors = map[string]error{
	outcomeFailed: errNotHandled, outcomeLater: message.ErrLater, outcomeCrashed: mail.ErrCrashed, outcomeDied: mail.ErrDied,
}

// outcomeFolders are the other outcomes.
var outcomeFolders = map[string]mail.Folder{string(mail.Done): mail.Done, string(mail.Refused): mail.Refused, string(mail.Ignored): mail.Ignored, string(mail.Questions): mail.Questions}

// inboxUID names a letter as it lies in the inbox.
type inboxUID struct{ validity, uid uint32 }

// workers adjudicate arrivals, so many at a time, and those with a key in common in their order. One with which a
// daemon has died is handled while no other is.
type workers struct {
	db      *storage.DB
	handler mail.Handler
	// handleTimeout is how long the handling of a letter may take.
	handleTimeout time.Duration
	// startedAt is when the daemon began to serve.
	startedAt  time.Time
	unfinished *unfinished
	log        *slog.Logger

	// queue has the letters that are claimed and not adjudicated.
	queue *keyqueue.Queue

	mu sync.Mutex
	// outcomes are not noted yet.
	outcomes []storage.Outcome
	// slotFreed and came tell of letters that are not in hand any more, and of outcomes.
	slotFreed, outcomeReady chan struct{}
}

func newWorkers(db *storage.DB, handler mail.Handler, handleTimeout time.Duration, startedAt time.Time, unfinished *unfinished, log *slog.Logger) *workers {
	slotFreed := make(chan struct{}, 1)
	return &workers{db: db, handler: handler, handleTimeout: handleTimeout, startedAt: startedAt, unfinished: unfinished, log: log,
		queue: keyqueue.New(maxWorkers, func() { signal(slotFreed) }), slotFreed: slotFreed, outcomeReady: make(chan struct{}, 1)}
}

// unfinished are letters that were in hand when a session ended. Nobody is to think that the daemon has
// died of them.
type unfinished struct {
	mu      sync.Mutex
	letters []inboxUID
}

func (u *unfinished) add(validity, uid uint32) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.letters = append(u.letters, inboxUID{validity, uid})
}

// uncountTries says so of all of them.
func (u *unfinished) uncountTries(ctx context.Context, db *storage.DB) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.letters) > 0 {
		if err := db.Daemons.UncountTry(ctx, u.letters[0].validity, u.letters[0].uid); err != nil {
			return err
		}
		u.letters = u.letters[1:]
	}
	return nil
}

const (
	// maxWorkers is how many letters a daemon adjudicates at the same time, claimedAtOnce how many it claims by one
	// statement, and mostClaimed how many it has in hand at most: some wait for others.
	maxWorkers = 8
	claimBatch = 8
	maxClaimed = 32
)

// run claims arrivals whenever there is news of any, or of those that others wait for, until the session ends.
func (t *workers) run(ctx context.Context, s *storage.Session, arrived, handled <-chan struct{}) {
	if err := t.unfinished.uncountTries(ctx, t.db); err != nil && ctx.Err() == nil {
		t.log.Warn("letters of an earlier session are not put down yet", "error", err)
	}
	over := make(chan struct{})
	var notes sync.WaitGroup
	notes.Go(func() { t.runRecorder(ctx, s, over) })
	defer func() {
		t.queue.Wait()
		close(over)
		notes.Wait()
	}()
	for {
		claimed, more, err := t.claim(ctx, s)
		if err != nil && ctx.Err() == nil {
			t.log.Warn("letters cannot be claimed yet", "error", err)
		}
		for _, a := range claimed {
			t.queue.Add(a.Keys, func() { t.handle(ctx, s, a) })
		}
		if len(claimed) > 0 && t.claimLimit() > 0 {
			continue
		}
		handledIfNeeded := handled
		if !more {
			handledIfNeeded = nil // Nobody waits for them.
		}
		select {
		case <-ctx.Done():
			return
		case <-arrived:
		case <-handledIfNeeded:
		case <-t.slotFreed:
		}
	}
}

// claimLimit is how many more letters may be claimed at once.
func (t *workers) claimLimit() int {
	if inHand, ready := t.queue.Len(); ready >= maxWorkers || inHand+claimBatch > maxClaimed {
		return 0 // What is in hand lasts for a while.
	}
	return claimBatch
}

// claim claims some arrivals. Rest is whether there are others that nobody has.
func (t *workers) claim(ctx context.Context, s *storage.Session) (claimed []storage.Arrival, more bool, err error) {
	limit := t.claimLimit()
	if limit == 0 || !s.IsAlive() {
		return nil, true, nil
	}
	claimed, more, err = t.db.Daemons.Claim(ctx, s, limit, false, 0)
	if err != nil || len(claimed) > 0 || !more || !t.isIdle() {
		return claimed, more, err
	}
	triesLimit := 0
	if time.Since(t.startedAt) < provenAfter {
		// Whoever kills daemons again and again may well do so while they have the same letter in hand.
		triesLimit = maxTries - 1
	}
	return t.db.Daemons.Claim(ctx, s, 1, true, triesLimit)
}

// isIdle reports whether no letter is in hand, and every outcome is noted.
func (t *workers) isIdle() bool {
	if inHand, _ := t.queue.Len(); inHand > 0 {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.outcomes) == 0
}

const (
	// maxTries is how often an arrival is claimed: once beside others, then alone, and the last time by a daemon that has
	// lived for provenAfter.
	maxTries    = 5
	provenAfter = 5 * time.Second
)

// handle adjudicates one letter. What came of it is noted soon.
func (t *workers) handle(ctx context.Context, s *storage.Session, a storage.Arrival) {
	outcome, err := outcomeDied, mail.ErrDied
	if a.Tries <= maxTries {
		outcome, err = t.nameOutcome(mail.HandleSafely(ctx, t.handler, a.Received, t.handleTimeout))
	}
	if err != nil {
		if ctx.Err() != nil {
			t.unfinished.add(a.UIDValidity, a.UID) // Nobody's fault: another claims it when this session is over.
			return
		}
		t.log.Error("letter was not handled", "uid", a.UID, "error", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outcomes = append(t.outcomes, storage.Outcome{UIDValidity: a.UIDValidity, UID: a.UID, What: outcome})
	signal(t.outcomeReady)
}

// outcomeBatchDelay is how long an outcome waits for others to be noted with it. Nobody waits for it but who files the letter, and
// who has a later one with the same key.
const outcomeBatchDelay = 20 * time.Millisecond

// waitOrDone waits for a while, or until something is over.
func waitOrDone(ctx context.Context, d time.Duration, over <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-over:
	case <-ctx.Done():
	}
}

// recordRetryPause is the pause after the database was not to be reached.
const recordRetryPause = 200 * time.Millisecond

// runRecorder notes what came of letters, all that has come meanwhile together, until no more are handled.
func (t *workers) runRecorder(ctx context.Context, s *storage.Session, over <-chan struct{}) {
	// A stop does not undo what is committed: nobody need handle it again.
	recordCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(recordTimeout, cancel) })()
	for {
		t.mu.Lock()
		batch := t.outcomes
		t.mu.Unlock()
		if len(batch) > 0 {
			if len(batch) < maxWorkers {
				waitOrDone(recordCtx, outcomeBatchDelay, over)
			}
			t.recordOutcomes(recordCtx, s)
			continue
		}
		select {
		case <-t.outcomeReady:
			continue
		case <-over:
		}
		if t.isIdle() {
			return
		}
	}
}

// recordOutcomes notes what came of the letters of which that is not noted.
func (t *workers) recordOutcomes(ctx context.Context, s *storage.Session) {
	t.mu.Lock()
	batch := t.outcomes
	t.mu.Unlock()
	for {
		err := t.db.Daemons.RecordOutcomes(ctx, s, batch...)
		if err == nil {
			break
		}
		// While the session lives nobody else looks at the letters.
		t.log.Warn("what came of letters is not noted yet", "uid", batch[0].UID, "letters", len(batch), "error", err)
		select {
		case <-time.After(recordRetryPause):
			continue
		case <-ctx.Done():
		}
		for _, o := range batch {
			t.unfinished.add(o.UIDValidity, o.UID)
		}
		break
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outcomes = slices.Clone(t.outcomes[len(batch):])
	signal(t.slotFreed)
}

// nameOutcome is what is noted of it.
func (t *workers) nameOutcome(f mail.Folder, crashed bool, err error) (string, error) {
	reason, isFault := t.db.Fault(err)
	switch {
	case err == nil:
		return string(f), nil
	case errors.Is(err, message.ErrLater):
		return outcomeLater, err
	case isFault:
		return outcomeFault + reason, err
	case crashed:
		return outcomeCrashed, err
	}
	return outcomeFailed, err
}

// signal makes sure that a channel has something to be received.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// dispatcher is where the poller lays letters for all daemons, and waits for what comes of them.
type dispatcher struct {
	db      *storage.DB
	session *storage.Session
	// beforeStore is called before letters are stored.
	beforeStore func(context.Context) error
	log         *slog.Logger
	// enqueued tells that there are letters to be stored.
	enqueued chan struct{}

	mu      sync.Mutex
	queued  []storage.KeyedLetter
	pending map[inboxUID]chan result
}

// result is what came of a letter: an outcome, or why it could not be stored.
type result struct {
	outcome string
	err     error
}

func newDispatcher(db *storage.DB, session *storage.Session, beforeStore func(context.Context) error, log *slog.Logger) *dispatcher {
	return &dispatcher{db: db, session: session, beforeStore: beforeStore, log: log, enqueued: make(chan struct{}, 1), pending: map[inboxUID]chan result{}}
}

// enqueue takes a letter, to be stored behind those that were laid before.
func (d *dispatcher) enqueue(r mail.Received, keys []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queued = append(d.queued, storage.KeyedLetter{Received: r, Keys: keys})
	d.pending[inboxUID{r.UIDValidity, r.UID}] = make(chan result, 1)
	signal(d.enqueued)
}

// storeQueued stores what was laid, whatever lies there at once, until the context ends.
func (d *dispatcher) storeQueued(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.enqueued:
		}
		d.mu.Lock()
		queued := d.queued
		d.queued = nil
		d.mu.Unlock()
		if len(queued) == 0 {
			continue
		}
		err := d.beforeStore(ctx)
		if err == nil {
			err = d.db.Daemons.StoreArrivals(ctx, d.session, queued...)
		}
		if err == nil {
			continue
		}
		for _, l := range queued {
			d.deliver(inboxUID{l.UIDValidity, l.UID}, result{err: err})
		}
	}
}

// deliver tells who waits for a letter what came of it.
func (d *dispatcher) deliver(name inboxUID, r result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case d.pending[name] <- r:
	default: // Nobody waits, or he has been told.
	}
}

// folderPrefix is how the names of our folders begin. An outcome that does is that of a letter that was
// handled and stored, whatever daemon did that: to hand it in again would end in quarantine.
const folderPrefix = "Samizdat/"

// Handle implements mail.Handler, for a letter that was laid.
func (d *dispatcher) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	name := inboxUID{r.UIDValidity, r.UID}
	d.mu.Lock()
	delivered := d.pending[name]
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.pending, name)
	}()
	select {
	case r := <-delivered:
		if r.err != nil {
			return "", r.err
		}
		if f, ok := outcomeFolders[r.outcome]; ok {
			return f, nil
		}
		if err := outcomeErrors[r.outcome]; err != nil {
			return "", err
		}
		if why, is := strings.CutPrefix(r.outcome, outcomeFault); is {
			return "", errFault(why)
		}
		if strings.HasPrefix(r.outcome, folderPrefix) {
			d.log.Warn("a daemon of another version wants a letter in a folder that this one does not know; it goes where handled letters are",
				"uid", name.uid, "folder", r.outcome, "instead", string(mail.Done))
			return mail.Done, nil
		}
		return "", fmt.Errorf("%w (%q)", errNotHandled, r.outcome)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// collectOutcomes tells those who wait what came of their letters, whenever there is news.
func (d *dispatcher) collectOutcomes(ctx context.Context, news <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-news:
		}
		if !d.hasPending() {
			continue
		}
		out, err := d.db.Daemons.TakeOutcomes(ctx, d.session)
		if err != nil && ctx.Err() == nil {
			d.log.Warn("what came of letters cannot be read yet", "error", err)
		}
		for _, o := range out {
			d.deliver(inboxUID{o.UIDValidity, o.UID}, result{outcome: o.What})
		}
	}
}

func (d *dispatcher) hasPending() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.pending) > 0
}
