package daemon

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/report"
	"samizdat/mail"
	"samizdat/rules"
	"samizdat/storage"
)

// CopySummary counts the contents of a copied database.
type CopySummary struct {
	Tables, Matches int
	Rows            int64
	// WithHistory is the number of matches with a history. Each of these histories was verified.
	WithHistory int64
}

// Copy copies a club from one database to another. from and to are files or URLs. Every match of the copy is exported,
// compared byte for byte with the export of the source, and verified. Both databases use the key of the configuration.
// No daemon may use either database. progress is called with lines of text.
func Copy(ctx context.Context, cfg config.Config, games rules.Games, from, to string,
	progress func(format string, args ...any)) (sum CopySummary, err error) {
	if _, err := os.Stat(cfg.KeyFile()); err != nil {
		return sum, fmt.Errorf("copy: the key file: %w: set --config or SAMIZDAT_DATA to the data directory with the club's key", err)
	}
	release, err := lockAll(cfg.Data, from, to)
	defer func() { err = errors.Join(err, release()) }()
	if err != nil {
		return sum, err
	}
	tableCopied := func(table string, rows int64) {
		if sum.Tables, sum.Rows = sum.Tables+1, sum.Rows+rows; rows > 0 {
			progress("%s: %d rows copied and compared", table, rows)
		}
	}
	err = storage.Copy(ctx, from, to, cfg.KeyFile(), func(ctx context.Context, from, to *storage.DB) error {
		return sum.compareMatches(ctx, games, from, to, progress)
	}, tableCopied)
	return sum, err
}

// lockAll locks the data directory, and each directory of a database file that has been the data directory of a daemon.
func lockAll(data string, databases ...string) (release func() error, err error) {
	var releases []func() error
	release = func() (err error) {
		for _, r := range releases {
			err = errors.Join(err, r())
		}
		return err
	}
	locked := map[string]bool{}
	for i, dir := range append([]string{data}, databases...) {
		if i > 0 {
			dir = filepath.Dir(dir)
			if _, err := os.Stat(lockFile(dir)); errors.Is(err, fs.ErrNotExist) {
				continue // The directory is no data directory, or the database is a URL.
			}
		}
		path, err := filepath.Abs(dir)
		if err != nil {
			return release, err
		}
		if locked[path] {
			continue
		}
		r, err := Lock(path)
		if err != nil {
			return release, err
		}
		locked[path], releases = true, append(releases, r)
	}
	return release, nil
}

const progressMatches = 1000

func (s *CopySummary) compareMatches(ctx context.Context, games rules.Games, from, to *storage.DB,
	progress func(format string, args ...any)) error {
	ids, err := to.AllMatches(ctx)
	if err != nil {
		return err
	}
	s.Matches = len(ids)
	newAdjudicator := func(db *storage.DB) *adjudicator.Adjudicator {
		return adjudicator.New(adjudicator.Config{ReplyConfig: conversation.ReplyConfig{Store: db}, Games: games})
	}
	source, target := newAdjudicator(from), newAdjudicator(to)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	var withHistory atomic.Int64
	for i, id := range ids {
		if i > 0 && i%progressMatches == 0 {
			progress("matches: %d of %d are verified", i, len(ids))
		}
		g.Go(func() error {
			hasHistory, err := compareMatch(ctx, source, target, id)
			if hasHistory {
				withHistory.Add(1)
			}
			return err
		})
	}
	err = g.Wait()
	s.WithHistory = withHistory.Load()
	return err
}

func compareMatch(ctx context.Context, from, to *adjudicator.Adjudicator, id string) (hasHistory bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, context.Cause(ctx)
	}
	sourceRecord, err := exportMatch(ctx, from, id)
	if err != nil {
		return false, err
	}
	copiedRecord, err := exportMatch(ctx, to, id)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(sourceRecord, copiedRecord) {
		return false, fmt.Errorf("match %s: the record of the copy differs", id)
	}
	rec, err := record.Read(bytes.NewReader(copiedRecord))
	if err != nil {
		return false, fmt.Errorf("match %s: %w", id, err)
	}
	if len(rec.Entries()) == 0 {
		return false, nil
	}
	isVerified, err := report.Verify(io.Discard, to.Games, rec, report.Evidence{}, true)
	if err == nil && !isVerified {
		err = errors.New("the verification of its record found errors")
	}
	if err != nil {
		return false, fmt.Errorf("match %s: %w", id, err)
	}
	return true, nil
}

