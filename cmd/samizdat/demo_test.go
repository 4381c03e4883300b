package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"samizdat/internal/demo"
)

// TestDemoTidies: a demonstration leaves nothing unless it is told where, and never writes
// where something is.
func TestDemoTidies(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	cmd := newCommand()
	cmd.SetContext(t.Context())
	cmd.SetOut(&out)
	broken := errors.New("broken off")
	for _, want := range []error{nil, broken} {
		var used string
		err := runInDirectory(cmd, "", func(dir string) error {
			used = dir
			return errors.Join(os.WriteFile(filepath.Join(dir, "samizdat.db"), nil, 0o600), want)
		})
		if _, gone := os.Stat(used); !errors.Is(err, want) || !errors.Is(gone, fs.ErrNotExist) {
			t.Errorf("%v, and the directory: %v", err, gone)
		}
	}
	keep := filepath.Join(t.TempDir(), "a demo")
	record := filepath.Join(keep, demo.RecordFile)
	if err := runInDirectory(cmd, keep, func(dir string) error {
		return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(record, nil, 0o600))
	}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"The files were deleted", "SAMIZDAT_DATA='" + keep + "' ", " verify '" + record + "' --letters '" + filepath.Join(keep, "letters") + "'\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said:\n%s", want, out.String())
		}
	}
	if err := runInDirectory(cmd, keep, func(string) error { return errors.New("it is used") }); err == nil || !strings.Contains(err.Error(), "name a new or an empty directory") {
		t.Errorf("a directory that is not empty: %v", err)
	}
}

// TestDemoTidiesWhenNobodyReads: a demonstration leaves nothing behind either when its reader
// goes away, or its terminal.
func TestDemoTidiesWhenNobodyReads(t *testing.T) {
	t.Parallel()
	// A program that is started where the signal is ignored, as under nohup, would ignore it as well.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	for name, away := range map[string]func(*os.Process, io.Closer) error{
		"pipe":     func(_ *os.Process, out io.Closer) error { return out.Close() },
		"terminal": func(p *os.Process, _ io.Closer) error { return p.Signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "demo", "--slow")
			cmd.Env = append(os.Environ(), asProgram+"=1", "TMPDIR="+dir)
			var said bytes.Buffer
			cmd.Stderr = &said
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
				t.Fatalf("while it plays, %v, %v", entries, err)
			}
			if err := away(cmd.Process, out); err != nil {
				t.Fatal(err)
			}
			var ended *exec.ExitError
			if err := cmd.Wait(); !errors.As(err, &ended) || ended.ExitCode() != 1 || said.String() != "samizdat: "+errOutputClosed.Error()+"\n" {
				t.Errorf("it ended with %v, and said %q", err, said.String())
			}
			if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
				t.Errorf("it left %v, %v", entries, err)
			}
		})
	}
}
