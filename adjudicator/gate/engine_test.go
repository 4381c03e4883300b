package gate_test

import (
	"errors"
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// eager is an engine that breaks the contract: it rolls before an answer is
// complete.
type eager struct{ rules.Position }

func (e eager) Clone() rules.Position { return eager{e.Position.Clone()} }

func (e eager) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if _, err := c.Roll(0); err != nil {
		return dst, err
	}
	return e.Position.Apply(id, a, c, dst)
}

func TestMidwayChance(t *testing.T) {
	t.Parallel()
	a := answer(t, "PLAY 1 SOW Mill Lane 2")
	_, err := gate.Execute(eager{begun(t)}, north, a, &rulestest.Rolls{Left: []int{1, 2, 3, 4}})
	if !errors.Is(err, gate.ErrChanceMidAnswer) || errors.Is(err, gate.ErrRefused) {
		t.Errorf("got %v", err)
	}
	// Chance that is missing in the middle of an answer must not pass either.
	if _, err := gate.Execute(eager{begun(t)}, north, a, gate.NoChance{}); err == nil || errors.Is(err, gate.ErrRefused) {
		t.Errorf("got %v", err)
	}
}

// broken chance is neither a refusal nor a stall.
type brokenChance struct{ gate.NoChance }

var errBroken = errors.New("the die has fallen off the table")

func (brokenChance) Roll(rules.Reason) (int, error) { return 0, errBroken }

func TestBrokenChance(t *testing.T) {
	t.Parallel()
	_, err := gate.Execute(begun(t), north, answer(t, "PLAY 1 SOW Mill Lane 2"), brokenChance{})
	if !errors.Is(err, errBroken) || errors.Is(err, gate.ErrRefused) {
		t.Errorf("got %v", err)
	}
}