func exportMatch(ctx context.Context, a *adjudicator.Adjudicator, id string) ([]byte, error) {
	rec, err := a.Export(ctx, id, true)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = rec.Write(&b)
	return b.Bytes(), err
}

// rereadOverlap is the time before the newest letter of a backup for which letters are also read again: letters are not
// handled strictly in order of arrival, so the backup may lack an older letter. A letter that the backup contains is
// recognized and has no effect.
const rereadOverlap = 24 * time.Hour

// Restore replaces the database by a backup. The next daemon reads the letters since r.NewestLetter again, because the
// backup may lack them. If r.NewestLetter is zero, no letter is read again. The next letter to each player reports the
// restore. No daemon may use the database. A PostgreSQL database must have been restored by the programs of PostgreSQL
// before the call, and backup is then "".
func Restore(ctx context.Context, cfg config.Config, backup string, options storage.RestoreOptions) (r storage.Restored, err error) {
	if _, err := os.Stat(cfg.KeyFile()); errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("restore %s: %s does not exist: copy the key there first; a backup is useless without it",
			cmp.Or(backup, cfg.RedactedDSN()), cfg.KeyFile())
	}
	release, err := Lock(cfg.Data)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, release()) }()
	// The request to read letters again is written first, so that an interrupted restore loses no letters.
	options.OnReady = func(r storage.Restored) error {
		if r.NewestLetter.IsZero() {
			return nil
		}
		return requestReread(cfg.Data, r.NewestLetter.Add(-rereadOverlap))
	}
	if cfg.UsesPostgres() {
		r, err = storage.AdoptRestored(ctx, cfg.DSN(), cfg.KeyFile(), options, time.Now())
	} else {
		r, err = storage.Restore(ctx, backup, cfg.DSN(), cfg.KeyFile(), options, time.Now())
	}
	if err != nil || r.NewestLetter.IsZero() {
		return r, err
	}
	r.NewestLetter = r.NewestLetter.Add(-rereadOverlap)
	return r, nil
}

// rereadFile returns the path of the file that asks the daemon to read handled letters again. It contains the time since
// which they arrived, e.g. "2026-11-26T19:00:00Z". The daemon removes the file after it has moved these letters back to
// the inbox.
func rereadFile(dir string) string { return filepath.Join(dir, "reread-since") }

func requestReread(dir string, since time.Time) error {
	if err := os.WriteFile(rereadFile(dir), []byte(since.UTC().Format(time.RFC3339)+"\n"), 0o600); err != nil {
		return fmt.Errorf("request reading letters again: %w", err)
	}
	return nil
}

func requestedReread(dir string) (since time.Time, isRequested bool, err error) {
	b, err := os.ReadFile(rereadFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false, nil
	}
	if err == nil {
		since, err = time.Parse(time.RFC3339+"\n", string(b))
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read the request to read letters again: %w", err)
	}
	return since, true, nil
}

// reread moves the letters that a restored database may lack back into the inbox.
func (d *Daemon) reread(ctx context.Context, in mail.IMAPConfig, reportUnreachable func(error)) error {
	since, isRequested, err := requestedReread(d.Config.Data)
	if err != nil || !isRequested {
		return err
	}
	n, err := mail.RereadUntilDone(ctx, in, since, func(err error, pause time.Duration) {
		reportUnreachable(err)
		d.log.Warn("letters cannot be read again yet", "error", err, "hint", mail.Hint(err), "retry_in", pause.Round(time.Millisecond))
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil // The next start continues.
		}
		return err
	}
	d.log.Info("letters are read again", "since", since, "letters", n)
	return os.Remove(rereadFile(d.Config.Data))
}
