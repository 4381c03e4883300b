package adjudicator_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// verifies fails when the record of a match does not verify: that of everybody as long as
// something is hidden, the whole one always.
func verifies(t *testing.T, c *club, g *rules.Game, id string) *record.Record {
	t.Helper()
	public, err := record.Read(bytes.NewReader(c.export(id, false)))
	if err != nil {
		t.Fatal(err)
	}
	rec := readRecord(t, c, id)
	final, err := record.Replay(rec, g, nil)
	if err = errors.Join(err, record.VerifyChain(public), record.VerifyChain(rec), record.VerifyStream(rec)); err != nil {
		t.Fatal(err)
	}
	if _, over := final.Position.Result(); over != (c.stored(id).State == match.Over) {
		t.Errorf("the record ends in a match that is over: %v", over)
	}
	return rec
}

// published reports whether the secret of a match stands in what everybody may export.
func published(c *club, id string) bool {
	return bytes.Contains(c.export(id, false), []byte(c.stored(id).Secret.Hex()))
}

// TestUndoneTwice: an undo can be undone, dice after it are new, and the record of a match with the
// dice of 1989 verifies to its end. Letters from before answer nothing.
func TestUndoneTwice(t *testing.T) {
	t.Parallel()
	c, id := begun(t, dawn1989.Game(), dawnSeats...)
	stale := c.letter("communist", "PLACE Gyor, Debrecen")
	says(t, c, "communist PLACE Miskolc, Debrecen")
	before := c.position(id)
	act := func(text string, do bool) string {
		t.Helper()
		a, err := letter.ParseDirective(text, "it went wrong")
		if err != nil {
			t.Fatal(err)
		}
		effect, err := c.adj.ExecuteDirective(t.Context(), id, a, do)
		if err != nil {
			t.Fatal(err)
		}
		c.deliver()
		return effect
	}
	was := c.export(id, true)
	if effect := act("undo to 1", false); !strings.Contains(effect, "PLACE Miskolc, Debrecen") || !bytes.Equal(was, c.export(id, true)) {
		t.Errorf("without doing it: %s", effect)
	}
	act("undo to 1", true)
	was = c.export(id, true)
	if c.receive(stale); !bytes.Equal(was, c.export(id, true)) {
		t.Errorf("a letter from before does something:\n%s", c.last("communist").Text)
	}
	if bytes.Equal(before, c.position(id)) || c.stored(id).Epoch != 1 {
		t.Error("nothing was undone")
	}
	act(fmt.Sprintf("undo to %d", c.stored(id).EntryCount-1), true)
	if !bytes.Equal(before, c.position(id)) || c.stored(id).Epoch != 2 {
		t.Error("the undo was not undone")
	}
	verifies(t, c, dawn1989.Game(), id)
	if published(c, id) {
		t.Error("the secret is published")
	}
}

// TestUndoneForNobody: where an undo leaves only who has resigned to answer, silence does at once.
func TestUndoneForNobody(t *testing.T) {
	t.Parallel()
	c := newClub(t, council.Game())
	seats := councilOf(3)
	id := c.match("council", nil, seats...)
	all(t, c, seats, "NAME miller")
	all(t, c, seats, "VOTE YES")
	says(t, c, "miller RESIGN "+id, "baker HOLD", "smith HOLD") // And by lot the chair has fined somebody.
	n := c.stored(id).EntryCount - 1
	if _, err := c.adj.ExecuteDirective(t.Context(), id, match.Directive{Verb: match.DirectorUndo, Entry: n, Why: "of it"}, true); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	if owed := owedIn(t, c, council.Game(), id); len(owed) != 3 || owed[0].Kind != "vote" {
		t.Errorf("the match waits for %+v", owed)
	}
	verified(t, c, council.Game(), id)
}

// TestUndoneToResigned: an undo puts the player before back into no seat, and so his resignation
// does not bind the one who plays there.
func TestUndoneToResigned(t *testing.T) {
	t.Parallel()
	c := newClub(t, council.Game())
	seats := councilOf(3)
	id := c.match("council", nil, seats...)
	all(t, c, seats, "NAME miller")
	says(t, c, "miller RESIGN "+id)
	n := c.stored(id).EntryCount
	if err := c.adj.Replace(t.Context(), id, 0, address("new")); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	for _, to := range []int{n, n + 1, n} {
		if _, err := c.adj.ExecuteDirective(t.Context(), id, match.Directive{Verb: match.DirectorUndo, Entry: to, Why: "of it"}, true); err != nil {
			t.Fatal(err)
		}
		c.deliver()
		says(t, c, "new VOTE YES")
	}
	verified(t, c, council.Game(), id)
	says(t, c, "baker RESIGN "+id)
	if m := c.stored(id); m.State != match.Playing {
		t.Errorf("it is %s, though two play", m.State)
	}
	says(t, c, "new RESIGN "+id)
	if m := c.stored(id); m.State != match.Over {
		t.Errorf("it is %s, though one plays", m.State)
	}
	verified(t, c, council.Game(), id)
}
