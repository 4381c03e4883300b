// Package daemon serves matches by mail: it polls the inbox, carries out what has become
// due, and sends the outbox, until it is stopped.
package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/post"
	"samizdat/internal/secretary"
	"samizdat/mail"
	"samizdat/rules"
	"samizdat/storage"
)

// Daemon is everything that serves matches: database, adjudicator, the poller of
// the inbox and the sender of the outbox.
type Daemon struct {
	Config      config.Config
	DB          *storage.DB
	Adjudicator *adjudicator.Adjudicator
	// Club runs the club; nil where there is none.
	Club      *secretary.Secretary
	codec     post.Codec
	scheduler *scheduler
	games     rules.Games
	rounds    *rounds
	clock     Clock
	// every is how often it looks for what no letter brings.
	every time.Duration
	log   *slog.Logger
}

// Clock is the time that a daemon goes by.
type Clock struct {
	Now func() time.Time
	// Ticks make it look for what no letter brings; nil for every two seconds.
	Ticks <-chan time.Time
}

// Open opens the database. Nothing runs yet.
func Open(ctx context.Context, cfg config.Config, games rules.Games, log *slog.Logger) (*Daemon, error) {
	return OpenAt(ctx, cfg, games, log, Clock{Now: time.Now})
}

// OpenAt is Open with another clock than the system's. The mail servers have clocks of their own.
func OpenAt(ctx context.Context, cfg config.Config, games rules.Games, log *slog.Logger, clock Clock) (*Daemon, error) {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data directory: %w; let this user write there, or set data (SAMIZDAT_DATA) to another directory", err)
	}
	if err := noteNew(ctx, cfg); err != nil {
		return nil, err
	}
	if err := storage.Private(cfg.Data); err != nil {
		return nil, fmt.Errorf("the data directory: %w", err)
	}
	db, err := storage.Open(ctx, cfg.Database(), cfg.KeyFile())
	if err != nil {
		return nil, err
	}
	codec := post.Codec{Address: cfg.Address, Name: cfg.Name, InSubject: cfg.Identity.InSubject(), Proof: cfg.Identity.NewProof()}
	r := newRounds(strings.Fields(cfg.Beacon.URL), log)
	a := adjudicator.New(adjudicator.Config{
		Games: games, Store: db, Post: codec, Now: clock.Now, Random: rand.Reader, Log: log, Build: build(),
		Letters: cfg.Letters, Contact: cfg.Questions(), Director: cfg.Director, Answers: cfg.Answers.Limiter(clock.Now), VacationDays: cfg.Vacation, Invitations: cfg.Invitations,
		Rounds: r,
	})
	d := &Daemon{Config: cfg, DB: db, codec: codec, games: games, log: log, Adjudicator: a, scheduler: newScheduler(a, log), rounds: r, clock: clock, every: between}
	if cfg.Club.Exists() {
		d.Club = secretary.New(secretary.Config{Adjudicator: a, Store: db, Club: cfg.Club, Terms: cfg.Terms()})
	}
	return d, nil
}

// Close closes the database.
func (d *Daemon) Close() error { return d.DB.Close() }

// Serve polls and sends until the context ends.
func (d *Daemon) Serve(ctx context.Context, in mail.IMAPConfig, out mail.SMTPConfig) error {
	outbox := d.DB.Outbox(d.Config.Address)
	out.History = outbox.SentSince
	signing, err := d.Config.SMTP.DKIM.Signing()
	if err != nil {
		return err
	}
	h := newHealth(d.DB, d.scheduler, 2*max(in.PollInterval, in.IdleRestart)+time.Minute, d.log)
	in.Now, out.Now = d.clock.Now, d.clock.Now
	letters := post.NewOutbox(outbox, d.log, signing)
	sender := mail.NewSender(out, h.sending(letters), d.log)
	in.InFlight = filepath.Join(d.Config.Data, "letter-in-hand")
	in.Keys = d.codec.Keys
	in.Quarantined = h.countingBad(d.tellOperator(outbox, sender.Wake))
	hears := &hearing{looks: d.DB}
	poller := mail.NewPoller(in, h.counting(hears.before(d.clock.Now, d.Handler(sender.Wake))), d.log)
	h.poller = poller
	// It has looked at nothing before the letters of a restore are back in the inbox.
	d.scheduler.inbox, d.scheduler.hearing = poller, hears
	g, ctx := errgroup.WithContext(ctx)
	// Nothing is sent before the mailbox was looked at: answers would be taken for letters
	// that lay there.
	looked := make(chan struct{})
	g.Go(func() error {
		select {
		case <-looked:
			return sender.Run(ctx)
		case <-ctx.Done():
			return nil
		}
	})
	g.Go(func() error {
		if err := d.checkMailbox(ctx, in); err != nil {
			return err
		}
		close(looked)
		if err := d.reread(ctx, in); err != nil {
			return err
		}
		return poller.Run(ctx)
	})
	g.Go(func() error { return letters.Run(ctx, sender.More) })
	g.Go(func() error { return d.tick(ctx, sender) })
	g.Go(func() error { return d.rounds.run(ctx) })
	g.Go(func() error { d.rebuilder(sender.Wake).run(ctx); return nil })
	g.Go(func() error {
		d.summarize(ctx)
		(&archiver{db: d.DB, keep: d.Config.KeepLetters, now: d.clock.Now, log: d.log}).run(ctx)
		return nil
	})
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

// rebuilder plays matches of another build again; queued is called after it has put a letter
// into the outbox.
func (d *Daemon) rebuilder(queued func()) *rebuilder {
	return &rebuilder{db: d.DB, adjudicator: d.Adjudicator, cfg: d.Config, log: d.log, queued: queued}
}

// ToRebuild counts the running matches that another build has stored. What cannot be counted
// is told when they are played again.
func (d *Daemon) ToRebuild(ctx context.Context) int {
	if d.Adjudicator.Build == "" {
		return 0
	}
	n, err := d.DB.OtherBuilds(ctx, d.Adjudicator.Build)
	if err != nil {
		return 0
	}
	return n
}

// Handler takes letters to their matches; queued is called after it has put letters into
// the outbox.
func (d *Daemon) Handler(queued func()) mail.Handler {
	return post.Handler{Codec: d.codec, Adjudicator: d.Adjudicator, Queued: queued}
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
