package main

import (
	"strings"
	"testing"
)

// TestVersion: a program that was linked as a release says so; another names its source, or
// that it does not know it.
func TestVersion(t *testing.T) {
	t.Parallel()
	if got := versionOf("1.2.3"); !strings.HasPrefix(got, "1.2.3, go1.") {
		t.Errorf("a release says %q", got)
	}
	if got := versionOf(""); strings.HasPrefix(got, ",") || !strings.Contains(got, ", go1.") {
		t.Errorf("without one it says %q", got)
	}
}
