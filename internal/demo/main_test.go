package demo

import (
	"testing"

	"samizdat/internal/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// games are what the daemons of tests know.
var games = rules.Games{dawn1989.Game{}}

func TestMain(m *testing.M) {
	long.Waiting(8)
	defer long.InMemory()()
	m.Run()
}
