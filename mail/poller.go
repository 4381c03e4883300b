package mail

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
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
}

func (c IMAPConfig) withDefaults() IMAPConfig {
	setDefault(&c.TLS, TLS)
	setDefault(&c.Mailbox, "INBOX")
	setDefault(&c.PollInterval, time.Minute)
	setDefault(&c.CommandTimeout, 30*time.Second)
	setDefault(&c.IdleRestart, 9*time.Minute)
	setDefault(&c.HandleTimeout, time.Minute)
	setDefault(&c.MaxLetter, 1<<20)
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

	mu       sync.Mutex
	lastPoll time.Time
	failing  int
}

// letterState is what is known of a letter that still lies in the inbox.
type letterState struct {
	// handled is set once the Handler has committed; only the move is left.
	handled bool
	folder  Folder
	next    time.Time
	delay   *backoff.ExponentialBackOff
}

// NewPoller makes a Poller. Unset fields of cfg get their defaults.
func NewPoller(cfg IMAPConfig, h Handler, log *slog.Logger) *Poller {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Poller{cfg: cfg.withDefaults(), handler: h, log: log, now: time.Now, letters: map[uint32]*letterState{}}
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

// newBackOff grows from one second; the jitter keeps many daemons from
// knocking at a server in step.
func newBackOff(limit time.Duration) *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.Multiplier, b.RandomizationFactor, b.MaxInterval = time.Second, 2, 0.2, limit
	return b
}

// Run works until ctx is done and then returns nil. It comes back from every
// trouble with the server by itself.
func (p *Poller) Run(ctx context.Context) error {
	delay := newBackOff(2 * time.Minute)
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

// session works over one connection until it breaks. ready is called when the
// inbox could be looked through.
func (p *Poller) session(ctx context.Context, ready func()) error {
	c, err := dialIMAP(ctx, p.cfg)
	if err != nil {
		return err
	}
	defer c.close()
	if err := c.login(ctx, p.cfg.User, p.cfg.Password); err != nil {
		return err
	}
	for _, f := range []Folder{Done, Refused, Ignored} {
		if err := c.create(ctx, f); err != nil {
			return err
		}
	}
	validity, err := c.selectBox(ctx, p.cfg.Mailbox)
	if err != nil {
		return err
	}
	if validity != p.validity {
		if p.validity != 0 {
			p.log.Warn("mailbox was renumbered", "was", p.validity, "is", validity)
		}
		p.validity, p.letters = validity, map[uint32]*letterState{}
	}
	p.log.Info("mailbox opened", "server", p.cfg.Address, "idle", c.idle, "move", c.move)
	for {
		worked, err := p.look(ctx, c)
		if err != nil {
			return err
		}
		ready()
		if worked {
			continue
		}
		if err := p.rest(ctx, c); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
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
		return c.wait(ctx, limit)
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
	inbox, err := c.list(ctx)
	if err != nil {
		return false, err
	}
	p.forgetGone(inbox)
	var due []entry
	for _, e := range inbox {
		if s := p.letters[uint32(e.uid)]; s == nil || !p.now().Before(s.next) {
			due = append(due, e)
		}
	}
	for len(due) > 0 && ctx.Err() == nil {
		n := batchSize(due, p.cfg.MaxLetter)
		moved, err := p.batch(ctx, c, due[:n])
		worked = worked || moved
		if err != nil {
			return worked, err
		}
		due = due[n:]
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failing = len(p.letters)
	if ctx.Err() == nil && p.allHandled() {
		p.lastPoll = began
	}
	return worked, nil
}

// forgetGone drops what is known of letters that left the inbox.
func (p *Poller) forgetGone(inbox []entry) {
	if len(p.letters) == 0 {
		return
	}
	here := make(map[uint32]bool, len(inbox))
	for _, e := range inbox {
		here[uint32(e.uid)] = true
	}
	for uid := range p.letters {
		if !here[uid] {
			delete(p.letters, uid)
		}
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
