package mail

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// One goroutine owns the connection. A letter is booked after the server took
// it, never before; a letter is never dropped without being booked as failed.

// SMTPConfig says where the letters go out.
type SMTPConfig struct {
	// Address is host:port of a submission server.
	Address string
	// TLS is "tls" (the default), "starttls" or "none".
	TLS string
	// CAFile holds certificates to trust besides the system's; it may be empty.
	CAFile string
	// User may be empty: then there is no login.
	User, Password string
	// Auth is how to log in; the default takes what the server offers.
	Auth string
	// Tokens gives access tokens, for a login without a password.
	Tokens TokenSource
	// Hello is the name we greet with; the default is localhost.
	Hello string
	// CommandTimeout ends a command that gets no answer; the default is 30 s.
	CommandTimeout time.Duration
	// SubmissionTimeout is for the answer to a whole letter; the default is 2 min.
	SubmissionTimeout time.Duration
	// Reconnect is the pause after trouble with the server; the default is 1 s
	// to 5 min.
	Reconnect Pace
	// Retry is when a letter that failed is tried again.
	Retry Schedule
	// Limits is what the provider lets us send.
	Limits Limits
	// History gives when letters went out since a time, oldest first, so that a
	// restart does not forget what the day's limit has seen; it may be nil.
	History func(ctx context.Context, since time.Time) ([]time.Time, error)
	// Dial connects; the default is an ordinary connection.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

func (c SMTPConfig) withDefaults() SMTPConfig {
	setDefault(&c.TLS, TLS)
	setDefault(&c.Hello, "localhost")
	setDefault(&c.CommandTimeout, 30*time.Second)
	setDefault(&c.SubmissionTimeout, 2*time.Minute)
	c.Reconnect = c.Reconnect.withDefaults(time.Second, 5*time.Minute)
	c.Retry = c.Retry.withDefaults()
	return c
}

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

	// dial is a field so that the schedule can be tested without sockets.
	dial func(context.Context, SMTPConfig) (transport, error)

	// Only Run's goroutine touches these.
	conn     transport
	used     bool
	lastUsed time.Time
	sent     []int64
	allowed  allowance
	counted  bool
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
	return &Sender{cfg: cfg.withDefaults(), box: box, log: log, now: time.Now, wake: make(chan struct{}, 1), dial: dialSMTP, allowed: allowance{limits: cfg.Limits}}
}

// Wake tells the Sender that the outbox has something new. It never blocks and
// may be called from anywhere.
func (s *Sender) Wake() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Run works until ctx is done and then returns nil. A letter under way gets a
// few seconds to end.
func (s *Sender) Run(ctx context.Context) error {
	defer s.hangUp()
	delay := s.cfg.Reconnect.backOff()
	for ctx.Err() == nil {
		n, held, err := s.pass(ctx, delay)
		var pause time.Duration
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			pause = delay.NextBackOff()
			s.log.Warn("letters are waiting", "server", s.cfg.Address, "error", err, "hint", configTrouble(err), "retry_in", pause.Round(time.Millisecond))
			// A Wake must not shorten this pause: the trouble is not in the outbox.
			if !sleep(ctx, pause) {
				return nil
			}
			continue
		case n > 0 && held == 0:
			continue
		}
		if pause, err = s.untilNext(ctx); err != nil {
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
	case <-t.C:
	case <-ctx.Done():
	}
}

