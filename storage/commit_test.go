package storage

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
)

// crowd is how many matches get letters at the same time.
const crowd = 8

func crowdMatch(i int) string { return fmt.Sprintf("mcrowd%d", i) }

// aCrowd makes the matches.
func aCrowd(t testing.TB, db *DB) (ids []string) {
	t.Helper()
	first := aMatch(t, db)
	for i := range crowd {
		m := *first
		m.ID = crowdMatch(i)
		must(t, db.Create(t.Context(), &m, []exchange.OutgoingLetter{dispatch(&m, 0, 1), dispatch(&m, 1, 1)}))
		ids = append(ids, m.ID)
	}
	return ids
}

// together makes changes while somebody else writes, so that one transaction has them all. It returns
// what came of each.
func together(t *testing.T, db *DB, changes ...func(context.Context, *transaction) error) []error {
	t.Helper()
	db.commits.writing <- struct{}{}
	out := make([]error, len(changes))
	var all sync.WaitGroup
	for i, run := range changes {
		all.Go(func() { out[i] = db.write(t.Context(), run) })
		waitFor(t, func() bool {
			db.commits.mu.Lock()
			defer db.commits.mu.Unlock()
			return len(db.commits.waiting) > i
		})
	}
	<-db.commits.writing
	all.Wait()
	return out
}

func waitFor(t *testing.T, is func() bool) {
	t.Helper()
	for !is() {
		select {
		case <-t.Context().Done():
			t.Fatal(context.Cause(t.Context()))
		case <-time.After(time.Millisecond):
		}
	}
}

// takesUp is a change with the receipt of a letter.
func takesUp(digest string) func(context.Context, *transaction) error {
	return func(ctx context.Context, tx *transaction) error {
		r := receipt()
		r.Digest = digest
		insertReceipt(ctx, tx, r)
		return nil
	}
}

func isThere(t *testing.T, db *DB, digest string) bool {
	t.Helper()
	_, ok, err := db.Received(t.Context(), "mabc", 0, digest, "")
	must(t, err)
	return ok
}

// TestOneOfManyFails: a change that fails, conflicts or panics leaves no trace, and those that are
// written with it are stored. Each hears what came of its own.
func TestOneOfManyFails(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "a server commits each change by itself")
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	fault := errors.New("fault")
	errs := together(t, db,
		takesUp("first"),
		func(ctx context.Context, tx *transaction) error {
			return errors.Join(takesUp("failed")(ctx, tx), fault)
		},
		func(ctx context.Context, tx *transaction) error { updateMatch(ctx, tx, m); return nil },
		func(ctx context.Context, tx *transaction) error {
			if err := takesUp("conflicted")(ctx, tx); err != nil {
				return err
			}
			updateMatch(ctx, tx, m)
			return nil
		},
		func(ctx context.Context, tx *transaction) error {
			_ = takesUp("panicked")(ctx, tx)
			panic("a bug")
		},
		takesUp("first"),
		takesUp("last"))
	if errs[0] != nil || !errors.Is(errs[1], fault) || errs[2] != nil || !errors.Is(errs[3], match.ErrConflict) ||
		errs[4] == nil || !strings.Contains(errs[4].Error(), "a bug") || !errors.Is(errs[5], exchange.ErrDuplicate) || errs[6] != nil {
		t.Errorf("the changes came to %v", errs)
	}
	for digest, want := range map[string]bool{"first": true, "failed": false, "conflicted": false, "panicked": false, "last": true} {
		if isThere(t, db, digest) != want {
			t.Errorf("%s is there: %v", digest, !want)
		}
	}
	if got, err := db.Match(t.Context(), m.ID); err != nil || got.Version != m.Version+1 {
		t.Errorf("the match is at version %d, %v", got.Version, err)
	}
}

// TestCommitFails: when a transaction of several changes cannot be committed, or ends before that, nothing
// of it is stored, and everybody gets the error: also who was told that his letter was there
// already. The next are written alone, so that only the one that is to blame fails again.
func TestCommitFails(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "a server commits each change by itself")
	for what, bad := range map[string]func(context.Context, *transaction) error{
		"at its end": func(ctx context.Context, tx *transaction) error {
			if _, err := tx.ExecContext(ctx, "PRAGMA defer_foreign_keys = ON"); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `INSERT INTO entries (match, seq, entry) VALUES ('none', 0, x'')`)
			return err
		},
		"before": func(ctx context.Context, tx *transaction) error {
			_, err := tx.ExecContext(ctx, "INSERT OR ROLLBACK INTO entries (match, seq, entry) VALUES ('mabc', NULL, NULL)")
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			db := open(t, t.TempDir())
			aMatch(t, db)
			changes := []func(context.Context, *transaction) error{takesUp("first"), takesUp("first"), bad, takesUp("last")}
			for i, err := range together(t, db, changes...) {
				if err == nil || errors.Is(err, exchange.ErrDuplicate) {
					t.Errorf("change %d: %v", i, err)
				}
			}
			if isThere(t, db, "first") || isThere(t, db, "last") {
				t.Error("something was stored")
			}
			errs := together(t, db, changes...)
			if errs[0] != nil || !errors.Is(errs[1], exchange.ErrDuplicate) || errs[2] == nil || errs[3] != nil || !isThere(t, db, "first") ||
				!isThere(t, db, "last") {
				t.Errorf("alone the changes came to %v", errs)
			}
		})
	}
}

