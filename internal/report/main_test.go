package report

import (
	"testing"

	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// games are what the reports of tests know.
var games = rules.Games{dawn1989.Game()}

func TestMain(m *testing.M) {
	defer long.InMemory()()
	m.Run()
}
