package command_test

import (
	"slices"
	"testing"

	"samizdat/adjudicator/command"
)

// TestUncertainty: what stands beside orders without being understood is quoted, and they are proposed
// unless the letter can mean several.
func TestUncertainty(t *testing.T) {
	t.Parallel()
	order := command.Line{Text: "36 event", Kind: command.GameOrder}
	if _, ok := command.UncertaintyOf([]command.Line{order, {Text: "Hi Ben,"}}); ok {
		t.Error("a greeting leaves something open")
	}
	d, ok := command.UncertaintyOf([]command.Line{order, {Text: "my train is late", Kind: command.Doubt}})
	if !ok || len(d.Proposed) != 1 || !slices.Equal(d.Unread, []string{"my train is late"}) {
		t.Errorf("an order beside talk: %+v, %v", d, ok)
	}
	d, ok = command.UncertaintyOf([]command.Line{order, {Text: "36", Kind: command.Unreadable, Can: []string{"PLAY 36 EVENT", "PLAY 36 OPS"}}})
	if !ok || len(d.Proposed) != 0 || len(d.Choices) != 2 {
		t.Errorf("several orders: %+v, %v", d, ok)
	}
}
