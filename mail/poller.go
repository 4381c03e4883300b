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

// Received is a message of the IMAP inbox.
type Received struct {
	// UIDValidity and UID identify the message while it is in the inbox (RFC 9051, section 2.3.1.1).
	UIDValidity, UID uint32
	// Arrived is the INTERNALDATE: the time when our mail server received the letter.
	Arrived time.Time
	// Size is the size of the message on the server, in bytes.
	Size int64
	// Raw is the message. If Truncated is set, Raw is only its beginning, because the message is longer than
	// MaxLetter.
	Raw       []byte
	Truncated bool
}

// Folder is a folder for handled letters. The Poller adapts the name to the server's hierarchy and creates the
// folder.
type Folder string

// Folders that a Handler can return.
const (
	// Done holds answered letters.
	Done Folder = "Samizdat/Done"
	// Refused holds letters whose orders were refused.
	Refused Folder = "Samizdat/Refused"
	// Ignored holds automatic mail, and letters from strangers.
	Ignored Folder = "Samizdat/Ignored"
	// Questions holds letters that the operator must answer.
	Questions Folder = "Samizdat/Questions"
)

// Handler handles a message and returns after its effects are committed. After an error the message stays in the
// inbox and is tried again. Handle must be idempotent and return when ctx is done. With [IMAPConfig].Keys it is
// called concurrently.
type Handler interface {
	Handle(ctx context.Context, r Received) (Folder, error)
}

// HandlerFunc makes a function a Handler.
type HandlerFunc func(ctx context.Context, r Received) (Folder, error)

func (f HandlerFunc) Handle(ctx context.Context, r Received) (Folder, error) { return f(ctx, r) }

// Poller passes the letters of an inbox to a Handler. See the package comment for its guarantees.
type Poller struct {
	cfg     IMAPConfig
	handler Handler
	log     *slog.Logger
	now     func() time.Time

	// Only the goroutine of Run uses these fields.
	validity uint32
	letters  letterStates
	// inProgress holds the letters for which the Handler runs or will run. inFlight holds those that this process is
	// handling now, and lists them in InFlightFile.
	inProgress inProgress
	inFlight   *inFlight
	// movedLetters holds the letters moved since the last listing of the inbox, by UID.
	movedLetters map[uint32]*letterState
	// lastFullScan is the start of the newest scan that saw the whole inbox.
	lastFullScan time.Time
	// lastFetched is the time when the server last delivered a letter.
	lastFetched time.Time
	// falseAnnouncements counts consecutive announcements without new mail.
	falseAnnouncements int
	// hasLoggedExpiry reports whether the log says that deadlines no longer wait for a failing letter.
	hasLoggedExpiry bool

	// percentFull is the used part of the mailbox quota in percent, and inQuarantine the number of letters in the
	// folder Quarantine.
	connectionTrouble, moveTrouble troubleState
	percentFull                    atomic.Int32
	inQuarantine                   atomic.Int32
	faults                         faultState
	// started is the time when the process started. If earlier processes died with a letter in progress, this process
	// tries the letter for the last time only when it is older than ProvenAfter.
	started time.Time
	// skipsQuota reports whether the connection was lost during the quota command. The next connection skips the
	// command; otherwise the inbox could never be read.
	skipsQuota bool

	// queue runs the Handler. results has room for all letters in progress.
	queue   *keyqueue.Queue
	results chan handleResult

	scanRequested chan struct{}

	mu           sync.Mutex
	watermark    time.Time
	failingCount int
}

// letterState is how far a letter of the inbox is handled, and which tries have failed.
type letterState struct {
	// isHandled reports whether the Handler has committed, so that the letter must only be moved. isCopied reports, on
	// a server without MOVE, whether the letter was copied, so that only the original must be deleted.
	isHandled, isCopied bool
	folder              Folder
	nextTry             time.Time
	delay               *backoff.ExponentialBackOff
	// failures counts the errors of the Handler, and fetchFailures the fetches that returned no letter.
	failures, fetchFailures         int
	firstFailure, firstFetchFailure time.Time
	// hasCrashed reports whether the Handler panicked, or the process died, while it handled this letter.
	hasCrashed bool
	faultDelay faultDelay
	// mustFetchAlone reports whether the connection was lost while this letter was fetched.
	mustFetchAlone bool
	// firstUnhandled is the end of the first scan after which the letter was still unhandled.
	firstUnhandled time.Time
}

