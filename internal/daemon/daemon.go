// Package daemon serves matches by mail: it polls the inbox, carries out what has become
// due, and sends the outbox, until it is stopped.
package daemon

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

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
	// every is how often it looks for what no letter brings, and alarmEvery for what is wrong. soon is how long that
	// lasts before the operator is told, and late where it may end by itself; zero for two turns of the poller.
	every, alarmEvery, soon, late time.Duration
	log                           *slog.Logger
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
		Letters: cfg.Letters, Contact: cfg.Questions(), FilesQuestions: true, Director: cfg.Director, Answers: answers(cfg, db, clock.Now, log), VacationDays: cfg.Vacation, Invitations: cfg.Invitations,
		Rounds: r,
	})
	d := &Daemon{Config: cfg, DB: db, codec: codec, games: games, log: log, Adjudicator: a, scheduler: newScheduler(a, log), rounds: r, clock: clock, every: between, alarmEvery: alarmEvery, soon: soon}
	d.scheduler.fault = db.Fault
	if cfg.Club.Exists() {
		d.Club = secretary.New(secretary.Config{Adjudicator: a, Store: db, Club: cfg.Club, Terms: cfg.Terms()})
	}
	return d, nil
}

// answers bounds the answers to letters that did nothing: of this daemon, or of all that there are on the database.
func answers(cfg config.Config, db *storage.DB, now func() time.Time, log *slog.Logger) adjudicator.Limiter {
	each, all := cfg.Answers.Rates()
	if db.Shared() {
		return db.Answers(each, all, now, log)
	}
	return mail.NewRateLimiter(each, all, now)
}

// Close closes the database.
func (d *Daemon) Close() error { return d.DB.Close() }

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

// Questions is the folder of the referee's mailbox for letters with ASK, where no contact is set.
const Questions = mail.Questions

// Handler takes letters to their matches; queued is called after it has put letters into
// the outbox.
func (d *Daemon) Handler(queued func()) mail.Handler { return d.handler(queued) }

func (d *Daemon) handler(queued func()) post.Handler {
	return post.Handler{Codec: d.codec, Adjudicator: d.Adjudicator, Queued: queued}
}
