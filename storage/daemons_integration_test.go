//go:build integration

package storage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
)

// daemons are two that serve from one database, each over a way of its own.
type daemons struct {
	t        *testing.T
	proxies  [2]*pgtest.Proxy
	dbs      [2]*DB
	sessions [2]*Session
	outboxes [2]*Outbox
	lost     [2]chan error
	elected  [2]chan struct{}
}

func newDaemons(t *testing.T) *daemons {
	server := pgtest.Start(t)
	d := &daemons{t: t}
	key := filepath.Join(t.TempDir(), "key")
	for i := range d.dbs {
		d.proxies[i] = server.Proxy(t)
		db, err := Open(t.Context(), d.proxies[i].URL("postgres"), key)
		must(t, err)
		t.Cleanup(func() { must(t, db.Close()) })
		d.dbs[i], d.outboxes[i] = db, db.Outbox("r@x.test")
		d.join(i)
	}
	return d
}

// join begins a session of a daemon, and keeps it.
func (d *daemons) join(i int) {
	d.t.Helper()
	s, err := d.dbs[i].Daemons.Join(d.t.Context())
	must(d.t, err)
	lost, elected := make(chan error, 1), make(chan struct{}, 1)
	d.sessions[i], d.lost[i], d.elected[i] = s, lost, elected
	ctx, stop := context.WithCancel(d.t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		lost <- s.Run(ctx, func(Notification) {}, func() { elected <- struct{}{} })
	}()
	d.t.Cleanup(func() { stop(); <-ended })
}

// old lets a session be old enough for its daemon to know who is dead.
func (d *daemons) old(i int) {
	d.t.Helper()
	d.sessions[i].started = d.sessions[i].started.Add(-settleTime)
	d.sessions[i].lease.Add(int64(settleTime))
}

// nextLetterIDs gives the numbers of letters.
func letters(list []mail.Outgoing) (ids []int64) {
	for _, l := range list {
		ids = append(ids, l.ID)
	}
	return ids
}

func (d *daemons) due(i int, inHand ...int64) []int64 {
	d.t.Helper()
	got, err := d.outboxes[i].Due(d.t.Context(), noon.Add(time.Hour), 10, inHand...)
	must(d.t, err)
	return letters(got)
}

func (d *daemons) states() (out []string) {
	d.t.Helper()
	out, err := queryAll(d.t.Context(), d.dbs[0].reader, func(s *string) []any { return []any{s} }, `SELECT state FROM outbox ORDER BY id`)
	must(d.t, err)
	return out
}

// TestLapsedClaims: letters go to one daemon, and newer ones to the same reader to the same. When it is cut off
// it knows at once, another takes over what it had, and what it books afterwards changes nothing.
func TestLapsedClaims(t *testing.T) {
	t.Parallel()
	d := newDaemons(t)
	ctx := t.Context()
	m := aMatch(t, d.dbs[0])
	if got := d.due(0); !slices.Equal(got, []int64{1, 2}) {
		t.Fatalf("the first is given %v", got)
	}
	must(t, d.dbs[1].Apply(ctx, exchange.Change{Match: m, Letters: []exchange.OutgoingLetter{dispatch(m, 0, 2)}}))
	if got := d.due(1); len(got) > 0 {
		t.Errorf("while the first has an older letter to him, the second is given %v", got)
	}
	if got := d.due(0, 1, 2); !slices.Equal(got, []int64{3}) {
		t.Errorf("the first is given %v", got)
	}
	must(t, d.outboxes[0].MarkSent(ctx, []int64{1}, noon))
	if !d.outboxes[0].Holds(2) {
		t.Error("a claim that holds is taken for lapsed")
	}
	d.proxies[0].Cut()
	if err := <-d.lost[0]; err == nil {
		t.Error("a session outlives its connection")
	}
	if d.sessions[0].IsAlive() || d.outboxes[0].Holds(2) {
		t.Error("who was cut off believes in his claims")
	}
	<-d.elected[1]
	must(t, d.dbs[1].Daemons.ReleaseDead(ctx, d.sessions[1]))
	if got := d.due(1); len(got) > 0 {
		t.Errorf("in the first moments the second is given %v", got)
	}
	d.old(1)
	must(t, d.dbs[1].Daemons.ReleaseDead(ctx, d.sessions[1]))
	if got := d.due(1); !slices.Equal(got, []int64{3, 2}) && !slices.Equal(got, []int64{2, 3}) {
		t.Errorf("when the first is dead, the second is given %v", got)
	}
	must(t, d.outboxes[0].MarkSent(ctx, []int64{2}, noon))
	must(t, d.outboxes[0].MarkFailed(ctx, 3, noon, noon.Add(time.Hour), true, "no such user"))
	if got := d.states(); !slices.Equal(got, []string{"sent", "waiting", "waiting"}) {
		t.Errorf("by claims that have lapsed letters became %v", got)
	}
	must(t, d.outboxes[1].MarkSent(ctx, []int64{2, 3}, noon))
	if got := d.states(); !slices.Equal(got, []string{"sent", "sent", "sent"}) {
		t.Errorf("letters are %v", got)
	}
}