// TestGivenUpWhileWaiting: who does not wait any more is not written, and holds up nobody; nor does who rests.
func TestGivenUpWhileWaiting(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "a server commits each change by itself")
	db := open(t, t.TempDir())
	db.commits.batchWait = time.Hour
	aMatch(t, db)
	for digest, write := range map[string]func(context.Context, changeFunc) error{"gone": db.write, "rested": db.writeSoon} {
		gone, leave := context.WithCancel(t.Context())
		db.commits.writing <- struct{}{}
		first := make(chan error, 1)
		go func() { first <- write(gone, takesUp(digest)) }()
		waitFor(t, func() bool {
			db.commits.mu.Lock()
			defer db.commits.mu.Unlock()
			return len(db.commits.waiting) == 1
		})
		leave()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		<-db.commits.writing
	}
	must(t, db.write(t.Context(), takesUp("there")))
	if isThere(t, db, "gone") || isThere(t, db, "rested") || !isThere(t, db, "there") {
		t.Error("the wrong one was stored")
	}
}

// TestWrittenWithAnother: what can wait is written with the next change, or after a moment alone.
func TestWrittenWithAnother(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	aMatch(t, db)
	must(t, db.writeSoon(t.Context(), takesUp("alone")))
	db.commits.batchWait = time.Hour
	soon := make(chan error, 1)
	go func() { soon <- db.writeSoon(t.Context(), takesUp("soon")) }()
	waitFor(t, func() bool {
		db.commits.mu.Lock()
		defer db.commits.mu.Unlock()
		return len(db.commits.waiting) == 1 || len(soon) == 1
	})
	if _, file := db.engine.(sqlite); file && isThere(t, db, "soon") {
		t.Error("it did not wait")
	}
	must(t, db.write(t.Context(), takesUp("next")))
	must(t, <-soon)
	for _, digest := range []string{"alone", "soon", "next"} {
		if !isThere(t, db, digest) {
			t.Errorf("%s was not stored", digest)
		}
	}
}

// TestManyAtOnce: whatever comes together, every letter is stored once.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	ids := aCrowd(t, db)
	const each = 20
	var all sync.WaitGroup
	for _, id := range ids {
		all.Go(func() {
			for range each {
				if _, err := oneLetter(t.Context(), db, id); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		if n, err := consistent(t.Context(), db, id); n != each || err != nil {
			t.Errorf("match %s has %d entries, %v", id, n, err)
		}
	}
}

// TestKilledTogether: a process that takes up letters of many matches at the same time is killed. What it
// said was done is done, and every match is whole.
func TestKilledTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	ids := aCrowd(t, db)
	for round := range long.N(4, 60) {
		before := map[string]int{}
		for _, id := range ids {
			n, err := consistent(t.Context(), db, id)
			must(t, err)
			before[id] = n
		}
		other := start(t, os.Args[0], "together", dir, nil)
		told := map[string]int{}
		note := func(line string) {
			id, n, _ := strings.Cut(line, " ")
			if n, err := strconv.Atoi(n); err == nil {
				told[id] = n
			}
		}
		for range 1 + rand.IntN(20*crowd) {
			note(other.says(t))
		}
		must(t, other.cmd.Process.Kill())
		for other.out.Scan() {
			note(other.out.Text())
		}
		_ = other.cmd.Wait() // It was killed.
		pgtest.Ended(t, filepath.Join(dir, "s.db"), killed)
		for _, id := range ids {
			n, err := consistent(t.Context(), db, id)
			// At most one letter of each was committed and not told.
			if minimum := max(told[id], before[id]); err != nil || n < minimum || n > minimum+1 {
				t.Fatalf("round %d: match %s has %d entries, had %d, and the other process told of %d; %v", round, id, n, before[id], told[id], err)
			}
		}
	}
}

// BenchmarkTogether measures letters of so many matches that are stored at the same time. A disk is
// waited for with -tags long only.
func BenchmarkTogether(b *testing.B) {
	for _, writers := range []int{1, crowd} {
		b.Run(fmt.Sprint(writers), func(b *testing.B) {
			db := open(b, b.TempDir())
			ids := aCrowd(b, db)[:writers]
			var left atomic.Int64
			left.Store(int64(b.N))
			var all errgroup.Group
			b.ResetTimer()
			for _, id := range ids {
				all.Go(func() error {
					for left.Add(-1) >= 0 {
						if _, err := oneLetter(b.Context(), db, id); err != nil {
							return err
						}
					}
					return nil
				})
			}
			if err := all.Wait(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "letters/s")
		})
	}
}
