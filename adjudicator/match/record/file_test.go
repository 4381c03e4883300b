package record_test

import (
	"os"
	"path/filepath"
	"testing"

	"samizdat/adjudicator/match/record"
)

// TestWriteFilePrivate: nobody but its owner reads a record, in the place of a file that
// others could read either.
func TestWriteFilePrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "match.jsonl")
	if err := os.WriteFile(path, []byte("older\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (&record.Record{}).WriteFile(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the record has the rights %v", info.Mode())
	}
}
