package storage

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// TestTellDirector: each letter that does not arrive is told of once, at most once a
// day, also after a restart; and not when it went to an address of before.
func TestTellDirector(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, m := playing(t, dir)
	var got []Trouble
	at := noon
	tell := func(want ...Trouble) {
		t.Helper()
		got = nil
		told, err := db.TellDirector(t.Context(), at, "director@x.test", func(list []Trouble) ([]byte, error) {
			got = list
			return []byte("letter"), nil
		})
		if err != nil || told != (len(want) > 0) {
			t.Errorf("told %v, %v", told, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("what he is told:\n%s", d)
		}
	}
	bounce := func(seat, number int, hard bool) {
		t.Helper()
		if err := db.Bounced(t.Context(), m.ID, rules.Seat(seat), int64(number), adjudicator.Bounce{Hard: hard, Status: "5.1.1", Reason: "nobody"}, at); err != nil {
			t.Fatal(err)
		}
	}
	name := func(i int) string { return m.Seats[i].Name }
	tell()
	bounce(0, 1, false)
	tell()
	bounce(0, 1, true)
	bounce(0, 2, true)
	if err := db.Outbox("r@x.test").Failed(t.Context(), 2, at, at, true, "no such user"); err != nil {
		t.Fatal(err)
	}
	// A letter that cannot be written leaves everything as it was.
	if _, err := db.TellDirector(t.Context(), at, "d@x.test", func([]Trouble) ([]byte, error) { return nil, errors.New("no") }); err == nil {
		t.Error("no error")
	}
	tell(Trouble{m.ID, 0, name(0), 2, 0, "5.1.1 nobody"}, Trouble{m.ID, 1, name(1), 0, 1, "no such user"})
	tell()
	bounce(0, 3, true)
	at = at.Add(11 * time.Hour)
	tell()
	at = at.Add(2 * time.Hour)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	tell(Trouble{m.ID, 0, name(0), 1, 0, "5.1.1 nobody"})
	at = at.Add(24 * time.Hour)
	tell()
	// What went to an address of before is no trouble.
	for _, good := range []int64{4, 3} {
		m, err := db.Match(t.Context(), m.ID)
		must(t, err)
		m.Seats[0].Good = good
		must(t, db.Apply(t.Context(), adjudicator.Change{Match: m}))
		bounce(0, 4, true)
		if good < 4 {
			tell(Trouble{m.ID, 0, name(0), 1, 0, "5.1.1 nobody"})
		} else {
			tell()
		}
	}
}

// TestLettersFollow: letters that wait go where the seat's letters go, those of
// others do not.
func TestLettersFollow(t *testing.T) {
	t.Parallel()
	db, m := playing(t, t.TempDir())
	m, err := db.Match(t.Context(), m.ID)
	if err != nil {
		t.Fatal(err)
	}
	other := m.Seats[1].Player.Address
	m.Seats[0].Player.Address = "new@x.test"
	if err := db.Apply(t.Context(), adjudicator.Change{Player: m.Seats[0].Player}); err != nil {
		t.Fatal(err)
	}
	due, err := db.Outbox("r@x.test").Due(t.Context(), noon, 10)
	if err != nil {
		t.Fatal(err)
	}
	var to []string
	for _, o := range due {
		to = append(to, o.To)
	}
	if d := cmp.Diff([]string{"new@x.test", other}, to); d != "" {
		t.Error(d)
	}
	for address, want := range map[string]bool{"new@x.test": true, other: true, "": false} {
		if known, err := db.Registered(t.Context(), address); err != nil || known != want {
			t.Errorf("%q is registered: %v, %v", address, known, err)
		}
	}
}

// TestTellDirectorNothing: a letter that came back from an address of before is no news
// for the director, and nobody has to wait while he is not told of it.
func TestTellDirectorNothing(t *testing.T) {
	t.Parallel()
	db, m := playing(t, t.TempDir())
	m, err := db.Match(t.Context(), m.ID)
	must(t, err)
	m.Seats[0].Good = 1
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m}))
	must(t, db.Bounced(t.Context(), m.ID, 0, 1, adjudicator.Bounce{Hard: true}, noon))
	// Somebody else writes all the time.
	must(t, db.write(t.Context(), func(context.Context, *transaction) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		told, err := db.TellDirector(ctx, noon, "d@x.test", func([]Trouble) ([]byte, error) { return []byte("letter"), nil })
		if told || err != nil {
			t.Errorf("told %v, %v", told, err)
		}
		return nil
	}))
}
