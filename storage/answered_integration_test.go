//go:build integration

package storage

import (
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/mail"
)

// TestAnsweredTogether: a sender gets as many answers from several daemons as from one, also at the same moment; each
// comes back with time, and another sender has his own.
func TestAnsweredTogether(t *testing.T) {
	t.Parallel()
	d := newDaemons(t)
	now := noon
	var both [2]*Answers
	for i, db := range d.dbs {
		both[i] = db.Answers(mail.Rate{Burst: 3, Every: time.Minute}, mail.Rate{Burst: 1000, Every: time.Second}, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	}
	many := func(who string, want int64) {
		t.Helper()
		var got atomic.Int64
		var all errgroup.Group
		for i := range 12 {
			all.Go(func() error {
				if both[i%2].Allow(t.Context(), who, who) == 0 {
					got.Add(1)
				}
				return nil
			})
		}
		_ = all.Wait()
		if got.Load() != want {
			t.Errorf("%s is answered %d times, want %d", who, got.Load(), want)
		}
	}
	kept := func(want int) {
		t.Helper()
		must(t, d.dbs[0].ForgetAnswered(t.Context(), now))
		var n int
		must(t, d.dbs[0].reader.QueryRowContext(t.Context(), `SELECT count(*) FROM answered`).Scan(&n))
		if n != want {
			t.Errorf("%d senders are kept in mind, want %d", n, want)
		}
	}
	many("ann", 3)
	many("bob", 3)
	now = now.Add(2 * time.Minute)
	many("ann", 2)
	kept(2)
	now = now.Add(90 * time.Second)
	kept(1)
	many("bob", 3)
	now = now.Add(-time.Hour)
	many("ann", 0)
	now = now.Add(100 * time.Hour)
	kept(0)
	many("ann", 3)
	// What cannot be counted is no reason to keep an answer back.
	must(t, d.dbs[0].Close())
	if both[0].Allow(t.Context(), "ann", "ann") > 0 || both[1].Allow(t.Context(), "ann", "ann") == 0 {
		t.Error("a daemon without its database answers nothing, or one with it everything")
	}
}