// letterStates is keyed by the UID of the letter.
type letterStates map[uint32]*letterState

func (k letterStates) stateOf(uid uint32) *letterState {
	state := k[uid]
	if state == nil {
		state = &letterState{}
		k[uid] = state
	}
	return state
}

func (k letterStates) contains(condition func(*letterState) bool) bool {
	for _, state := range k {
		if condition(state) {
			return true
		}
	}
	return false
}

func (k letterStates) mustFetchAlone(uid imap.UID) bool {
	state := k[uint32(uid)]
	return state != nil && state.mustFetchAlone && !state.isHandled
}

// sortAloneLast moves the letters that must be fetched alone to the end of due.
func (k letterStates) sortAloneLast(due []imap.UID) []imap.UID {
	slices.SortStableFunc(due, func(a, b imap.UID) int { return compareBools(k.mustFetchAlone(a), k.mustFetchAlone(b)) })
	return due
}

func (k letterStates) recordFetched(received []Received) {
	for _, r := range received {
		if state := k[r.UID]; state != nil {
			state.fetchFailures, state.firstFetchFailure, state.mustFetchAlone = 0, time.Time{}, false
		}
	}
}

// NewPoller returns a Poller. Zero fields of cfg get defaults.
func NewPoller(cfg IMAPConfig, h Handler, log *slog.Logger) *Poller {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	cfg = cfg.WithDefaults()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	p := &Poller{cfg: cfg, handler: h, log: log, now: cfg.Now,
		letters: letterStates{}, movedLetters: map[uint32]*letterState{}, inFlight: openInFlight("", log),
		inProgress: inProgress{letters: map[inboxUID]letterInProgress{}}, queue: keyqueue.New(cfg.maxConcurrent(), func() {}),
		results:       make(chan handleResult, maxInProgress),
		scanRequested: make(chan struct{}, 1)}
	p.faults.delay, p.started = cfg.RetryFault.exponential(), p.now()
	return p
}

// InboxWatermark returns the time up to which every delivered letter has been processed, except letters that have
// failed for an hour. Deadlines before this time may be enforced. Before the first complete scan it returns the zero
// time.
func (p *Poller) InboxWatermark() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.watermark
}

// ScanNow requests a scan of the inbox, for a deadline that waits for [Poller.InboxWatermark]. It does not block. If
// the Poller has no connection, the scan waits for the next connection.
func (p *Poller) ScanNow() {
	signal(p.scanRequested)
}

// Run handles letters until ctx is done and returns nil. It reconnects after every error.
func (p *Poller) Run(ctx context.Context) error {
	p.inFlight = openInFlight(p.cfg.InFlightFile, p.log)
	defer p.inFlight.close()
	defer p.waitForHandlers()
	backoffs := p.cfg.backoffs()
	for {
		err := p.runConnection(ctx, backoffs.reset)
		if ctx.Err() != nil {
			return nil
		}
		hint := Hint(err)
		p.connectionTrouble.record(p.now(), err, hint)
		if !backoffs.wait(ctx, err, func(pause time.Duration) {
			p.log.Warn("mailbox connection failed", "server", p.cfg.Address, "error", err, "hint", hint, "retry_in", pause.Round(time.Millisecond))
		}) {
			return nil
		}
	}
}

// stableAfter, times Reconnect.First, is the age at which a connection counts as stable, and the pause between
// connections becomes short again. If each connection is lost after a scan, the pause must stay long.
const stableAfter = 60

