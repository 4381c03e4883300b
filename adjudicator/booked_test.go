package adjudicator_test

import (
	"path/filepath"
	"testing"

	"samizdat/internal/test/pgtest"
	"samizdat/rules"
)

// booked is a letter that is booked as not arrived.
type booked struct {
	hard           bool
	status, reason string
}

// bounces lists the letters to a seat that are booked so, by number.
func (c *club) bounces(t *testing.T, match string, seat rules.Seat) []booked {
	t.Helper()
	rows, err := pgtest.Look(t, filepath.Join(c.dir, "club.db")).QueryContext(t.Context(), `SELECT hard, status, reason FROM bounces WHERE match = $1 AND seat = $2 ORDER BY number`, match, int(seat))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []booked
	for rows.Next() {
		var b booked
		if err := rows.Scan(&b.hard, &b.status, &b.reason); err != nil {
			t.Fatal(err)
		}
		out = append(out, b)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
