package mail

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/emersion/go-imap/v2"
)

// Commit before MOVE; MOVE before forgetting. The inbox is the queue.

// IMAPConfig says where the letters come in.
type IMAPConfig struct {
	// Address is host:port.
	Address string
	// TLS is "tls" (the default), "starttls" or "none".
	TLS string
	// CAFile holds certificates to trust besides the system's; it may be empty.
	CAFile         string
	User, Password string
	// Auth is how to log in; the default takes what the server offers.
	Auth string
	// Tokens gives access tokens, for a login without a password.
	Tokens TokenSource
	// Mailbox is the inbox; the default is INBOX.
	Mailbox string
	// PollInterval is the pause between looks where IDLE is not offered; the
	// default is one minute.
	PollInterval time.Duration
	// CommandTimeout ends a command that gets no answer; the default is 30 s.
	CommandTimeout time.Duration
	// IdleRestart renews IDLE before a firewall forgets the connection; the
	// default is nine minutes.
	IdleRestart time.Duration
	// HandleTimeout ends the context of one call of the Handler; the default
	// is one minute.
	HandleTimeout time.Duration
	// MaxLetter is how much of a letter is read; the default is 1 MiB.
	MaxLetter int64
	// Reconnect is the pause after a lost connection; the default is 1 s to 2 min.
	Reconnect Pace
	// Retry is the pause after a letter failed; the default is 1 s to 10 min.
	Retry Pace
	// QuarantineAfter is for how long a letter must have failed, and at least
	// three times, before it is put in quarantine; the default is one minute. A
	// letter that makes the Handler panic three times goes at once.
	QuarantineAfter time.Duration
	// Quarantined is told of a letter before it is put in quarantine; it may be
	// nil. After an error the letter stays in the inbox and is tried again.
	Quarantined func(context.Context, BadLetter) error
	// InHand is a file that remembers which letter is in hand, so that one that
	// ends the whole process is found out; it may be empty.
	InHand string
	// Dial connects; the default is an ordinary connection.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Pace is a pause that doubles from First to Most, give or take a fifth: the
// jitter keeps many daemons from knocking at a server in step.
type Pace struct {
	First, Most time.Duration
}

func (p Pace) withDefaults(first, most time.Duration) Pace {
	setDefault(&p.First, first)
	setDefault(&p.Most, max(most, p.First))
	return p
}

func (p Pace) backOff() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.RandomizationFactor, b.MaxInterval = p.First, 2, 0.2, p.Most
	return b
}

func (c IMAPConfig) withDefaults() IMAPConfig {
	setDefault(&c.TLS, TLS)
	setDefault(&c.Mailbox, "INBOX")
	setDefault(&c.PollInterval, time.Minute)
	setDefault(&c.CommandTimeout, 30*time.Second)
	setDefault(&c.IdleRestart, 9*time.Minute)
	setDefault(&c.HandleTimeout, time.Minute)
	setDefault(&c.MaxLetter, 1<<20)
	setDefault(&c.QuarantineAfter, time.Minute)
	c.Reconnect = c.Reconnect.withDefaults(time.Second, 2*time.Minute)
	c.Retry = c.Retry.withDefaults(time.Second, 10*time.Minute)
	return c
}

func setDefault[T comparable](v *T, def T) {
	var zero T
	if *v == zero {
		*v = def
	}
}

// Poller takes letters out of an inbox and gives them to a Handler. See the
// package comment for what it promises.
type Poller struct {
	cfg     IMAPConfig
	handler Handler
	log     *slog.Logger
	now     func() time.Time

	// Only Run's goroutine touches these.
	validity uint32
	letters  map[uint32]*letterState
	inHand   *inHand

	mu       sync.Mutex
	lastPoll time.Time
	failing  int
}

// folders are all we file letters into.
var folders = []Folder{Done, Refused, Ignored, Quarantine}

// letterState is what is known of a letter that still lies in the inbox.
type letterState struct {
	// handled is set once the Handler has committed; only the move is left.
	handled bool
	folder  Folder
	next    time.Time
	delay   *backoff.ExponentialBackOff
	// failures counts what the Handler did not get through with.
	failures     int
	firstFailure time.Time
	crashed      bool
}

// NewPoller makes a Poller. Unset fields of cfg get their defaults.
func NewPoller(cfg IMAPConfig, h Handler, log *slog.Logger) *Poller {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Poller{cfg: cfg.withDefaults(), handler: h, log: log, now: time.Now, letters: map[uint32]*letterState{}, inHand: &inHand{counts: map[letterID]int{}}}
}

// LastPoll tells when the newest look into the inbox began that ended with
// every letter handled. A deadline before it may be enforced: no letter that
// came in time is still waiting. It is zero when there was none yet.
func (p *Poller) LastPoll() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lastPoll
}

// Failing tells how many letters lie in the inbox because they could not be
// handled or moved.
func (p *Poller) Failing() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failing
}

