package storage

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// manyClocks is a database with matches whose clocks run, one deadline a minute from noon on.
func manyClocks(t *testing.T, matches int) *DB {
	t.Helper()
	db := open(t, t.TempDir())
	must(t, db.write(t.Context(), func(ctx context.Context, tx *transaction) error {
		for _, s := range []struct {
			statement string
			args      []any
		}{
			{`INSERT INTO players (id, address) VALUES (1, 'n@x.test'), (2, 's@x.test')`, nil},
			{`INSERT INTO matches (id, game, revision, options, state, secret, head, version, created, used, tempo, zero, since)
				SELECT 'm' || value, 'orchards', 1, '{}', 'playing', $1, '', 1, 0, $1, '72h+12h<=120h', 'claim', $2 FROM matches_numbered AS m`,
				[]any{emptyValue, noon.UnixMicro()}},
			{`INSERT INTO seats (match, seat, name, player, key, joined, words, letters, clock, deadline)
				SELECT 'm' || m.value, s.value, 'seat', 1 + s.value, $1, 1, '', 0, '{}', CASE s.value
				WHEN 0 THEN CAST($2 AS bigint) + 60000000 * CAST(m.value AS bigint) END
				FROM matches_numbered AS m, (SELECT 0 AS value UNION SELECT 1) AS s`, []any{emptyValue, noon.UnixMicro()}},
		} {
			statement := strings.ReplaceAll(s.statement, "matches_numbered",
				fmt.Sprintf(`(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < %d) SELECT value FROM n)`, matches))
			if _, err := tx.ExecContext(ctx, statement, s.args...); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}))
	return db
}

// reading is a store that counts the matches that are read.
type reading struct {
	exchange.Store
	mu   sync.Mutex
	read []string
}

func (r *reading) Match(_ context.Context, id string) (*match.Match, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read = append(r.read, id)
	return nil, fmt.Errorf("match %s is not there", id)
}

// TestTick: with ten thousand matches whose clocks run, looking for what is due takes less
// than five milliseconds, and reads no match of which nothing is.
func TestTick(t *testing.T) {
	db := manyClocks(t, 10_000)
	store := &reading{Store: db}
	a := adjudicator.New(adjudicator.Config{ReplyConfig: conversation.ReplyConfig{Store: store,
		Now: func() time.Time { return noon.Add(time.Hour) }, Log: slog.New(slog.DiscardHandler)}, Games: rules.Games{rulestest.Game()}})
	tick := func(now time.Time) {
		t.Helper()
		must(t, db.Inbox.TruncateFuture(t.Context(), now))
		_, _, err := a.RunDueTasks(t.Context(), now, nil)
		must(t, err)
		_, err = db.DueMatches(t.Context(), now, 1)
		must(t, err)
	}
	tick(noon.Add(time.Second)) // statements are prepared
	best := time.Hour
	for range 20 {
		startTime := time.Now()
		tick(noon.Add(30 * time.Second))
		best = min(best, time.Since(startTime))
	}
	t.Logf("a tick takes %v", best)
	maximum := 5 * time.Millisecond
	if pgtest.Used() {
		maximum *= 10 // Each statement goes to the server and back.
	}
	if best > maximum {
		t.Errorf("a tick takes %v", best)
	}
	if len(store.read) > 0 {
		t.Errorf("%d matches are read, though nothing is due", len(store.read))
	}
	tick(noon.Add(3*time.Minute + time.Second))
	slices.Sort(store.read) // They are looked at at the same time.
	if got := strings.Join(store.read, " "); got != "m1 m2 m3" {
		t.Errorf("%s are read", got)
	}
}

// TestDueByIndex: what is due is found by indexes.
func TestDueByIndex(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "the plans are those of SQLite")
	db := open(t, t.TempDir())
	byIndex(t, db, hasDueQuery, noon.UnixMicro())
	byIndex(t, db, dueMatchesQuery, noon.UnixMicro(), 10)
}

func byIndex(t *testing.T, db *DB, query string, args ...any) {
	t.Helper()
	rows, err := db.reader.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, args...)
	must(t, err)
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		must(t, rows.Scan(&id, &parent, &unused, &step))
		plan = append(plan, step)
		for _, table := range []string{"matches", "seats", "players", "p"} {
			if strings.HasPrefix(step, "SCAN "+table) {
				t.Errorf("a walk: %s", step)
			}
		}
	}
	must(t, rows.Err())
	if all := strings.Join(plan, "\n"); !strings.Contains(all, "seats_deadline") {
		t.Errorf("deadlines are not found by their index:\n%s", all)
	}
}

