package main

import (
	"context"
	"os"
	"testing"
)

// asProgram in the environment makes the test binary behave as the program, so
// that tests can start and kill real processes.
const asProgram = "SAMIZDAT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
