package adjudicator_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/rulestest"
	"samizdat/mail/message"
)

// TestOtherBuild: a position that another build has stored is played again from
// the history before the match goes on.
func TestOtherBuild(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	c.adj.Build = "two"
	if a := c.sends(seat, line); strings.Contains(a.Text, ": refused") {
		t.Errorf("the order was refused:\n%s", a.Text)
	}
	if m, err := c.db.Match(t.Context(), id); err != nil || m.Build != "two" {
		t.Errorf("the position is of build %q, %v", m.Build, err)
	}
}

// altered is a store whose positions are not what the history leads to.
type altered struct{ exchange.Store }

func (a altered) Match(ctx context.Context, id string) (*match.Match, error) {
	m, err := a.Store.Match(ctx, id)
	if err == nil && m.Position != nil {
		m.Position = bytes.Replace(m.Position, []byte(`"round":1`), []byte(`"round":2`), 1)
	}
	return m, err
}

// TestOtherPosition: when the history leads elsewhere, the match stops, nothing is
// stored, and the letter is to wait where it is.
func TestOtherPosition(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	was := c.position(id)
	if !bytes.Contains(was, []byte(`"round":1`)) {
		t.Fatalf("nothing to alter in %s", was)
	}
	c.store = func(s exchange.Store) exchange.Store { return altered{s} }
	c.reopen()
	c.adj.Build = "two"
	if _, err := c.try(c.letter(seat, line)); err == nil || !strings.Contains(err.Error(), "another position") || !errors.Is(err, message.ErrTemporary) {
		t.Errorf("error %v", err)
	}
	if !bytes.Equal(was, c.position(id)) {
		t.Error("the position has changed")
	}
}

// TestRebuildMidway: a match with recorded chance, in the middle of a card and
// with an order on file, goes on under another build.
func TestRebuildMidway(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	c.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST")
	c.reopen()
	c.adj.Build = "two"
	c.sends("communist", "PLACE Brasov 2, Ploiesti 2")
	if got := entriesOf(t, c, id); got[len(got)-1] != "democrat OPS PLACE Poznan 2, Lodz" {
		t.Errorf("the history ends with %q", got[len(got)-1])
	}
}
