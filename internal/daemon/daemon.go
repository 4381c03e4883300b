// Package daemon serves matches by mail: it polls the inbox, carries out what has become
// due, and sends the outbox, until it is stopped.
package daemon

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	retry "github.com/cenkalti/backoff/v5"
	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator"
	clubmail "samizdat/adjudicator/club/mail"
	"samizdat/adjudicator/conversation"
	"samizdat/internal/config"
	"samizdat/internal/post"
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
	Club      *clubmail.Mail
	codec     post.Codec
	scheduler *scheduler
	games     rules.Games
	rounds    *rounds
	clock     Clock
	// tickInterval is how often it looks for what no letter brings, and alarmEvery for what is wrong. soon is how long that
	// lasts before the operator is told, and late where it may end by itself; zero for two turns of the poller.
	tickInterval, alarmInterval, alarmDelay, transientDelay time.Duration
	log                                                     *slog.Logger
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
	if err := markUnchecked(ctx, cfg); err != nil {
		return nil, err
	}
	if err := storage.MakePrivate(cfg.Data); err != nil {
		return nil, fmt.Errorf("the data directory: %w", err)
	}
	db, err := storage.Open(ctx, cfg.Database(), cfg.KeyFile())
	if err != nil {
		return nil, err
	}
	codec := post.Codec{Address: cfg.Address, Name: cfg.Name, InSubject: cfg.Identity.InSubject(), Proof: cfg.Identity.NewProof()}
	r := newRounds(strings.Fields(cfg.Beacon.URL), log)
	a := adjudicator.New(adjudicator.Config{
		ReplyConfig: conversation.ReplyConfig{Store: db, Post: codec, Now: clock.Now, Log: log,
			Letters: cfg.Letters, Contact: cfg.Contact, Director: cfg.Director, Answers: newAnswerLimiter(cfg, db, clock.Now, log)},
		Games: games, Random: rand.Reader, Build: build(), FilesQuestions: true, VacationDays: cfg.Vacation, Invitations: cfg.Invitations,
		Rounds: r, Desk: cfg.Desk})
	d := &Daemon{Config: cfg, DB: db, codec: codec, games: games, log: log, Adjudicator: a, scheduler: newScheduler(a, log), rounds: r,
		clock: clock, tickInterval: defaultTickInterval, alarmInterval: defaultAlarmInterval, alarmDelay: defaultAlarmDelay}
	d.scheduler.fault = db.Fault
	if cfg.Club.Exists() {
		d.Club = clubmail.New(clubmail.Config{Adjudicator: a, Store: db.Club, Club: cfg.Club, Terms: cfg.Terms()})
	}
	return d, nil
}

