package dawn1989_test

import (
	"bytes"
	"testing"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// TestCanonicalPositions: all through random matches of both revisions a position writes the
// canonical form of its JSON.
func TestCanonicalPositions(t *testing.T) {
	t.Parallel()
	positions := 0
	for seed := range uint64(long.N(12, 60)) {
		chance := rulestest.NewDice(seed)
		s := rules.Setup{Seats: 2, Revision: 1 + int(seed)%game.Revision()}
		if seed%3 == 2 {
			s.Options = map[string]string{"bidding": "yes"}
		}
		pos, err := game.Begin(s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pos.Resume(chance, nil); err != nil {
			t.Fatal(err)
		}
		var got []byte
		for ; ; positions++ {
			data, err := pos.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			want, err := record.CanonicalJSON(data)
			if err != nil {
				t.Fatal(err)
			}
			if got = game.Canonical(got[:0], pos); !bytes.Equal(got, want) {
				t.Fatalf("seed %d: a position writes\n%s\nand its canonical form is\n%s", seed, got, want)
			}
			decisions := pos.OpenDecisions(nil)
			if len(decisions) == 0 {
				break
			}
			options := pos.Options(nil, decisions[0].ID)
			if _, err := pos.Apply(decisions[0].ID, options[chance.Intn(len(options))], chance, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if positions < 1000 {
		t.Errorf("only %d positions", positions)
	}
}
