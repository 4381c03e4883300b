package gametest_test

import (
	"testing"

	"samizdat/internal/test/gametest"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
)

// TestGames: the games that there are keep to the contract.
func TestGames(t *testing.T) {
	t.Parallel()
	for _, g := range []*rules.Game{dawn1989.Game(), revolution1789.Game(), rulestest.Game(), council.Game()} {
		t.Run(g.Name(), func(t *testing.T) {
			t.Parallel()
			gametest.Check(t, g)
		})
	}
}
