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

// CopySummary sums up a copy.
type CopySummary struct {
	Tables, Matches int
	Rows            int64
	// Begun are the matches that have a history, which was verified.
	Begun int64
}

// Copy copies a club from one database to another; each is a file or a URL. Every match of the copy is exported,
// compared with the same match of the source to the byte, and verified. The key is that of the configuration. No daemon
// may serve meanwhile. It says what it is about.
func Copy(ctx context.Context, cfg config.Config, games rules.Games, from, to string,
	say func(format string, args ...any)) (sum CopySummary, err error) {
	if _, err := os.Stat(cfg.KeyFile()); err != nil {
		return sum, fmt.Errorf("copy: the key file: %w: --config or SAMIZDAT_DATA names the data directory that has the club's key", err)
	}
	release, err := lockAll(cfg.Data, from, to)
	defer func() { err = errors.Join(err, release()) }()
	if err != nil {
		return sum, err
	}
	tableCopied := func(table string, rows int64) {
		if sum.Tables, sum.Rows = sum.Tables+1, sum.Rows+rows; rows > 0 {
			say("%s: %d rows, as many and the same in the copy", table, rows)
		}
	}
	err = storage.Copy(ctx, from, to, cfg.KeyFile(), func(ctx context.Context, from, to *storage.DB) error {
		return sum.compareMatches(ctx, games, from, to, say)
	}, tableCopied)
	return sum, err
}

// lockAll takes the data directory, and that of a file where somebody has served.
func lockAll(data string, places ...string) (release func() error, err error) {
	var all []func() error
	release = func() (err error) {
		for _, r := range all {
			err = errors.Join(err, r())
		}
		return err
	}
	taken := map[string]bool{}
	for i, dir := range append([]string{data}, places...) {
		if i > 0 {
			dir = filepath.Dir(dir)
			if _, err := os.Stat(lockFile(dir)); errors.Is(err, fs.ErrNotExist) {
				continue // It is no data directory, or the place is a URL.
			}
		}
		path, err := filepath.Abs(dir)
		if err != nil {
			return release, err
		}
		if taken[path] {
			continue
		}
		r, err := Lock(path)
		if err != nil {
			return release, err
		}
		taken[path], all = true, append(all, r)
	}
	return release, nil
}

// progressMatches is after how many matches it is said how far the comparison is.
const progressMatches = 1000

// compareMatches compares all matches, on all processors.
func (s *CopySummary) compareMatches(ctx context.Context, games rules.Games, from, to *storage.DB, say func(format string, args ...any)) error {
	ids, err := to.AllMatches(ctx)
	if err != nil {
		return err
	}
	s.Matches = len(ids)
	of := func(db *storage.DB) *adjudicator.Adjudicator {
		return adjudicator.New(adjudicator.Config{ReplyConfig: conversation.ReplyConfig{Store: db}, Games: games})
	}
	source, target := of(from), of(to)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	var begun atomic.Int64
	for i, id := range ids {
		if i > 0 && i%progressMatches == 0 {
			say("matches: %d of %d are verified", i, len(ids))
		}
		g.Go(func() error {
			has, err := compareMatch(ctx, source, target, id)
			if has {
				begun.Add(1)
			}
			return err
		})
	}
	err = g.Wait()
	s.Begun = begun.Load()
	return err
}

// compareMatch verifies a match of the copy if it has a history, as "samizdat verify" does, and compares all of its
// record with that of the source.
func compareMatch(ctx context.Context, from, to *adjudicator.Adjudicator, id string) (begun bool, err error) {
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
		return false, fmt.Errorf("match %s: the copy exports another record", id)
	}
	rec, err := record.Read(bytes.NewReader(copiedRecord))
	if err != nil {
		return false, fmt.Errorf("match %s: %w", id, err)
	}
	if len(rec.Entries()) == 0 {
		return false, nil
	}
	good, err := report.Verify(io.Discard, to.Games, rec, report.Evidence{}, true)
	if err == nil && !good {
		err = errors.New("its record does not verify")
	}
	if err != nil {
		return false, fmt.Errorf("match %s: %w", id, err)
	}
	return true, nil
}

// exportMatch is the whole record of a match.
func exportMatch(ctx context.Context, a *adjudicator.Adjudicator, id string) ([]byte, error) {
	rec, err := a.Export(ctx, id, true)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = rec.Write(&b)
	return b.Bytes(), err
}

// rereadOverlap is how much further back than the newest letter of a backup letters are
// read again: they are not taken up in the order in which they came. Those that
// the backup knows are recognised, and change nothing.
const rereadOverlap = 24 * time.Hour

// Restore puts a backup in the place of the database, and asks the next daemon to read
// again the letters that the backup does not know: those since the time that it returns,
// none when that is zero. Players are told why. No daemon may serve meanwhile. The database of
// a server was put back before, by the server's own programs: then there is no backup.
func Restore(ctx context.Context, cfg config.Config, backup string, how storage.Restoring) (r storage.Restored, err error) {
	if _, err := os.Stat(cfg.KeyFile()); errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("restore %s: %s is not there: put the copy of the key there first, without which no backup is of use",
			cmp.Or(backup, cfg.ShownDatabase()), cfg.KeyFile())
	}
	release, err := Lock(cfg.Data)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, release()) }()
	// Whoever interrupts it must not leave a restored database whose letters nobody reads again.
	how.Ready = func(r storage.Restored) error {
		if r.Since.IsZero() {
			return nil
		}
		return requestReread(cfg.Data, r.Since.Add(-rereadOverlap))
	}
	if cfg.OnServer() {
		r, err = storage.AdoptRestored(ctx, cfg.Database(), cfg.KeyFile(), how, time.Now())
	} else {
		r, err = storage.Restore(ctx, backup, cfg.Database(), cfg.KeyFile(), how, time.Now())
	}
	if err != nil || r.Since.IsZero() {
		return r, err
	}
	r.Since = r.Since.Add(-rereadOverlap)
	return r, nil
}

// rereadFile says since when handled letters are to be read again. It is a file,
// so that it outlasts a daemon that is stopped before it has done so.
func rereadFile(dir string) string { return filepath.Join(dir, "reread-since") }

func requestReread(dir string, since time.Time) error {
	if err := os.WriteFile(rereadFile(dir), []byte(since.UTC().Format(time.RFC3339)+"\n"), 0o600); err != nil {
		return fmt.Errorf("note which letters to read again: %w", err)
	}
	return nil
}

// requestedReread returns since when letters are to be read again; false when they are
// not.
func requestedReread(dir string) (since time.Time, asked bool, err error) {
	b, err := os.ReadFile(rereadFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false, nil
	}
	if err == nil {
		since, err = time.Parse(time.RFC3339+"\n", string(b))
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("which letters to read again: %w", err)
	}
	return since, true, nil
}

// reread brings back the letters that a restore has made unknown.
func (d *Daemon) reread(ctx context.Context, in mail.IMAPConfig, reportUnreachable func(error)) error {
	since, asked, err := requestedReread(d.Config.Data)
	if err != nil || !asked {
		return err
	}
	n, err := mail.RereadUntilDone(ctx, in, since, func(err error, pause time.Duration) {
		reportUnreachable(err)
		d.log.Warn("letters cannot be read again yet", "error", err, "hint", mail.Hint(err), "retry_in", pause.Round(time.Millisecond))
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil // The next start goes on with it.
		}
		return err
	}
	d.log.Info("letters are read again", "since", since, "letters", n)
	return os.Remove(rereadFile(d.Config.Data))
}
