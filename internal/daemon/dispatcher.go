package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"samizdat/mail"
	"samizdat/storage"
)

// dispatcher stores the letters of the inbox for the workers of all daemons, in order of arrival, and returns their
// outcomes to the poller. It runs in the daemon that is the poller.
type dispatcher struct {
	db      *storage.DB
	session *storage.Session
	// beforeStore is called before letters are stored, to record an inbox outage.
	beforeStore func(context.Context) error
	log         *slog.Logger
	enqueued    chan struct{}

	mu             sync.Mutex
	queuedLetters  []storage.KeyedLetter
	pendingResults map[inboxUID]chan arrivalResult
}

// arrivalResult is the outcome of an arrival (a letter stored for the workers), or the error that prevented its
// storage.
type arrivalResult struct {
	outcome string
	err     error
}

func newDispatcher(db *storage.DB, session *storage.Session, beforeStore func(context.Context) error, log *slog.Logger) *dispatcher {
	return &dispatcher{db: db, session: session, beforeStore: beforeStore, log: log, enqueued: make(chan struct{}, 1),
		pendingResults: map[inboxUID]chan arrivalResult{}}
}

func (d *dispatcher) enqueue(r mail.Received, keys []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queuedLetters = append(d.queuedLetters, storage.KeyedLetter{Received: r, Keys: keys})
	d.pendingResults[inboxUID{r.UIDValidity, r.UID}] = make(chan arrivalResult, 1)
	signal(d.enqueued)
}

func (d *dispatcher) storeQueued(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.enqueued:
		}
		d.mu.Lock()
		queued := d.queuedLetters
		d.queuedLetters = nil
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
			d.deliver(inboxUID{l.UIDValidity, l.UID}, arrivalResult{err: err})
		}
	}
}

// deliver passes the result of a letter to the call of Handle that waits for it.
func (d *dispatcher) deliver(uid inboxUID, r arrivalResult) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case d.pendingResults[uid] <- r:
	default: // No call waits, or the call has its result.
	}
}

// folderPrefix begins the names of Samizdat's folders. An outcome with this prefix means that a daemon, perhaps of
// another version, has handled the letter and committed the result. Handle must not return an error for it: the letter
// would be tried again, and at last put in quarantine.
const folderPrefix = "Samizdat/"

// Handle implements mail.Handler. It waits for the outcome of an enqueued letter.
func (d *dispatcher) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	uid := inboxUID{r.UIDValidity, r.UID}
	d.mu.Lock()
	delivered := d.pendingResults[uid]
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.pendingResults, uid)
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
		if reason, ok := strings.CutPrefix(r.outcome, outcomeFault); ok {
			return "", reportedFault(reason)
		}
		if strings.HasPrefix(r.outcome, folderPrefix) {
			d.log.Warn(
				"a daemon of another version returned an unknown folder for a letter; the letter is moved to another folder",
				"uid", uid.uid, "folder", r.outcome, "instead", string(mail.Done))
			return mail.Done, nil
		}
		return "", fmt.Errorf("%w (%q)", errNotHandled, r.outcome)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

func (d *dispatcher) collectOutcomes(ctx context.Context, notified <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-notified:
		}
		if !d.hasPending() {
			continue
		}
		out, err := d.db.Daemons.TakeOutcomes(ctx, d.session)
		if err != nil && ctx.Err() == nil {
			d.log.Warn("outcomes of letters cannot be read yet", "error", err)
		}
		for _, o := range out {
			d.deliver(inboxUID{o.UIDValidity, o.UID}, arrivalResult{outcome: o.Value})
		}
	}
}

func (d *dispatcher) hasPending() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.pendingResults) > 0
}
