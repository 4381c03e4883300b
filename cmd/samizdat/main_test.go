package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/internal/config"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/storage"
)

// asProgram in the environment makes the test binary behave as the program, so
// that tests can start and kill real processes.
const asProgram = "SAMIZDAT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	// The tests do not use the configuration of this machine.
	systemConfig = os.Getenv("SAMIZDAT_TEST_SYSTEM_CONFIG")
	if os.Getenv(asProgram) != "" {
		main()
	}
	long.Waiting(8)
	defer long.InMemory()()
	m.Run()
}

// housed lets a configuration have its database where tests have theirs, and returns the line of a file for that.
func housed(t testing.TB, cfg *config.Config) string {
	t.Helper()
	cfg.DatabaseLocation = pgtest.Where(t, databaseOf(cfg.Data), cfg.KeyFile(), storage.Open)
	return fmt.Sprintf("database: %q\n", cfg.DatabaseLocation)
}

// databaseOf names the database of a data directory.
func databaseOf(dir string) string { return filepath.Join(dir, "samizdat.db") }

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
