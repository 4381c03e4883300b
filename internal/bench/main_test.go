package bench

import (
	"testing"

	"samizdat/internal/long"
)

func TestMain(m *testing.M) {
	defer long.InMemory()()
	m.Run()
}
