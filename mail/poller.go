package mail

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"samizdat/mail/keyqueue"

	"github.com/cenkalti/backoff/v5"
	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// Received is one message as it lies in the IMAP inbox.
type Received struct {
	// UIDValidity and UID name the message for as long as it lies in the inbox.
	UIDValidity, UID uint32
	// Arrived is the INTERNALDATE: when our mail server took the letter in.
	Arrived time.Time
	// Size is the size of the whole message on the server, in bytes.
	Size int64
	// Raw is the message, or its first bytes when Truncated is set.
	Raw []byte
	// Truncated says that the message is longer than the configured limit.
	Truncated bool
}

// Folder says where a handled message is filed after the commit. The poller
// puts the names below into the server's own hierarchy and creates them.
type Folder string

// The folders a Handler can choose from.
const (
	// Done holds letters that were answered.
	Done Folder = "Samizdat/Done"
	// Refused holds letters that were understood as orders and refused.
	Refused Folder = "Samizdat/Refused"
	// Ignored holds machine mail and letters of strangers.
	Ignored Folder = "Samizdat/Ignored"
	// Questions holds letters that were answered and ask a person something, who finds them here.
	Questions Folder = "Samizdat/Questions"
)

// Handler takes in one message. It returns only after its effects are
// committed. An error means weather or our own fault: the message stays in the
// inbox and is tried again with back-off. It must be idempotent, and it should
// return when ctx is done. With [IMAPConfig.Keys] it is called from several goroutines.
type Handler interface {
	Handle(ctx context.Context, r Received) (Folder, error)
}

// HandlerFunc lets an ordinary function be a Handler.
type HandlerFunc func(ctx context.Context, r Received) (Folder, error)

// Handle calls f.
func (f HandlerFunc) Handle(ctx context.Context, r Received) (Folder, error) { return f(ctx, r) }

// Commit before MOVE; MOVE before forgetting. The inbox is the queue.

// Poller takes letters out of an inbox and gives them to a Handler. See the
// package comment for what it promises.
type Poller struct {
	cfg     IMAPConfig
	handler Handler
	log     *slog.Logger
	now     func() time.Time

	// Only Run's goroutine touches these.
	validity   uint32
	letters    letterStates
	inProgress inProgress
	inFlight   *inFlight
	// moved are the letters that were moved since the inbox was last listed.
	moved map[uint32]*letterState
	// lastFullScan is when the newest scan began that saw the whole inbox: what came before was seen.
	lastFullScan time.Time
	// lastFetched is when the server last gave a letter.
	lastFetched time.Time
	// falseNews counts the news in a row that were none.
	falseNews int
	// stoppedBlocking is set while letters have failed for so long that no deadline waits
	// for them any more.
	stoppedBlocking bool

	// connectionTrouble is why the inbox cannot be read, filing why letters cannot be moved, fullness to what
	// percent the mailbox is full.
	connectionTrouble, moveTrouble troubleState
	percentFull                    atomic.Int32
	// inQuarantine is how many letters lie there.
	inQuarantine atomic.Int32
	faults       faultState
	// started is when the process began, as far as that matters for letters that it may not survive.
	started time.Time
	// quotaLost: the connection was lost while the server was asked how full the mailbox is. The next
	// opening does not ask, so that a server that breaks off there is still read.
	quotaLost bool

	// sendQueue handles the letters in hand; ended brings back what came of them, and has room for all: nobody waits to say it.
	queue   *keyqueue.Queue
	results chan handleResult

	// scanRequested gets a value when somebody wants a scan now.
	scanRequested chan struct{}

	mu        sync.Mutex
	watermark time.Time
	failing   int
}

// letterState is what is known of a letter that still lies in the inbox.
type letterState struct {
	// recordSuccess is set once the Handler has committed; only the move is left. With
	// copied, on a server without MOVE, only the old letter has to go.
	handled, copied bool
	folder          Folder
	next            time.Time
	delay           *backoff.ExponentialBackOff
	// failures counts what the Handler did not get through with, and recordKeptBack how
	// often the server did not hand out the letter.
	failures, keptBack      int
	firstFailure, firstKept time.Time
	crashed                 bool
	faultDelay              faultDelay
	// fetchAlone: the connection was lost when this letter was fetched.
	fetchAlone bool
	// firstUnhandled is when a scan first ended and the letter was not handled.
	firstUnhandled time.Time
}

