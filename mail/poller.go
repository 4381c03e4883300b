package mail

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// Commit before MOVE; MOVE before forgetting. The inbox is the queue.

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
	workers  *workers
	inFlight *inFlight
	// filed are the letters that were moved since the inbox was last listed.
	filed map[uint32]*letterState
	// listed is when the newest scan began that saw the whole inbox: what came before was seen.
	listed time.Time
	// handedOut is when the server last gave a letter.
	handedOut time.Time
	// inVain counts the news in a row that were none.
	inVain int
	// overtaken is set while letters have failed for so long that no deadline waits
	// for them any more.
	overtaken bool

	// connection is why the inbox cannot be read, filing why letters cannot be moved, fullness to what
	// percent the mailbox is full.
	connection, filing troubleNote
	fullness           atomic.Int32
	// inQuarantine is how many letters lie there.
	inQuarantine atomic.Int32
	faults       faults
	// began is when the process began, as far as that matters for letters that it may not survive.
	began time.Time
	// quotaLost: the connection was lost while the server was asked how full the mailbox is. The next
	// opening does not ask, so that a server that breaks off there is still read.
	quotaLost bool

	// asked gets a value when somebody wants a scan now.
	asked chan struct{}

	mu       sync.Mutex
	lastPoll time.Time
	failing  int
}

// letterState is what is known of a letter that still lies in the inbox.
type letterState struct {
	// handled is set once the Handler has committed; only the move is left. With
	// copied, on a server without MOVE, only the old letter has to go.
	handled, copied bool
	folder          Folder
	next            time.Time
	delay           *backoff.ExponentialBackOff
	// failures counts what the Handler did not get through with, and keptBack how
	// often the server did not hand out the letter.
	failures, keptBack      int
	firstFailure, firstKept time.Time
	crashed                 bool
	off                     putOff
	// alone: the connection was lost when this letter was fetched.
	alone bool
	// left is when a scan first ended and the letter was not handled.
	left time.Time
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
		letters: map[uint32]*letterState{}, filed: map[uint32]*letterState{}, inFlight: newInFlight(),
		asked: make(chan struct{}, 1)}
	p.faults.delay, p.began = cfg.RetryFault.exponential(), p.now()
	p.workers = newWorkers(cfg.Lay, p.work)
	return p
}

// LastPoll is when a scan of the inbox began: the newest that ended with every letter handled, or
// the newest before everything that is in hand came. A deadline before it may be enforced: no letter that
// came in time is still waiting, but for those that have failed for an hour. It is
// zero when there was none yet.
func (p *Poller) LastPoll() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lastPoll
}

// ScanNow asks for a scan of the inbox, for somebody who waits for [Poller.LastPoll].
// It does not wait for it, and shortens no pause between connections.
func (p *Poller) ScanNow() {
	select {
	case p.asked <- struct{}{}:
	default:
	}
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
	h, err := openInFlight(p.cfg.InFlight)
	if err != nil {
		p.log.Error("a letter that ends the process would not be found out", "error", err)
	}
	p.inFlight = h
	defer h.close()
	defer p.workers.wait()
	waits := p.cfg.backoffs()
	for {
		err := p.session(ctx, waits.reset)
		if ctx.Err() != nil {
			return nil
		}
		hint := configTrouble(err)
		p.connection.met(p.now(), err, hint)
		if !waits.wait(ctx, err, func(pause time.Duration) {
			p.log.Warn("mailbox connection lost", "server", p.cfg.Address, "error", err, "hint", hint, "retry_in", pause.Round(time.Millisecond))
		}) {
			return nil
		}
	}
}

// wellAfter is how many first pauses a connection must live to be called good.
// One that is lost after every scan must not be made anew every second.
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
		worked, err := p.scan(ctx, c)
		if err != nil {
			return err
		}
		p.connection.over()
		p.inVain++
		if worked || !c.woken {
			p.inVain = 0
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
	d, err := c.selectBox(ctx, p.cfg.Mailbox)
	if err != nil {
		if answered(err) {
			return fmt.Errorf("opening the mailbox %q, which may have been deleted or renamed: %w", p.cfg.Mailbox, err)
		}
		return err
	}
	if d.UIDValidity != p.validity {
		if p.validity != 0 {
			p.log.Warn("mailbox was renumbered", "was", p.validity, "is", d.UIDValidity)
		}
		p.validity, p.letters, p.filed, p.listed = d.UIDValidity, map[uint32]*letterState{}, map[uint32]*letterState{}, time.Time{}
	}
	return p.weigh(ctx, c)
}