// TestDeaf: times in which nobody looked grow until the next look; those of one outage are one.
// What reaches beyond a clock that was set back is cut off, and deadlines are computed again.
func TestDeafSpans(t *testing.T) {
	t.Parallel()
	db := manyClocks(t, 3)
	ctx := t.Context()
	must(t, db.Inbox.AddOutage(ctx, noon, noon.Add(time.Hour)))
	must(t, db.Inbox.AddOutage(ctx, noon, noon.Add(3*time.Hour)))
	must(t, db.Inbox.AddOutage(ctx, noon, noon.Add(2*time.Hour)))
	must(t, db.Inbox.AddOutage(ctx, noon.Add(5*time.Hour), noon.Add(6*time.Hour)))
	must(t, db.Inbox.SetWatermark(ctx, noon.Add(6*time.Hour)))
	spans := func() (out []string) {
		must(t, eachRow(ctx, db.writer, func(scan func(...any) error) error {
			var from, to time.Time
			err := scan(micros{&from}, micros{&to})
			out = append(out, fmt.Sprint(from.Sub(noon), "-", to.Sub(noon)))
			return err
		}, `SELECT since, until FROM deaf ORDER BY since`))
		return out
	}
	if got := fmt.Sprint(spans()); got != "[0s-3h0m0s 5h0m0s-6h0m0s]" {
		t.Errorf("deaf in %s", got)
	}
	now := noon.Add(time.Minute)
	must(t, db.Inbox.TruncateFuture(ctx, now))
	if got := fmt.Sprint(spans()); got != "[0s-1m0s]" {
		t.Errorf("after the clock was set back: deaf in %s", got)
	}
	if at, err := db.Inbox.Watermark(ctx); err != nil || !at.Equal(now) {
		t.Errorf("the last look was at %v, %v", at, err)
	}
	if ids, err := db.DueMatches(ctx, now, 10); err != nil || len(ids) != 3 {
		t.Errorf("%v are looked at again, %v", ids, err)
	}
}

// TestSetBackAsksAgain: what a daemon has stored itself since it last found nothing ahead is cut off, and
// so is what an earlier daemon has stored.
func TestSetBackAsksAgain(t *testing.T) {
	for name, c := range map[string]struct {
		store func(*DB) error
		newer string
	}{
		"looked": {func(db *DB) error { return db.Inbox.SetWatermark(t.Context(), noon.Add(time.Hour)) }, `SELECT max(at) FROM looked`},
		"deaf": {func(db *DB) error { return db.Inbox.AddOutage(t.Context(), noon.Add(-time.Hour), noon.Add(time.Hour)) }, `SELECT max(until)
			FROM deaf`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db := open(t, dir)
			cut := func(now time.Time) {
				t.Helper()
				must(t, db.Inbox.TruncateFuture(t.Context(), now))
				var at time.Time
				must(t, db.reader.QueryRowContext(t.Context(), c.newer).Scan(micros{&at}))
				if !at.Equal(now) {
					t.Errorf("it reaches to %v, and it is %v", at, now)
				}
			}
			must(t, db.Inbox.TruncateFuture(t.Context(), noon)) // Nothing is ahead.
			must(t, c.store(db))
			cut(noon.Add(time.Minute))
			must(t, c.store(db))
			must(t, db.Close())
			db = open(t, dir)
			cut(noon)
		})
	}
}