// excludedIDs is what is known of letters in the inbox, by their UIDs.
type letterStates map[uint32]*letterState

// state is what is known of a letter.
func (k letterStates) state(uid uint32) *letterState {
	s := k[uid]
	if s == nil {
		s = &letterState{}
		k[uid] = s
	}
	return s
}

// any reports whether something holds of a letter.
func (k letterStates) any(is func(*letterState) bool) bool {
	for _, s := range k {
		if is(s) {
			return true
		}
	}
	return false
}

// isAlone reports whether a letter is fetched alone, since it must not take others along.
func (k letterStates) isAlone(uid imap.UID) bool {
	s := k[uint32(uid)]
	return s != nil && s.fetchAlone && !s.handled
}

// sortAloneLast puts the letters that are fetched alone behind the others.
func (k letterStates) sortAloneLast(due []imap.UID) []imap.UID {
	slices.SortStableFunc(due, func(a, b imap.UID) int {
		switch alone := k.isAlone(a); {
		case alone == k.isAlone(b):
			return 0
		case alone:
			return 1
		}
		return -1
	})
	return due
}

// lastFetched forgets that letters were kept back once: the server had a bad hour.
func (k letterStates) recordFetched(got []Received) {
	for _, r := range got {
		if s := k[r.UID]; s != nil {
			s.keptBack, s.firstKept, s.fetchAlone = 0, time.Time{}, false
		}
	}
}

// NewPoller makes a Poller. Unset fields of cfg get their defaults.
func NewPoller(cfg IMAPConfig, h Handler, log *slog.Logger) *Poller {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	cfg = cfg.WithDefaults()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	p := &Poller{cfg: cfg, handler: h, log: log, now: cfg.Now,
		letters: letterStates{}, moved: map[uint32]*letterState{}, inFlight: openInFlight("", log),
		inProgress: inProgress{letters: map[inboxUID]progressEntry{}}, queue: keyqueue.New(cfg.maxConcurrent(), func() {}), results: make(chan handleResult, maxInProgress),
		scanRequested: make(chan struct{}, 1)}
	p.faults.delay, p.started = cfg.RetryFault.exponential(), p.now()
	return p
}

// InboxWatermark is when a scan of the inbox began: the newest that ended with every letter handled, or
// the newest before everything that is in hand came. A deadline before it may be enforced: no letter that
// came in time is still waiting, but for those that have failed for an hour. It is
// zero when there was none yet.
func (p *Poller) InboxWatermark() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watermark
}

// ScanNow asks for a scan of the inbox, for somebody who waits for [Poller.InboxWatermark].
// It does not wait for it, and shortens no pause between connections.
func (p *Poller) ScanNow() {
	select {
	case p.scanRequested <- struct{}{}:
	default:
	}
}

// Run works until ctx is done and then returns nil. It comes back from every
// trouble with the server by itself.
func (p *Poller) Run(ctx context.Context) error {
	p.inFlight = openInFlight(p.cfg.InFlightFile, p.log)
	defer p.inFlight.close()
	defer p.waitForHandlers()
	waits := p.cfg.backoffs()
	for {
		err := p.runConnection(ctx, waits.reset)
		if ctx.Err() != nil {
			return nil
		}
		hint := operatorHint(err)
		p.connectionTrouble.record(p.now(), err, hint)
		if !waits.wait(ctx, err, func(pause time.Duration) {
			p.log.Warn("mailbox connection lost", "server", p.cfg.Address, "error", err, "hint", hint, "retry_in", pause.Round(time.Millisecond))
		}) {
			return nil
		}
	}
}

// goodAfter is how many first pauses a connection must live to be called good.
// One that is lost after every scan must not be made anew every second.
const goodAfter = 60

