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

// fault tells whether the database is to blame for an error.
func fault(db *storage.DB, err error) (reason string, is bool) {
	if elsewhere := errFault(""); errors.As(err, &elsewhere) {
		return string(elsewhere), true
	}
	return db.Fault(err)
}

// errElsewhere is that a daemon, perhaps another, could not handle a letter.
var errElsewhere = errors.New("a daemon could not handle the letter: its log says why")

// outcomeErrors are what the poller makes of them.
var outcomeErrors = map[string]error{
	outcomeFailed: errElsewhere, outcomeLater: message.ErrLater, outcomeCrashed: mail.ErrCrashed, outcomeDied: mail.ErrDied,
}

// folders are the other outcomes.
var folders = map[string]mail.Folder{string(mail.Done): mail.Done, string(mail.Refused): mail.Refused, string(mail.Ignored): mail.Ignored, string(mail.Questions): mail.Questions}

// inboxName names a letter as it lies in the inbox.
type inboxName struct{ validity, uid uint32 }

// takers adjudicate arrivals, so many at a time, and those with a key in common in their order. One with which a
// daemon has died is handled while no other is.
type takers struct {
	db      *storage.DB
	handler mail.Handler
	// most is how long the handling of a letter may take.
	most time.Duration
	// began is when the daemon began to serve.
	began time.Time
	left  *unfinished
	log   *slog.Logger

	// queue has the letters that are claimed and not adjudicated.
	queue *keyqueue.Queue

	mu sync.Mutex
	// outcomes are not noted yet.
	outcomes []storage.Outcome
	// ended and came tell of letters that are not in hand any more, and of outcomes.
	ended, came chan struct{}
}

func newTakers(db *storage.DB, handler mail.Handler, most time.Duration, began time.Time, left *unfinished, log *slog.Logger) *takers {
	ended := make(chan struct{}, 1)
	return &takers{db: db, handler: handler, most: most, began: began, left: left, log: log,
		queue: keyqueue.New(takersAtOnce, func() { poke(ended) }), ended: ended, came: make(chan struct{}, 1)}
}

// unfinished are letters that were in hand when a session ended. Nobody is to think that the daemon has
// died of them.
type unfinished struct {
	mu      sync.Mutex
	letters []inboxName
}

func (u *unfinished) add(validity, uid uint32) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.letters = append(u.letters, inboxName{validity, uid})
}

// putDown says so of all of them.
func (u *unfinished) putDown(ctx context.Context, db *storage.DB) error {
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
	// takersAtOnce is how many letters a daemon adjudicates at the same time, claimedAtOnce how many it claims by one
	// statement, and mostClaimed how many it has in hand at most: some wait for others.
	takersAtOnce  = 8
	claimedAtOnce = 8
	mostClaimed   = 32
)

// run claims arrivals whenever there is news of any, or of those that others wait for, until the session ends.
func (t *takers) run(ctx context.Context, s *storage.Session, arrived, handled <-chan struct{}) {
	if err := t.left.putDown(ctx, t.db); err != nil && ctx.Err() == nil {
		t.log.Warn("letters of an earlier session are not put down yet", "error", err)
	}
	over := make(chan struct{})
	var notes sync.WaitGroup
	notes.Go(func() { t.noteAll(ctx, s, over) })
	defer func() {
		t.queue.Wait()
		close(over)
		notes.Wait()
	}()
	for {
		some, rest, err := t.claim(ctx, s)
		if err != nil && ctx.Err() == nil {
			t.log.Warn("letters cannot be claimed yet", "error", err)
		}
		for _, a := range some {
			t.queue.Add(a.Keys, func() { t.handle(ctx, s, a) })
		}
		if len(some) > 0 && t.room() > 0 {
			continue
		}
		others := handled
		if !rest {
			others = nil // Nobody waits for them.
		}
		select {
		case <-ctx.Done():
			return
		case <-arrived:
		case <-others:
		case <-t.ended:
		}
	}
}

// room is how many more letters may be claimed at once.
func (t *takers) room() int {
	if inHand, ready := t.queue.Len(); ready >= takersAtOnce || inHand+claimedAtOnce > mostClaimed {
		return 0 // What is in hand lasts for a while.
	}
	return claimedAtOnce
}

