// Package daemon serves matches by mail: it polls the inbox, carries out due work of matches, and sends the
// outbox.
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
	"samizdat/adjudicator/club/clubmail"
	"samizdat/adjudicator/conversation"
	"samizdat/internal/config"
	"samizdat/internal/post"
	"samizdat/mail"
	"samizdat/rules"
	"samizdat/storage"
)

// Daemon is a server of matches: the database, the adjudicator, the poller of the inbox and the sender of the outbox.
type Daemon struct {
	Config      config.Config
	DB          *storage.DB
	Adjudicator *adjudicator.Adjudicator
	// Club runs the club, or is nil.
	Club      *clubmail.Mail
	codec     post.Codec
	scheduler *scheduler
	games     rules.Games
	rounds    *roundFetcher
	clock     Clock
	// tickInterval is the time between two checks for due work. alarmInterval is the time between two checks for faults. A
	// fault is reported after alarmDelay, or after transientDelay if it may end by itself. A transientDelay of 0 means two
	// poll intervals and a minute.
	tickInterval, alarmInterval, alarmDelay, transientDelay time.Duration
	log                                                     *slog.Logger
}

// Clock is the source of time: the system or a test.
type Clock struct {
	Now func() time.Time
	// Each value of Ticks starts a check for due work. If Ticks is nil, a check starts every two seconds.
	Ticks <-chan time.Time
}

// Open opens the database. It starts neither poller nor sender.
func Open(ctx context.Context, cfg config.Config, games rules.Games, log *slog.Logger) (*Daemon, error) {
	return OpenAt(ctx, cfg, games, log, Clock{Now: time.Now})
}

// OpenAt opens the database like Open, but with another clock. The mail servers still use the clock of the system.
func OpenAt(ctx context.Context, cfg config.Config, games rules.Games, log *slog.Logger, clock Clock) (*Daemon, error) {
	if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data directory: %w; "+
			"let this user write there, or set data (SAMIZDAT_DATA) to another directory", err)
	}
	if err := markUnchecked(ctx, cfg); err != nil {
		return nil, err
	}
	if err := storage.MakePrivate(cfg.Data); err != nil {
		return nil, fmt.Errorf("the data directory: %w", err)
	}
	db, err := storage.Open(ctx, cfg.DSN(), cfg.KeyFile())
	if err != nil {
		return nil, err
	}
	codec := post.Codec{Address: cfg.Address, Name: cfg.Name, TokensInSubject: cfg.SenderAuth.InSubject(), Proof: cfg.SenderAuth.NewProof()}
	if strings.HasPrefix(cfg.SiteURL, "https://") && cfg.Listen != "" && cfg.Club.Exists() {
		codec.UnsubscribeURL = cfg.SiteURL + unsubscribePath
	}
	rounds := newRoundFetcher(strings.Fields(cfg.Beacon.ServerURLs), log)
	a := adjudicator.New(adjudicator.Config{
		ReplyConfig: conversation.ReplyConfig{Store: db, Codec: codec, Now: clock.Now, Log: log,
			LetterOptions: cfg.Letters, OperatorAddress: cfg.Contact, Director: cfg.Director, ReplyLimits: newAnswerLimiter(cfg, db, clock.Now, log)},
		Games: games, Random: rand.Reader, Build: buildID(), FilesQuestions: true, VacationDays: cfg.Vacation,
		InvitationPeriod: cfg.InvitationPeriod,
		Rounds:           rounds, DeskURL: deskURL(cfg)})
	d := &Daemon{Config: cfg, DB: db, codec: codec, games: games, log: log, Adjudicator: a, scheduler: newScheduler(a, log), rounds: rounds,
		clock: clock, tickInterval: defaultTickInterval, alarmInterval: defaultAlarmInterval, alarmDelay: defaultAlarmDelay}
	d.scheduler.fault = db.Fault
	if cfg.Club.Exists() {
		d.Club = clubmail.New(clubmail.Config{Adjudicator: a, Store: db.Club, Club: cfg.Club, Terms: cfg.Terms()})
	}
	return d, nil
}

// newAnswerLimiter returns a limiter for answers of the referee to letters without effect. With a shared database the
// limits hold for all its daemons together.
func newAnswerLimiter(cfg config.Config, db *storage.DB, now func() time.Time, log *slog.Logger) conversation.Limiter {
	perSender, totalRate := cfg.ReplyLimits.Rates()
	if db.IsShared() {
		return db.Daemons.NewReplyLimits(perSender, totalRate, now, log)
	}
	return mail.NewRateLimiter(perSender, totalRate, now)
}

// Close closes the database.
func (d *Daemon) Close() error { return d.DB.Close() }