// TestReleasedClaims: what a daemon cannot send it leaves to others.
func TestReleasedClaims(t *testing.T) {
	t.Parallel()
	d := newDaemons(t)
	aMatch(t, d.dbs[0])
	d.due(0)
	must(t, d.outboxes[0].Release(t.Context(), 1))
	if got := d.due(1); !slices.Equal(got, []int64{2}) {
		t.Errorf("the second is given %v", got)
	}
}

// TestSilentDaemon: who says nothing for some seconds is not the poller any more, and learns it as soon as he
// looks; until then he stores nothing and takes nothing away.
func TestSilentDaemon(t *testing.T) {
	t.Parallel()
	d := newDaemons(t)
	ctx := t.Context()
	<-d.elected[0]
	letter := mail.Received{UIDValidity: 7, UID: 1, Arrived: noon, Size: 3, Raw: []byte("raw")}
	if err := d.dbs[1].Daemons.StoreArrivals(ctx, d.sessions[1], KeyedLetter{Received: letter}); !errors.Is(err, ErrNotPoller) {
		t.Errorf("a daemon that does not poll stores a letter: %v", err)
	}
	startTime := time.Now()
	d.proxies[0].Split()
	<-d.elected[1]
	if duration := time.Since(startTime); duration < leaseTime || duration > sessionTimeout+3*heartbeatInterval {
		t.Errorf("taken over after %v", duration)
	}
	if d.sessions[0].IsAlive() {
		t.Error("a session that was replaced is thought to live")
	}
	d.proxies[0].Heal()
	if err := d.dbs[0].Daemons.StoreArrivals(ctx, d.sessions[0], KeyedLetter{Received: letter}); !errors.Is(err, ErrNotPoller) {
		t.Errorf("the poller of before stores a letter: %v", err)
	}
	if _, err := d.dbs[0].Daemons.TakeOutcomes(ctx, d.sessions[0]); !errors.Is(err, ErrNotPoller) {
		t.Errorf("the poller of before takes letters away: %v", err)
	}
	if err := d.dbs[0].Daemons.ReleaseDead(ctx, d.sessions[0]); err != nil && !errors.Is(err, ErrNotPoller) {
		t.Error(err)
	}
}

