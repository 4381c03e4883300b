package gate_test

import (
	"errors"
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
)

// voting is a council of three that is asked to vote.
func voting(t *testing.T) rules.Position {
	t.Helper()
	pos, err := council.Game().Begin(rules.Setup{Seats: 3, Revision: 1})
	if err != nil {
		t.Fatal(err)
	}
	dice := rulestest.NewDice(1)
	if _, err := pos.Resume(dice, nil); err != nil {
		t.Fatal(err)
	}
	for _, d := range pos.OpenDecisions(nil) {
		if _, err := pos.Apply(d.ID, pos.Options(nil, d.ID)[1], dice, nil); err != nil {
			t.Fatal(err)
		}
	}
	return pos
}

func cast(seat rules.Seat, atoms ...rules.Atom) gate.SealedAnswer {
	return gate.SealedAnswer{Seat: seat, Answer: rules.Answer{Atoms: atoms, Kinds: []string{"vote"}, Ballot: true}}
}

func TestBallots(t *testing.T) {
	t.Parallel()
	pos := voting(t)
	d := pos.OpenDecisions(nil)[0]
	options := pos.Options(nil, d.ID)
	no, yes := options[0], options[1]
	outcome, err := gate.CountBallots(council.Game(), pos, []gate.SealedAnswer{cast(0, yes), cast(1, no), cast(2, yes)})
	if err != nil || string(outcome) != `{"no":1,"yes":2}` {
		t.Fatalf("outcome %s, error %v", outcome, err)
	}
	if _, err := gate.CountBallots(council.Game(), pos, []gate.SealedAnswer{cast(0, yes), cast(1, no)}); !errors.As(err, new(*gate.IncompleteError)) {
		t.Errorf("a ballot is missing: %v", err)
	}
	for name, s := range map[string]gate.SealedAnswer{"two atoms": cast(0, yes, no), "no option": cast(0, yes+7), "empty": cast(0)} {
		if _, err := gate.Check(pos, s.Seat, s.Answer); !errors.Is(err, gate.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := pos.OpenDecisions(nil); len(got) != 3 {
		t.Errorf("a tally changed the position: %v", got)
	}
	c, err := gate.ApplyBallots(council.Game(), pos, d.Group, outcome, gate.NoChance{})
	if err != nil || c.Stalled || c.Position.OpenDecisions(nil)[0].Kind != "hold" {
		t.Errorf("declared: %+v, %v", c, err)
	}
	if _, err := gate.ApplyBallots(council.Game(), pos, d.Group+1, outcome, gate.NoChance{}); err == nil {
		t.Error("another group's outcome is taken")
	}
	if _, err := gate.ExecuteSealed(pos, []gate.SealedAnswer{cast(0, yes), cast(1, no), cast(2, yes)}, gate.NoChance{}); err == nil {
		t.Error("ballots are opened")
	}
}
