package storage

import (
	"database/sql"
	"path/filepath"
	"testing"

	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
)

// TestOldLetters: what was not noted of letters that wait in a database from before is
// found once, when the database is opened by this program.
func TestOldLetters(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "databases of old schemas are files")
	dir := t.TempDir()
	_, _ = oldDatabase(t, dir, 13)
	raw, err := sql.Open("sqlite3", filepath.Join(dir, "s.db"))
	must(t, err)
	written, at, err := message.Draft{From: "r@x.test", To: "n@x.test", MessageID: "id2@x.test", References: []string{"id1@x.test"}, Date: noon,
		Text: "Your move.\n", HTML: "<p>Your move.</p>", Picture: &message.Picture{ID: "map", Name: "map.png", Type: "image/png"}}.RenderOpen()
	must(t, err)
	for _, s := range []struct {
		sql  string
		args []any
	}{
		{`DELETE FROM outbox`, nil},
		{`INSERT INTO sent (match, seat, number, message_id, decisions) VALUES ('mold', 0, 3, 'id2@x.test', '[]'), ('mold', 0, 2, 'id1@x.test', '[]')`, nil},
		{`INSERT INTO outbox (id, recipient, raw, drawing, due, at, match, seat) VALUES (1, 'n@x.test', $1, x'0102', 5, 5, 'mold', 0)`, []any{written}},
		{`INSERT INTO outbox (id, recipient, raw, due, at) VALUES (2, 'n@x.test', $1, 6, 6)`, []any{[]byte("DKIM-Signature: x\r\n" + string(written))}},
	} {
		_, err := raw.ExecContext(t.Context(), s.sql, s.args...)
		must(t, err)
	}
	must(t, raw.Close())

	db := open(t, dir)
	box := db.Outbox("r@x.test")
	due, err := box.Undrawn(t.Context(), 10)
	must(t, err)
	drawn, err := box.Due(t.Context(), noon, 10)
	must(t, err)
	due = append(due, drawn...)
	if len(due) != 2 || due[0].PictureAt != at.Picture || due[0].Final || due[1].PictureAt != 0 || !due[1].Final {
		t.Errorf("%d letters are due: %+v, the picture goes to %d", len(due), due, at)
	}
	must(t, db.Outbox("r@x.test").Failed(t.Context(), 1, noon, noon, true, "550 5.1.1 no such user"))
	var number int64
	if err := db.reader.QueryRowContext(t.Context(), `SELECT number FROM bounces WHERE match = 'mold' AND seat = 0`).Scan(&number); err != nil || number != 3 {
		t.Errorf("what was given up is booked as letter %d, %v", number, err)
	}
}
