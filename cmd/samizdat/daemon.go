package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/storage"
)

// daemon is everything that serves matches: database, adjudicator, the poller of
// the inbox and the sender of the outbox.
type daemon struct {
	cfg         config.Config
	db          *storage.DB
	office      post.Office
	adjudicator *adjudicator.Adjudicator
	overdue     *overdue
	log         *slog.Logger
}

// openDaemon opens the database. Nothing runs yet.
func openDaemon(ctx context.Context, cfg config.Config, log *slog.Logger) (*daemon, error) {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data directory: %w", err)
	}
	db, err := storage.Open(ctx, cfg.Database(), cfg.KeyFile())
	if err != nil {
		return nil, err
	}
	office := post.Office{Address: cfg.Address, Name: cfg.Name, InSubject: cfg.Identity.InSubject(), Proof: cfg.Identity.NewProof()}
	a := adjudicator.New(adjudicator.Config{
		Games: games, Store: db, Post: office, Now: time.Now, Random: rand.Reader, Log: log, Build: build(),
		Letters: cfg.Letters, Answers: cfg.Answers.Limiter(),
	})
	return &daemon{cfg: cfg, db: db, office: office, log: log, adjudicator: a, overdue: newOverdue(a, log)}, nil
}

// build names this program by the source that it was built from, so that a
// position stored by another one is checked against its history first. It is
// empty for builds without a known source.
func build() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var revision, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value
		}
	}
	if revision == "" || modified == "true" {
		return ""
	}
	return revision
}

// withDaemon opens the daemon that a command's configuration names, lets the
// command use it, and closes it.
func withDaemon(cmd *cobra.Command, use func(*daemon) error) (err error) {
	cfg, err := configOf(cmd)
	if err != nil {
		return err
	}
	level, err := cfg.Level()
	if err != nil {
		return err
	}
	d, err := openDaemon(cmd.Context(), cfg, logger(cmd.ErrOrStderr(), level))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	return use(d)
}

// serve polls and sends until the context ends.
func (d *daemon) serve(ctx context.Context, in mail.IMAPConfig, out mail.SMTPConfig) error {
	outbox := d.db.Outbox(d.cfg.Address)
	out.History = outbox.SentSince
	signing, err := d.cfg.SMTP.DKIM.Signing()
	if err != nil {
		return err
	}
	w := newWatch(d.db, 2*max(in.PollInterval, in.IdleRestart)+time.Minute, d.log)
	sender := mail.NewSender(out, w.sending(&post.Outbox{Queue: outbox, Log: d.log, Signing: signing}), d.log)
	in.InHand = filepath.Join(d.cfg.Data, "letter-in-hand")
	in.Quarantined = w.countingBad(d.tellOperator(outbox, sender.Wake))
	poller := mail.NewPoller(in, w.counting(post.Clerk{Office: d.office, Adjudicator: d.adjudicator, Posted: sender.Wake}), d.log)
	w.poller, w.overdue = poller, d.overdue
	// It has looked at nothing before the letters of a restore are back in the inbox.
	d.overdue.inbox = poller
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return sender.Run(ctx) })
	g.Go(func() error {
		if err := d.reread(ctx, in); err != nil {
			return err
		}
		return poller.Run(ctx)
	})
	g.Go(func() error { return d.tick(ctx, sender) })
	if d.cfg.Metrics != "" {
		g.Go(func() error { return w.run(ctx, d.cfg.Metrics) })
	}
	if err := g.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// between is how often the daemon looks for letters that another process has put
// into the outbox (samizdat new), and for what has become due in a match.
const between = 2 * time.Second

// directorEvery is how often it looks for something to tell the director.
const directorEvery = time.Minute

// tick looks for both until the context ends.
func (d *daemon) tick(ctx context.Context, s *mail.Sender) error {
	t := time.NewTicker(between)
	defer t.Stop()
	var asked time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
			d.overdue.look(ctx)
			if now := time.Now(); now.Sub(asked) >= directorEvery {
				asked = now
				if err := d.tellDirector(ctx, now); err != nil && ctx.Err() == nil {
					d.log.Error("the director cannot be told", "error", err)
				}
			}
			s.Wake()
		}
	}
}

// reread brings back the letters that a restore has made unknown.
func (d *daemon) reread(ctx context.Context, in mail.IMAPConfig) error {
	since, asked, err := askedReread(d.cfg.Data)
	if err != nil || !asked {
		return err
	}
	n, err := mail.RereadUntilDone(ctx, in, since, func(err error, pause time.Duration) {
		d.log.Warn("letters cannot be read again yet", "error", err, "retry_in", pause.Round(time.Millisecond))
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil // The next start goes on with it.
		}
		return err
	}
	d.log.Info("letters are read again", "since", since, "letters", n)
	return os.Remove(rereadFile(d.cfg.Data))
}

func (d *daemon) close() error { return d.db.Close() }
