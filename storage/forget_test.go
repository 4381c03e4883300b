package storage

import (
	"context"
	"errors"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
)

// TestForgottenStaysForgotten: a letter that was read while its writer was forgotten does not bring back what he had set;
// and of the letters to him, also those that come while the others are looked for are forgotten.
func TestForgottenStaysForgotten(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	m := aMatch(t, db)
	id, err := db.PlayerAt(t.Context(), "n@x.test")
	must(t, err)
	member := &club.Member{ID: id, Name: "Ann", Skeleton: "ann", Address: "n@x.test", State: club.Active, Since: noon}
	must(t, db.Apply(t.Context(), adjudicator.Change{Club: &club.Change{Members: []*club.Member{member}}}))
	member, err = db.Member(t.Context(), id)
	must(t, err)
	m, err = db.Match(t.Context(), m.ID)
	must(t, err)
	m.State = adjudicator.Over
	must(t, db.Apply(t.Context(), adjudicator.Change{Match: m}))
	read, err := db.Match(t.Context(), m.ID)
	must(t, err)

	forgets := &club.Change{Members: []*club.Member{member}, Forgotten: member}
	to, err := db.mailTo(t.Context(), forgets)
	must(t, err)
	must(t, db.Apply(t.Context(), adjudicator.Change{Letters: []adjudicator.Dispatch{dispatch(m, 0, 2)}}))
	must(t, db.write(t.Context(), func(ctx context.Context, tx *transaction) error {
		return errors.Join(unseat(ctx, tx, forgets), applyClub(ctx, tx, forgets, to))
	}))

	read.Seats[0].Timing.Grace = time.Hour
	if err := db.Apply(t.Context(), adjudicator.Change{Match: read}); !errors.Is(err, adjudicator.ErrConflict) {
		t.Errorf("a letter that was read before is stored: %v", err)
	}
	if m, err = db.Match(t.Context(), m.ID); err != nil || m.Seats[0].Timing.Grace != 0 {
		t.Errorf("what he had set is there again: %v", err)
	}
	var n int
	if must(t, db.reader.QueryRowContext(t.Context(), `SELECT count(*) FROM outbox WHERE recipient = $1`, "n@x.test").Scan(&n)); n > 0 {
		t.Errorf("%d letters to him are known", n)
	}
}
