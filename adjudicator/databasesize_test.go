package adjudicator_test

import (
	"database/sql"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"samizdat/adjudicator"
	"samizdat/internal/long"
	"samizdat/rules/dawn1989"
)

// TestDatabaseSize: letters that were sent leave no room behind in the database, however
// large their pictures are.
func TestDatabaseSize(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game{})
	c.adj.Letters = adjudicator.Letters{HTML: true, Pictures: true}
	c.picture = make([]byte, 30<<10)
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
	n, over := copyOrders(t, c, dawn1989.Game{}, id, dawnSeats, long.N(60, 2000), rand.New(rand.NewPCG(7, 1)))
	used, free, bodies := weigh()
	t.Logf("%d letters, over: %v: %d kB, %d kB of them at the beginning, and %d kB to be used again", n, over, used, began, free)
	if bodies != 0 || used > began+5*n || free > used/2+400 {
		t.Errorf("%d letters lie there still, after %d; the database has %d kB, %d kB at the beginning, and %d kB that are free", bodies, n, used, began, free)
	}
}