// Run works until ctx is done and then returns nil. It comes back from every
// trouble with the server by itself.
func (p *Poller) Run(ctx context.Context) error {
	h, err := openInHand(p.cfg.InHand)
	if err != nil {
		p.log.Error("a letter that ends the process would not be found out", "error", err)
	}
	p.inHand = h
	defer h.close()
	delay := p.cfg.Reconnect.backOff()
	for {
		err := p.session(ctx, delay.Reset)
		if ctx.Err() != nil {
			return nil
		}
		pause := delay.NextBackOff()
		p.log.Warn("mailbox connection lost", "server", p.cfg.Address, "error", err, "hint", configTrouble(err), "retry_in", pause.Round(time.Millisecond))
		if !sleep(ctx, pause) {
			return nil
		}
	}
}

// sleep reports whether the whole pause passed.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// wellAfter is how many first pauses a connection must live to be called good.
// One that is lost after every look must not be made anew every second.
const wellAfter = 60

// session works over one connection until it breaks. well is called when the
// connection is a good one.
func (p *Poller) session(ctx context.Context, well func()) error {
	c, err := dialIMAP(ctx, p.cfg)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.login(ctx, p.cfg); err != nil {
		return err
	}
	for _, f := range folders {
		if err := c.create(ctx, f); err != nil {
			return err
		}
	}
	if err := p.open(ctx, c); err != nil {
		return err
	}
	p.log.Info("mailbox opened", "server", p.cfg.Address, "idle", c.idle, "move", c.move)
	since, opened := p.now(), p.now()
	for {
		worked, err := p.look(ctx, c)
		if err != nil {
			return err
		}
		if worked || p.now().Sub(since) >= wellAfter*p.cfg.Reconnect.First {
			well()
		}
		if worked {
			continue
		}
		if err := p.rest(ctx, c); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		// A mailbox that was deleted and made anew, or renamed, may look empty
		// for ever to who does not open it again.
		if p.now().Sub(opened) >= p.cfg.IdleRestart {
			if err := p.open(ctx, c); err != nil {
				return err
			}
			opened = p.now()
		}
	}
}

// open selects the inbox. What is known of letters by their numbers holds for
// one UIDVALIDITY only.
func (p *Poller) open(ctx context.Context, c *imapConn) error {
	validity, err := c.selectBox(ctx, p.cfg.Mailbox)
	if err != nil {
		if refused(err) {
			return fmt.Errorf("opening the mailbox %q, which may have been deleted or renamed: %w", p.cfg.Mailbox, err)
		}
		return err
	}
	if validity != p.validity {
		if p.validity != 0 {
			p.log.Warn("mailbox was renumbered", "was", p.validity, "is", validity)
		}
		p.validity, p.letters = validity, map[uint32]*letterState{}
	}
	return nil
}

// rest waits for news, or for the next try of a failing letter.
func (p *Poller) rest(ctx context.Context, c *imapConn) error {
	limit := p.cfg.PollInterval
	if c.idle {
		limit = p.cfg.IdleRestart
	}
	for _, s := range p.letters {
		limit = min(limit, max(s.next.Sub(p.now()), 0))
	}
	if c.idle {
		err := c.wait(ctx, limit)
		if !refused(err) {
			return err
		}
		// Offered and not given. Then we ask from time to time.
		p.log.Warn("the server refuses IDLE, the mailbox is polled", "error", err, "every", p.cfg.PollInterval)
		c.idle = false
		limit = min(limit, p.cfg.PollInterval)
	}
	c.pause(ctx, limit)
	// Servers tell of new mail only when they are asked something.
	return c.noop(ctx)
}

// look goes once through the inbox. It reports whether it moved anything, for
// then there may be more.
func (p *Poller) look(ctx context.Context, c *imapConn) (worked bool, err error) {
	began := p.now()
	select {
	case <-c.news:
	default:
	}
	inbox, whole, err := c.list(ctx)
	if err != nil {
		return false, err
	}
	if whole {
		p.forgetGone(inbox)
	}
	due := inbox[:0]
	for _, uid := range inbox {
		if s := p.letters[uint32(uid)]; s == nil || !p.now().Before(s.next) {
			due = append(due, uid)
		}
	}
	for len(due) > 0 && ctx.Err() == nil {
		n := min(len(due), sizesAtOnce)
		sized, err := c.sizes(ctx, due[:n], p.cfg.MaxLetter)
		if err != nil {
			return worked, err
		}
		due = due[n:]
		for len(sized) > 0 && ctx.Err() == nil {
			n := batchSize(sized, p.cfg.MaxLetter)
			moved, err := p.batch(ctx, c, sized[:n])
			worked = worked || moved
			if err != nil {
				return worked, err
			}
			sized = sized[n:]
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failing = len(p.letters)
	if ctx.Err() == nil && whole && p.allHandled() {
		p.lastPoll = began
	}
	return worked, nil
}

// forgetGone drops what is known of letters that left the inbox.
func (p *Poller) forgetGone(inbox []imap.UID) {
	if len(p.letters) == 0 && len(p.inHand.counts) == 0 {
		return
	}
	here := make(map[uint32]bool, len(inbox))
	for _, uid := range inbox {
		here[uint32(uid)] = true
	}
	for uid := range p.letters {
		if !here[uid] {
			delete(p.letters, uid)
		}
	}
	if err := p.inHand.keep(p.validity, func(uid uint32) bool { return here[uid] }); err != nil {
		p.log.Error("letter in hand is not noted", "error", err)
	}
}

func (p *Poller) allHandled() bool {
	for _, s := range p.letters {
		if !s.handled {
			return false
		}
	}
	return true
}
