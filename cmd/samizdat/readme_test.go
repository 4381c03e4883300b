package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReadmeCommands runs the commands on the first screen of README.md as they stand there. Serve is stopped when
// it has started; go test is what runs this test.
func TestReadmeCommands(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile(`(?m)(^    go .*\n)+`).Find(readme)
	lines := strings.Split(strings.TrimSpace(string(block)), "\n")
	if len(lines) != 4 {
		t.Fatalf("README.md begins with %d commands: %q", len(lines), lines)
	}
	for _, line := range lines {
		command, _, _ := strings.Cut(strings.TrimSpace(line), " #")
		args, isOurs := strings.CutPrefix(strings.TrimSpace(command), "go run ./cmd/samizdat ")
		if !isOurs {
			if args != "go test ./..." {
				t.Errorf("%q is not a command of samizdat", line)
			}
			continue
		}
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			cmd := program(t.Context(), strings.Fields(args)...)
			// Another samizdat may serve at the default ports.
			cmd.Env = append(cmd.Env, "SAMIZDAT_EMBEDDED_IMAP=127.0.0.1:0", "SAMIZDAT_EMBEDDED_SMTP=127.0.0.1:0", "XDG_STATE_HOME="+t.TempDir())
			cmd.Dir, cmd.Stdin, cmd.Stderr = t.TempDir(), strings.NewReader("help\nquit\n"), &errs
			if args != "serve" {
				cmd.Stdout = &out
				if err := cmd.Run(); err != nil || out.Len() == 0 {
					t.Errorf("%v\n%s%s", err, out.String(), errs.String())
				}
				return
			}
			stdout, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			stuck := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }) // Wait reports it.
			defer stuck.Stop()
			for !strings.Contains(out.String(), "Samizdat referees at ") {
				part := make([]byte, 1024)
				n, err := stdout.Read(part)
				if err != nil {
					t.Fatalf("serve ended before it had started: %v\n%s", err, out.String())
				}
				out.Write(part[:n])
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v\n%s%s", err, out.String(), errs.String())
			}
		})
	}
}
