package storage

import (
	"database/sql"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
)

// TestListMatches: a match is listed with when its state began, and one that is over when
// it is asked for.
func TestListMatches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	m := aMatch(t, db)
	path := pgtest.At(filepath.Join(dir, "s.db"))
	list := func(isOver bool) []match.ListedMatch {
		t.Helper()
		l, err := ListMatches(t.Context(), path, filepath.Join(dir, "s.key"), noon, ListOptions{Over: isOver, Addresses: true})
		must(t, err)
		return l
	}
	apply := func(entries ...record.Entry) {
		t.Helper()
		must(t, db.Apply(t.Context(), exchange.Change{Match: m, Entries: entries}))
		m.Version++
	}
	want := []match.ListedMatch{{ID: "mabc", Game: "game", State: match.Inviting, Since: noon,
		Seats: []match.ListedSeat{{Name: "north", Address: "n@x.test"}, {Name: "south", Address: "s@x.test"}}}}
	check := func(isOver bool) {
		t.Helper()
		if d := cmp.Diff(want, list(isOver)); d != "" {
			t.Errorf("listed (-want +got):\n%s", d)
		}
	}
	check(false)

	m.State, m.Position, m.EntryCount = match.Playing, []byte(`{"a":1}`), 2
	m.Summary = &match.Summary{Began: noon.Add(time.Hour), Turn: 3}
	m.Seats[0].Joined, m.Seats[1].Joined, m.Seats[1].AskedSince = true, true, noon.Add(3*time.Hour)
	apply(record.Entry{Seq: 0, Hash: "a", At: noon.Add(time.Hour)}, record.Entry{Seq: 1, Hash: "b", At: noon.Add(2 * time.Hour)})
	want[0].State, want[0].Since, want[0].Summary = match.Playing, noon.Add(time.Hour), m.Summary
	want[0].Seats = []match.ListedSeat{{Name: "north", Address: "n@x.test", Joined: true},
		{Name: "south", Address: "s@x.test", Joined: true, ToMoveSince: noon.Add(3 * time.Hour)}}
	check(false)

	m.State = match.Over
	m.Summary = &match.Summary{Began: noon.Add(time.Hour), Ended: noon.Add(4 * time.Hour), Over: true}
	apply()
	want[0].State, want[0].Since, want[0].Summary = match.Over, noon.Add(4*time.Hour), m.Summary
	check(true)
	if l := list(false); len(l) != 0 {
		t.Errorf("what is over is listed: %+v", l)
	}
}

// TestListNothing: a file that is no database, or of another schema, is refused and left
// as it is.
func TestListNothing(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it spoils the file")
	dir := t.TempDir()
	path := filepath.Join(dir, "s.db")
	if _, err := ListMatches(t.Context(), path, filepath.Join(dir, "s.key"), noon, ListOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("where there is none: %v", err)
	}
	db := open(t, dir)
	for schema, want := range map[string]string{
		"INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)": "use a newer Samizdat",
		"UPDATE goose_db_version SET version_id = 61 WHERE version_id >= 62":     "built from commit",
		"DROP TABLE goose_db_version":                                            "not a Samizdat database",
	} {
		copied := filepath.Join(t.TempDir(), "c.db")
		must(t, Backup(t.Context(), path, copied))
		other, err := sql.Open("sqlite3", copied)
		must(t, err)
		_, err = other.ExecContext(t.Context(), schema)
		must(t, errors.Join(err, other.Close()))
		if _, err := ListMatches(t.Context(), copied, filepath.Join(dir, "s.key"), noon, ListOptions{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", schema, err)
		}
	}
	must(t, db.Close())
}

func TestStats(t *testing.T) {
	t.Parallel()
	db, _ := playing(t, t.TempDir())
	s, err := db.Operator.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Matches["playing"] != 1 || s.Outbox["waiting"] != 2 || s.Outbox["failed"] != 0 || !s.OldestDue.Equal(noon) {
		t.Errorf("%+v", s)
	}
	box := db.Outbox("r@x.test")
	for try := range 3 {
		now := noon.Add(time.Duration(try) * time.Hour)
		must(t, box.MarkFailed(t.Context(), 1, now, now.Add(4*time.Hour), false, "451 not now"))
		must(t, box.MarkDeferred(t.Context(), 2, now, now.Add(4*time.Hour), "an older letter was not taken"))
		if s, err = db.Operator.Stats(t.Context()); err != nil || !s.OldestDue.Equal(noon) {
			t.Errorf("after %d tries that failed letters wait since %v, %v", try+1, s.OldestDue, err)
		}
	}
	if err := box.MarkFailed(t.Context(), 1, noon, noon, true, "no such user"); err != nil {
		t.Fatal(err)
	}
	if err := box.MarkSent(t.Context(), []int64{2}, noon); err != nil {
		t.Fatal(err)
	}
	if s, err = db.Operator.Stats(t.Context()); err != nil || s.Outbox["waiting"] != 0 || s.Outbox["failed"] != 1 || !s.OldestDue.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
}
