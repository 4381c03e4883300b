package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/mail"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// brokenMatches is a store in which some matches cannot be read.
type brokenMatches struct {
	exchange.Store
	how  map[string]func() error
	list error

	mu    sync.Mutex // Matches are read at the same time.
	reads map[string]int
}

func (b *brokenMatches) read(id string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.reads[id]++
}

func (b *brokenMatches) Match(ctx context.Context, id string) (*match.Match, error) {
	b.read(id)
	if how := b.how[id]; how != nil {
		return nil, how()
	}
	return b.Store.Match(ctx, id)
}

func (b *brokenMatches) DueMatches(ctx context.Context, now time.Time, limit int) ([]string, error) {
	if b.list != nil {
		b.read("")
		return nil, b.list
	}
	return b.Store.DueMatches(ctx, now, limit)
}

// TestScheduler: what is due and fails is tried again after a pause that doubles up to
// ten minutes, with a line in the log each time. Other matches do not wait for it, and
// when it is mended it is done.
func TestScheduler(t *testing.T) {
	t.Parallel()
	cfg := local(t)
	cfg.InvitationPeriod = 0 // Nothing is due but what the test wants.
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		d, err := Open(t.Context(), cfg, games, slog.New(slog.NewTextHandler(&log, nil)))
		if err != nil {
			t.Fatal(err)
		}
		b := &brokenMatches{Store: d.DB, how: map[string]func() error{}, reads: map[string]int{}}
		d.Adjudicator.Store = b
		invited := 0
		invite := func() (id string) {
			invited++
			m, err := d.Adjudicator.CreateMatch(t.Context(), adjudicator.Invitation{Game: dawn1989.Game().Name(), Players: []string{fmt.Sprintf("a%d@x.test", invited), "b@x.test"}})
			if err != nil {
				t.Fatal(err)
			}
			return m.ID
		}
		waits := func(id string, due time.Time) {
			m, err := d.DB.Match(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			m.Seats[0].Player.Request = nil
			if !due.IsZero() {
				m.Seats[0].Player.Request = &contact.Request{To: "c@x.test", Origin: contact.Origin{Match: id}, Serial: 1, RequestedAt: due.Add(-4 * 24 * time.Hour), Due: due}
			}
			if err := d.DB.Apply(t.Context(), exchange.Change{Player: m.Seats[0].Player}); err != nil {
				t.Fatal(err)
			}
		}
		run := func(until time.Duration) {
			for end := time.Now().Add(until); time.Now().Before(end); time.Sleep(defaultTickInterval) {
				d.scheduler.run(t.Context(), time.Now())
			}
		}
		failing, panicking, good := invite(), invite(), invite()
		b.how[failing] = func() error { return errors.New("the disk is on fire") }
		b.how[panicking] = func() error { panic("oh") }
		waits(failing, time.Now())
		waits(panicking, time.Now())
		waits(good, time.Now().Add(time.Hour))
		run(time.Hour)
		// Pauses of 4, 8 ... 512 s come to 17 minutes, and then there are four of ten.
		for _, id := range []string{failing, panicking} {
			if n := b.reads[id]; n < 11 || n > 13 {
				t.Errorf("match %s was tried %d times in an hour", id, n)
			}
			if n := strings.Count(log.String(), "match="+id); n != b.reads[id] {
				t.Errorf("the log has %d lines on match %s, which was tried %d times", n, id, b.reads[id])
			}
		}
		if n, lines := b.reads[failing]+b.reads[panicking], strings.Count(log.String(), "\n"); n != lines {
			t.Errorf("%d tries, %d lines in the log:\n%s", n, lines, log.String())
		}
		if !strings.Contains(log.String(), "retry_in=10m0s") || !strings.Contains(log.String(), "stack=") {
			t.Errorf("the log does not tell enough:\n%s", log.String())
		}
		if n := d.scheduler.countFailing(); n != 2 {
			t.Errorf("%d matches fail", n)
		}
		h := newHealth(d.DB, d.scheduler, d.Config.Data, time.Hour, defaultAlarmDelay, d.log)
		h.poller.Store(mail.NewPoller(cfg.IMAP, nil, nil))
		handler, err := h.newHandler()
		if err != nil {
			t.Fatal(err)
		}
		if code, text := ask(handler, "/healthz"); code != http.StatusServiceUnavailable || !strings.Contains(text, "due work that failed: 2") || strings.Contains(text, failing) {
			t.Errorf("health: %d %s", code, text)
		}
		if _, text := ask(handler, "/metrics"); !strings.Contains(text, "samizdat_matches_stuck 2") {
			t.Error("the metrics do not tell of two matches")
		}

		// The good one is done by the next look, though the others fail.
		run(4 * time.Second)
		if m, err := d.DB.Match(t.Context(), good); err != nil || !m.NextDue().IsZero() {
			t.Errorf("the good match still waits: %v", err)
		}
		// One is mended, and of the other nothing is due any more.
		delete(b.how, failing)
		waits(panicking, time.Time{})
		run(10*time.Minute + 4*time.Second)
		if m, err := d.DB.Match(t.Context(), failing); err != nil || !m.NextDue().IsZero() {
			t.Errorf("the match that was mended still waits: %v", err)
		}
		if n := d.scheduler.countFailing(); n != 0 {
			t.Errorf("%d matches fail", n)
		}

		// The list itself cannot be read.
		log.Reset()
		b.list = errors.New("no database")
		run(time.Hour)
		if n, lines := b.reads[""], strings.Count(log.String(), "\n"); n != lines || n < 11 || n > 13 {
			t.Errorf("%d tries, %d lines in the log", n, lines)
		}
		b.list = nil
		run(11 * time.Minute)
		if d.scheduler.matchBackoffs.isWaiting("", time.Now()) {
			t.Error("what was mended is still put off")
		}

		// The database is locked: what is due is done within seconds of the end, however long that was.
		locked := invite()
		b.how[locked] = func() error { return fmt.Errorf("read match %s: %w", locked, storage.ErrBusy) }
		waits(locked, time.Now())
		run(50 * time.Minute)
		delete(b.how, locked)
		run(minPause + defaultTickInterval)
		if n := d.scheduler.countFailing(); n != 0 {
			t.Error("the match that was locked for 50 minutes still waits")
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
}

// outageLog records the outages that an outageTracker finds.
type outageLog struct {
	last  time.Time
	noted []string
	from  time.Time
}

func (d *outageLog) Watermark(context.Context) (time.Time, error) { return d.last, nil }

func (d *outageLog) SetWatermark(_ context.Context, at time.Time) error { d.last = at; return nil }

func (d *outageLog) TruncateFuture(context.Context, time.Time) error { return nil }

func (d *outageLog) AddOutage(_ context.Context, since, until time.Time) error {
	d.noted = append(d.noted, fmt.Sprint(since.Sub(d.from), "-", until.Sub(d.from)))
	return nil
}

// TestOutageTracker: an outage lasts from the last scan before it until the first one after it,
// and is recorded before a letter delivered in between is handled. It outlives a restart.
func TestOutageTracker(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return begin.Add(time.Duration(minutes) * time.Minute) }
	d := &outageLog{from: begin}
	h := &outageTracker{store: d}
	check := func(what, want string) {
		t.Helper()
		if got := strings.Join(d.noted, " "); got != want {
			t.Errorf("%s: outages %q, want %q", what, got, want)
		}
		d.noted = nil
	}
	scan := func(current, scanned int) {
		t.Helper()
		if err := h.recordScan(t.Context(), at(current), at(scanned)); err != nil {
			t.Fatal(err)
		}
	}
	scan(0, 0)
	scan(4, 4)
	scan(8, 8)
	check("a scan every four minutes", "")
	scan(40, 8)
	check("no scan in an outage", "")
	if err := h.recordLetter(t.Context(), at(41)); err != nil {
		t.Fatal(err)
	}
	check("a letter after an outage", "8m0s-41m0s")
	scan(42, 41)
	check("a scan after an outage", "8m0s-41m0s")
	if !h.hasRecentScan(at(42)) || h.hasRecentScan(at(44)) {
		t.Error("a scan is recent for other than two minutes")
	}
	h = &outageTracker{store: d}
	scan(100, 99)
	check("after a restart", "41m0s-1h39m0s")
	scan(10, 10) // the clock was set back
	scan(12, 12)
	check("a clock that was set back", "")
	scan(10_000, 10_000)
	check("a clock that jumps ahead", "12m0s-166h40m0s")
}