// TestArrivals: a letter is stored once, claimed by one daemon, and handed out again when that has died; what the
// dead note of it changes nothing.
func TestArrivals(t *testing.T) {
	t.Parallel()
	d := newDaemons(t)
	ctx := t.Context()
	<-d.elected[0]
	for uid := range uint32(3) {
		for range 2 {
			must(t, d.dbs[0].Daemons.StoreArrivals(ctx, d.sessions[0],
				KeyedLetter{Received: mail.Received{UIDValidity: 7, UID: uid + 1, Arrived: noon, Size: 3, Truncated: true, Raw: []byte("raw")}}))
		}
	}
	claim := func(i, maximum int, isRepeated bool) (uids []uint32) {
		t.Helper()
		got, _, err := d.dbs[i].Daemons.Claim(ctx, d.sessions[i], maximum, isRepeated, 0)
		must(t, err)
		for _, a := range got {
			if string(a.Raw) != "raw" || !a.Truncated || !a.Arrived.Equal(noon) || a.Size != 3 {
				t.Errorf("it comes back as %+v", a)
			}
			uids = append(uids, a.UID)
		}
		slices.Sort(uids)
		return uids
	}
	if got := claim(1, 2, false); !slices.Equal(got, []uint32{1, 2}) {
		t.Errorf("one claims %v", got)
	}
	if got := claim(0, 9, false); !slices.Equal(got, []uint32{3}) {
		t.Errorf("the other claims %v", got)
	}
	d.proxies[1].Cut()
	<-d.lost[1]
	d.old(0)
	var again []uint32
	for until := time.Now().Add(10 * time.Second); len(again) == 0 && time.Now().Before(until); again = claim(0, 1, true) {
		must(t, d.dbs[0].Daemons.ReleaseDead(ctx, d.sessions[0]))
	}
	if !slices.Equal(again, []uint32{1}) {
		t.Errorf("of a dead daemon's letters %v is claimed", again)
	}
	if got := claim(0, 9, false); len(got) > 0 {
		t.Errorf("letters of a dead daemon are handed out beside others: %v", got)
	}
	// It lives after all: nobody has died of the letter.
	must(t, d.dbs[1].Daemons.RefundTry(ctx, 7, 2))
	if got := claim(0, 9, false); !slices.Equal(got, []uint32{2}) {
		t.Errorf("beside others %v is claimed of what was put down", got)
	}
	must(t, d.dbs[1].Daemons.RecordOutcomes(ctx, d.sessions[1], Outcome{7, 1, "stale"}))
	must(t, d.dbs[0].Daemons.RecordOutcomes(ctx, d.sessions[0], Outcome{7, 3, "done"}))
	for _, want := range [][]Outcome{{{7, 3, "done"}}, nil} {
		got, err := d.dbs[0].Daemons.TakeOutcomes(ctx, d.sessions[0])
		must(t, err)
		if !slices.Equal(got, want) {
			t.Errorf("what came of letters is %v, not %v", got, want)
		}
	}
}

// TestFaultsOfServer: what may go well when it is tried again is told from what may not.
func TestFaultsOfServer(t *testing.T) {
	t.Parallel()
	key := filepath.Join(t.TempDir(), "key")
	db, err := Open(t.Context(), pgtest.Start(t).URL("postgres"), key)
	must(t, err)
	must(t, db.Close())
	_, closed := db.AllMatches(t.Context())
	for err, want := range map[error]bool{
		ErrCommitUnknown: true, io.ErrUnexpectedEOF: true,
		&pgconn.PgError{Code: "57P01"}: true, &pgconn.PgError{Code: "55P03"}: true, &pgconn.PgError{Code: "40001"}: true,
		match.ErrConflict: false, &pgconn.PgError{Code: "23505"}: false, closed: false,
	} {
		if reason, got := db.Fault(fmt.Errorf("read something: %w", err)); got != want {
			t.Errorf("%v: %v, %s", err, got, reason)
		}
	}
}

// TestAnsweredTogether: a sender gets as many answers from several daemons as from one, also at the same moment; each
// comes back with time, and another sender has his own.
func TestAnsweredTogether(t *testing.T) {
	t.Parallel()
	d := newDaemons(t)
	now := noon
	var both [2]*ReplyLimits
	for i, db := range d.dbs {
		both[i] = db.Daemons.NewReplyLimits(mail.Rate{Burst: 3, Every: time.Minute}, mail.Rate{Burst: 1000, Every: time.Second},
			func() time.Time { return now }, slog.New(slog.DiscardHandler))
	}
	many := func(name string, want int64) {
		t.Helper()
		var got atomic.Int64
		var all errgroup.Group
		for i := range 12 {
			all.Go(func() error {
				if both[i%2].Allow(t.Context(), name, name) == 0 {
					got.Add(1)
				}
				return nil
			})
		}
		_ = all.Wait()
		if got.Load() != want {
			t.Errorf("%s is answered %d times, want %d", name, got.Load(), want)
		}
	}
	kept := func(want int) {
		t.Helper()
		must(t, d.dbs[0].Daemons.DeleteFullBuckets(t.Context(), now))
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
