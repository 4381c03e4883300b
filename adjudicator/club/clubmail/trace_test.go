package clubmail_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/internal/test/pgtest"
)

// TestForgottenBytes: when a member is forgotten and the database is closed, no byte of the files
// has his name, his address or where he lives, not even where nothing is stored any more.
func TestForgottenBytes(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Zbigniewa", "Ben")
	h.answers("Zbigniewa", "TIMEZONE Nicosia\nOFFER 1989")
	h.answers("Zbigniewa", "WITHDRAW 1\nNAME Zbigniewka\nPAIR ME 1989")
	h.answers("Ben", "CHALLENGE Zbigniewka 1989\nBLOCK Zbigniewka")
	h.answers("Zbigniewa", "DECLINE ALL\nDIGEST DAILY")
	h.later(daysOf)
	h.answers("Zbigniewa", "PLAY ROBOT 1989")
	id := h.match("Zbigniewa").ID
	h.reply("Zbigniewa", h.ofMatch("Zbigniewa"), "RESIGN "+id)
	h.later(time.Minute)
	if m := h.stored(id); m.State != match.Over {
		t.Fatalf("the match is %s", m.State)
	}
	if found := h.inFiles("igniewk"); len(found) == 0 {
		t.Fatal("her name is nowhere before she is forgotten")
	}
	h.reply("Zbigniewa", h.answers("Zbigniewa", "FORGET ME"), "YES")
	h.now = h.now.Add(60 * daysOf)
	for hasMore := true; hasMore; {
		var err error
		if hasMore, err = h.db.Upkeep.DeleteSent(t.Context(), h.now, 1000); err != nil {
			t.Fatal(err)
		}
	}
	h.due()
	if err := h.db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, found := range h.inFiles("igniew", "IGNIEW", "Nicosia") {
		t.Error(found)
	}
}

// inFiles looks for texts in the files of the database, byte by byte; on a server in all rows.
func (h *house) inFiles(texts ...string) (found []string) {
	h.t.Helper()
	if pgtest.Used() {
		return h.inRows(texts...)
	}
	files, err := filepath.Glob(filepath.Join(h.dir, "club.db*"))
	if err != nil {
		h.t.Fatal(err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			h.t.Fatal(err)
		}
		for _, text := range texts {
			if i := bytes.Index(data, []byte(text)); i >= 0 {
				found = append(found, filepath.Base(f)+": "+string(bytes.ToValidUTF8(data[max(0, i-60):min(len(data), i+60)], []byte("."))))
			}
		}
	}
	return found
}

func (h *house) inRows(texts ...string) (found []string) {
	h.t.Helper()
	db := pgtest.Look(h.t, h.path())
	rows, err := db.QueryContext(h.t.Context(), `SELECT quote_ident(table_name), CASE data_type WHEN 'bytea' THEN quote_ident(column_name) ELSE 'convert_to(' || quote_ident(column_name) || '::text, ''UTF8'')' END
		FROM information_schema.columns WHERE table_schema = 'public'`)
	if err != nil {
		h.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		err := rows.Scan(&table, &column)
		for _, text := range texts {
			var n int
			if err == nil {
				err = db.QueryRowContext(h.t.Context(), `SELECT count(*) FROM `+table+` WHERE position($1::bytea IN `+column+`) > 0`, []byte(text)).Scan(&n)
			}
			if n > 0 {
				found = append(found, fmt.Sprintf("%q is in %d rows of %s, %s", text, n, table, column))
			}
		}
		if err != nil {
			h.t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		h.t.Fatal(err)
	}
	return found
}
