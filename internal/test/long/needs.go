package long

import (
	"os"
	"os/exec"
	"testing"
)

// Needs skips a test if a program is not installed, for example python3. Where the environment has CI=true,
// the test fails instead.
func Needs(t testing.TB, program string) {
	t.Helper()
	if Missing(t, program) {
		t.Skipf("%s is not installed", program)
	}
}

// Missing reports whether a program is not installed. Where the environment has CI=true, that fails the test.
func Missing(t testing.TB, program string) bool {
	t.Helper()
	_, err := exec.LookPath(program)
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed: %v", program, err)
	}
	return err != nil
}
