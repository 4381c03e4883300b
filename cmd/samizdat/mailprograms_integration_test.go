//go:build integration

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/mailtest"
)

// TestMailPrograms: the line of README.md with which a mail program is started reads an
// invitation and a question and answers both, with each of the programs that it names.
func TestMailPrograms(t *testing.T) {
	t.Parallel()
	players := map[string]string{"mutt": "ada", "neomutt": "ben"}
	for p := range players {
		if _, err := exec.LookPath(p); err != nil {
			t.Fatalf("%v: install it, as .ci/run does (apt-get install mutt neomutt)", err)
		}
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^    mutt (?:.*\\\n)+.*$`).FindString(string(readme))
	if line == "" {
		t.Fatal("README.md starts no mutt")
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("the mail programs took too long"))
	defer cancel()
	dir := t.TempDir()
	config := filepath.Join(dir, "samizdat.yaml")
	text := fmt.Sprintf("data: %s\nembedded: {imap: '127.0.0.1:0', smtp: '127.0.0.1:0'}\nletters: {pictures: false}\n", filepath.Join(dir, "data"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	imap, smtp := serveForPrograms(ctx, t, config)
	if said, err := program(ctx, "new", "1989", "--config", config, "--seat", "ada@samizdat.local", "--seat", "ben@samizdat.local").CombinedOutput(); err != nil {
		t.Fatalf("a match: %v\n%s", err, said)
	}
	editor := filepath.Join(dir, "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\n{ echo \"$ORDER\"; cat \"$1\"; } >\"$1.new\" && mv \"$1.new\" \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	// answers waits for a letter with such a subject, and answers the newest with an order, in the program.
	answers := func(p, name, order, subject string) {
		typed := strings.NewReplacer("127.0.0.1:1143", imap, "127.0.0.1:1025", smtp, "ada", name, "mutt -f", p+" -f").Replace(strings.TrimSpace(line)) +
			" -e 'set editor=" + editor + " fast_reply include=yes reply_to=yes quit=yes' -e 'push <last-entry><display-message><reply><send-message><exit><quit>'"
		box := mailtest.Mailbox{Server: imap, User: name + "@samizdat.local", Password: name}
		await(ctx, t, subject+" for "+name, func() bool {
			raws, err := box.Folder("INBOX")
			return err == nil && len(raws) > 0 && bytes.Contains(raws[len(raws)-1], []byte("\r\nSubject: "+subject))
		})
		// A program for terminals gets one.
		cmd := exec.CommandContext(ctx, "script", "-qec", typed, os.DevNull)
		cmd.Env = append(os.Environ(), "HOME="+dir, "TERM=xterm", "ORDER="+order)
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s\n%s", p, err, typed, said)
		}
	}
	waitsFor := func(seat string) {
		await(ctx, t, "the "+seat+" to be asked", func() bool {
			said, err := program(ctx, "matches", "--config", config).CombinedOutput()
			return err == nil && regexp.MustCompile(` running +\S+ \S+ +`+seat+` `).Match(said)
		})
	}
	for p, name := range players {
		answers(p, name, "JOIN", "")
	}
	waitsFor("communist")
	// The second seat, the Communist, sets up first: two points, and the Democrat answers.
	answers("neomutt", players["neomutt"], "PLACE Schwerin, Rostock", "Your move")
	waitsFor("democrat")
	answers("mutt", players["mutt"], "PLACE Gdansk 2, Krakow", "Your move")
	waitsFor("communist")
}

// serveForPrograms starts a daemon with its own mail server, and returns where that
// listens.
func serveForPrograms(ctx context.Context, t *testing.T, config string) (imap, smtp string) {
	t.Helper()
	daemon := program(ctx, "serve", "--config", config)
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = daemon.Process.Kill()
		_ = daemon.Wait() // it was killed
	})
	listens := regexp.MustCompile(`IMAP (\S+)   SMTP (\S+)`)
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := listens.FindStringSubmatch(lines.Text()); m != nil {
			return m[1], m[2]
		}
	}
	t.Fatal("the daemon does not say where it listens")
	return "", ""
}

// await waits for something that other processes do.
func await(ctx context.Context, t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("waiting for %s: %v", what, context.Cause(ctx))
		}
	}
}
