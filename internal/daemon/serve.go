package daemon

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/storage"
)

// service is a daemon while it serves.
type service struct {
	*Daemon
	in      mail.IMAPConfig
	outbox  *storage.Outbox
	letters *post.Outbox
	sender  *mail.Sender
	health  *health
	// looked is closed when the mailbox was looked at. Nothing is sent before: answers would be
	// taken for letters that lay there.
	looked func()
	// left are letters that were in hand when a session ended.
	left unfinished
	// stopped is closed when nothing more is sent.
	stopped chan struct{}
	// leads is set while this daemon reads the inbox, or was the last to do so before the database went away.
	leads atomic.Bool
}

// Serve polls and sends until the context ends.
func (d *Daemon) Serve(ctx context.Context, in mail.IMAPConfig, out mail.SMTPConfig) error {
	Tune()
	outbox := d.DB.Outbox(d.Config.Address)
	out.History = outbox.SentSince
	signing, err := d.Config.SMTP.DKIM.Signing()
	if err != nil {
		return err
	}
	in.Now, out.Now = d.clock.Now, d.clock.Now
	in.Keys = d.codec.Keys
	in.Fault = func(err error) (string, bool) { return fault(d.DB, err) }
	out.Fault = d.DB.Fault
	if d.DB.Shared() {
		out.Claims = outbox
	}
	late := cmp.Or(d.late, 2*max(in.PollInterval, in.IdleRestart)+time.Minute)
	h := newHealth(d.DB, d.scheduler, d.Config.Data, late, d.soon, d.log)
	s := &service{Daemon: d, in: in, outbox: outbox, letters: post.NewOutbox(outbox, d.log, signing), health: h, stopped: make(chan struct{})}
	s.sender = mail.NewSender(out, h.sending(s.letters), d.log)
	h.sender = s.sender
	s.in.Quarantined = h.countingBad(d.tellWriter(d.handler(s.sender.Wake), d.tellOperator(outbox, s.sender.Wake)))
	looked := make(chan struct{})
	s.looked = sync.OnceFunc(func() { close(looked) })
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(s.stopped)
		select {
		case <-looked:
			return s.sender.Run(ctx)
		case <-ctx.Done():
			return nil
		}
	})
	g.Go(func() error {
		if d.DB.Shared() {
			return s.attend(ctx)
		}
		hears := &hearing{looks: d.DB}
		s.in.InFlight = filepath.Join(d.Config.Data, "letter-in-hand")
		return s.lead(ctx, s.in, hears, h.counting(hears.before(d.clock.Now, d.Handler(s.sender.Wake))))
	})
	g.Go(func() error { return s.letters.Run(ctx, s.sender.More) })
	g.Go(func() error { return s.watch(ctx, d.newAlarms(h, out)) })
	g.Go(func() error { return d.rounds.run(ctx) })
	g.Go(func() error { return giveBack(ctx) })
	g.Go(func() error { return keepRoom(ctx) })
	if d.Config.Metrics != "" {
		g.Go(func() error { return h.run(ctx, d.Config.Metrics) })
	}
	g.Go(func() error { return d.site().run(ctx) })
	g.Go(func() error { return d.servePages(ctx) })
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// lead does what one daemon does for all, until the context ends: it reads the inbox, and carries
// out what is due once what came in time was handled.
func (s *service) lead(ctx context.Context, in mail.IMAPConfig, hears *hearing, handler mail.Handler) error {
	poller := mail.NewPoller(in, handler, s.log)
	s.leads.Store(true)
	s.health.poller.Store(poller)
	defer s.health.poller.Store(nil)
	// It has looked at nothing before the letters of a restore are back in the inbox.
	s.scheduler.inbox, s.scheduler.hearing = poller, hears
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := s.checkMailbox(ctx, s.in, poller.Missed); err != nil || ctx.Err() != nil {
			return err
		}
		s.looked()
		if err := s.reread(ctx, s.in, poller.Missed); err != nil {
			return err
		}
		return poller.Run(ctx)
	})
	g.Go(func() error { return s.tick(ctx, s.sender) })
	g.Go(func() error { s.rebuilder(s.sender.Wake).run(ctx); return nil })
	g.Go(func() error {
		s.summarize(ctx)
		(&archiver{db: s.DB, keep: s.Config.KeepLetters, now: s.clock.Now, log: s.log}).run(ctx)
		return nil
	})
	return g.Wait()
}

// between is how often the daemon looks for letters that another process has put
// into the outbox (samizdat new), and for what has become due in a match.
const between = 2 * time.Second

// directorEvery is how often it looks for something to tell the director.
const directorEvery = time.Minute

// tick looks for both until the context ends.
func (d *Daemon) tick(ctx context.Context, s *mail.Sender) error {
	ticks := d.clock.Ticks
	if ticks == nil {
		t := time.NewTicker(d.every)
		defer t.Stop()
		ticks = t.C
	}
	var asked time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
			now := d.clock.Now()
			d.scheduler.run(ctx, now)
			if d.Club != nil {
				if err := d.Club.Due(ctx, now); err != nil && ctx.Err() == nil {
					d.log.Error("what is due in the club cannot be done", "error", err)
				}
			}
			if now.Sub(asked) >= directorEvery {
				asked = now
				if err := d.tellDirector(ctx, now); err != nil && ctx.Err() == nil {
					d.log.Error("the director cannot be told", "error", err)
				}
			}
			s.Wake()
		}
	}
}
