package robot

import (
	"bytes"
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/rules/search"
)

// TestLayerSums compares the sums that a layer keeps from position to position with sums counted from the beginning.
func TestLayerSums(t *testing.T) {
	t.Parallel()
	var kept layerSums
	positions := 0
	playThrough(t, 7, func(p *engine.Position, options []rules.Atom) rules.Atom {
		values := ComputeFeatures(p)
		positions++
		if got, want := strongEvaluator.Layer.logOdds(&values, &kept), strongEvaluator.Layer.logOdds(&values, new(layerSums)); got != want {
			t.Fatalf("position %d, %v: the layer gives %d with kept sums, and %d without", positions, p.Question.Kind, got, want)
		}
		return options[positions%len(options)]
	})
	other := *strongEvaluator.Layer
	values := Features{search.Unit, search.Unit}
	if got, want := other.logOdds(&values, &kept), other.logOdds(&values, new(layerSums)); got != want {
		t.Errorf("another layer with the same sums gives %d, want %d", got, want)
	}
}

// TestLeafMarshal writes the strongest leaf and reads it again.
func TestLeafMarshal(t *testing.T) {
	t.Parallel()
	data, err := strongEvaluator.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, strongWeights) {
		t.Error("the strongest leaf is written otherwise than it was read")
	}
}
