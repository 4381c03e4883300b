package storage

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
)

// TestFailureAtEveryStep lets each statement of a letter's transaction fail in
// turn, by a trigger in the database: nothing of the letter is left, and without
// the trigger the same letter goes through.
func TestFailureAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, step := range []string{
		"INSERT ON received", "UPDATE ON matches", "UPDATE ON seats", "UPDATE ON players", "INSERT ON entries", "INSERT ON outbox", "INSERT ON sent",
	} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			db := open(t, t.TempDir())
			m := aMatch(t, db)
			m.State, m.Position, m.Entries = adjudicator.Playing, []byte(`{}`), 1
			m.Held = []adjudicator.Held{{Seat: 1, Answer: rules.Answer{Atoms: []rules.Atom{9}}}}
			c := adjudicator.Change{Match: m, Player: m.Seats[0].Player, Receipt: receipt(), Entries: []record.Entry{{Seq: 0}}, Letters: []adjudicator.Dispatch{dispatch(m, 0, 2)}}
			// AFTER, so that the step itself has been made when it fails.
			begin, end := "CREATE TRIGGER fault AFTER "+step+" BEGIN SELECT RAISE(ABORT, 'fault'); END", "DROP TRIGGER fault"
			if _, table, _ := strings.Cut(step, " ON "); pgtest.Used() {
				_, err := db.writer.ExecContext(t.Context(), "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'fault'; END $$")
				must(t, err)
				begin, end = "CREATE TRIGGER fault AFTER "+step+" FOR EACH ROW EXECUTE FUNCTION fault()", end+" ON "+table
			}
			_, err := db.writer.ExecContext(t.Context(), begin)
			must(t, err)
			if err := db.Apply(t.Context(), c); err == nil || errors.Is(err, adjudicator.ErrDuplicate) || errors.Is(err, adjudicator.ErrConflict) {
				t.Fatalf("error %v, want the fault", err)
			}
			untouched(t, db, m)
			if got, err := db.Match(t.Context(), m.ID); err != nil || got.State != adjudicator.Inviting || len(got.Held) != 0 || got.Seats[0].Letters != 0 {
				t.Errorf("the match is %+v, %v", got, err)
			}
			if _, err := db.writer.ExecContext(t.Context(), end); err != nil {
				t.Fatal(err)
			}
			if err := db.Apply(t.Context(), c); err != nil {
				t.Errorf("without the fault: %v", err)
			}
		})
	}
}

// TestReceipt: a receipt says where the letter lies.
func TestReceipt(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	aMatch(t, db)
	r := receipt()
	r.UIDValidity, r.UID, r.MessageID = 7, 4000000000, "1@x.test"
	if err := db.Apply(t.Context(), adjudicator.Change{Receipt: r}); err != nil {
		t.Fatal(err)
	}
	var got adjudicator.Receipt
	if err := db.reader.QueryRowContext(t.Context(), "SELECT uid_validity, uid, message_id FROM received").Scan(&got.UIDValidity, &got.UID, &got.MessageID); err != nil {
		t.Fatal(err)
	}
	if got.UIDValidity != 7 || got.UID != r.UID || got.MessageID != r.MessageID {
		t.Errorf("the receipt is %+v", got)
	}
}

// TestPathWithOddSigns: a path may hold signs that mean something in a URI.
func TestPathWithOddSigns(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "the name is that of a file")
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "100%.db", "what?.db", "a#b.db"} {
		db, err := Open(t.Context(), filepath.Join(dir, name), filepath.Join(dir, name+".key"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if m, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(m) == 0 {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}
