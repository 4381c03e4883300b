package storage

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/contact"
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
		if sent, waits, err := db.NoteSent(t.Context(), name); err != nil || !sent.Equal(want) || waits != waiting {
			t.Errorf("sent %s, waits %v, %v; want %s, %v", sent, waits, err, want, waiting)
		}
	}
	note := func(to, name string) adjudicator.Dispatch {
		return adjudicator.Dispatch{Addressee: adjudicator.Addressee{Match: m.ID, Seat: rules.Nobody, To: to}, Heading: adjudicator.Heading{MessageID: name}, Sending: adjudicator.Sending{Date: noon}, Raw: adjudicator.Rendered{Bytes: []byte(name + " to " + to)}}
	}
	check("note", time.Time{}, false)
	m.Seats[0].Player.Address = "new@x.test"
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m, Player: m.Seats[0].Player, Letters: []adjudicator.Dispatch{note(north, "note"), note("other@x.test", "other")}}))
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
	want.Player = &adjudicator.Player{ID: want.Player.ID, Version: want.Player.Version, Contact: contact.Contact{
		Address: "n@x.test", Asked: []time.Time{noon}, Serial: 2,
		Request: &contact.Request{To: "new@x.test", Through: contact.Through{Match: m.ID}, Serial: 2, At: noon, Noticed: noon.Add(time.Minute), Granted: true, Yes: true, Due: noon.Add(time.Hour)},
	}}
	m.Seats[0] = want
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m, Player: want.Player}))
	want.Player.Version++
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

// TestPlayers: seats with one address are one player's. A player who has changed since he
// was read is a conflict, and so is one who has sat down in another match.
func TestPlayers(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	first := aMatch(t, db)
	was, err := db.Match(t.Context(), first.ID)
	must(t, err)
	if was.Seats[0].Player.Several {
		t.Error("he sits in one match")
	}
	second := *was
	second.ID, second.Seats = "mother", slices.Clone(was.Seats)
	second.Seats[0].Player, second.Seats[1].Player = adjudicator.NewPlayer("s@x.test"), adjudicator.NewPlayer("s@x.test")
	must(t, db.Create(t.Context(), &second, nil))
	one, err := db.Match(t.Context(), first.ID)
	must(t, err)
	both, err := db.Match(t.Context(), second.ID)
	must(t, err)
	p := one.Seats[1].Player
	if both.Seats[0].Player != both.Seats[1].Player || both.Seats[0].Player.ID != p.ID || !p.Several {
		t.Errorf("%+v, %+v, %+v", p, both.Seats[0].Player, both.Seats[1].Player)
	}
	seats, err := db.SeatsOf(t.Context(), p.ID)
	if d := cmp.Diff([]adjudicator.SeatOf{
		{Match: first.ID, Seat: 1, State: was.State}, {Match: "mother", Seat: 0, State: was.State}, {Match: "mother", Seat: 1, State: was.State}}, seats); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	for _, stale := range []*adjudicator.Player{was.Seats[1].Player, p, p} {
		stale.Address = "new@x.test"
		err := db.Apply(t.Context(), adjudicator.Change{Match: one, Player: stale, Others: []*adjudicator.Match{both}})
		if want := map[bool]error{true: nil, false: adjudicator.ErrConflict}[stale == p && one.Version == first.Version]; !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		if err == nil {
			one.Version++ // It has been written, and the next try is one from before.
			both.Version++
		}
	}
	// Somebody else in a seat is another player there, and nowhere else.
	both, err = db.Match(t.Context(), second.ID)
	must(t, err)
	both.Seats[0].Player = adjudicator.NewPlayer("third@x.test")
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: both}))
	both, err = db.Match(t.Context(), second.ID)
	must(t, err)
	if a, b := both.Seats[0].Player, both.Seats[1].Player; a.Address != "third@x.test" || b.Address != "new@x.test" || a.ID == b.ID {
		t.Errorf("%+v, %+v", a, b)
	}
}
