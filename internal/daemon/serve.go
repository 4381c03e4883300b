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
	// releaseSender is closed when the mailbox was looked at. Nothing is sent before: answers would be
	// taken for letters that lay there.
	releaseSender func()
	// unfinished are letters that were in hand when a session ended.
	unfinished unfinished
	// stopped is closed when nothing more is sent.
	stopped chan struct{}
	// isPoller is set while this daemon reads the inbox, or was the last to do so before the database went away.
	isPoller atomic.Bool
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
	in.Fault = func(err error) (string, bool) { return findFault(d.DB, err) }
	out.Fault = d.DB.Fault
	if d.DB.Shared() {
		out.Claims = outbox
	}
	transientDelay := cmp.Or(d.transientDelay, 2*max(in.PollInterval, in.IdleRestart)+time.Minute)
	h := newHealth(d.DB, d.scheduler, d.Config.Data, transientDelay, d.alarmDelay, d.log)
	s := &service{Daemon: d, in: in, outbox: outbox, letters: post.NewOutbox(outbox, d.log, signing), health: h, stopped: make(chan struct{})}
	s.sender = mail.NewSender(out, h.countSent(s.letters), d.log)
	h.sender = s.sender
	s.in.Quarantined = h.countQuarantined(d.notifyWriter(d.handler(s.sender.Wake), d.notifyOperator(outbox, s.sender.Wake)))
	mailboxChecked := make(chan struct{})
	s.releaseSender = sync.OnceFunc(func() { close(mailboxChecked) })
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(s.stopped)
		select {
		case <-mailboxChecked:
			return s.sender.Run(ctx)
		case <-ctx.Done():
			return nil
		}
	})
	g.Go(func() error {
		if d.DB.Shared() {
			return s.serveShared(ctx)
		}
		outages := &outageTracker{store: d.DB.Inbox}
		s.in.InFlightFile = filepath.Join(d.Config.Data, "letter-in-hand")
		return s.servePoller(ctx, s.in, outages, h.countHandled(outages.recordBefore(d.clock.Now, d.Handler(s.sender.Wake))))
	})
	g.Go(func() error { s.letters.Run(ctx, s.sender.More); return nil })
	g.Go(func() error { return s.watchConditions(ctx, d.newAlarms(h, out)) })
	g.Go(func() error { return d.rounds.run(ctx) })
	g.Go(func() error { return freeIdleMemory(ctx) })
	g.Go(func() error { return adjustGC(ctx) })
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

// servePoller does what one daemon does for all, until the context ends: it reads the inbox, and carries
// out what is due once what came in time was handled.
func (s *service) servePoller(ctx context.Context, in mail.IMAPConfig, outages *outageTracker, handler mail.Handler) error {
	poller := mail.NewPoller(in, handler, s.log)
	s.isPoller.Store(true)
	s.health.poller.Store(poller)
	defer s.health.poller.Store(nil)
	// It has looked at nothing before the letters of a restore are back in the inbox.
	s.scheduler.inbox, s.scheduler.outages = poller, outages
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := s.checkMailbox(ctx, s.in, poller.RecordUnreachable); err != nil || ctx.Err() != nil {
			return err
		}
		s.releaseSender()
		if err := s.reread(ctx, s.in, poller.RecordUnreachable); err != nil {
			return err
		}
		return poller.Run(ctx)
	})
	g.Go(func() error { return s.tick(ctx, s.sender) })
	g.Go(func() error { s.rebuilder(s.sender.Wake).run(ctx); return nil })
	g.Go(func() error {
		return (&archiver{db: s.DB, keep: s.Config.KeepLetters, now: s.clock.Now, log: s.log}).run(ctx)
	})
	return g.Wait()
}

// defaultTickInterval is how often the daemon looks for letters that another process has put
// into the outbox (samizdat new), and for what has become due in a match.
const defaultTickInterval = 2 * time.Second

// directorInterval is how often it looks for something to tell the director.
const directorInterval = time.Minute

// tick looks for both until the context ends.
func (d *Daemon) tick(ctx context.Context, s *mail.Sender) error {
	var directorChecked time.Time
	runDue := func() {
		now := d.clock.Now()
		d.scheduler.run(ctx, now)
		if d.Club != nil {
			if err := d.Club.Due(ctx, now); err != nil && ctx.Err() == nil {
				d.log.Error("what is due in the club cannot be done", "error", err)
			}
		}
		if now.Sub(directorChecked) >= directorInterval {
			directorChecked = now
			if err := d.notifyDirector(ctx, now); err != nil && ctx.Err() == nil {
				d.log.Error("the director cannot be told", "error", err)
			}
		}
		s.Wake()
	}
	if d.clock.Ticks != nil {
		return onEach(ctx, d.clock.Ticks, runDue)
	}
	return every(ctx, d.tickInterval, runDue)
}

// every does something every so often until the context ends.
func every(ctx context.Context, pause time.Duration, do func()) error {
	t := time.NewTicker(pause)
	defer t.Stop()
	return onEach(ctx, t.C, do)
}

// onEach does something on each tick until the context ends.
func onEach(ctx context.Context, ticks <-chan time.Time, do func()) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
			do()
		}
	}
}

