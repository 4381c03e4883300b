package daemon

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/storage"
)

// inboxRoute makes the way to the inbox slow, or closes it.
type inboxRoute struct {
	closed atomic.Bool
	takes  atomic.Int64
}

func (r *inboxRoute) lay(h *dueHouse) {
	dial := h.in.Dial
	h.in.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if r.closed.Load() {
			return nil, errors.New("no route")
		}
		time.Sleep(time.Duration(r.takes.Load()))
		return dial(ctx, network, address)
	}
}

// has reports whether any letter that somebody has says something.
func (h *dueHouse) has(name, text string) bool {
	h.t.Helper()
	for _, l := range h.mailbox(name) {
		if strings.Contains(l.Text, text) {
			return true
		}
	}
	return false
}

const heldOrder, heldOrderDone = "PLACE Miskolc, Debrecen", "PLACE Miskolc, Debrecen: done"

// TestObjectionInTime: a letter that came before something was due prevents it, also
// when nobody served at that time, the inbox could not be reached for hours after, and
// the way to it is slow then.
func TestObjectionInTime(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, standsStill)
	dir, chance := t.TempDir(), sampleChance(t)
	synctest.Test(t, func(t *testing.T) {
		h := newDueHouse(t, dir, slog.New(slog.DiscardHandler), "democrat", "communist", "moved", "dora")
		var route inboxRoute
		route.lay(h)
		h.start()
		m := h.begins(chance)
		h.sends("communist", "GRACE 10 minutes")
		if a := h.sends("communist", heldOrder); !strings.Contains(a, "wait until") {
			t.Fatalf("the answer is:\n%s", a)
		}
		h.stop()
		h.writes("communist", "CANCEL ORDERS")
		h.pass(20 * time.Minute)
		route.closed.Store(true)
		h.start()
		h.pass(2 * time.Hour)
		if h.has("communist", heldOrderDone) || h.has("communist", "CANCEL ORDERS: ") {
			t.Error("something was done while the inbox could not be reached")
		}
		route.closed.Store(false)
		route.takes.Store(int64(5 * time.Second))
		h.pass(5 * time.Minute)
		if h.has("communist", heldOrderDone) || !h.has("communist", "CANCEL ORDERS: done") {
			t.Errorf("he objected in time, and has:\n%s", h.newest("communist").Text)
		}

		if _, err := h.daemon.Adjudicator.StartAddressChange(t.Context(), m.ID, 0, "moved@samizdat.local"); err != nil {
			t.Fatal(err)
		}
		h.pass(5 * time.Second)
		h.stop()
		h.pass(time.Hour)
		h.writes("democrat", "ADDRESS KEEP")
		h.pass(4 * 24 * time.Hour)
		h.start()
		h.pass(time.Minute)
		now, err := h.daemon.DB.Match(t.Context(), m.ID)
		if err != nil || now.Seats[0].Player.Address != "democrat@samizdat.local" || len(h.mailbox("moved")) > 0 {
			t.Errorf("he kept his address in time, and has %s; the other has %d letters; %v", now.Seats[0].Player.Address, len(h.mailbox("moved")), err)
		}
		h.stop()
		if err := h.server.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestObjectionRestored: after a restore the letters that are read again come before
// what was due, and so a letter that had prevented it does so again.
func TestObjectionRestored(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, standsStill)
	dir, chance := t.TempDir(), sampleChance(t)
	backup := filepath.Join(t.TempDir(), "backup.db")
	synctest.Test(t, func(t *testing.T) {
		h := newDueHouse(t, dir, slog.New(slog.DiscardHandler), "democrat", "communist", "dora")
		var route inboxRoute
		route.lay(h)
		h.start()
		h.begins(chance)
		h.sends("communist", "GRACE 10 minutes")
		h.sends("communist", heldOrder)
		if err := storage.Backup(t.Context(), h.cfg.DSN(), backup); err != nil {
			t.Fatal(err)
		}
		if a := h.sends("communist", "CANCEL ORDERS"); !strings.Contains(a, "CANCEL ORDERS: done") {
			t.Fatalf("the answer is:\n%s", a)
		}
		h.stop()
		h.pass(20 * time.Minute)
		r, err := storage.Restore(t.Context(), backup, h.cfg.DSN(), h.cfg.KeyFile(), storage.RestoreOptions{}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if err := requestReread(h.cfg.Data, r.NewestLetter.Add(-rereadOverlap)); err != nil {
			t.Fatal(err)
		}
		route.takes.Store(int64(1200 * time.Millisecond))
		before := len(h.mailbox("communist"))
		h.start()
		h.pass(time.Minute)
		if box := h.mailbox("communist"); len(box) == before || h.has("communist", heldOrderDone) || !strings.Contains(box[len(box)-1].Text, "CANCEL ORDERS: done") {
			t.Errorf("he had %d letters, and has %d; the newest:\n%s", before, len(box), box[len(box)-1].Text)
		}
		h.stop()
		if err := h.server.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestGraceInTime: in the quiet of IDLE, which is renewed every nine minutes, what is
// due is done within seconds of its time, and not before.
func TestGraceInTime(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, standsStill)
	dir, chance := t.TempDir(), sampleChance(t)
	synctest.Test(t, func(t *testing.T) {
		h := newDueHouse(t, dir, slog.New(slog.DiscardHandler), "democrat", "communist", "dora")
		h.start()
		h.begins(chance)
		h.sends("communist", "GRACE 2 minutes")
		sent := time.Now()
		if a := h.sends("communist", heldOrder); !strings.Contains(a, "wait until") {
			t.Fatalf("the answer is:\n%s", a)
		}
		h.pass(time.Until(sent.Add(2*time.Minute - time.Second)))
		if h.has("communist", heldOrderDone) {
			t.Error("his order was carried out early")
		}
		h.pass(7 * time.Second)
		if !h.has("communist", heldOrderDone) {
			t.Error("his order was not carried out seconds after its time")
		}
		h.stop()
		if err := h.server.Close(); err != nil {
			t.Error(err)
		}
	})
}

// lockedMatch is a store in which one match cannot be read.
type lockedMatch struct {
	exchange.Store
	locked *atomic.Value
}

func (s lockedMatch) Match(ctx context.Context, id string) (*match.Match, error) {
	if id == s.locked.Load() {
		return nil, errors.New("the match is locked")
	}
	return s.Store.Match(ctx, id)
}

// lines keeps a log.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) count(text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), text)
}

// TestDueWaitsAnHour: one letter that cannot be handled holds up what is due for an hour,
// and no longer. The log says so once.
func TestDueWaitsAnHour(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, standsStill)
	dir, chance := t.TempDir(), sampleChance(t)
	synctest.Test(t, func(t *testing.T) {
		var log lines
		h := newDueHouse(t, dir, slog.New(slog.NewTextHandler(&log, nil)), "democrat", "communist", "ada", "ben", "dora")
		var locked atomic.Value
		h.prepare = func(d *Daemon) {
			d.Adjudicator.Store, d.tickInterval = lockedMatch{d.DB, &locked}, 5*defaultTickInterval
		}
		h.in.QuarantineAfter = 24 * time.Hour
		h.start()
		h.begins(chance)
		other, err := h.daemon.Adjudicator.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{"ada@samizdat.local", "ben@samizdat.local"}})
		if err != nil {
			t.Fatal(err)
		}
		h.pass(h.daemon.tickInterval + 3*time.Second)
		locked.Store(other.ID)
		failing := time.Now()
		h.writes("ada", "JOIN")
		h.sends("communist", "GRACE 10 minutes")
		h.sends("communist", heldOrder)
		h.pass(time.Until(failing.Add(59 * time.Minute)))
		if h.has("communist", heldOrderDone) || log.count("no longer wait") > 0 {
			t.Error("what was due did not wait for the letter that fails")
		}
		// The letter is tried every ten minutes or so, and a look is asked for each minute.
		h.pass(3 * time.Minute)
		if !h.has("communist", heldOrderDone) || log.count("no longer wait") != 1 {
			t.Errorf("after an hour it still waits; the log says %d times that it does not", log.count("no longer wait"))
		}
		h.pass(time.Duration(long.N(10, 60)) * time.Minute)
		if n := log.count("no longer wait"); n != 1 {
			t.Errorf("the log says it %d times", n)
		}
		locked.Store("")
		h.pass(15 * time.Minute)
		if !h.has("ada", "JOIN: ") {
			t.Errorf("the letter that failed was lost; she has:\n%s", h.newest("ada").Text)
		}
		h.stop()
		if err := h.server.Close(); err != nil {
			t.Error(err)
		}
	})
}
