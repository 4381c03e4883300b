package storage

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/exchange"
	"samizdat/rules"
)

// TestTellDirector: each letter that does not arrive is told of once, at most once a
// day, also after a restart; and not when it went to an address of before.
func TestTellDirector(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, m := playing(t, dir)
	var got []SeatFailures
	at := noon
	tell := func(want ...SeatFailures) {
		t.Helper()
		got = nil
		wasNotified, err := db.Operator.ReportUndelivered(t.Context(), at, "director@x.test", func(list []SeatFailures) ([]byte, error) {
			got = list
			return []byte("letter"), nil
		})
		if err != nil || wasNotified != (len(want) > 0) {
			t.Errorf("told %v, %v", wasNotified, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("what he is told:\n%s", d)
		}
	}
	bounce := func(seat, number int, hard bool) {
		t.Helper()
		if err := db.RecordBounce(t.Context(), m.ID, rules.Seat(seat), int64(number), exchange.Bounce{Hard: hard, Status: "5.1.1",
			Reason: "nobody"}, at); err != nil {
			t.Fatal(err)
		}
	}
	name := func(i int) string { return m.Seats[i].Name }
	tell()
	bounce(0, 1, false)
	tell()
	bounce(0, 1, true)
	bounce(0, 2, true)
	if err := db.Outbox("r@x.test").MarkFailed(t.Context(), 2, at, at, true, "no such user"); err != nil {
		t.Fatal(err)
	}
	// A letter that cannot be written leaves everything as it was.
	if _, err := db.Operator.ReportUndelivered(t.Context(), at, "d@x.test", func([]SeatFailures) ([]byte, error) {
		return nil,
			errors.New("no")
	}); err == nil {
		t.Error("no error")
	}
	tell(SeatFailures{m.ID, 0, name(0), 2, 0, "5.1.1 nobody"}, SeatFailures{m.ID, 1, name(1), 0, 1, "no such user"})
	tell()
	bounce(0, 3, true)
	at = at.Add(11 * time.Hour)
	tell()
	at = at.Add(2 * time.Hour)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	tell(SeatFailures{m.ID, 0, name(0), 1, 0, "5.1.1 nobody"})
	at = at.Add(24 * time.Hour)
	tell()
	// What went to an address of before is no trouble.
	for _, good := range []int64{4, 3} {
		m, err := db.Match(t.Context(), m.ID)
		must(t, err)
		m.Seats[0].IgnoreBouncesThrough = good
		must(t, db.Apply(t.Context(), exchange.Change{Match: m}))
		bounce(0, 4, true)
		if good < 4 {
			tell(SeatFailures{m.ID, 0, name(0), 1, 0, "5.1.1 nobody"})
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
	if err := db.Apply(t.Context(), exchange.Change{Player: m.Seats[0].Player}); err != nil {
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
		if isKnown, err := db.IsRegistered(t.Context(), address); err != nil || isKnown != want {
			t.Errorf("%q is registered: %v, %v", address, isKnown, err)
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
	m.Seats[0].IgnoreBouncesThrough = 1
	must(t, db.Apply(t.Context(), exchange.Change{Match: m}))
	must(t, db.RecordBounce(t.Context(), m.ID, 0, 1, exchange.Bounce{Hard: true}, noon))
	// Somebody else writes all the time.
	must(t, db.write(t.Context(), func(context.Context, *transaction) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		wasNotified, err := db.Operator.ReportUndelivered(ctx, noon, "d@x.test", func([]SeatFailures) ([]byte, error) { return []byte("letter"), nil })
		if wasNotified || err != nil {
			t.Errorf("told %v, %v", wasNotified, err)
		}
		return nil
	}))
}

// TestAlarms: what the operator was told is there after a restart, once for each cause, and the
// doctor sees what is not over.
func TestAlarms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	at := time.Unix(1_790_000_000, 0)
	imap := Alarm{Cause: "imap", Since: at, Fault: "the inbox cannot be read", Hint: "see to it", ReportedAt: at.Add(time.Minute)}
	disk := Alarm{Cause: "disk", Since: at.Add(time.Hour), Fault: "the disk is full"}
	for _, a := range []Alarm{{Cause: "imap", Since: at, Fault: "something else"}, imap, disk} {
		must(t, db.Operator.RecordAlarm(t.Context(), a, at))
	}
	look := func(want ...Alarm) {
		t.Helper()
		got, err := db.Operator.Alarms(t.Context())
		must(t, err)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	look(disk, imap)
	must(t, db.Close())
	db = open(t, dir)
	look(disk, imap)
	imap.Fault, imap.Hint = "", ""
	must(t, db.Operator.RecordAlarm(t.Context(), imap, at))
	look(disk, imap)
	open, err := (&Inspection{pool: db.reader}).CurrentAlarms(t.Context())
	must(t, err)
	if d := cmp.Diff([]Alarm{disk}, open); d != "" {
		t.Errorf("the doctor sees (-want +got):\n%s", d)
	}
}

// TestNoteBad: one letter for each that is put in quarantine, up to the bound, which
// begins anew every day; and none is noted that could not be written.
func TestNoteBad(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	note := func(to string, uid uint32, at time.Time) string {
		t.Helper()
		text := ""
		queued, err := db.Outbox("").RecordQuarantined(t.Context(), to, QuarantinedLetter{UIDValidity: 1, UID: uid, SHA256: "ab"}, at, 2,
			func(isLast bool) ([]byte, error) {
				text = map[bool]string{false: "told", true: "last"}[isLast]
				return []byte("x"), nil
			})
		must(t, err)
		if queued != (text != "") {
			t.Errorf("letter %d: queued %t, written %q", uid, queued, text)
		}
		return text
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
	_, err := db.Outbox("").RecordQuarantined(t.Context(), "op@x.test", QuarantinedLetter{UID: 9}, noon.Add(72*time.Hour), 2,
		func(bool) ([]byte, error) { return nil, failed })
	if !errors.Is(err, failed) || count(receipts) != 6 {
		t.Errorf("what cannot be written: %v, %d receipts", err, count(receipts))
	}
	must(t, db.Close())
	if _, err := db.Outbox("").RecordQuarantined(t.Context(), "", QuarantinedLetter{}, noon, 2, nil); err == nil || errors.Is(err, sql.ErrNoRows) {
		t.Errorf("without a database: %v", err)
	}
}
