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

type service struct {
	*Daemon
	imap    mail.IMAPConfig
	outbox  *storage.Outbox
	letters *post.Outbox
	sender  *mail.Sender
	health  *health
	// releaseSender starts the sender, after the mailbox was checked for foreign letters, i.e. letters of other programs. If
	// letters were sent before, the replies to them would look foreign.
	releaseSender func()
	interrupted   interruptedLetters
	senderStopped chan struct{}
	// isPoller is set while this daemon reads the inbox. After the loss of its session it stays set until the next
	// session begins.
	isPoller atomic.Bool
}

// Serve runs the daemon until the context ends: it reads the inbox, carries out due work, sends letters and serves pages.
func (d *Daemon) Serve(ctx context.Context, imap mail.IMAPConfig, out mail.SMTPConfig) error {
	TuneRuntime()
	outbox := d.DB.Outbox(d.Config.Address)
	out.SentTimes = outbox.SentSince
	signing, err := d.Config.SMTP.DKIM.NewSigner()
	if err != nil {
		return err
	}
	imap.Now, out.Now = d.clock.Now, d.clock.Now
	imap.Keys = d.codec.Keys
	imap.Fault = func(err error) (string, bool) { return findFault(d.DB, err) }
	out.Fault = d.DB.Fault
	if d.DB.IsShared() {
		out.Claims = outbox
	}
	transientDelay := cmp.Or(d.transientDelay, 2*max(imap.PollInterval, imap.IdleRestart)+time.Minute)
	h := newHealth(d.DB, d.scheduler, d.Config.Data, transientDelay, d.alarmDelay, d.log)
	s := &service{Daemon: d, imap: imap, outbox: outbox, letters: post.NewOutbox(outbox, d.log, signing), health: h,
		senderStopped: make(chan struct{})}
	s.sender = mail.NewSender(out, h.countSent(s.letters), d.log)
	h.sender = s.sender
	s.imap.OnQuarantine = h.countQuarantined(d.writerNotifier(d.Handler(s.sender.Wake), d.operatorNotifier(outbox, s.sender.Wake)))
	mailboxChecked := make(chan struct{})
	s.releaseSender = sync.OnceFunc(func() { close(mailboxChecked) })
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(s.senderStopped)
		select {
		case <-mailboxChecked:
			return s.sender.Run(ctx)
		case <-ctx.Done():
			return nil
		}
	})
	g.Go(func() error {
		if d.DB.IsShared() {
			return s.serveShared(ctx)
		}
		outages := &outageTracker{store: d.DB.Inbox}
		s.imap.InFlightFile = filepath.Join(d.Config.Data, "letter-in-hand")
		return s.servePoller(ctx, s.imap, outages, h.countHandled(outages.recordBeforeHandling(d.clock.Now, d.Handler(s.sender.Wake))))
	})
	g.Go(func() error { s.letters.Run(ctx, s.sender.WakeForDue); return nil })
	g.Go(func() error { return s.watchConditions(ctx, d.newAlarms(h, out)) })
	g.Go(func() error { return d.rounds.run(ctx) })
	g.Go(func() error { return freeIdleMemory(ctx) })
	g.Go(func() error { return adjustGC(ctx) })
	if d.Config.Metrics != "" {
		g.Go(func() error { return h.run(ctx, d.Config.Metrics) })
	}
	g.Go(func() error { return d.newSite().runSite(ctx) })
	g.Go(func() error { return d.servePages(ctx) })
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// servePoller does the work of the poller until the context ends: it reads the inbox, and carries out due work after
// handling the letters that were delivered before the due time.
func (s *service) servePoller(ctx context.Context, in mail.IMAPConfig, outages *outageTracker, handler mail.Handler) error {
	poller := mail.NewPoller(in, handler, s.log)
	s.isPoller.Store(true)
	s.health.poller.Store(poller)
	defer s.health.poller.Store(nil)
	// After a restore, letters are moved back to the inbox (reread). Until then the watermark is zero, and no due work is
	// carried out.
	s.scheduler.inbox, s.scheduler.outages = poller, outages
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := s.checkMailbox(ctx, s.imap, poller.RecordUnreachable); err != nil || ctx.Err() != nil {
			return err
		}
		s.releaseSender()
		if err := s.reread(ctx, s.imap, poller.RecordUnreachable); err != nil {
			return err
		}
		return poller.Run(ctx)
	})
	g.Go(func() error { return s.runTicks(ctx, s.sender) })
	g.Go(func() error { return s.runWebHooks(ctx) })
	g.Go(func() error { s.newRebuilder(s.sender.Wake).run(ctx); return nil })
	g.Go(func() error {
		return (&archiver{db: s.DB, keepDuration: s.Config.KeepLetters, now: s.clock.Now, log: s.log}).run(ctx)
	})
	return g.Wait()
}

