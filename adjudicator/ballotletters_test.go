package adjudicator_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/rulestest/council"
)

// TestBallotBelowWhatOpensIt: no entry names a letter that has a ballot below the order
// that leads to it.
func TestBallotBelowWhatOpensIt(t *testing.T) {
	t.Parallel()
	c, id := begun(t, council.Game(), councillors...)
	all(t, c, councillors[:4], "NAME smith")
	l := c.letter("tanner", "NAME smith\nVOTE YES")
	raw, err := l.Render()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(raw)
	c.receive(l)
	if held := c.stored(id).Pending; len(held) != 1 || held[0].Letter != "" {
		t.Errorf("kept is %+v", held)
	}
	if bytes.Contains(c.export(id, true), []byte(hex.EncodeToString(sum[:]))) {
		t.Error("the letter is named")
	}
	verified(t, c, council.Game(), id)
}

// TestBallotLetterNotNamed: what else is in a letter with a ballot does not bind the
// letter to the history.
func TestBallotLetterNotNamed(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	all(t, c, councillors, "VOTE YES")
	all(t, c, councillors, "HOLD")
	says(t, c, "smith FINE Baker")
	var last exchange.Change
	c.store = func(s exchange.Store) exchange.Store { return watching{s, &last} }
	c.reopen()
	vote := c.letter("miller", "VOTE NO")
	c.receive(vote)
	guess := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", address("miller"), last.Receipt.MessageID, "VOTE NO\n"))
	if last.Receipt.Digest == hex.EncodeToString(guess[:]) {
		t.Error("who has the database can try out which ballot a receipt is of")
	}
	// It is known again nevertheless.
	letters := c.got("miller")
	c.receive(vote)
	if c.got("miller") != letters {
		t.Error("a ballot that comes twice is answered twice")
	}
	if strings.Contains(string(c.export(id, true)), last.Receipt.Digest) {
		t.Error("the record has the receipt")
	}
	if bytes.Contains(last.Receipt.Raw, []byte("VOTE")) {
		t.Error("the letter is kept")
	}
}

// TestBallotsGone: the file keeps nothing of ballots that are counted.
func TestBallotsGone(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it looks at the bytes of the file")
	c, _ := council5(t)
	all(t, c, councillors, "VOTE YES")
	if err := c.db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(c.dir, "club.db"))
	if err != nil {
		t.Fatal(err)
	}
	if i := bytes.Index(data, []byte(`"Kinds":["vote"]`)); i >= 0 {
		t.Errorf("the file has: %q", data[max(0, i-60):i+40])
	}
}
