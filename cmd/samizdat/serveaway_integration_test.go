//go:build integration

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"samizdat/internal/test/pgtest"
)

// TestServeWithoutServer: a daemon that is started while the database server is away waits for it, says so to whoever
// asks how it does, ends at once when it is told to, and serves as soon as the server is there.
func TestServeWithoutServer(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("it took too long"))
	defer cancel()
	server := pgtest.Start(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(server.Stop())
	dir, metrics := t.TempDir(), freePort(t)
	file := filepath.Join(dir, "samizdat.yaml")
	must(os.WriteFile(file, fmt.Appendf(nil, "data: %s\ndatabase: %q\nmetrics: %q\nembedded: {imap: '127.0.0.1:0', smtp: '127.0.0.1:0'}\n", dir, server.URL("postgres"), metrics), 0o600))
	p := &process{t: t, config: file}
	health := func(want string) {
		t.Helper()
		for last := ""; !strings.Contains(last, want); {
			if ctx.Err() != nil {
				p.kill()
				t.Fatalf("it says %q of its health, and not %q\n%s", last, want, p.errs.String())
			}
			time.Sleep(20 * time.Millisecond)
			answer, err := http.Get("http://" + metrics + "/healthz")
			if err != nil {
				continue
			}
			said, err := io.ReadAll(answer.Body)
			must(errors.Join(err, answer.Body.Close()))
			last = string(said)
		}
	}
	stop := func() {
		t.Helper()
		startTime := time.Now()
		must(p.cmd.Process.Signal(syscall.SIGTERM))
		if err := p.cmd.Wait(); err != nil || time.Since(startTime) > 5*time.Second {
			t.Errorf("told to stop, it ends after %v: %v\n%s", time.Since(startTime), err, p.errs.String())
		}
	}
	p.start()
	health("the database server cannot be reached: the daemon waits for it")
	stop()
	if text := p.errs.String(); !strings.Contains(text, "the database server cannot be reached yet") {
		t.Errorf("its log says:\n%s", text)
	}
	p.start()
	health("the daemon waits for it")
	must(server.Run(ctx))
	health("well")
	stop()

	// What is wrong with the settings does not pass by waiting.
	must(os.WriteFile(file, fmt.Appendf(nil, "data: %s\ndatabase: %q\n", dir, server.URL("nothing")), 0o600))
	p.start()
	var exit *exec.ExitError
	if err := p.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(p.errs.String(), `database "nothing" does not exist`) {
		t.Errorf("without a database: %v\n%s", err, p.errs.String())
	}
}

// freePort is an address where nobody listens.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
