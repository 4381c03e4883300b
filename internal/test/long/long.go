// Package long says how much the tests do. Ordinary runs are short enough to be
// made after every change; with the build tag "long" the same tests go through
// more games, kills and letters:
//
//	go test -tags long -timeout 60m ./...
//
// Only tests import it.
package long

import "testing"

// N returns the number of repetitions: short in an ordinary run, long with the build tag.
func N(short, long int) int {
	if Run {
		return long
	}
	return short
}

// Only skips a test, or a part of a test, in ordinary runs, where shorter tests find the same
// faults.
func Only(t testing.TB) {
	t.Helper()
	if !Run {
		t.Skip("a long test: go test -tags long")
	}
}
