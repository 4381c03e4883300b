package storage

import (
	"errors"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// watchedBy is a letter about a match to an observer, held back since noon.
func watchedBy(m *adjudicator.Match, o adjudicator.Observer, at time.Time) adjudicator.Dispatch {
	return adjudicator.Dispatch{Addressee: adjudicator.Addressee{Match: m.ID, Seat: rules.Nobody, Observer: o.Number, To: o.Address}, Sending: adjudicator.Sending{Date: at, Held: at.Sub(noon)}, Raw: adjudicator.Rendered{Bytes: []byte("public")}}
}

// due are the recipients of what is due.
func due(t *testing.T, db *DB, now time.Time) (ids []int64, to []string) {
	t.Helper()
	out, err := db.Outbox("referee@x.test").Due(t.Context(), now, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		ids, to = append(ids, o.ID), append(to, o.To)
	}
	return ids, to
}

// TestObservers: who watches comes back, a letter waits until its date, and who
// leaves gets no more and is forgotten.
func TestObservers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	m := aMatch(t, db)
	if m, err := db.Match(t.Context(), m.ID); err != nil || m.ObserverPolicy.Allowed {
		t.Errorf("a match is open without being made so: %+v, %v", m, err)
	}
	ann := adjudicator.Observer{Number: 1, Address: "ann@x.test", Letters: 2, Since: noon}
	ben := adjudicator.Observer{Number: 2, Address: "ben@x.test", Letters: 1, Since: noon}
	late := noon.Add(24 * time.Hour)
	c := adjudicator.Change{Match: m, Observers: []adjudicator.Observer{ann, ben}, Letters: []adjudicator.Dispatch{
		watchedBy(m, ann, noon), watchedBy(m, ann, late), watchedBy(m, ben, late)}}
	if err := db.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := db.Apply(t.Context(), c); !errors.Is(err, adjudicator.ErrConflict) {
		t.Errorf("the change was made twice: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	got, err := db.Match(t.Context(), m.ID)
	if err != nil || got.LastObserver != 2 || len(got.Observers) != 2 || got.Observers[0] != ann || got.Observers[1] != ben {
		t.Fatalf("%+v watch, %v", got.Observers, err)
	}
	if _, to := due(t, db, noon); len(to) != 3 {
		t.Errorf("at noon letters to %v are due", to)
	}
	if _, to := due(t, db, late); len(to) != 5 {
		t.Errorf("a day later letters to %v are due", to)
	}
	ann.Ended = true
	if err := db.Apply(t.Context(), adjudicator.Change{Match: got, Observers: []adjudicator.Observer{ann}}); err != nil {
		t.Fatal(err)
	}
	ids, to := due(t, db, late)
	if len(to) != 3 || to[2] != "ben@x.test" {
		t.Errorf("letters to %v are due after ann has left", to)
	}
	// Ben's letter cannot be delivered: he watches no longer.
	if err := db.Outbox("").Failed(t.Context(), ids[2], late, late, true, "550 no such user"); err != nil {
		t.Fatal(err)
	}
	got, err = db.Match(t.Context(), m.ID)
	if err != nil || got.LastObserver != 2 || len(got.Observers) != 0 {
		t.Errorf("%+v watch, %v", got.Observers, err)
	}
	for _, a := range []string{ann.Address, ben.Address} {
		if known, err := db.Observes(t.Context(), a); known || err != nil {
			t.Errorf("%s is known: %v, %v", a, known, err)
		}
	}
}

// TestDroppedStaysDropped: a letter that was on its way when its reader left is not
// tried again.
func TestDroppedStaysDropped(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	ann := adjudicator.Observer{Number: 1, Address: "ann@x.test", Since: noon}
	c := adjudicator.Change{Match: m, Observers: []adjudicator.Observer{ann}, Letters: []adjudicator.Dispatch{watchedBy(m, ann, noon)}}
	if err := db.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	ids, _ := due(t, db, noon)
	m.Version, ann.Ended = 2, true
	if err := db.Apply(t.Context(), adjudicator.Change{Match: m, Observers: []adjudicator.Observer{ann}}); err != nil {
		t.Fatal(err)
	}
	if err := db.Outbox("").Failed(t.Context(), ids[2], noon, noon, false, "451 later"); err != nil {
		t.Fatal(err)
	}
	if _, to := due(t, db, noon.Add(time.Hour)); len(to) != 2 {
		t.Errorf("letters to %v are due", to)
	}
}

// TestObserverOnce: nobody watches a match twice, and a change that fails leaves
// nothing.
func TestObserverOnce(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	twice := []adjudicator.Observer{{Number: 1, Address: "ann@x.test"}, {Number: 2, Address: "ann@x.test"}}
	if err := db.Apply(t.Context(), adjudicator.Change{Match: m, Observers: twice}); err == nil {
		t.Error("an address watches twice")
	}
	if got, err := db.Match(t.Context(), m.ID); err != nil || got.Version != 1 || got.LastObserver != 0 {
		t.Errorf("a change that failed has left %+v, %v", got, err)
	}
}
