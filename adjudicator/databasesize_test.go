package adjudicator_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"samizdat/adjudicator/conversation"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/rules/dawn1989"
)

// TestDatabaseSize: letters that were sent leave no room behind in the database, however
// large their pictures are. What a match costs is what it adds to a database with many: an empty
// one has a page for every table and index.
func TestDatabaseSize(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it counts the pages of the file")
	c := newClub(t, dawn1989.Game())
	c.adj.LetterOptions = conversation.LetterOptions{HTML: true, Pictures: true}
	id := c.match("1989", nil, dawnSeats...)
	db, err := sql.Open("sqlite3", filepath.Join(c.dir, "club.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	weigh := func() (used, free, bodies int) {
		t.Helper()
		var pages int
		err := db.QueryRowContext(t.Context(), `SELECT (SELECT page_count FROM pragma_page_count), (SELECT freelist_count FROM pragma_freelist_count), (SELECT count(*) FROM bodies)`).Scan(&pages, &free, &bodies)
		if err != nil {
			t.Fatal(err)
		}
		return 4 * (pages - free), 4 * free, bodies
	}
	began, _, _ := weigh()
	n, over := copyOrders(t, c, dawn1989.Game(), id, dawnSeats, long.N(60, 2000), rand.New(rand.NewPCG(7, 1)))
	used, free, bodies := weigh()
	t.Logf("%d letters, over: %v: %d kB, %d kB of them at the beginning, and %d kB to be used again", n, over, used, began, free)
	if bodies != 0 || used > began+5*n || free > used/2+400 {
		t.Errorf("%d letters lie there still, after %d; the database has %d kB, %d kB at the beginning, and %d kB that are free", bodies, n, used, began, free)
	}
	const copies = 50
	before := used
	for i := range copies {
		copyRows(t, db, id, fmt.Sprintf("x%02d%s", i, id[3:]))
	}
	used, _, _ = weigh()
	one := float64(used-before) / copies
	t.Logf("%.1f kB for each of %d matches like this", one, copies)
	if one > 16+1.5*float64(n) {
		t.Errorf("a match of %d letters takes %.1f kB among others", n, one)
	}
}

// copyRows copies the rows of a match, under another name. Nobody can read them, but they take as much
// room.
func copyRows(t *testing.T, db *sql.DB, id, as string) {
	t.Helper()
	for _, table := range []string{"matches", "seats", "entries", "received", "sent", "outbox"} {
		var whose, columns string
		err := db.QueryRowContext(t.Context(), `SELECT CASE ?1 WHEN 'matches' THEN 'id' ELSE 'match' END, group_concat(name, ', ') FROM pragma_table_info(?1)
			WHERE name <> CASE ?1 WHEN 'matches' THEN 'id' ELSE 'match' END AND (?1, name) <> ('outbox', 'id')`, table).Scan(&whose, &columns)
		if err == nil {
			_, err = db.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO %s (%s, %s) SELECT ?, %s FROM %[1]s WHERE %[2]s = ?`, table, whose, columns, columns), as, id)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}
