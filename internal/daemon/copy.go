package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/report"
	"samizdat/rules"
	"samizdat/storage"
)

// Copied sums up a copy.
type Copied struct {
	Tables, Matches int
	Rows            int64
	// Begun are the matches that have a history, which was verified.
	Begun int64
}

// Copy copies a club from one database to another; each is a file or a URL. Every match of the copy is exported,
// compared with the same match of the source to the byte, and verified. The key is that of the configuration. No daemon
// may serve meanwhile. It says what it is about.
func Copy(ctx context.Context, cfg config.Config, games rules.Games, from, to string, say func(format string, args ...any)) (sum Copied, err error) {
	if _, err := os.Stat(cfg.KeyFile()); err != nil {
		return sum, fmt.Errorf("copy: the key file: %w: --config or SAMIZDAT_DATA names the data directory that has the club's key", err)
	}
	release, err := lockAll(cfg.Data, from, to)
	defer func() { err = errors.Join(err, release()) }()
	if err != nil {
		return sum, err
	}
	told := func(table string, rows int64) {
		if sum.Tables, sum.Rows = sum.Tables+1, sum.Rows+rows; rows > 0 {
			say("%s: %d rows, as many and the same in the copy", table, rows)
		}
	}
	err = storage.Copy(ctx, from, to, cfg.KeyFile(), func(ctx context.Context, from, to *storage.DB) error {
		return sum.compare(ctx, games, from, to, say)
	}, told)
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

// saidEvery is after how many matches it is said how far the comparison is.
const saidEvery = 1000

// compare compares all matches, on all processors.
func (s *Copied) compare(ctx context.Context, games rules.Games, from, to *storage.DB, say func(format string, args ...any)) error {
	ids, err := to.AllMatches(ctx)
	if err != nil {
		return err
	}
	s.Matches = len(ids)
	source, target := adjudicator.New(adjudicator.Config{Games: games, Store: from}), adjudicator.New(adjudicator.Config{Games: games, Store: to})
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	var begun atomic.Int64
	for i, id := range ids {
		if i > 0 && i%saidEvery == 0 {
			say("matches: %d of %d are verified", i, len(ids))
		}
		g.Go(func() error {
			has, err := compare(ctx, source, target, id)
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

// compare verifies a match of the copy if it has a history, as "samizdat verify" does, and compares all of its
// record with that of the source.
func compare(ctx context.Context, from, to *adjudicator.Adjudicator, id string) (begun bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, context.Cause(ctx)
	}
	was, err := exported(ctx, from, id)
	if err != nil {
		return false, err
	}
	is, err := exported(ctx, to, id)
	if err != nil {
		return false, err
	}
	if !bytes.Equal(was, is) {
		return false, fmt.Errorf("match %s: the copy exports another record", id)
	}
	rec, err := record.Read(bytes.NewReader(is))
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

// exported is the whole record of a match.
func exported(ctx context.Context, a *adjudicator.Adjudicator, id string) ([]byte, error) {
	rec, err := a.Export(ctx, id, true)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = rec.Write(&b)
	return b.Bytes(), err
}
