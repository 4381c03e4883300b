package storage

import (
	"database/sql"
	"errors"
	"testing"
	"time"
)

// TestNoteBad: one letter for each that is put in quarantine, up to the bound, which
// begins anew every day; and none is noted that could not be written.
func TestNoteBad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	note := func(to string, uid uint32, at time.Time) string {
		t.Helper()
		said := ""
		queued, err := db.Outbox("").NoteBad(t.Context(), to, Bad{UIDValidity: 1, UID: uid, SHA256: "ab"}, at, 2, func(last bool) ([]byte, error) {
			said = map[bool]string{false: "told", true: "last"}[last]
			return []byte("x"), nil
		})
		must(t, err)
		if queued != (said != "") {
			t.Errorf("letter %d: queued %t, written %q", uid, queued, said)
		}
		return said
	}
	for i, c := range []struct {
		to   string
		uid  uint32
		at   time.Time
		want string
	}{
		{"op@x.test", 1, noon, "told"},
		{"op@x.test", 1, noon, ""},
		{"op@x.test", 2, noon, "last"},
		{"op@x.test", 3, noon, ""},
		{"op@x.test", 2, noon.Add(time.Hour), ""},
		{"op@x.test", 2, noon.Add(24 * time.Hour), "told"},
		{"", 4, noon.Add(24 * time.Hour), ""},
		{"op@x.test", 5, noon.Add(48 * time.Hour), "told"},
	} {
		if got := note(c.to, c.uid, c.at); got != c.want {
			t.Errorf("step %d: %q, want %q", i, got, c.want)
		}
	}
	count := func(query string) (n int) {
		t.Helper()
		must(t, db.reader.QueryRowContext(t.Context(), query).Scan(&n))
		return n
	}
	const receipts, letters = "SELECT count(*) FROM received WHERE disposition = 'quarantined' AND match = ''", "SELECT count(*) FROM outbox"
	if r, l := count(receipts), count(letters); r != 6 || l != 4 {
		t.Errorf("%d receipts and %d letters, want 6 and 4", r, l)
	}
	failed := errors.New("no words")
	_, err := db.Outbox("").NoteBad(t.Context(), "op@x.test", Bad{UID: 9}, noon.Add(72*time.Hour), 2, func(bool) ([]byte, error) { return nil, failed })
	if !errors.Is(err, failed) || count(receipts) != 6 {
		t.Errorf("what cannot be written: %v, %d receipts", err, count(receipts))
	}
	must(t, db.Close())
	if _, err := db.Outbox("").NoteBad(t.Context(), "", Bad{}, noon, 2, nil); err == nil || errors.Is(err, sql.ErrNoRows) {
		t.Errorf("without a database: %v", err)
	}
}