// newAnswerLimiter bounds the answers to letters that did nothing: of this daemon, or of all that there are on the database.
func newAnswerLimiter(cfg config.Config, db *storage.DB, now func() time.Time, log *slog.Logger) conversation.Limiter {
	each, all := cfg.Answers.Rates()
	if db.Shared() {
		return db.Daemons.Answers(each, all, now, log)
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

// CountMatchesToRebuild counts the running matches that another build has stored. What cannot be counted
// is told when they are played again.
func (d *Daemon) CountMatchesToRebuild(ctx context.Context) int {
	if d.Adjudicator.Build == "" {
		return 0
	}
	n, err := d.DB.Upkeep.CountOtherBuilds(ctx, d.Adjudicator.Build)
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

// build names this program by the source that it was built from, or by its own bytes where
// that is not known, so that a position stored by another one is checked against its
// history first.
var build = sync.OnceValue(func() string {
	if revision := sourceRevision(); revision != "" {
		return revision
	}
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	name, err := readBuildID(path)
	if err != nil || len(name) == 0 {
		name, err = hashFile(path)
	}
	if err != nil {
		return ""
	}
	return fmt.Sprintf("program-%.20x", sha256.Sum256(name))
})

// sourceRevision is the revision of the source; empty where it is not known, or has changes
// that are in none.
func sourceRevision() string {
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

// readBuildID is what Go has written into a program when it was linked, a hash of its bytes
// among it: to read that takes a hundredth of the time in which they are hashed again, which
// every short command would wait for. Nothing stands there in programs linked without it.
func readBuildID(path string) (id []byte, err error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err // Other systems have other files.
	}
	defer func() { _ = f.Close() }() // nothing was written
	note := f.Section(".note.go.buildid")
	if note == nil {
		return nil, nil
	}
	data, err := note.Data()
	// Behind lengths, kind and owner.
	const head = 16
	if err != nil || len(data) < head {
		return nil, err
	}
	return bytes.TrimRight(data[head:], "\x00"), nil
}

// hashFile is the SHA-256 of a file.
func hashFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}

// The pause before a daemon tries again to reach a database server that is away doubles from the first to the most.
const (
	minReconnectPause = 500 * time.Millisecond
	maxReconnectPause = 15 * time.Second
)

// OpenWithRetry is Open for a daemon: where the database server cannot be reached it waits until that comes back, as a
// daemon does that serves. Whoever asks how it does is told so meanwhile.
func OpenWithRetry(ctx context.Context, cfg config.Config, games rules.Games, log *slog.Logger) (d *Daemon, err error) {
	d, err = Open(ctx, cfg, games, log)
	if !storage.IsTemporary(err) {
		return d, err
	}
	pause := retry.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval, pause.Multiplier, pause.RandomizationFactor = minReconnectPause, maxReconnectPause, 2, 0.2
	began := time.Now()
	g, ctx := errgroup.WithContext(ctx)
	reporting, stopReporting := context.WithCancel(ctx)
	g.Go(func() error { return reportDatabaseAway(reporting, cfg.Metrics, log) })
	g.Go(func() error {
		defer stopReporting() // The daemon wants the address.
		d, err = retry.Retry(ctx, func() (*Daemon, error) {
			d, err := Open(ctx, cfg, games, log)
			if err != nil && !storage.IsTemporary(err) {
				err = retry.Permanent(err)
			}
			return d, err
		}, retry.WithBackOff(pause), retry.WithMaxElapsedTime(0), retry.WithNotify(func(err error, wait time.Duration) {
			log.Warn("waits for the database server", "error", err, "for", time.Since(began).Round(time.Second), "retry_in",
				wait.Round(time.Millisecond))
		}))
		return err
	})
	if err := g.Wait(); err != nil {
		if d != nil {
			err = errors.Join(err, d.Close())
		}
		return nil, err
	}
	return d, nil
}

// reportDatabaseAway says at the address of the metrics that the database is away, until the context ends.
func reportDatabaseAway(ctx context.Context, address string, log *slog.Logger) error {
	if address == "" {
		<-ctx.Done()
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprintln(rw, "the database server cannot be reached: the daemon waits for it") // Whoever asked may have gone.
	})
	return serveHTTP(ctx, "metrics", address, &http.Server{Handler: mux, ReadHeaderTimeout: scrapeTimeout, WriteTimeout: 2 * scrapeTimeout}, log)
}

// ErrServed: another process has the data directory's lock.
var ErrServed = errors.New("another samizdat is serving it; stop that one first")

// Lock takes the data directory for one process, until release is called or the
// process ends, however that comes about.
func Lock(dir string) (release func() error, err error) {
	f, err := os.OpenFile(lockFile(dir), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	// Who asks whether it is served has the lock for a moment.
	for range 5 {
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			break
		}
		time.Sleep(20 * time.Millisecond)
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrServed
		}
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), f.Close())
	}
	return f.Close, nil
}

// IsServed tells whether a process serves the data directory. It leaves nothing there.
func IsServed(dir string) (bool, error) {
	f, err := os.Open(lockFile(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil // Nobody has served it yet.
	}
	if err != nil {
		return false, fmt.Errorf("see whether %s is served: %w", dir, err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if err != nil && !errors.Is(err, syscall.EWOULDBLOCK) {
		return false, fmt.Errorf("see whether %s is served: %w", dir, err)
	}
	return err != nil, nil
}

func lockFile(dir string) string { return filepath.Join(dir, "serve.lock") }
