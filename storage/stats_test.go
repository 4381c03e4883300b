package storage

import (
	"testing"
	"time"
)

func TestStats(t *testing.T) {
	t.Parallel()
	db, _ := playing(t, t.TempDir())
	s, err := db.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if s.Matches["playing"] != 1 || s.Outbox["waiting"] != 2 || s.Outbox["failed"] != 0 || !s.OldestDue.Equal(noon) {
		t.Errorf("%+v", s)
	}
	box := db.Outbox("r@x.test")
	for try := range 3 {
		now := noon.Add(time.Duration(try) * time.Hour)
		must(t, box.Failed(t.Context(), 1, now, now.Add(4*time.Hour), false, "451 not now"))
		must(t, box.Deferred(t.Context(), 2, now, now.Add(4*time.Hour), "an older letter was not taken"))
		if s, err = db.Stats(t.Context()); err != nil || !s.OldestDue.Equal(noon) {
			t.Errorf("after %d tries that failed letters wait since %v, %v", try+1, s.OldestDue, err)
		}
	}
	if err := box.Failed(t.Context(), 1, noon, noon, true, "no such user"); err != nil {
		t.Fatal(err)
	}
	if err := box.Sent(t.Context(), []int64{2}, noon); err != nil {
		t.Fatal(err)
	}
	if s, err = db.Stats(t.Context()); err != nil || s.Outbox["waiting"] != 0 || s.Outbox["failed"] != 1 || !s.OldestDue.IsZero() {
		t.Errorf("%+v, %v", s, err)
	}
}
