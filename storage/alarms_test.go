package storage

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestAlarms: what the operator was told is there after a restart, once for each cause, and the
// doctor sees what is not over.
func TestAlarms(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	at := time.Unix(1_790_000_000, 0)
	imap := Alarm{Cause: "imap", Since: at, What: "the inbox cannot be read", Hint: "see to it", Told: at.Add(time.Minute)}
	disk := Alarm{Cause: "disk", Since: at.Add(time.Hour), What: "the disk is full"}
	for _, a := range []Alarm{{Cause: "imap", Since: at, What: "something else"}, imap, disk} {
		must(t, db.NoteAlarm(t.Context(), a, at))
	}
	look := func(want ...Alarm) {
		t.Helper()
		got, err := db.Alarms(t.Context())
		must(t, err)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
	look(disk, imap)
	must(t, db.Close())
	db = open(t, dir)
	look(disk, imap)
	imap.What, imap.Hint = "", ""
	must(t, db.NoteAlarm(t.Context(), imap, at))
	look(disk, imap)
	open, err := (&Inspection{pool: db.reader}).Alarms(t.Context())
	must(t, err)
	if d := cmp.Diff([]Alarm{disk}, open); d != "" {
		t.Errorf("the doctor sees (-want +got):\n%s", d)
	}
}
