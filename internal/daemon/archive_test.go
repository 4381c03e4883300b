package daemon

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
)

// TestArchiver: matches that are over are archived when their letters have gone out, and the
// letters that came in go when they have been kept for long enough. Those that run stay.
func TestArchiver(t *testing.T) {
	t.Parallel()
	cfg := local(t)
	cfg.Letters = adjudicator.Letters{}
	var log bytes.Buffer
	d, _ := otherDaemon(t, cfg, "", &log)
	ids := begun(t, d, 3)
	over := ids[:2]
	for _, id := range over {
		if _, err := d.Adjudicator.Receive(t.Context(), letterTo(id, 0, "ada@x.test", "RESIGN "+id)); err != nil {
			t.Fatal(err)
		}
	}
	a := &archiver{db: d.DB, keep: 30 * 24 * time.Hour, log: slog.New(slog.NewTextHandler(&log, nil))}
	now := time.Now()
	pass := func(at time.Time, unarchived int) {
		t.Helper()
		if err := a.pass(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		if n, err := d.DB.CountUnarchived(t.Context()); err != nil || n != unarchived {
			t.Errorf("%d matches are not archived, want %d, %v", n, unarchived, err)
		}
	}
	pass(now, 2)
	box := d.DB.Outbox("")
	due, err := box.Due(t.Context(), now.Add(time.Hour), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range due {
		if err := box.Sent(t.Context(), []int64{l.ID}, now); err != nil {
			t.Fatal(err)
		}
	}
	pass(now, 0)
	if !strings.Contains(log.String(), "archived=2") {
		t.Errorf("the log:\n%s", log.String())
	}
	if !knowsFirst(t, d, over[0]) {
		t.Error("letters are gone at once")
	}
	pass(now.Add(29*24*time.Hour), 0)
	if !knowsFirst(t, d, over[0]) {
		t.Error("letters are gone too early")
	}
	pass(now.Add(31*24*time.Hour), 0)
	if knowsFirst(t, d, over[0]) || knowsFirst(t, d, over[1]) || !knowsFirst(t, d, ids[2]) {
		t.Error("other letters are gone than those of the matches that are over")
	}
}

// knowsFirst reports whether the letter with which the first player has joined changes nothing
// when it comes once more.
func knowsFirst(t *testing.T, d *Daemon, id string) bool {
	t.Helper()
	m, err := d.DB.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	was := m.Version
	if _, err := d.Adjudicator.Receive(t.Context(), letterTo(id, 0, "ada@x.test", "JOIN")); err != nil {
		t.Fatal(err)
	}
	if m, err = d.DB.Match(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	return m.Version == was
}