// TestHeldAnew: a letter to an observer that was queued, or has failed, by a clock that
// ran ahead waits for its own time from when the clock is right, before and after a
// restart. One that was queued by a right clock keeps its time.
func TestHeldAnew(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, tt := range []struct {
		name   string
		queued time.Time
		held   time.Duration
		looked time.Time
		want   time.Time // it goes out
	}{
		{"hours ahead", noon.Add(5 * time.Hour), 3 * day, noon, noon.Add(3 * day)},
		{"years ahead", noon.Add(30 * 365 * day), 3 * day, noon, noon.Add(3 * day)},
		{"not held", noon.Add(5 * time.Hour), 0, noon, noon},
		{"back, but not behind the beginning", noon, 3 * day, noon.Add(time.Minute), noon.Add(3 * day)},
		{"at the same time", noon, 3 * day, noon, noon.Add(3 * day)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			db := open(t, dir)
			m := aMatch(t, db)
			ann := match.Observer{Number: 1, Address: "ann@x.test", Since: tt.queued}
			d := watchedBy(m, ann, tt.queued.Add(tt.held))
			d.Delay = tt.held
			must(t, db.Apply(t.Context(), exchange.Change{Match: m, Observers: []match.Observer{ann}, Letters: []exchange.OutgoingLetter{d}}))
			goes := func(at time.Time) (id int64) {
				ids, to := due(t, db, at)
				for i := range ids {
					if to[i] == ann.Address {
						id = ids[i]
					}
				}
				return id
			}
			for i := range 2 {
				if got := goes(tt.looked) != 0; got != tt.want.Equal(tt.looked) {
					t.Errorf("look %d: it goes out: %v", i+1, got)
				}
				must(t, db.Close())
				db = open(t, dir)
			}
			if goes(tt.want.Add(-time.Second)) != 0 && tt.held > 0 {
				t.Error("it goes out early")
			}
			id := goes(tt.want)
			if id == 0 {
				t.Fatal("it does not go out")
			}
			// What has failed by a clock that runs ahead is tried again after its pause.
			ahead := tt.want.Add(30 * 365 * day)
			must(t, db.Outbox("").MarkFailed(t.Context(), id, ahead, ahead.Add(time.Minute), false, "450 later"))
			if goes(tt.want) != 0 || goes(tt.want.Add(time.Minute)) == 0 {
				t.Error("it is not tried again after a minute")
			}
		})
	}
}

// TestSince: a match is on the list when its time has come, and when the clock
// shows a time before what waits in it began.
func TestSince(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	m.State = match.Playing
	m.Seats[1].Private.AnswerDelayedSince, m.Seats[1].Private.AnswerDue = noon, noon.Add(time.Hour)
	m.Seats[0].Private.DelayedLetter = &match.DelayedLetter{Since: noon.Add(-time.Hour), Due: noon.Add(2 * time.Hour)}
	must(t, db.Apply(t.Context(), exchange.Change{Match: m}))
	for _, tt := range []struct {
		now  time.Time
		want int
	}{
		{noon.Add(-2 * time.Hour), 1}, {noon.Add(-time.Second), 1}, {noon, 0}, {noon.Add(59 * time.Minute), 0}, {noon.Add(time.Hour), 1},
	} {
		if ids, err := db.DueMatches(t.Context(), tt.now, 10); err != nil || len(ids) != tt.want {
			t.Errorf("at %v %d matches are listed, want %d; %v", tt.now, len(ids), tt.want, err)
		}
	}
	m, err := db.Match(t.Context(), m.ID)
	must(t, err)
	m.Seats[0].Private, m.Seats[1].Private = match.PrivateState{}, match.PrivateState{}
	must(t, db.Apply(t.Context(), exchange.Change{Match: m}))
	for _, now := range []time.Time{noon.Add(-aCentury), noon.Add(aCentury)} {
		if ids, err := db.DueMatches(t.Context(), now, 10); err != nil || len(ids) != 0 {
			t.Errorf("at %v %v are listed; %v", now, ids, err)
		}
	}
}

const aCentury = 100 * 365 * 24 * time.Hour

// TestDirectorClock: a clock that ran ahead when the director was told does not keep
// the next news from him, and the old news are told once.
func TestDirectorClock(t *testing.T) {
	t.Parallel()
	db, m := playing(t, t.TempDir())
	tell := func(at time.Time) bool {
		wasNotified, err := db.Operator.ReportUndelivered(t.Context(), at, "director@x.test", func([]SeatFailures) ([]byte, error) {
			return []byte("letter"),
				nil
		})
		must(t, err)
		return wasNotified
	}
	bounce := func(number int64, at time.Time) {
		must(t, db.RecordBounce(t.Context(), m.ID, 0, number, exchange.Bounce{Hard: true}, at))
	}
	ahead := noon.Add(aCentury)
	bounce(1, ahead)
	if !tell(ahead) || tell(ahead) || tell(noon) {
		t.Error("he is not told once")
	}
	bounce(2, noon)
	if !tell(noon) || tell(noon) {
		t.Error("what is new when the clock is right is not told once")
	}
	bounce(3, noon)
	if tell(noon.Add(time.Hour)) || !tell(noon.Add(24*time.Hour)) {
		t.Error("what is new on the same day is not told on the next one")
	}
}
