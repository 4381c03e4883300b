package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"samizdat/mail/message"
)

// One goroutine owns the connection. A letter is booked after the server took
// it, never before; a letter is never dropped without being booked as failed.

const (
	// sendBatch is how many letters are taken from the outbox at once. An urgent
	// letter that comes meanwhile waits for no more than that.
	sendBatch = 64
	// bookBatch is how many sent letters are booked in one transaction. A
	// crash repeats at most so many.
	bookBatch = 32
	// maxRest bounds the pause when nothing is due, against a lost Wake.
	maxRest = time.Minute
	// maxIdle is how long a connection is kept that nobody needs.
	maxIdle = time.Minute
	// grace is what a letter under way gets when the daemon stops.
	grace = 5 * time.Second
	// lastRefusal bounds the pause after the server has refused us: a player may
	// wait for a letter when it does so no more.
	lastRefusal = time.Hour
	// bookTimeout bounds one call of the outbox.
	bookTimeout = 30 * time.Second
)

// Sender works through an Outbox. See the package comment for what it promises.
type Sender struct {
	cfg  SMTPConfig
	box  Outbox
	log  *slog.Logger
	now  func() time.Time
	wake chan struct{}
	more chan struct{}

	// dial is a field so that the schedule can be tested without sockets.
	dial func(context.Context, SMTPConfig) (transport, error)

	// Only Run's goroutine touches these.
	conn     transport
	used     bool
	lastUsed time.Time
	sent     []int64
	limiter  sendLimiter
	counted  bool
	// backoffs are those after trouble with the connection, refusals the one after
	// the server has refused us.
	backoffs *backoffs
	refusals *backoff.ExponentialBackOff
	unclear  ambiguity
	// notNow has the recipients that the server did not want to hear of in this
	// pass, and what it said.
	notNow map[string]replyClass
}

// transport is one connection that is greeted and logged in.
type transport interface {
	// deliver sends one letter and names the step that failed.
	deliver(Outgoing) (stage, error)
	Reset() error
	Quit() error
	Close() error
}

// NewSender makes a Sender. Unset fields of cfg get their defaults.
func NewSender(cfg SMTPConfig, box Outbox, log *slog.Logger) *Sender {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	cfg = cfg.WithDefaults()
	return &Sender{
		cfg: cfg, box: box, log: log, now: time.Now, wake: make(chan struct{}, 1), more: make(chan struct{}, 1), dial: dialSMTP, limiter: sendLimiter{limits: cfg.Limits},
		notNow: map[string]replyClass{}, backoffs: cfg.backoffs(), refusals: Backoff{cfg.Retry.First, min(cfg.Retry.Most, lastRefusal)}.exponential(),
	}
}

// Wake tells the Sender that the outbox has something new. It never blocks and
// may be called from anywhere.
func (s *Sender) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// More tells the Sender that letters which it knows of can go now. Unlike Wake, it does not
// make it look at once for what is more urgent: what was read to be sent goes first.
func (s *Sender) More() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// Run works until ctx is done and then returns nil. A letter under way gets a
// few seconds to end.
func (s *Sender) Run(ctx context.Context) error {
	defer s.hangUp()
	for ctx.Err() == nil {
		n, held, err := s.pass(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			// A Wake must not shorten this pause: the trouble is not in the outbox.
			if !s.trouble(ctx, err) {
				return nil
			}
			continue
		case n > 0 && held == 0:
			continue
		}
		pause, err := s.untilNext(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			s.log.Error("outbox cannot be read", "error", err)
			pause = maxRest
		}
		if held > 0 {
			// What is due may not go yet, but an urgent letter may come.
			pause = min(held, maxRest)
		}
		if s.conn != nil && s.now().Sub(s.lastUsed) >= maxIdle {
			_ = s.conn.Quit()
			s.hangUp()
		}
		s.rest(ctx, pause)
	}
	return nil
}

// trouble waits after an error, and reports whether it came to the end of that.
func (s *Sender) trouble(ctx context.Context, err error) bool {
	tell := func(pause time.Duration, hint string) {
		s.log.Warn("letters are waiting", "server", s.cfg.Address, "error", message.WithoutAddresses(err.Error()), "hint", hint, "retry_in", pause.Round(time.Millisecond))
	}
	if r := (*refusal)(nil); errors.As(err, &r) {
		tell(r.pause, "no letter is lost: see what the provider says of our account and our address")
		return sleep(ctx, r.pause)
	}
	return s.backoffs.wait(ctx, err, func(pause time.Duration) { tell(pause, configTrouble(err)) })
}

func (s *Sender) untilNext(ctx context.Context) (time.Duration, error) {
	next, ok, err := s.box.NextDue(ctx)
	if err != nil || !ok {
		return maxRest, err
	}
	// Never nothing: an outbox that calls a letter due and does not give it
	// must not make us spin.
	return min(max(next.Sub(s.now()), 10*time.Millisecond), maxRest), nil
}

func (s *Sender) rest(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-s.wake:
	case <-s.more:
	case <-t.C:
	case <-ctx.Done():
	}
}

// pass sends what is due. held is how long the provider's limits hold up the
// next letter. An error means trouble that is no letter's fault, or not only.
func (s *Sender) pass(ctx context.Context) (n int, held time.Duration, err error) {
	// What could not be booked last time is still due in the outbox; to read it
	// again before it is booked would send it twice.
	if err := s.book(ctx); err != nil {
		return 0, 0, err
	}
	if err := s.remember(ctx); err != nil {
		return 0, 0, err
	}
	due, err := s.box.Due(ctx, s.now(), sendBatch)
	if err != nil {
		return 0, 0, fmt.Errorf("reading the outbox: %w", err)
	}
	if due, err = s.box.Finish(ctx, due); err != nil {
		return 0, 0, fmt.Errorf("completing letters: %w", err)
	}
	defer func() {
		if berr := s.book(ctx); err == nil {
			err = berr
		}
	}()
	clear(s.notNow)
	s.unclear.putLast(due)
	for _, o := range due {
		if ctx.Err() != nil || n > 0 && s.woken() {
			return n, 0, nil
		}
		if held = s.limiter.wait(s.now(), o.Urgent); held > 0 {
			// The urgent ones come first, so what follows has to wait as well.
			s.log.Debug("letters wait for the provider's limit", "for", held)
			return n, held, nil
		}
		if v, ok := s.notNow[strings.ToLower(o.To)]; ok {
			// It would be told the same, or overtake an older letter.
			err = s.failed(ctx, o, v)
		} else {
			err = s.letter(ctx, o)
		}
		if err != nil {
			return n, 0, err
		}
		n++
		if len(s.sent) >= bookBatch {
			if err := s.book(ctx); err != nil {
				return n, 0, err
			}
		}
	}
	return n, 0, nil
}

// woken tells that the outbox has something new: it may be more urgent than
// what is left of this pass.
func (s *Sender) woken() bool {
	select {
	case <-s.wake:
		return true
	default:
		return false
	}
}

// remember reads once what went out before this process began.
func (s *Sender) remember(ctx context.Context) error {
	if s.counted || s.cfg.History == nil || s.cfg.Limits == (Limits{}) {
		return nil
	}
	times, err := s.cfg.History(ctx, s.now().Add(-aDay))
	if err != nil {
		return fmt.Errorf("reading what went out today: %w", err)
	}
	s.limiter.times, s.counted = append(times, s.limiter.times...), true
	return nil
}
