//go:build integration

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPlayAtTerminal: a line can be edited and brought back, Ctrl-C leaves the table, and
// the match is kept where it can be gone on with.
func TestPlayAtTerminal(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeoutCause(t.Context(), 30*time.Second, errors.New("the terminal took too long"))
	defer cancel()
	dir := t.TempDir()
	at := func(args, prompt string, keys ...string) string {
		t.Helper()
		// A program for terminals gets one.
		cmd := exec.CommandContext(ctx, "script", "-qec", os.Args[0]+" play "+args, os.DevNull)
		cmd.Env = append(os.Environ(), asProgram+"=1", "HOME="+dir, "XDG_STATE_HOME=", "TERM=xterm")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatalf("%v: script is in Debian's bsdutils", err)
		}
		var said strings.Builder
		b := make([]byte, 4096)
		for n, err := out.Read(b); err == nil; n, err = out.Read(b) {
			said.Write(b[:n])
			if len(keys) > 0 && strings.HasSuffix(said.String(), prompt) {
				if _, err := io.WriteString(in, keys[0]); err != nil {
					t.Fatal(err)
				}
				keys = keys[1:]
			}
		}
		if err := cmd.Wait(); err != nil || len(keys) > 0 {
			t.Fatalf("%v, %d keys were not typed:\n%s", err, len(keys), said.String())
		}
		return strings.ReplaceAll(said.String(), "\r", "")
	}
	// The second line is the first, brought back, with its end typed anew.
	text := at("--robot sensible --seat communist --seed 3", "\ncommunist> ",
		"place misk, gdansk\r", "\x1b[A"+strings.Repeat("\x7f", len("gdansk"))+"debr\r", "\x03")
	if !strings.Contains(text, "PLACE Miskolc, Debrecen") && !strings.Contains(text, "The Communist places 1 support point in Miskolc and 1 in Debrecen") {
		t.Errorf("the line was not edited:\n%s", text)
	}
	kept, err := filepath.Glob(filepath.Join(dir, ".local", "state", "samizdat", "m*.jsonl"))
	if err != nil || len(kept) != 1 || !strings.Contains(text, "play --resume "+kept[0]+"\n") {
		t.Fatalf("kept are %v (%v):\n%s", kept, err, text)
	}
	if text := at("--resume "+kept[0], "\ncommunist> ", "quit\r"); !strings.Contains(text, "resumed") || !strings.Contains(text, "You have left the table.") {
		t.Errorf("it does not go on:\n%s", text)
	}
}
