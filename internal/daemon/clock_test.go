package daemon

import (
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/clock"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
)

// deadline is when the time of the seat that is asked is over, and which that is.
func (h *dueHouse) deadline(match string) (name string, at time.Time) {
	h.t.Helper()
	m, err := h.daemon.DB.Match(h.t.Context(), match)
	if err != nil {
		h.t.Fatal(err)
	}
	for i, s := range m.Seats {
		if s.Clock.ToMove {
			name, at = s.Name, m.Deadline(rules.Seat(i))
		}
	}
	return name, at
}

// TestOutages: what happens to us costs no player time: neither a daemon that is stopped nor
// an inbox that cannot be reached. What he wrote meanwhile counts by its arrival, and when his time
// is over by his own fault, that takes effect within a minute.
func TestOutages(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, standsStill)
	dir, chance := t.TempDir(), sampleChance(t)
	synctest.Test(t, func(t *testing.T) {
		h := newDueHouse(t, dir, slog.New(slog.DiscardHandler), "democrat", "communist", "dora")
		var route inboxRoute
		route.lay(h)
		h.start()
		tempo, err := clock.ParseTempo("30m+10m<=1h")
		if err != nil {
			t.Fatal(err)
		}
		m := h.invites(adjudicator.Invitation{Recorded: chance, Tempo: tempo, OnTimeout: clock.Claim})
		name, end := h.deadline(m.ID)
		near := func(what string, want time.Time) {
			t.Helper()
			if is, got := h.deadline(m.ID); is != name || got.Before(want) || got.After(want.Add(6*time.Minute)) {
				t.Errorf("%s: the time of the %s ends at %v, want the %s and %v or a little later", what, is, got, name, want)
			}
		}
		h.pass(10 * time.Minute)
		near("ten minutes", end)
		h.stop()
		h.pass(15 * time.Hour)
		h.start()
		h.pass(time.Minute)
		near("a daemon that was stopped for 15 hours", end.Add(15*time.Hour))
		route.closed.Store(true)
		h.stop()
		h.start()
		h.pass(30 * time.Minute)
		if h.has(name, "ran out of time") {
			t.Error("somebody's time is over while the inbox could not be reached")
		}
		route.closed.Store(false)
		h.pass(3 * time.Minute)
		near("an inbox that could not be reached for half an hour", end.Add(15*time.Hour+30*time.Minute))

		_, end = h.deadline(m.ID)
		h.pass(time.Until(end) - 10*time.Second)
		if h.has(name, "You ran out of time on ") {
			t.Error("his time is over too early")
		}
		h.pass(70 * time.Second)
		if !h.has(name, "You ran out of time on ") {
			t.Errorf("a minute after his time nobody has told him:\n%s", h.newest(name).Text)
		}
		if l := h.sends(map[string]string{"democrat": "communist", "communist": "democrat"}[name], "CLAIM"); !strings.Contains(l, "you won") {
			t.Errorf("it is not claimed:\n%s", l)
		}
		n := h.counts(m.ID, "democrat", "communist")
		h.stop()
		h.pass(time.Hour)
		h.start()
		h.pass(10 * time.Minute)
		if again := h.counts(m.ID, "democrat", "communist"); again != n {
			t.Errorf("after a restart there are %s, before %s", again, n)
		}
		h.stop()
		if err := h.server.Close(); err != nil {
			t.Error(err)
		}
	})
}
