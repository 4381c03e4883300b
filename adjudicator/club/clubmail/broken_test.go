package clubmail_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/clubmail"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/pgtest"
)

// TestBroken: a match that cannot be read is tried again after a while, and holds up neither other
// results nor, time and again, the digests of its players.
func TestBroken(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	h.answers("Ben", "DIGEST DAILY")
	h.answers("Cleo", "DIGEST DAILY")
	over := h.invites("Ada", "Ben")
	h.resigns(over, "Ada")
	runs := h.invites("Ada", "Ben")
	if _, err := pgtest.Look(t, h.path()).ExecContext(t.Context(), `UPDATE matches SET acts = $1 WHERE id IN ($2, $3)`, []byte{0}, over, runs); err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(25 * time.Hour)
	if err := h.club.RunDueTasks(t.Context(), h.now); err == nil || !strings.Contains(err.Error(), over) || !strings.Contains(err.Error(), "send the digest to member 2") {
		t.Errorf("the operator is told %v", err)
	}
	h.due() // Nothing fails: nothing of it is due.
	if n := h.letters("Cleo", "Here is the news of"); n != 1 {
		t.Errorf("Cleo has %d digests", n)
	}
	if ids, err := h.db.Club.UnexaminedMatches(t.Context(), h.now.Add(2*time.Hour), 10); err != nil || len(ids) != 1 {
		t.Errorf("it is never tried again: %v, %v", ids, err)
	}
	if ids, err := h.db.Club.DueDigests(t.Context(), h.now.Add(2*time.Hour), 10); err != nil || len(ids) != 1 {
		t.Errorf("the digest is never tried again: %v, %v", ids, err)
	}
}

// away is a store that was not to be reached, whatever has failed.
type away struct{ clubmail.Store }

// Fault implements clubmail.Results.
func (away) Fault(error) (string, bool) { return "it is away", true }

// TestAwayStore: what could not be counted or told since the database was away stays due.
func TestAwayStore(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.answers("Ben", "DIGEST DAILY")
	over := h.invites("Ada", "Ben")
	h.resigns(over, "Ada")
	runs := h.invites("Ada", "Ben")
	if _, err := pgtest.Look(t, h.path()).ExecContext(t.Context(), `UPDATE matches SET acts = $1 WHERE id IN ($2, $3)`, []byte{0}, over, runs); err != nil {
		t.Fatal(err)
	}
	h.now = h.now.Add(25 * time.Hour)
	h.club = clubmail.New(clubmail.Config{Adjudicator: h.adj, Store: away{h.db.Club}, Club: h.cfg})
	for range 2 {
		if err := h.club.RunDueTasks(t.Context(), h.now); err == nil || !strings.Contains(err.Error(), over) || !strings.Contains(err.Error(), "send the digest to member 2") {
			t.Errorf("the operator is told %v", err)
		}
	}
}

// stopping is a store whose daemon is stopped as soon as it knows what is due.
type stopping struct {
	clubmail.Store
	stop func()
}

// UnexaminedMatches implements clubmail.Results.
func (s stopping) UnexaminedMatches(ctx context.Context, now time.Time, limit int) ([]string, error) {
	defer s.stop()
	return s.Store.UnexaminedMatches(ctx, now, limit)
}

// TestStoppedCounting: what a daemon could not count since it was stopped stays due.
func TestStoppedCounting(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	over := h.invites("Ada", "Ben")
	h.resigns(over, "Ada")
	ctx, stop := context.WithCancel(t.Context())
	h.club = clubmail.New(clubmail.Config{Adjudicator: h.adj, Store: stopping{h.db.Club, stop}, Club: h.cfg})
	if err := h.club.RunDueTasks(ctx, h.now); err == nil {
		t.Error("a daemon that is stopped fails at nothing")
	}
	if ids, err := h.db.Club.UnexaminedMatches(t.Context(), h.now, 10); err != nil || len(ids) != 1 {
		t.Errorf("%v is due, %v", ids, err)
	}
}

// TestGathersTooMany: whoever plays as many matches as he may when an offer's time is over does
// not play that one too.
func TestGathersTooMany(t *testing.T) {
	t.Parallel()
	h := newHouse(t, func(c *club.Config) { c.MaxMatches = 1 })
	h.joins("Ada", "Ben", "Cleo", "Dora", "Emil", "Finn")
	h.answers("Ada", "OFFER 1789 FOR 3 DAYS")
	h.answers("Dora", "OFFER 1989 FOR 3 DAYS")
	for _, n := range []string{"Ben", "Cleo", "Emil", "Dora", "Finn"} {
		h.answers(n, "ACCEPT 1")
	}
	h.answers("Emil", "ACCEPT 2")
	h.now = h.now.Add(80 * time.Hour)
	h.due()
	m := h.match("Ada")
	if len(m.Seats) != 4 || m.Game != "1789" || m.State != match.Playing {
		t.Errorf("the match of %s has %d seats, and is %s", m.Game, len(m.Seats), m.State)
	}
	if !strings.Contains(h.last("Emil").Text, "has begun without you") {
		t.Errorf("Emil is told:\n%s", h.last("Emil").Text)
	}
	for _, n := range []string{"Ada", "Ben", "Cleo", "Dora", "Emil", "Finn"} {
		mem, err := h.db.Club.MemberByAddress(t.Context(), at(n))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := h.db.Club.CountRunning(t.Context(), mem.ID); err != nil || n != 1 {
			t.Errorf("%s plays %d, %v", mem.Name, n, err)
		}
	}
}