// runConnection handles letters over one connection until an error. It calls reset when the connection has moved
// letters or is stable.
func (p *Poller) runConnection(ctx context.Context, reset func()) error {
	c, err := dialIMAP(ctx, p.cfg)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.login(ctx, p.cfg); err != nil {
		return err
	}
	for _, f := range letterFolders {
		if err := c.ensureFolder(ctx, f); err != nil {
			return err
		}
	}
	if err := p.openInbox(ctx, c); err != nil {
		return err
	}
	p.log.Info("mailbox opened", "server", p.cfg.Address, "idle", c.hasIdle, "move", c.hasMove)
	since, opened := p.now(), p.now()
	for {
		mustScanAgain, err := p.scan(ctx, c)
		if err != nil {
			return err
		}
		p.connectionTrouble.clear()
		p.falseAnnouncements++
		if mustScanAgain || !c.wasAnnounced {
			p.falseAnnouncements = 0
		}
		if mustScanAgain || p.now().Sub(since) >= stableAfter*p.cfg.Reconnect.First {
			reset()
		}
		if mustScanAgain {
			continue
		}
		if err := p.waitForWork(ctx, c); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		// If another mail program renames the mailbox, or deletes it and creates it again, it looks empty until we open
		// it again.
		if p.now().Sub(opened) >= p.cfg.IdleRestart {
			if err := p.openInbox(ctx, c); err != nil {
				return err
			}
			opened = p.now()
		}
	}
}

// openInbox selects the inbox. If its UIDVALIDITY has changed, the letter states are no longer valid and are dropped.
func (p *Poller) openInbox(ctx context.Context, c *imapConn) error {
	d, err := c.selectMailbox(ctx, p.cfg.Mailbox)
	if err != nil {
		if isCommandRefusal(err) {
			return fmt.Errorf("opening the mailbox %q, which may be deleted or renamed: %w", p.cfg.Mailbox, err)
		}
		return err
	}
	if d.UIDValidity != p.validity {
		if p.validity != 0 {
			p.log.Warn("mailbox has a new UIDVALIDITY; all letters in it are read again", "was", p.validity, "is", d.UIDValidity)
		}
		p.validity, p.letters, p.movedLetters, p.lastFullScan = d.UIDValidity, letterStates{}, map[uint32]*letterState{}, time.Time{}
	}
	return p.checkFullness(ctx, c)
}

// maxFalseAnnouncements is the number of announcements without new mail after which each announcement waits for a
// growing pause.
const maxFalseAnnouncements = 5

// waitForWork waits until new mail is announced, a letter is due, or a scan is requested.
func (p *Poller) waitForWork(ctx context.Context, c *imapConn) error {
	limit := p.cfg.PollInterval
	if c.hasIdle {
		limit = p.cfg.IdleRestart
	}
	// Some servers repeat the number of messages with every reply, which looks like an announcement.
	if n := p.falseAnnouncements - maxFalseAnnouncements; n >= 0 && !sleep(ctx, min(p.cfg.PollInterval, time.Second<<min(n, 20))) {
		return context.Cause(ctx)
	}
	limit = p.faults.pauseUntilNext(limit, p.letters, p.now())
	if c.hasIdle {
		err := c.waitInIdle(ctx, limit, p.scanRequested)
		if !isCommandRefusal(err) {
			return err
		}
		p.log.Warn("the server refuses IDLE; the mailbox is polled instead", "error", err, "every", p.cfg.PollInterval)
		c.hasIdle = false
		limit = min(limit, p.cfg.PollInterval)
	}
	c.waitForMail(ctx, limit, p.scanRequested)
	return nil
}

func (c *imapConn) noop(ctx context.Context) error {
	return c.run(ctx, "noop", c.timeout, func() error { return c.client.Noop().Wait() })
}

func (c *imapConn) waitInIdle(ctx context.Context, limit time.Duration, requests <-chan struct{}) error {
	var idle *imapclient.IdleCommand
	err := c.run(ctx, "idle", c.timeout, func() (err error) { idle, err = c.client.Idle(); return err })
	if err != nil {
		return err
	}
	c.waitForMail(ctx, limit, requests)
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

// waitForMail waits, without sending a command, until new mail is announced, a scan is requested, or limit is over.
// It sets wasAnnounced if new mail ended the wait.
func (c *imapConn) waitForMail(ctx context.Context, limit time.Duration, requests <-chan struct{}) {
	t := time.NewTimer(limit)
	defer t.Stop()
	c.wasAnnounced = false
	select {
	case <-c.announcements:
		c.wasAnnounced = true
	case <-requests:
	case <-t.C:
	case <-c.client.Closed():
	case <-ctx.Done():
	}
}
