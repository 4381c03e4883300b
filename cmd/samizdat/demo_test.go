package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/internal/demo"
)

// TestDemoTidies: a demonstration leaves nothing unless it is told where, and never writes
// where something is.
func TestDemoTidies(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	cmd := newCommand()
	cmd.SetOut(&out)
	broken := errors.New("broken off")
	for _, want := range []error{nil, broken} {
		var used string
		err := inDirectory(cmd, "", func(dir string) error {
			used = dir
			return errors.Join(os.WriteFile(filepath.Join(dir, "samizdat.db"), nil, 0o600), want)
		})
		if _, gone := os.Stat(used); !errors.Is(err, want) || !errors.Is(gone, fs.ErrNotExist) {
			t.Errorf("%v, and the directory: %v", err, gone)
		}
	}
	keep := filepath.Join(t.TempDir(), "a demo")
	record := filepath.Join(keep, demo.RecordFile)
	if err := inDirectory(cmd, keep, func(dir string) error {
		return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(record, nil, 0o600))
	}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Nothing of it is kept", "SAMIZDAT_DATA='" + keep + "' ", " verify '" + record + "' --letters '" + filepath.Join(keep, "letters") + "'\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said:\n%s", want, out.String())
		}
	}
	if err := inDirectory(cmd, keep, func(string) error { return errors.New("it is used") }); err == nil || !strings.Contains(err.Error(), "name a new directory") {
		t.Errorf("a directory that is not empty: %v", err)
	}
}
