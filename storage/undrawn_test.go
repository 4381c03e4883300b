package storage

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/mail"
)

// TestUndrawn: letters whose pictures are not drawn yet hold up newer ones to the same
// player, and nobody else's; they are given by matches, and go when they are kept.
func TestUndrawn(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	box := db.Outbox("r@x.test")
	for i, spec := range strings.Fields("m1/0? m2/0 m1/1? m3/0!? m1/0 m2/ m4/0? m1/0!") {
		enqueue(t, db, spec, fmt.Sprint(i+1), noon.Add(time.Duration(i)*time.Second))
	}
	// Letters 1, 3 and 4 have pictures; 7 goes later, and its picture is drawn before.
	later := noon.Add(2 * time.Hour)
	must(t, box.Deferred(t.Context(), 7, noon.Add(time.Minute), later, "not yet"))
	enqueue(t, db, "m4/0", "9", noon.Add(time.Minute))
	undrawn := func(matches int, want string) []mail.Outgoing {
		t.Helper()
		got, err := box.Undrawn(t.Context(), matches)
		if err != nil || told(got) != want {
			t.Fatalf("to draw: %s, %v; want %s", told(got), err, want)
		}
		return got
	}
	due := func(want string) {
		t.Helper()
		got, err := box.Due(t.Context(), noon.Add(time.Hour), 10)
		if err != nil || told(got) != want {
			t.Fatalf("due: %s, %v; want %s", told(got), err, want)
		}
	}
	due("2, 6")
	undrawn(1, "4")
	drawn := undrawn(2, "4, 1, 3")
	must(t, box.Keep(t.Context(), drawn[2:]))
	due("2, 3, 6")
	must(t, box.Keep(t.Context(), drawn[:2]))
	due("4!, 1!, 5!, 8!, 2, 3, 6")
	must(t, box.Keep(t.Context(), undrawn(9, "7")))
	undrawn(9, "")
}

// TestUndrawnRest: what only waits for pictures lets the sender rest.
func TestUndrawnRest(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	enqueue(t, db, "m1/0?", "1", noon)
	if at, waits, err := db.Outbox("r@x.test").NextDue(t.Context()); err != nil || waits {
		t.Errorf("the next letter is due at %v, %v", at, err)
	}
}