// claim claims some arrivals. Rest is whether there are others that nobody has.
func (t *takers) claim(ctx context.Context, s *storage.Session) (some []storage.Arrival, rest bool, err error) {
	most := t.room()
	if most == 0 || !s.IsAlive() {
		return nil, true, nil
	}
	some, rest, err = t.db.Daemons.Claim(ctx, s, most, false, 0)
	if err != nil || len(some) > 0 || !rest || !t.idle() {
		return some, rest, err
	}
	but := 0
	if time.Since(t.began) < provenAfter {
		// Whoever kills daemons again and again may well do so while they have the same letter in hand.
		but = mostTries - 1
	}
	return t.db.Daemons.Claim(ctx, s, 1, true, but)
}

// idle reports whether no letter is in hand, and every outcome is noted.
func (t *takers) idle() bool {
	if inHand, _ := t.queue.Len(); inHand > 0 {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.outcomes) == 0
}

const (
	// mostTries is how often an arrival is claimed: once beside others, then alone, and the last time by a daemon that has
	// lived for provenAfter.
	mostTries   = 5
	provenAfter = 5 * time.Second
)

// handle adjudicates one letter. What came of it is noted soon.
func (t *takers) handle(ctx context.Context, s *storage.Session, a storage.Arrival) {
	what, err := outcomeDied, mail.ErrDied
	if a.Tries <= mostTries {
		what, err = t.outcome(mail.HandleSafely(ctx, t.handler, a.Received, t.most))
	}
	if err != nil {
		if ctx.Err() != nil {
			t.left.add(a.UIDValidity, a.UID) // Nobody's fault: another claims it when this session is over.
			return
		}
		t.log.Error("letter was not handled", "uid", a.UID, "error", err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outcomes = append(t.outcomes, storage.Outcome{UIDValidity: a.UIDValidity, UID: a.UID, What: what})
	poke(t.came)
}

// gather is how long an outcome waits for others to be noted with it. Nobody waits for it but who files the letter, and
// who has a later one with the same key.
const gather = 20 * time.Millisecond

// pause waits for a while, or until something is over.
func pause(ctx context.Context, d time.Duration, over <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-over:
	case <-ctx.Done():
	}
}

// noteAgain is the pause after the database was not to be reached.
const noteAgain = 200 * time.Millisecond

// noteAll notes what came of letters, all that has come meanwhile together, until no more are handled.
func (t *takers) noteAll(ctx context.Context, s *storage.Session, over <-chan struct{}) {
	// A stop does not undo what is committed: nobody need handle it again.
	nctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(noteTime, cancel) })()
	for {
		t.mu.Lock()
		some := t.outcomes
		t.mu.Unlock()
		if len(some) > 0 {
			if len(some) < takersAtOnce {
				pause(nctx, gather, over)
			}
			t.note(nctx, s)
			continue
		}
		select {
		case <-t.came:
			continue
		case <-over:
		}
		if t.idle() {
			return
		}
	}
}

// note notes what came of the letters of which that is not noted.
func (t *takers) note(ctx context.Context, s *storage.Session) {
	t.mu.Lock()
	some := t.outcomes
	t.mu.Unlock()
	for {
		err := t.db.Daemons.RecordOutcomes(ctx, s, some...)
		if err == nil {
			break
		}
		// While the session lives nobody else looks at the letters.
		t.log.Warn("what came of letters is not noted yet", "uid", some[0].UID, "letters", len(some), "error", err)
		select {
		case <-time.After(noteAgain):
			continue
		case <-ctx.Done():
		}
		for _, o := range some {
			t.left.add(o.UIDValidity, o.UID)
		}
		break
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.outcomes = slices.Clone(t.outcomes[len(some):])
	poke(t.ended)
}

// outcome is what is noted of it.
func (t *takers) outcome(f mail.Folder, crashed bool, err error) (string, error) {
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

// poke makes sure that a channel has something to be received.
func poke(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

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
	laid  []storage.KeyedLetter
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
	d.laid = append(d.laid, storage.KeyedLetter{Received: r, Keys: keys})
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
			err = d.db.Daemons.StoreArrivals(ctx, d.session, laid...)
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
		out, err := d.db.Daemons.TakeOutcomes(ctx, d.session)
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
