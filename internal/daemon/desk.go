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

// desk is where the poller lays letters for all daemons, and waits for what comes of them.
type desk struct {
	db      *storage.DB
	session *storage.Session
	// before is called before letters are stored.
	before func(context.Context) error
	log    *slog.Logger
	// laidOn tells that there are letters to be stored.
	laidOn chan struct{}

	mu    sync.Mutex
	laid  []storage.Laid
	waits map[inboxName]chan result
}

// result is what came of a letter: an outcome, or why it could not be stored.
type result struct {
	what string
	err  error
}

func newDesk(db *storage.DB, session *storage.Session, before func(context.Context) error, log *slog.Logger) *desk {
	return &desk{db: db, session: session, before: before, log: log, laidOn: make(chan struct{}, 1), waits: map[inboxName]chan result{}}
}

// lay takes a letter, to be stored behind those that were laid before.
func (d *desk) lay(r mail.Received, keys []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.laid = append(d.laid, storage.Laid{Received: r, Keys: keys})
	d.waits[inboxName{r.UIDValidity, r.UID}] = make(chan result, 1)
	poke(d.laidOn)
}

// store stores what was laid, whatever lies there at once, until the context ends.
func (d *desk) store(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.laidOn:
		}
		d.mu.Lock()
		laid := d.laid
		d.laid = nil
		d.mu.Unlock()
		if len(laid) == 0 {
			continue
		}
		err := d.before(ctx)
		if err == nil {
			err = d.db.Arrive(ctx, d.session, laid...)
		}
		if err == nil {
			continue
		}
		for _, l := range laid {
			d.came(inboxName{l.UIDValidity, l.UID}, result{err: err})
		}
	}
}

// came tells who waits for a letter what came of it.
func (d *desk) came(name inboxName, r result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case d.waits[name] <- r:
	default: // Nobody waits, or he has been told.
	}
}

// ownFolders is how the names of our folders begin. An outcome that does is that of a letter that was
// handled and stored, whatever daemon did that: to hand it in again would end in quarantine.
const ownFolders = "Samizdat/"

// Handle implements mail.Handler, for a letter that was laid.
func (d *desk) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	name := inboxName{r.UIDValidity, r.UID}
	d.mu.Lock()
	came := d.waits[name]
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.waits, name)
	}()
	select {
	case r := <-came:
		if r.err != nil {
			return "", r.err
		}
		if f, ok := folders[r.what]; ok {
			return f, nil
		}
		if err := outcomeErrors[r.what]; err != nil {
			return "", err
		}
		if why, is := strings.CutPrefix(r.what, outcomeFault); is {
			return "", errFault(why)
		}
		if strings.HasPrefix(r.what, ownFolders) {
			d.log.Warn("a daemon of another version wants a letter in a folder that this one does not know; it goes where handled letters are",
				"uid", name.uid, "folder", r.what, "instead", string(mail.Done))
			return mail.Done, nil
		}
		return "", fmt.Errorf("%w (%q)", errElsewhere, r.what)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// collect tells those who wait what came of their letters, whenever there is news.
func (d *desk) collect(ctx context.Context, news <-chan struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-news:
		}
		if !d.waiting() {
			continue
		}
		out, err := d.db.Outcomes(ctx, d.session)
		if err != nil && ctx.Err() == nil {
			d.log.Warn("what came of letters cannot be read yet", "error", err)
		}
		for _, o := range out {
			d.came(inboxName{o.UIDValidity, o.UID}, result{what: o.What})
		}
	}
}

func (d *desk) waiting() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.waits) > 0
}
