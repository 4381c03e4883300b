package main

import (
	"os"
	"testing"

	"samizdat/internal/long"
)

// asProgram in the environment makes the test binary behave as the program, so
// that tests can start and kill real processes.
const asProgram = "SAMIZDAT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	long.Waiting(8)
	defer long.InMemory()()
	m.Run()
}