// runConnection works over one connection until it breaks. well is called when the
// connection is a good one.
func (p *Poller) runConnection(ctx context.Context, well func()) error {
	c, err := dialIMAP(ctx, p.cfg)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.login(ctx, p.cfg); err != nil {
		return err
	}
	for _, f := range folders {
		if err := c.ensureFolder(ctx, f); err != nil {
			return err
		}
	}
	if err := p.openInbox(ctx, c); err != nil {
		return err
	}
	p.log.Info("mailbox opened", "server", p.cfg.Address, "idle", c.idle, "move", c.move)
	since, opened := p.now(), p.now()
	for {
		worked, err := p.scan(ctx, c)
		if err != nil {
			return err
		}
		p.connectionTrouble.clear()
		p.falseNews++
		if worked || !c.woken {
			p.falseNews = 0
		}
		if worked || p.now().Sub(since) >= goodAfter*p.cfg.Reconnect.First {
			well()
		}
		if worked {
			continue
		}
		if err := p.waitForWork(ctx, c); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		// A mailbox that was deleted and made anew, or renamed, may look empty
		// for ever to who does not open it again.
		if p.now().Sub(opened) >= p.cfg.IdleRestart {
			if err := p.openInbox(ctx, c); err != nil {
				return err
			}
			opened = p.now()
		}
	}
}

// openInbox selects the inbox. What is known of letters by their numbers holds for
// one UIDVALIDITY only.
func (p *Poller) openInbox(ctx context.Context, c *imapConn) error {
	d, err := c.selectMailbox(ctx, p.cfg.Mailbox)
	if err != nil {
		if isCommandRefusal(err) {
			return fmt.Errorf("opening the mailbox %q, which may have been deleted or renamed: %w", p.cfg.Mailbox, err)
		}
		return err
	}
	if d.UIDValidity != p.validity {
		if p.validity != 0 {
			p.log.Warn("mailbox was renumbered", "was", p.validity, "is", d.UIDValidity)
		}
		p.validity, p.letters, p.moved, p.lastFullScan = d.UIDValidity, letterStates{}, map[uint32]*letterState{}, time.Time{}
	}
	return p.checkFullness(ctx, c)
}

// maxFalseNews is how many news in a row may be none before they are heard less often.
const maxFalseNews = 5

// waitForWake waits for news, or for the next try of a failing letter.
func (p *Poller) waitForWork(ctx context.Context, c *imapConn) error {
	limit := p.cfg.PollInterval
	if c.idle {
		limit = p.cfg.IdleRestart
	}
	// Some servers repeat how many letters there are with every answer.
	if n := p.falseNews - maxFalseNews; n >= 0 && !sleep(ctx, min(p.cfg.PollInterval, time.Second<<min(n, 20))) {
		return context.Cause(ctx)
	}
	limit = p.faults.pauseUntilNext(limit, p.letters, p.now())
	if c.idle {
		err := c.waitInIdle(ctx, limit, p.scanRequested)
		if !isCommandRefusal(err) {
			return err
		}
		// Offered and not given. Then we ask from time to time.
		p.log.Warn("the server refuses IDLE, the mailbox is polled", "error", err, "every", p.cfg.PollInterval)
		c.idle = false
		limit = min(limit, p.cfg.PollInterval)
	}
	c.waitForNews(ctx, limit, p.scanRequested)
	return nil
}

func (c *imapConn) noop(ctx context.Context) error {
	return c.run(ctx, "noop", c.timeout, func() error { return c.client.Noop().Wait() })
}

// waitForHandlers lies in IDLE until news come, a scan is asked for, the time is over or the link
// breaks.
func (c *imapConn) waitInIdle(ctx context.Context, limit time.Duration, asked <-chan struct{}) error {
	var idle *imapclient.IdleCommand
	err := c.run(ctx, "idle", c.timeout, func() (err error) { idle, err = c.client.Idle(); return err })
	if err != nil {
		return err
	}
	c.waitForNews(ctx, limit, asked)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return c.run(ctx, "end of idle", c.timeout, func() error {
		if err := idle.Close(); err != nil {
			return err
		}
		return idle.Wait()
	})
}

// waitForNews is wait without IDLE. It notes whether it were news that ended it.
func (c *imapConn) waitForNews(ctx context.Context, limit time.Duration, asked <-chan struct{}) {
	t := time.NewTimer(limit)
	defer t.Stop()
	c.woken = false
	select {
	case <-c.news:
		c.woken = true
	case <-asked:
	case <-t.C:
	case <-c.client.Closed():
	case <-ctx.Done():
	}
}