// Several daemons may serve from one PostgreSQL, each with a data directory of its own and the same
// key and mailbox:
//
//   - Each keeps a session there (storage.Session), a connection that shows the others that it lives.
//     Its number stands at all that the daemon claims.
//   - One is the poller: the one whose session holds a lock. It reads the inbox, and does what one
//     does for all: what is due in matches and in the club, letters to director and operator, the
//     archive. When its session ends the next takes over, and begins with a scan of the inbox.
//   - The poller stores letters as arrivals, in the order in which they came, with what they concern. All
//     daemons claim arrivals and adjudicate them. Of those that concern the same nobody claims one while another has an
//     older one, and who has both adjudicates them one after the other. When outcomes are noted the poller files
//     the letters.
//   - All daemons claim letters of the outbox, draw their pictures and send them. Nobody claims a letter
//     while another has an older one to the same reader.
//   - A claim lapses with its session. The poller frees what dead sessions have claimed; what a daemon
//     books with a claim that has lapsed changes nothing; and right before it sends a letter it looks
//     whether its own session lives.
//
// So a daemon may be killed, stopped or cut off at any time. What nobody can know, whether a server
// has taken a letter whose daemon died before it was booked, is answered as with one daemon: the letter
// goes again, with the same Message-ID and the same bytes.

// rejoinPause is the pause before another session is made in the place of one that was lost.
const rejoinPause = 500 * time.Millisecond

// serveShared serves beside other daemons, until the context ends.
func (s *service) serveShared(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return every(ctx, s.tickInterval, s.sender.Wake) })
	g.Go(func() error {
		for {
			session, err := s.DB.Daemons.Join(ctx)
			if err == nil {
				var failed error
				if err, failed = s.serveSession(ctx, session); failed != nil {
					return failed
				}
			}
			if ctx.Err() != nil {
				return nil
			}
			s.log.Warn("cut off from the other daemons", "error", err, "retry_in", rejoinPause)
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(rejoinPause):
			}
		}
	})
	return g.Wait()
}

// serveSession serves for as long as a session lives. It returns why that was lost, or what stops the
// daemon.
func (s *service) serveSession(ctx context.Context, session *storage.Session) (lost, failed error) {
	s.log.Info("serves beside others", "session", session.Number())
	s.isPoller.Store(false)
	daemon := ctx
	g, ctx := errgroup.WithContext(ctx)
	holding, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	defer context.AfterFunc(ctx, func() {
		if daemon.Err() != nil {
			<-s.stopped // What is on its way is booked before others may claim it.
		}
		release()
	})()
	arrived, handled, done := make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	t := newWorkers(s.DB, s.health.countHandled(s.Handler(s.sender.Wake)), s.in.HandleTimeout, s.health.started, &s.unfinished, s.log)
	g.Go(func() error { t.run(ctx, session, arrived, handled); return nil })
	g.Go(func() error { return s.awaitMailboxCheck(ctx) })
	g.Go(func() error {
		return session.Hold(holding, func(n storage.Notification) {
			if n == storage.Arrived {
				signal(arrived)
				return
			}
			signal(handled)
			signal(done)
		}, func() {
			s.log.Info("this daemon is the poller", "session", session.Number())
			g.Go(func() error {
				err := s.pollShared(ctx, session, done)
				if errors.Is(err, errForeignLetters) {
					failed = err
				}
				return err
			})
		})
	})
	lost = g.Wait()
	return lost, failed
}

// pollShared is the work of the poller.
func (s *service) pollShared(ctx context.Context, session *storage.Session, done <-chan struct{}) error {
	g, ctx := errgroup.WithContext(ctx)
	outages := &outageTracker{store: s.DB.Inbox}
	d := newDispatcher(s.DB, session, func(ctx context.Context) error { return outages.recordLetter(ctx, s.clock.Now().Round(0)) }, s.log)
	g.Go(func() error { d.storeQueued(ctx); return nil })
	g.Go(func() error { d.collectOutcomes(ctx, done); return nil })
	g.Go(func() error {
		return s.repeatTask(ctx, releaseInterval, func(ctx context.Context) error { return s.DB.Daemons.ReleaseDead(ctx, session) },
			"claims of daemons that have died stand still")
	})
	g.Go(func() error {
		return s.repeatTask(ctx, forgetInterval, func(ctx context.Context) error { return s.DB.Daemons.ForgetAnswered(ctx, s.clock.Now()) },
			"who was answered is not forgotten")
	})
	g.Go(func() error {
		in := s.in
		in.Enqueue = d.enqueue
		return s.servePoller(ctx, in, outages, d)
	})
	return g.Wait()
}

const (
	// releaseInterval is how often the poller looks for claims of dead daemons.
	releaseInterval = time.Second
	// forgetInterval is how often it forgets who may have as many answers as anybody.
	forgetInterval = 10 * time.Minute
)

// repeatTask does something every so often until the context ends. What fails is done again the next time.
func (s *service) repeatTask(ctx context.Context, pause time.Duration, do func(context.Context) error, failed string) error {
	return every(ctx, pause, func() {
		if err := do(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn(failed, "error", err)
		}
	})
}

// awaitMailboxCheck waits until some daemon has looked at the mailbox: from then on letters are sent.
func (s *service) awaitMailboxCheck(ctx context.Context) error {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		at, err := s.DB.Inbox.Watermark(ctx)
		if err == nil && !at.IsZero() {
			s.releaseSender()
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}
