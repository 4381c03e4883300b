package storage

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator"
	"samizdat/adjudicator/contact"
	"samizdat/rules"
)

// TestAddressNotes: of a short letter about a match it is known when it was sent, and
// whether it waits, whatever else goes to that address. It is nobody's letter of the
// match: it follows nobody elsewhere, holds no letters up, and nobody is told when it
// fails.
func TestAddressNotes(t *testing.T) {
	t.Parallel()
	db, m := playing(t, t.TempDir())
	box := db.Outbox("r@x.test")
	m, err := db.Match(t.Context(), m.ID)
	must(t, err)
	north := m.Seats[0].Player.Address
	check := func(name string, want time.Time, waiting bool) {
		t.Helper()
		if sent, waits, err := db.NoteSent(t.Context(), m.ID, north, name); err != nil || !sent.Equal(want) || waits != waiting {
			t.Errorf("sent %s, waits %v, %v; want %s, %v", sent, waits, err, want, waiting)
		}
	}
	note := func(to, name string) adjudicator.Dispatch {
		return adjudicator.Dispatch{Match: m.ID, Seat: rules.Nobody, To: to, MessageID: name, Date: noon, Raw: adjudicator.Rendered{Bytes: []byte(name + " to " + to)}}
	}
	check("note", time.Time{}, false)
	m.Seats[0].Player.Address = "new@x.test"
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m, Letters: []adjudicator.Dispatch{note(north, "note"), note("other@x.test", "other")}}))
	check("note", time.Time{}, true)
	ids := map[string]int64{}
	find := func(at time.Time) {
		t.Helper()
		due, err := box.Due(t.Context(), at, 10)
		must(t, err)
		for _, o := range due {
			ids[string(o.Raw)] = o.ID
		}
	}
	find(noon)
	id := ids["note to "+north]
	if id == 0 || ids["other to other@x.test"] == 0 {
		t.Fatalf("what is due: %v", ids)
	}
	must(t, box.Failed(t.Context(), id, noon, noon.Add(time.Hour), false, "later"))
	// One that waits for another try stops no other, and one that goes to the same
	// address is no news of it.
	must(t, db.Apply(t.Context(), adjudicator.Change{Letters: []adjudicator.Dispatch{note(north, "question")}}))
	find(noon)
	must(t, box.Sent(t.Context(), []int64{ids["question to "+north]}, noon))
	check("note", time.Time{}, true)
	check("question", noon, false)
	must(t, box.Sent(t.Context(), []int64{id}, noon.Add(time.Hour)))
	check("note", noon.Add(time.Hour), false)
	must(t, db.Apply(t.Context(), adjudicator.Change{Letters: []adjudicator.Dispatch{note(north, "more")}}))
	check("note", noon.Add(time.Hour), false)
	check("more", time.Time{}, true)
	find(noon)
	must(t, box.Failed(t.Context(), ids["more to "+north], noon, noon, true, "no such user"))
	check("more", time.Time{}, false)
	// Those that were stored without a name are found by their address.
	check("unnamed", time.Time{}, false)
	must(t, db.Apply(t.Context(), adjudicator.Change{Letters: []adjudicator.Dispatch{note(north, "")}}))
	check("unnamed", time.Time{}, true)
	check("note", noon.Add(time.Hour), false)
	if told, err := db.TellDirector(t.Context(), noon, "d@x.test", func([]Trouble) ([]byte, error) { return []byte("letter"), nil }); told || err != nil {
		t.Errorf("the director is told: %v, %v", told, err)
	}
}

// TestAddressRequests: all of a request is there again after a restart.
func TestAddressRequests(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, m := playing(t, dir)
	m, err := db.Match(t.Context(), m.ID)
	must(t, err)
	want := m.Seats[0]
	want.Good, want.Seen = 3, true
	want.Player = &adjudicator.Player{Contact: contact.Contact{
		Address: "n@x.test", Asked: []time.Time{noon}, Serial: 2,
		Request: &contact.Request{To: "new@x.test", Serial: 2, At: noon, Noticed: noon.Add(time.Minute), Granted: true, Yes: true, Due: noon.Add(time.Hour)},
	}}
	m.Seats[0] = want
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m}))
	must(t, db.Close())
	db = open(t, dir)
	m, err = db.Match(t.Context(), m.ID)
	must(t, err)
	if d := cmp.Diff(want, m.Seats[0]); d != "" {
		t.Error(d)
	}
	if due, err := db.DueMatches(t.Context(), noon.Add(time.Hour), 10); err != nil || len(due) != 1 {
		t.Errorf("due are %v, %v", due, err)
	}
}
