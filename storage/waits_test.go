package storage

import (
	"testing"
	"time"

	"samizdat/adjudicator"
)

// TestHeldAnew: a letter to an observer that was queued, or has failed, by a clock that
// ran ahead waits for its own time from when the clock is right, before and after a
// restart. One that was queued by a right clock keeps its time.
func TestHeldAnew(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, tt := range []struct {
		name   string
		queued time.Time
		held   time.Duration
		looked time.Time
		want   time.Time // it goes out
	}{
		{"hours ahead", noon.Add(5 * time.Hour), 3 * day, noon, noon.Add(3 * day)},
		{"years ahead", noon.Add(30 * 365 * day), 3 * day, noon, noon.Add(3 * day)},
		{"not held", noon.Add(5 * time.Hour), 0, noon, noon},
		{"back, but not behind the beginning", noon, 3 * day, noon.Add(time.Minute), noon.Add(3 * day)},
		{"at the same time", noon, 3 * day, noon, noon.Add(3 * day)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			db := open(t, dir)
			m := aMatch(t, db)
			ann := adjudicator.Observer{Number: 1, Address: "ann@x.test", Since: tt.queued}
			d := watchedBy(m, ann, tt.queued.Add(tt.held))
			d.Held = tt.held
			must(t, db.Apply(t.Context(), adjudicator.Change{Match: m, Observers: []adjudicator.Observer{ann}, Letters: []adjudicator.Dispatch{d}}))
			goes := func(at time.Time) (id int64) {
				ids, to := due(t, db, at)
				for i := range ids {
					if to[i] == ann.Address {
						id = ids[i]
					}
				}
				return id
			}
			for i := range 2 {
				if got := goes(tt.looked) != 0; got != tt.want.Equal(tt.looked) {
					t.Errorf("look %d: it goes out: %v", i+1, got)
				}
				must(t, db.Close())
				db = open(t, dir)
			}
			if goes(tt.want.Add(-time.Second)) != 0 && tt.held > 0 {
				t.Error("it goes out early")
			}
			id := goes(tt.want)
			if id == 0 {
				t.Fatal("it does not go out")
			}
			// What has failed by a clock that runs ahead is tried again after its pause.
			ahead := tt.want.Add(30 * 365 * day)
			must(t, db.Outbox("").Failed(t.Context(), id, ahead, ahead.Add(time.Minute), false, "450 later"))
			if goes(tt.want) != 0 || goes(tt.want.Add(time.Minute)) == 0 {
				t.Error("it is not tried again after a minute")
			}
		})
	}
}

// TestSince: a match is on the list when its time has come, and when the clock
// shows a time before what waits in it began.
func TestSince(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	m.State = adjudicator.Playing
	m.Seats[1].Timing.DelayedSince, m.Seats[1].Timing.DelayedUntil = noon, noon.Add(time.Hour)
	m.Seats[0].Timing.Waiting = &adjudicator.Waiting{Since: noon.Add(-time.Hour), Due: noon.Add(2 * time.Hour)}
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m}))
	for _, tt := range []struct {
		now  time.Time
		want int
	}{
		{noon.Add(-2 * time.Hour), 1}, {noon.Add(-time.Second), 1}, {noon, 0}, {noon.Add(59 * time.Minute), 0}, {noon.Add(time.Hour), 1},
	} {
		if ids, err := db.DueMatches(t.Context(), tt.now, 10); err != nil || len(ids) != tt.want {
			t.Errorf("at %v %d matches are listed, want %d; %v", tt.now, len(ids), tt.want, err)
		}
	}
	m, err := db.Match(t.Context(), m.ID)
	must(t, err)
	m.Seats[0].Timing, m.Seats[1].Timing = adjudicator.Timing{}, adjudicator.Timing{}
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m}))
	for _, now := range []time.Time{noon.Add(-aCentury), noon.Add(aCentury)} {
		if ids, err := db.DueMatches(t.Context(), now, 10); err != nil || len(ids) != 0 {
			t.Errorf("at %v %v are listed; %v", now, ids, err)
		}
	}
}

const aCentury = 100 * 365 * 24 * time.Hour

// TestDirectorClock: a clock that ran ahead when the director was told does not keep
// the next news from him, and the old news are told once.
func TestDirectorClock(t *testing.T) {
	t.Parallel()
	db, m := playing(t, t.TempDir())
	tell := func(at time.Time) bool {
		told, err := db.TellDirector(t.Context(), at, "director@x.test", func([]Trouble) ([]byte, error) { return []byte("letter"), nil })
		must(t, err)
		return told
	}
	bounce := func(number int64, at time.Time) {
		must(t, db.Bounced(t.Context(), m.ID, 0, number, adjudicator.Bounce{Hard: true}, at))
	}
	ahead := noon.Add(aCentury)
	bounce(1, ahead)
	if !tell(ahead) || tell(ahead) || tell(noon) {
		t.Error("he is not told once")
	}
	bounce(2, noon)
	if !tell(noon) || tell(noon) {
		t.Error("what is new when the clock is right is not told once")
	}
	bounce(3, noon)
	if tell(noon.Add(time.Hour)) || !tell(noon.Add(24*time.Hour)) {
		t.Error("what is new on the same day is not told on the next one")
	}
}