// pass sends what is due. held is how long the provider's limits hold up the
// next letter. An error means trouble that is no letter's fault, or not only.
func (s *Sender) pass(ctx context.Context, delay *backoff.ExponentialBackOff) (n int, held time.Duration, err error) {
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
	defer func() {
		if berr := s.book(ctx); err == nil {
			err = berr
		}
	}()
	for _, o := range due {
		if ctx.Err() != nil || n > 0 && s.woken() {
			return n, 0, nil
		}
		if held = s.allowed.wait(s.now(), o.Urgent); held > 0 {
			// The urgent ones come first, so what follows has to wait as well.
			s.log.Debug("letters wait for the provider's limit", "for", held)
			return n, held, nil
		}
		if err := s.letter(ctx, o, delay); err != nil {
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
	// What is booked at a time that is still to come went out by a clock that ran
	// ahead. It counts as of now: else it would count until that time has come.
	for i, now := 0, s.now(); i < len(times); i++ {
		if times[i].After(now) {
			times[i] = now
		}
	}
	s.allowed.times, s.counted = append(times, s.allowed.times...), true
	return nil
}

// letter sends one letter over the kept connection, or over a new one when the
// kept one turns out to be closed.
func (s *Sender) letter(ctx context.Context, o Outgoing, delay *backoff.ExponentialBackOff) error {
	if reason := unsendable(o); reason != "" {
		return s.failed(ctx, o, verdict{permanent: true, reason: reason})
	}
	for {
		if s.conn == nil {
			c, err := s.dial(ctx, s.cfg)
			if err != nil {
				return err
			}
			s.conn, s.used = c, false
		}
		at, err := s.transaction(ctx, o)
		s.lastUsed = s.now()
		if err == nil {
			s.used = true
			s.allowed.spent(s.now())
			s.sent = append(s.sent, o.ID)
			delay.Reset()
			return nil
		}
		v := judge(at, err)
		kept := s.used
		s.used = true
		if v.lost {
			s.hangUp()
		} else if rerr := s.conn.Reset(); rerr != nil {
			s.hangUp()
		}
		if v.lost && kept && at == atMail {
			continue
		}
		if at == atDot && v.lost {
			s.allowed.spent(s.now())
		}
		if berr := s.failed(ctx, o, v); berr != nil {
			return berr
		}
		if v.lost {
			// The next letter may fare no better: a server that drops every
			// connection must not be called once for each letter.
			return fmt.Errorf("connection lost in a letter: %w", err)
		}
		delay.Reset()
		return nil
	}
}

// transaction gives a letter all the time it can need and no more, and lets one
// under way end when the daemon stops, but not for long.
func (s *Sender) transaction(ctx context.Context, o Outgoing) (stage, error) {
	// Three commands, the letter at 64 KiB a second, the answer.
	limit := 3*s.cfg.CommandTimeout + s.cfg.SubmissionTimeout + time.Duration(len(o.Raw)>>16)*time.Second
	c := s.conn
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		all := time.NewTimer(limit)
		defer all.Stop()
		select {
		case <-done:
			return
		case <-all.C:
			_ = c.Close()
			return
		case <-ctx.Done():
		}
		t := time.NewTimer(grace)
		defer t.Stop()
		select {
		case <-done:
		case <-t.C:
			_ = c.Close()
		}
	}()
	at, err := c.deliver(o)
	close(done)
	<-ended
	return at, err
}

func (s *Sender) hangUp() {
	if s.conn != nil {
		_ = s.conn.Close()
	}
	s.conn = nil
}

// failed books a failed try.
func (s *Sender) failed(ctx context.Context, o Outgoing, v verdict) error {
	now := s.now()
	n := o.Attempts + 1
	if !v.permanent && n >= s.cfg.Retry.Attempts() {
		v.permanent = true
		v.reason = fmt.Sprintf("given up after %d tries: %s", n, v.reason)
	}
	next := now.Add(s.cfg.Retry.Delay(n))
	s.log.Warn("letter was not sent", "id", o.ID, "to", o.To, "try", n, "permanent", v.permanent, "reason", v.reason)
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTimeout)
	defer cancel()
	if err := s.box.Failed(bctx, o.ID, now, next, v.permanent, v.reason); err != nil {
		return fmt.Errorf("booking letter %d as failed: %w", o.ID, err)
	}
	return nil
}

// book writes down what was sent, also when the daemon is stopping: what is not
// booked is sent again.
func (s *Sender) book(ctx context.Context) error {
	if len(s.sent) == 0 {
		return nil
	}
	bctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTimeout)
	defer cancel()
	if err := s.box.Sent(bctx, s.sent, s.now()); err != nil {
		return fmt.Errorf("booking %d sent letters: %w", len(s.sent), err)
	}
	s.sent = nil
	return nil
}
