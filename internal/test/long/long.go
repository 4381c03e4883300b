// Package long says how much the tests do. Ordinary runs are short enough to be
// made after every change; with the build tag "long" the same tests go through
// more games, kills and letters:
//
//	go test -tags long -timeout 60m ./...
//
// Only tests import it.
package long

import "testing"

// N is how often a test does something: short in an ordinary run, long with the
// build tag.
func N(short, long int) int {
	if Run {
		return long
	}
	return short
}

// Only skips a test, or a part of one, that has nothing to do in an ordinary run
// because shorter ones catch the same. It says which command runs it.
func Only(t testing.TB) {
	t.Helper()
	if !Run {
		t.Skip("a long test: go test -tags long")
	}
}
