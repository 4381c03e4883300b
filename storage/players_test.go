package storage

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
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
		if sent, waits, err := db.NoticeSentAt(t.Context(), name); err != nil || !sent.Equal(want) || waits != waiting {
			t.Errorf("sent %s, waits %v, %v; want %s, %v", sent, waits, err, want, waiting)
		}
	}
	note := func(to, name string) exchange.OutgoingLetter {
		return exchange.OutgoingLetter{Addressee: exchange.Addressee{Match: m.ID, Seat: rules.NoSeat, To: to},
			Heading: exchange.Heading{MessageID: name}, Schedule: exchange.Schedule{Date: noon},
			Raw: exchange.RenderedMessage{Bytes: []byte(name + " to " + to)}}
	}
	check("note", time.Time{}, false)
	m.Seats[0].Player.Address = "new@x.test"
	must(t, db.Apply(t.Context(), exchange.Change{Match: m, Player: m.Seats[0].Player,
		Letters: []exchange.OutgoingLetter{note(north, "note"), note("other@x.test", "other")}}))
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
	must(t, box.MarkFailed(t.Context(), id, noon, noon.Add(time.Hour), false, "later"))
	// One that waits for another try stops no other, and one that goes to the same
	// address is no news of it.
	must(t, db.Apply(t.Context(), exchange.Change{Letters: []exchange.OutgoingLetter{note(north, "question")}}))
	find(noon)
	must(t, box.MarkSent(t.Context(), []int64{ids["question to "+north]}, noon))
	check("note", time.Time{}, true)
	check("question", noon, false)
	must(t, box.MarkSent(t.Context(), []int64{id}, noon.Add(time.Hour)))
	check("note", noon.Add(time.Hour), false)
	must(t, db.Apply(t.Context(), exchange.Change{Letters: []exchange.OutgoingLetter{note(north, "more")}}))
	check("note", noon.Add(time.Hour), false)
	check("more", time.Time{}, true)
	find(noon)
	must(t, box.MarkFailed(t.Context(), ids["more to "+north], noon, noon, true, "no such user"))
	check("more", time.Time{}, false)
	if wasNotified, err := db.Operator.ReportUndelivered(t.Context(), noon, "d@x.test", func([]SeatFailures) ([]byte, error) {
		return []byte("letter"),
			nil
	}); wasNotified || err != nil {
		t.Errorf("the director is told: %v, %v", wasNotified, err)
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
	want.IgnoreBouncesThrough, want.KeyExposed = 3, true
	want.Player = &match.Player{ID: want.Player.ID, Version: want.Player.Version, Contact: contact.Contact{
		Address: "n@x.test", RequestTimes: []time.Time{noon}, Serial: 2,
		Request: &contact.Request{To: "new@x.test", Origin: contact.Origin{Match: m.ID}, Serial: 2, RequestedAt: noon, NoticeTime: noon.Add(time.Minute),
			OldAddressAgreed: true, NewAddressAgreed: true, Due: noon.Add(time.Hour)},
	}}
	m.Seats[0] = want
	must(t, db.Apply(t.Context(), exchange.Change{Match: m, Player: want.Player}))
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
	if was.Seats[0].Player.InOtherMatches {
		t.Error("he sits in one match")
	}
	second := *was
	second.ID, second.Seats = "mother", slices.Clone(was.Seats)
	second.Seats[0].Player, second.Seats[1].Player = match.NewPlayer("s@x.test"), match.NewPlayer("s@x.test")
	must(t, db.Create(t.Context(), &second, nil))
	one, err := db.Match(t.Context(), first.ID)
	must(t, err)
	both, err := db.Match(t.Context(), second.ID)
	must(t, err)
	p := one.Seats[1].Player
	if both.Seats[0].Player != both.Seats[1].Player || both.Seats[0].Player.ID != p.ID || !p.InOtherMatches {
		t.Errorf("%+v, %+v, %+v", p, both.Seats[0].Player, both.Seats[1].Player)
	}
	seats, err := db.SeatsOf(t.Context(), p.ID)
	if d := cmp.Diff([]match.SeatRef{
		{Match: first.ID, Seat: 1, State: was.State}, {Match: "mother", Seat: 0, State: was.State}, {Match: "mother", Seat: 1,
			State: was.State}}, seats); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
	for _, stale := range []*match.Player{was.Seats[1].Player, p, p} {
		stale.Address = "new@x.test"
		err := db.Apply(t.Context(), exchange.Change{Match: one, Player: stale, OtherMatches: []*match.Match{both}})
		if want := map[bool]error{true: nil, false: match.ErrConflict}[stale == p && one.Version == first.Version]; !errors.Is(err, want) {
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
	both.Seats[0].Player = match.NewPlayer("third@x.test")
	must(t, db.Apply(t.Context(), exchange.Change{Match: both}))
	both, err = db.Match(t.Context(), second.ID)
	must(t, err)
	if a, b := both.Seats[0].Player, both.Seats[1].Player; a.Address != "third@x.test" || b.Address != "new@x.test" || a.ID == b.ID {
		t.Errorf("%+v, %+v", a, b)
	}
}

// watchedBy is a letter about a match to an observer, held back since noon.
func watchedBy(m *match.Match, o match.Observer, at time.Time) exchange.OutgoingLetter {
	return exchange.OutgoingLetter{Addressee: exchange.Addressee{Match: m.ID, Seat: rules.NoSeat, Observer: o.Number, To: o.Address},
		Schedule: exchange.Schedule{Date: at, Delay: at.Sub(noon)}, Raw: exchange.RenderedMessage{Bytes: []byte("public")}}
}

// readDue are the recipients of what is due.
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
	ann := match.Observer{Number: 1, Address: "ann@x.test", LastLetter: 2, Since: noon}
	ben := match.Observer{Number: 2, Address: "ben@x.test", LastLetter: 1, Since: noon}
	late := noon.Add(24 * time.Hour)
	c := exchange.Change{Match: m, Observers: []match.Observer{ann, ben}, Letters: []exchange.OutgoingLetter{
		watchedBy(m, ann, noon), watchedBy(m, ann, late), watchedBy(m, ben, late)}}
	if err := db.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := db.Apply(t.Context(), c); !errors.Is(err, match.ErrConflict) {
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
	ann.HasLeft = true
	if err := db.Apply(t.Context(), exchange.Change{Match: got, Observers: []match.Observer{ann}}); err != nil {
		t.Fatal(err)
	}
	ids, to := due(t, db, late)
	if len(to) != 3 || to[2] != "ben@x.test" {
		t.Errorf("letters to %v are due after ann has left", to)
	}
	// Ben's letter cannot be delivered: he watches no longer.
	if err := db.Outbox("").MarkFailed(t.Context(), ids[2], late, late, true, "550 no such user"); err != nil {
		t.Fatal(err)
	}
	got, err = db.Match(t.Context(), m.ID)
	if err != nil || got.LastObserver != 2 || len(got.Observers) != 0 {
		t.Errorf("%+v watch, %v", got.Observers, err)
	}
	for _, a := range []string{ann.Address, ben.Address} {
		if isKnown, err := db.IsObserver(t.Context(), a); isKnown || err != nil {
			t.Errorf("%s is known: %v, %v", a, isKnown, err)
		}
	}
}

// TestDroppedStaysDropped: a letter that was on its way when its reader left is not
// tried again.
func TestDroppedStaysDropped(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	ann := match.Observer{Number: 1, Address: "ann@x.test", Since: noon}
	c := exchange.Change{Match: m, Observers: []match.Observer{ann}, Letters: []exchange.OutgoingLetter{watchedBy(m, ann, noon)}}
	if err := db.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	ids, _ := due(t, db, noon)
	m.Version, ann.HasLeft = 2, true
	if err := db.Apply(t.Context(), exchange.Change{Match: m, Observers: []match.Observer{ann}}); err != nil {
		t.Fatal(err)
	}
	if err := db.Outbox("").MarkFailed(t.Context(), ids[2], noon, noon, false, "451 later"); err != nil {
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
	twice := []match.Observer{{Number: 1, Address: "ann@x.test"}, {Number: 2, Address: "ann@x.test"}}
	if err := db.Apply(t.Context(), exchange.Change{Match: m, Observers: twice}); err == nil {
		t.Error("an address watches twice")
	}
	if got, err := db.Match(t.Context(), m.ID); err != nil || got.Version != 1 || got.LastObserver != 0 {
		t.Errorf("a change that failed has left %+v, %v", got, err)
	}
}

// TestForgottenStaysForgotten: a letter that was read while its writer was forgotten does not bring back what he had set;
// and of the letters to him, also those that come while the others are looked for are forgotten.
func TestForgottenStaysForgotten(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	id, err := db.Club.PlayerIDByAddress(t.Context(), "n@x.test")
	must(t, err)
	member := &club.Member{ID: id, Name: "Ann", Skeleton: "ann", Address: "n@x.test", State: club.MemberActive, Since: noon}
	must(t, db.Apply(t.Context(), exchange.Change{Club: &club.Change{Members: []*club.Member{member}}}))
	member, err = db.Club.Member(t.Context(), id)
	must(t, err)
	m, err = db.Match(t.Context(), m.ID)
	must(t, err)
	m.State = match.Over
	must(t, db.Apply(t.Context(), exchange.Change{Match: m}))
	read, err := db.Match(t.Context(), m.ID)
	must(t, err)

	forgets := &club.Change{Members: []*club.Member{member}, ForgottenMember: member}
	to, err := db.findAddressLetters(t.Context(), forgets)
	must(t, err)
	must(t, db.Apply(t.Context(), exchange.Change{Letters: []exchange.OutgoingLetter{dispatch(m, 0, 2)}}))
	must(t, db.write(t.Context(), func(ctx context.Context, tx *transaction) error {
		return errors.Join(invalidateMatches(ctx, tx, forgets), applyClub(ctx, tx, forgets, to))
	}))

	read.Seats[0].Private.Grace = time.Hour
	if err := db.Apply(t.Context(), exchange.Change{Match: read}); !errors.Is(err, match.ErrConflict) {
		t.Errorf("a letter that was read before is stored: %v", err)
	}
	if m, err = db.Match(t.Context(), m.ID); err != nil || m.Seats[0].Private.Grace != 0 {
		t.Errorf("what he had set is there again: %v", err)
	}
	var n int
	if must(t, db.reader.QueryRowContext(t.Context(), `SELECT count(*) FROM outbox WHERE recipient = $1`, "n@x.test").Scan(&n)); n > 0 {
		t.Errorf("%d letters to him are known", n)
	}
}