// newRebuilder returns a rebuilder. It calls onQueued after it has queued a letter.
func (d *Daemon) newRebuilder(onQueued func()) *rebuilder {
	return &rebuilder{db: d.DB, adjudicator: d.Adjudicator, cfg: d.Config, log: d.log, onQueued: onQueued}
}

// CountMatchesToRebuild counts the running matches stored by another build. After an error it returns 0; the
// rebuilder reports the error.
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

// Questions is the mailbox folder for questions to the operator (order ASK). It is used if no contact address is configured.
const Questions = mail.Questions

// Handler returns the handler that adjudicates letters. It calls onQueued after it has queued letters.
func (d *Daemon) Handler(onQueued func()) post.Handler {
	return post.Handler{Codec: d.codec, Adjudicator: d.Adjudicator, OnQueued: onQueued}
}

// buildID identifies this program: the revision of its source or, if unknown, "program-" and a hash of 40 hex digits. A
// match that another build has stored is replayed before this build uses it.
var buildID = sync.OnceValue(func() string {
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

// sourceRevision returns the commit that the program was built from, or "" if that is unknown or the source had
// uncommitted changes.
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

// readBuildID returns the build ID that the Go linker wrote into a program (see "go tool buildid"), or nil if there is
// none. hashFile takes a hundred times as long, and every short command would wait for it.
func readBuildID(path string) (id []byte, err error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err // not an ELF file, e.g. on macOS
	}
	defer func() { _ = f.Close() }() // nothing was written
	note := f.Section(".note.go.buildid")
	if note == nil {
		return nil, nil
	}
	data, err := note.Data()
	// The first 16 bytes of the note are two lengths, the note's type and its owner "Go"; then comes the ID.
	const head = 16
	if err != nil || len(data) < head {
		return nil, err
	}
	return bytes.TrimRight(data[head:], "\x00"), nil
}

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

const (
	// The pause before the next try to reach the database server doubles from minReconnectPause to maxReconnectPause.
	minReconnectPause = 500 * time.Millisecond
	maxReconnectPause = 15 * time.Second
)

// OpenWithRetry is Open for a daemon: while the database server cannot be reached, it tries again, and /healthz
// reports the fault.
func OpenWithRetry(ctx context.Context, cfg config.Config, games rules.Games, log *slog.Logger) (d *Daemon, err error) {
	d, err = Open(ctx, cfg, games, log)
	if !storage.IsTemporary(err) {
		return d, err
	}
	pause := retry.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval, pause.Multiplier, pause.RandomizationFactor = minReconnectPause, maxReconnectPause, 2, 0.2
	startTime := time.Now()
	g, ctx := errgroup.WithContext(ctx)
	reporting, stopReporting := context.WithCancel(ctx)
	g.Go(func() error { return reportDatabaseAway(reporting, cfg.Metrics, log) })
	g.Go(func() error {
		defer stopReporting() // The daemon will listen at the same address.
		d, err = retry.Retry(ctx, func() (*Daemon, error) {
			d, err := Open(ctx, cfg, games, log)
			if err != nil && !storage.IsTemporary(err) {
				err = retry.Permanent(err)
			}
			return d, err
		}, retry.WithBackOff(pause), retry.WithMaxElapsedTime(0), retry.WithNotify(func(err error, wait time.Duration) {
			log.Warn("the database server cannot be reached yet", "error", err, "for", time.Since(startTime).Round(time.Second), "retry_in",
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

func reportDatabaseAway(ctx context.Context, address string, log *slog.Logger) error {
	if address == "" {
		<-ctx.Done()
		return nil
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, _ *http.Request) {
		rw.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprintln(rw, "the database server cannot be reached: the daemon waits for it") // The client may have closed the connection.
	})
	return serveHTTP(ctx, "metrics", address,
		&http.Server{Handler: mux, ReadHeaderTimeout: scrapeTimeout, WriteTimeout: 2 * scrapeTimeout}, log)
}

// ErrServed means that another process has locked the data directory.
var ErrServed = errors.New("another samizdat process uses it; stop that process first")

// Lock locks the data directory for this process, until release is called or the process ends. It returns ErrServed if
// another process has the lock.
func Lock(dir string) (release func() error, err error) {
	f, err := os.OpenFile(lockFile(dir), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	// A call of IsServed in another process holds the lock for a moment.
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

// IsServed reports whether a process serves the data directory. It creates no file.
func IsServed(dir string) (bool, error) {
	f, err := os.Open(lockFile(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil // No daemon has served it yet.
	}
	if err != nil {
		return false, fmt.Errorf("check the lock of %s: %w", dir, err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if err != nil && !errors.Is(err, syscall.EWOULDBLOCK) {
		return false, fmt.Errorf("check the lock of %s: %w", dir, err)
	}
	return err != nil, nil
}

func lockFile(dir string) string { return filepath.Join(dir, "serve.lock") }
