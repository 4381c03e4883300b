package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"samizdat/mail"
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
)

// errElsewhere is that a daemon, perhaps another, could not handle a letter.
var errElsewhere = errors.New("a daemon could not handle the letter: its log says why")

// outcomeErrors are what the poller makes of them.
var outcomeErrors = map[string]error{
	outcomeFailed: errElsewhere, outcomeLater: message.ErrLater, outcomeCrashed: mail.ErrCrashed, outcomeDied: mail.ErrDied,
}

// folders are the other outcomes.
var folders = map[string]mail.Folder{string(mail.Done): mail.Done, string(mail.Refused): mail.Refused, string(mail.Ignored): mail.Ignored}

// inboxName names a letter as it lies in the inbox.
type inboxName struct{ validity, uid uint32 }

// desk is where the poller lays letters for all daemons, and waits for what comes of them.
type desk struct {
	db      *storage.DB
	session *storage.Session

	mu    sync.Mutex
	waits map[inboxName]chan string
}

// Handle implements mail.Handler.
func (d *desk) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	name := inboxName{r.UIDValidity, r.UID}
	came := make(chan string, 1)
	d.mu.Lock()
	d.waits[name] = came
	d.mu.Unlock()
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.waits, name)
	}()
	if err := d.db.Arrive(ctx, d.session, r); err != nil {
		return "", err
	}
	select {
	case what := <-came:
		if f, ok := folders[what]; ok {
			return f, nil
		}
		if err := outcomeErrors[what]; err != nil {
			return "", err
		}
		return "", fmt.Errorf("%w (%q)", errElsewhere, what)
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// collect tells those who wait what came of their letters, whenever there is news.
func (d *desk) collect(ctx context.Context, news <-chan struct{}, log *slog.Logger) {
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
			log.Warn("what came of letters cannot be read yet", "error", err)
		}
		for _, o := range out {
			d.mu.Lock()
			if came := d.waits[inboxName{o.UIDValidity, o.UID}]; came != nil {
				came <- o.What
				delete(d.waits, inboxName{o.UIDValidity, o.UID})
			}
			d.mu.Unlock()
		}
	}
}

func (d *desk) waiting() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.waits) > 0
}

// takers adjudicate arrivals, so many at a time. One with which a daemon has died is handled while
// no other is.
type takers struct {
	db      *storage.DB
	handler mail.Handler
	// most is how long the handling of a letter may take.
	most time.Duration
	left *unfinished
	log  *slog.Logger
}

// unfinished are letters that were in hand when a session ended. Nobody is to think that the daemon has
// died of them.
type unfinished struct {
	mu      sync.Mutex
	letters []inboxName
}

func (u *unfinished) add(a storage.Arrival) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.letters = append(u.letters, inboxName{a.UIDValidity, a.UID})
}

// putDown says so of all of them.
func (u *unfinished) putDown(ctx context.Context, db *storage.DB) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.letters) > 0 {
		if err := db.PutDown(ctx, u.letters[0].validity, u.letters[0].uid); err != nil {
			return err
		}
		u.letters = u.letters[1:]
	}
	return nil
}

// takersAtOnce is how many letters a daemon adjudicates at the same time.
const takersAtOnce = 8

// run claims arrivals whenever there is news, until the session ends.
func (t *takers) run(ctx context.Context, s *storage.Session, news <-chan struct{}) {
	places := make(chan struct{}, takersAtOnce)
	done := make(chan struct{}, 1)
	var all sync.WaitGroup
	defer all.Wait()
	if err := t.left.putDown(ctx, t.db); err != nil && ctx.Err() == nil {
		t.log.Warn("letters of an earlier session are not put down yet", "error", err)
	}
	for {
		n, err := t.claim(ctx, s, cap(places)-len(places), false, func(a storage.Arrival) {
			places <- struct{}{}
			all.Go(func() {
				t.handle(ctx, s, a)
				<-places
				poke(done)
			})
		})
		if err == nil && n == 0 && len(places) == 0 {
			n, err = t.claim(ctx, s, 1, true, func(a storage.Arrival) { t.handle(ctx, s, a) })
		}
		if err != nil && ctx.Err() == nil {
			t.log.Warn("letters cannot be claimed yet", "error", err)
		}
		if n > 0 && len(places) < cap(places) {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-news:
		case <-done:
		}
	}
}

// claim claims some arrivals, and starts each.
func (t *takers) claim(ctx context.Context, s *storage.Session, most int, again bool, start func(storage.Arrival)) (n int, err error) {
	if most == 0 || !s.Lives() {
		return 0, nil
	}
	some, err := t.db.Claim(ctx, s, most, again)
	for _, a := range some {
		start(a)
	}
	return len(some), err
}

// mostTries is how often an arrival is claimed: once beside others, and then alone.
const mostTries = 4

// handle adjudicates one letter, and notes what came of it.
func (t *takers) handle(ctx context.Context, s *storage.Session, a storage.Arrival) {
	what, err := outcomeDied, mail.ErrDied
	if a.Tries <= mostTries {
		what, err = t.outcome(mail.Guarded(ctx, t.handler, a.Received, t.most))
	}
	if err != nil {
		if ctx.Err() != nil {
			t.left.add(a) // Nobody's fault: another claims it when this session is over.
			return
		}
		t.log.Error("letter was not handled", "uid", a.UID, "error", err)
	}
	// A stop does not undo what is committed: nobody need handle it again.
	nctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(noteTime, cancel) })()
	for {
		err := t.db.Handled(nctx, s, storage.Outcome{UIDValidity: a.UIDValidity, UID: a.UID, What: what})
		if err == nil {
			return
		}
		// While the session lives nobody else looks at the letter.
		t.log.Warn("what came of a letter is not noted yet", "uid", a.UID, "error", err)
		select {
		case <-nctx.Done():
			t.left.add(a)
			return
		case <-time.After(noteAgain):
		}
	}
}

// noteAgain is the pause after the database was not to be reached.
const noteAgain = 200 * time.Millisecond

// outcome is what is noted of it.
func (t *takers) outcome(f mail.Folder, crashed bool, err error) (string, error) {
	switch {
	case err == nil:
		return string(f), nil
	case errors.Is(err, message.ErrLater):
		return outcomeLater, err
	case crashed:
		return outcomeCrashed, err
	}
	return outcomeFailed, err
}

// poke makes sure that a channel has something to be received.
func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
