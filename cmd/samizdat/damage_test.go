package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"samizdat/internal/test/pgtest"
)

// TestDamagedDatabase: a database is looked through after a daemon that was killed, and not
// after one that stopped by itself, nor by other commands. When it is damaged the daemon
// stops with a status of its own and writes to the operator, once a day.
func TestDamagedDatabase(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it spoils the file")
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("it took too long"))
	defer cancel()
	h := newStopHouse(ctx, t)
	config, err := os.ReadFile(h.daemon.config)
	h.must(err)
	h.must(os.WriteFile(h.daemon.config, fmt.Appendf(config, "operator: democrat@samizdat.local\n"), 0o600))
	const looks, found = "it is looked through", "the database is sound"
	// served starts a daemon, ends it by a signal, and gives its log.
	served := func(until string, end syscall.Signal) string {
		t.Helper()
		h.daemon.errs.Reset()
		h.daemon.cmd = program(ctx, "serve", "--config", h.daemon.config)
		log, err := h.daemon.cmd.StderrPipe()
		h.must(err)
		before := h.in.Conns()
		h.must(h.daemon.cmd.Start())
		var b strings.Builder
		buf := make([]byte, 4096)
		for !strings.Contains(b.String(), until) {
			n, err := log.Read(buf)
			b.Write(buf[:n])
			if err != nil {
				t.Fatalf("no %q: %v\n%s", until, err, b.String())
			}
		}
		h.until("a connection", func() bool { return h.in.Conns() > before })
		h.must(h.daemon.cmd.Process.Signal(end))
		for {
			n, err := log.Read(buf)
			b.Write(buf[:n])
			if err != nil {
				break
			}
		}
		if err := h.daemon.cmd.Wait(); (err == nil) != (end == syscall.SIGTERM) {
			t.Fatalf("the daemon ended with %v\n%s", err, b.String())
		}
		return b.String()
	}
	if log := served("samizdat serves", syscall.SIGTERM); strings.Contains(log, looks) {
		t.Errorf("a new database:\n%s", log)
	}
	if log := served("samizdat serves", syscall.SIGKILL); strings.Contains(log, looks) {
		t.Errorf("after a daemon that stopped by itself:\n%s", log)
	}
	if out, err := program(ctx, "matches", "--config", h.daemon.config).CombinedOutput(); err != nil || strings.Contains(string(out), looks) {
		t.Errorf("matches: %v\n%s", err, out)
	}
	if log := served(found, syscall.SIGKILL); !strings.Contains(log, looks) {
		t.Errorf("after a daemon that was killed:\n%s", log)
	}

	h.must(h.reader.Close())
	spoil(ctx, t, h.cfg.Database(), "bounces")
	for range 2 {
		out, err := program(ctx, "serve", "--config", h.daemon.config).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != statusDamaged || !strings.Contains(string(out), "the database is damaged") {
			t.Fatalf("with a damaged page: %v\n%s", err, out)
		}
	}
	letters := h.mailbox("democrat", "INBOX")
	if len(letters) != 1 || !strings.Contains(letters[0].Text, "samizdat restore") {
		t.Errorf("the operator has %d letters: %+v", len(letters), letters)
	}
}

// spoil overwrites the first page of a table.
func spoil(ctx context.Context, t *testing.T, path, table string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	var page, size int64
	err = db.QueryRowContext(ctx, `SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = ?`, table).Scan(&page, &size)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt([]byte(strings.Repeat("\xff", int(size))), (page-1)*size)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}
