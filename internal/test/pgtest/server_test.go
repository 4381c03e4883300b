//go:build integration

package pgtest

import (
	"context"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// ask asks the database at url with Debian's program.
func ask(ctx context.Context, s *Server, url, statement string) (string, error) {
	out, err := exec.CommandContext(ctx, filepath.Join(s.bin, "psql"), "-XAtqc", statement, url).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

func want(t *testing.T, s *Server, url, statement, answer string) {
	t.Helper()
	got, err := ask(t.Context(), s, url, statement)
	if err != nil || got != answer {
		t.Errorf("%s: %q, %v; want %q", statement, got, err, answer)
	}
}

// TestServer: what was committed is there after a crash, the address stays, and nobody enters without
// the password.
func TestServer(t *testing.T) {
	t.Parallel()
	s := Start(t)
	at := s.URL("postgres")
	want(t, s, at, "CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)", "")
	for _, crash := range []bool{true, false} {
		if err := s.Restart(t.Context(), crash); err != nil {
			t.Fatal(err)
		}
		want(t, s, at, "SELECT n FROM kept", "7")
	}
	want(t, s, at, "SELECT 'a' < 'B' AND 'a' COLLATE \"C\" > 'B' COLLATE \"C\"", "t")
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(owner, "guessed")
	if out, err := ask(t.Context(), s, u.String(), "SELECT 1"); err == nil || !strings.Contains(out, "password authentication failed") {
		t.Errorf("with a wrong password: %q, %v", out, err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if out, err := ask(t.Context(), s, at, "SELECT 1"); err == nil {
		t.Errorf("a stopped server answers %q", out)
	}
}

// TestProxy: a connection that is cut ends; one that is split hangs, and goes on when the network is
// whole again.
func TestProxy(t *testing.T) {
	t.Parallel()
	s := Start(t)
	p := s.Proxy(t)
	at := p.URL("postgres")
	want(t, s, at, "SELECT 1", "1")
	ended := make(chan error, 1)
	begin := func(statement string) {
		go func() { _, err := ask(t.Context(), s, at, statement); ended <- err }()
		name := strings.Fields(statement)[2]
		until := time.Now().Add(10 * time.Second)
		for time.Now().Before(until) {
			if n, err := ask(t.Context(), s, s.URL("postgres"), "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%"+name+"%' AND pid <> pg_backend_pid()"); err == nil && n == "1" {
				return
			}
		}
		t.Fatalf("%s was not begun", statement)
	}
	begin("SELECT /* cut */ pg_sleep(60)")
	p.Cut()
	if err := <-ended; err == nil {
		t.Error("a connection outlives the cut")
	}
	begin("SELECT /* split */ pg_sleep(0.3)")
	p.Split()
	select {
	case err := <-ended:
		t.Errorf("the answer passes the split, or its end: %v", err)
	case <-time.After(600 * time.Millisecond):
	}
	p.Heal()
	if err := <-ended; err != nil {
		t.Errorf("after the split: %v", err)
	}
	p.Delay(20 * time.Millisecond)
	began := time.Now()
	want(t, s, at, "SELECT 1", "1")
	if took := time.Since(began); took < 40*time.Millisecond {
		t.Errorf("with delay it takes %v", took)
	}
}