// defaultTickInterval is the time between two checks for due work, and for letters that another process ("samizdat new")
// has queued.
const defaultTickInterval = 2 * time.Second

const directorInterval = time.Minute

func (d *Daemon) runTicks(ctx context.Context, s *mail.Sender) error {
	var directorChecked time.Time
	thinkTicks := make(chan time.Time, 1)
	var thinker sync.WaitGroup
	thinker.Go(func() { _ = runOnTicks(ctx, thinkTicks, func() { d.scheduler.runBackgroundJobs(ctx); s.Wake() }) })
	defer thinker.Wait()
	runDue := func() {
		now := d.clock.Now()
		select {
		case thinkTicks <- now:
		default: // Robots are thinking.
		}
		d.scheduler.run(ctx, now)
		if d.Club != nil {
			if err := d.Club.RunDueTasks(ctx, now); err != nil && ctx.Err() == nil {
				d.log.Error("due work of the club cannot be carried out", "error", err)
			}
		}
		if now.Sub(directorChecked) >= directorInterval {
			directorChecked = now
			if err := d.notifyDirector(ctx, now); err != nil && ctx.Err() == nil {
				d.log.Error("cannot notify the director", "error", err)
			}
		}
		s.Wake()
	}
	if d.clock.Ticks != nil {
		return runOnTicks(ctx, d.clock.Ticks, runDue)
	}
	return runEvery(ctx, d.tickInterval, runDue)
}

func runEvery(ctx context.Context, interval time.Duration, run func()) error {
	t := time.NewTicker(interval)
	defer t.Stop()
	return runOnTicks(ctx, t.C, run)
}

func runOnTicks(ctx context.Context, ticks <-chan time.Time, run func()) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks:
			run()
		}
	}
}

// Several daemons may serve from one PostgreSQL database, with the same key and mailbox but different data directories:
//
//   - Each daemon has a session (storage.Session): a connection that shows the other daemons that it is alive. The claims
//     of a daemon contain the number of its session.
//   - A single session holds a lock, and its daemon is the poller. The poller reads the inbox, and does the work that is
//     not shared: due work of matches and of the club, letters to director and operator, the archive. When its session
//     ends, another daemon becomes the poller and starts with a scan of the inbox.
//   - The dispatcher of the poller stores letters in order of arrival, each with keys for the order, e.g. its match. The workers of
//     all daemons claim and adjudicate them. A letter is not claimed while another daemon has an older one with the
//     same key; a daemon that has both adjudicates them in order. When the result of a letter is
//     recorded, the poller moves the letter to its folder.
//   - All daemons claim letters of the outbox, draw their pictures and send them. No daemon claims a letter while
//     another daemon has an older one to the same recipient.
//   - A claim ends with its session. The poller releases the claims of dead sessions. An outcome that a daemon
//     records after its claim has ended has no effect. Before a daemon sends a letter, it checks that its session is alive.
//
// So a daemon may be killed, stopped or cut off at any time. If it dies after a mail server has accepted a letter and
// before that was recorded, the letter is sent again, as with a single daemon, with the same Message-ID and bytes.

const rejoinPause = 500 * time.Millisecond

