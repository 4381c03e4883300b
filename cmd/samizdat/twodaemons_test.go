package main

import (
	"bufio"
	"fmt"
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
		said, err := program(t.Context(), "serve", "--config", config).CombinedOutput()
		if err == nil || !strings.Contains(string(said), daemon.ErrServed.Error()) {
			t.Errorf("a second daemon: %v\n%s", err, said)
		}
		// Other commands are welcome meanwhile.
		if said, err := program(t.Context(), "backup", "--config", config, filepath.Join(t.TempDir(), "copy.db")).CombinedOutput(); err != nil {
			t.Errorf("a backup while the daemon serves: %v\n%s", err, said)
		}
		if err := first.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = first.Wait() // it was killed
	}
}
