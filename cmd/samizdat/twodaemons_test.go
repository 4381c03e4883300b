package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"samizdat/internal/daemon"
)

// TestSecondDaemon: two daemons would send every letter twice, so the second says
// who is there and ends. When the first was killed, another can begin at once.
func TestSecondDaemon(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := filepath.Join(dir, "samizdat.yaml")
	text := fmt.Sprintf("data: %s\nembedded: {imap: '127.0.0.1:0', smtp: '127.0.0.1:0'}\n", filepath.Join(dir, "data"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		first := program(t.Context(), "serve", "--config", config)
		out, err := first.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := first.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for serving := false; !serving; serving = strings.HasPrefix(lines.Text(), "Samizdat referees at ") {
			if !lines.Scan() {
				t.Fatalf("the daemon does not begin: %v", first.Wait())
			}
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), string(daemon.Questions)) {
			t.Errorf("without a contact it does not say where questions lie: %q", lines.Text())
		}
		said, err := program(t.Context(), "serve", "--config", config).CombinedOutput()
		if err == nil || !strings.Contains(string(said), daemon.ErrServed.Error()) {
			t.Errorf("a second daemon: %v\n%s", err, said)
		}
		// Other commands are welcome meanwhile.
		said, err = program(t.Context(), "new", "1989", "--config", config, "--seat", "ada@samizdat.local", "--seat", "ben@samizdat.local").CombinedOutput()
		if want := "samizdat.db. The invitations are sent now, by the running daemon.\n"; err != nil || !strings.HasSuffix(string(said), want) {
			t.Errorf("a match while the daemon serves: %v\n%s", err, said)
		}
		if said, err := program(t.Context(), "backup", "--config", config, filepath.Join(t.TempDir(), "copy.db")).CombinedOutput(); err != nil {
			t.Errorf("a backup while the daemon serves: %v\n%s", err, said)
		}
		if err := first.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = first.Wait() // it was killed
	}
}

// TestTakenPort: who wants a port that is taken is told which, and nothing is left
// behind.
func TestTakenPort(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	dir := t.TempDir()
	config := filepath.Join(dir, "samizdat.yaml")
	for key, text := range map[string]string{
		"embedded: smtp": "embedded: {imap: '127.0.0.1:0', smtp: %q}\n",
		"metrics":        "embedded: {imap: '127.0.0.1:0', smtp: '127.0.0.1:0'}\nmetrics: %q\n",
		"listen":         "embedded: {imap: '127.0.0.1:0', smtp: '127.0.0.1:0'}\nsite: pages\nlisten: %q\n",
	} {
		data := filepath.Join(dir, "data")
		if err := os.WriteFile(config, fmt.Appendf(nil, "data: %s\n"+text, data, listener.Addr().String()), 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := program(t.Context(), "serve", "--config", config).CombinedOutput()
		if want := fmt.Sprintf("samizdat: %s: %s is in use by another program", key, listener.Addr()); err == nil || !strings.HasPrefix(string(said), want) {
			t.Errorf("%v, want %q:\n%s", err, want, said)
		}
		if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("there is a data directory: %v", err)
		}
	}
}
