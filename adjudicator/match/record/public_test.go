package record

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPublicDraw: a card drawn out of a hand for all to see does not tell its
// place there, which would count the lower cards that are left.
func TestPublicDraw(t *testing.T) {
	t.Parallel()
	entry := func(i int) Entry {
		n := 4
		return Entry{Seq: 7, Chance: []Outcome{{Draw: 40, I: &i, N: &n, From: "strategy", Hand: "democrat", For: "Brought in for Questioning"}}}
	}
	low, high := entry(0), entry(3)
	one, err := json.Marshal(low.Public())
	if err != nil {
		t.Fatal(err)
	}
	two, err := json.Marshal(high.Public())
	if err != nil {
		t.Fatal(err)
	}
	if string(one) != string(two) || strings.Contains(string(one), `"i":`) {
		t.Errorf("the public entry depends on the place in the hand:\n%s\n%s", one, two)
	}
	// What is sealed does depend on it.
	if a, b := low.hiddenFields(), high.hiddenFields(); len(a.Chance) != 1 || *a.Chance[0][2].(*int) == *b.Chance[0][2].(*int) {
		t.Errorf("the place is not among the hidden fields: %v, %v", a, b)
	}
}