// serveShared joins the daemons of a shared database, and joins again after a lost session.
func (s *service) serveShared(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return runEvery(ctx, s.tickInterval, s.sender.Wake) })
	g.Go(func() error {
		for {
			session, err := s.DB.Daemons.Join(ctx)
			if err == nil {
				var fatal error
				if err, fatal = s.serveSession(ctx, session); fatal != nil {
					return fatal
				}
			}
			if ctx.Err() != nil {
				return nil
			}
			s.log.Warn("the session with the database is lost; the daemon joins again", "error", err, "retry_in", rejoinPause)
			if !sleep(ctx, rejoinPause) {
				return nil
			}
		}
	})
	return g.Wait()
}

// serveSession serves until the session ends. It returns the reason why the session was lost, or an error that stops
// the daemon.
func (s *service) serveSession(ctx context.Context, session *storage.Session) (lost, fatal error) {
	s.log.Info("serves with other daemons", "session", session.Number())
	s.isPoller.Store(false)
	daemonCtx := ctx
	g, ctx := errgroup.WithContext(ctx)
	sessionCtx, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	defer context.AfterFunc(ctx, func() {
		if daemonCtx.Err() != nil {
			<-s.senderStopped // Letters being sent are recorded before another daemon may claim them.
		}
		release()
	})()
	arrived, handled, outcomes := make(chan struct{}, 1), make(chan struct{}, 1), make(chan struct{}, 1)
	w := newWorkers(s.DB, s.health.countHandled(s.Handler(s.sender.Wake)), s.imap.HandleTimeout, s.health.startedAt, &s.interrupted, s.log)
	g.Go(func() error { w.run(ctx, session, arrived, handled); return nil })
	g.Go(func() error { return s.awaitMailboxCheck(ctx) })
	g.Go(func() error {
		return session.Run(sessionCtx, func(n storage.Notification) {
			if n == storage.LettersArrived {
				signal(arrived)
				return
			}
			signal(handled)
			signal(outcomes)
		}, func() {
			s.log.Info("this daemon is the poller", "session", session.Number())
			g.Go(func() error {
				err := s.pollShared(ctx, session, outcomes)
				if errors.Is(err, errForeignLetters) {
					fatal = err
				}
				return err
			})
		})
	})
	lost = g.Wait()
	return lost, fatal
}

// pollShared does the work of the poller of a shared database until the context ends. notified receives a value when
// workers may have recorded outcomes.
func (s *service) pollShared(ctx context.Context, session *storage.Session, notified <-chan struct{}) error {
	g, ctx := errgroup.WithContext(ctx)
	outages := &outageTracker{store: s.DB.Inbox}
	d := newDispatcher(s.DB, session, func(ctx context.Context) error { return outages.recordLetter(ctx, s.clock.Now().Round(0)) }, s.log)
	g.Go(func() error { d.storeQueued(ctx); return nil })
	g.Go(func() error { d.collectOutcomes(ctx, notified); return nil })
	g.Go(func() error {
		return s.repeatTask(ctx, releaseInterval, func(ctx context.Context) error { return s.DB.Daemons.ReleaseDead(ctx, session) },
			"claims of daemons that have died cannot be released")
	})
	g.Go(func() error {
		return s.repeatTask(ctx, bucketDeletionInterval,
			func(ctx context.Context) error { return s.DB.Daemons.DeleteFullBuckets(ctx, s.clock.Now()) },
			"full buckets of the rate limit cannot be deleted")
	})
	g.Go(func() error {
		in := s.imap
		in.Enqueue = d.enqueue
		return s.servePoller(ctx, in, outages, d)
	})
	return g.Wait()
}

const (
	releaseInterval        = time.Second
	bucketDeletionInterval = 10 * time.Minute
)

func (s *service) repeatTask(ctx context.Context, pause time.Duration, run func(context.Context) error, failureText string) error {
	return runEvery(ctx, pause, func() {
		if err := run(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn(failureText, "error", err)
		}
	})
}

// awaitMailboxCheck waits for the first inbox watermark, which shows that a daemon has checked the mailbox, and then releases the
// sender.
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
