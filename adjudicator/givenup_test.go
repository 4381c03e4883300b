package adjudicator_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
	"samizdat/storage"
)

// noBook is a database that cannot tell what became of letters.
type noBook struct{ *storage.DB }

func (noBook) BouncedSince(context.Context, string, rules.Seat, int64, time.Time) (soft, hard int, err error) {
	return 0, 0, errors.New("the disk is broken")
}

// TestGivenUpFails: who looks at the log finds out which match it was.
func TestGivenUpFails(t *testing.T) {
	t.Parallel()
	c, id := secondClub(t)
	if _, err := c.try(c.letter("democrat", "STATUS")); err != nil {
		t.Fatal(err)
	}
	box := c.db.Outbox(c.office.Address)
	due, err := box.Due(t.Context(), c.now, 10)
	if err != nil || len(due) != 1 {
		t.Fatalf("%d letters, %v", len(due), err)
	}
	if err := box.Failed(t.Context(), due[0].ID, c.now, c.now, true, "RCPT refused: 550 5.1.1 no such user"); err != nil {
		t.Fatal(err)
	}
	c.store = func(s adjudicator.Store) adjudicator.Store { return noBook{s.(*storage.DB)} }
	c.reopen()
	if err := c.adj.GivenUp(t.Context()); err == nil || err.Error() != "match "+id+", seat 0: the disk is broken" {
		t.Errorf("the error is %v", err)
	}
}
