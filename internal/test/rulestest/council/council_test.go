package council_test

import (
	"slices"
	"testing"

	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
)

// TestWholeCouncils plays councils of all sizes with random answers, writing and
// reading every position on the way.
func TestWholeCouncils(t *testing.T) {
	t.Parallel()
	g := council.Game()
	winners := map[int]int{}
	for seed := range uint64(300) {
		dice := rulestest.NewDice(seed)
		pos, err := g.Begin(rules.Setup{Seats: 2 + int(seed%11), Revision: 1, Options: map[string]string{"rounds": "3"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pos.Resume(dice, nil); err != nil {
			t.Fatal(err)
		}
		for {
			data, err := pos.MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			if pos, err = g.Decode(data); err != nil {
				t.Fatal(err)
			}
			owed := pos.OpenDecisions(nil)
			if len(owed) == 0 {
				break
			}
			if err := answer(pos, owed, dice); err != nil {
				t.Fatal(err)
			}
		}
		r, over := pos.Result()
		if !over || r.AllLost != (r.Winners == 0) || r.Words == "" {
			t.Fatalf("the end: %+v %v", r, over)
		}
		n := 0
		for s := range rules.Seat(12) {
			if r.Winners.Has(s) {
				n++
			}
		}
		winners[n]++
	}
	if winners[0] == 0 || winners[1] == 0 || winners[2] == 0 {
		t.Errorf("so many winners, so often: %v", winners)
	}
}

// answer answers all that is owed.
func answer(pos rules.Position, owed []rules.Decision, dice *rulestest.Dice) error {
	var ballots []rules.Ballot
	for _, d := range owed {
		options := pos.Options(nil, d.ID)
		if !slices.IsSorted(options) {
			panic("the options do not ascend")
		}
		a := options[dice.Intn(len(options))]
		if d.Kind == "hold" && dice.Intn(8) > 0 {
			a = options[0]
		}
		if d.Ballot {
			ballots = append(ballots, rules.Ballot{Decision: d, Atom: a})
			continue
		}
		if _, err := pos.Apply(d.ID, a, dice, nil); err != nil {
			return err
		}
	}
	if ballots == nil {
		return nil
	}
	t := council.Game().Ballots
	outcome, err := t.CountBallots(ballots)
	if err == nil {
		_, err = t.ApplyOutcome(pos, owed[0].Group, outcome, dice, nil)
	}
	return err
}
