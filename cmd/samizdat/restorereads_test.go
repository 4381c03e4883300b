package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// TestRestoreReadsAgain plays some rounds by mail, restores a backup of their
// middle, and starts the daemon again. The letter that answers what the backup
// knows is carried out once more, with other dice; those that answer what is lost
// change nothing, and their writers are told what is asked now.
func TestRestoreReadsAgain(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dir := t.TempDir()
	g := dawn1989.Game()
	seats := g.SeatNames(rules.Setup{Seats: 2, Revision: g.Revision()})
	cfg := config.Local(dir, seats)
	cfg.Letters.Pictures = false
	backup := filepath.Join(dir, "backup.db")
	const before, lost = 12, 5
	var id string
	var was *record.Record
	err := demo.WithPlayers(ctx, cfg, games, seats, func(d *daemon.Daemon, p *demo.Players) error {
		m, err := demo.NewMatch(ctx, d, p, g, 4, demo.Options{OneOrderPerLetter: true})
		if err != nil {
			return err
		}
		id = m.ID
		if err := m.Join(ctx, demo.JoinWords); err != nil {
			return err
		}
		some := func(n int) error {
			for range n {
				if _, err := m.PlayNextOrder(ctx); err != nil {
					return err
				}
			}
			return nil
		}
		if err := some(before); err != nil {
			return err
		}
		if err := storage.Backup(ctx, cfg.DSN(), backup); err != nil {
			return err
		}
		if err := some(lost); err != nil {
			return err
		}
		was, err = d.Adjudicator.Export(ctx, id, true)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	r, err := daemon.Restore(ctx, cfg, backup, storage.RestoreOptions{})
	if err != nil || r.Matches != 1 {
		t.Fatalf("restored %+v, %v", r, err)
	}
	var is *record.Record
	refused := 0
	err = demo.WithPlayers(ctx, cfg, games, seats, func(d *daemon.Daemon, p *demo.Players) error {
		for refused < lost-1 {
			for _, s := range seats {
				l, ok, err := p.Clients[s].Fetch()
				if err != nil {
					return err
				}
				if ok && strings.Contains(l.Text, ": refused\n") {
					refused++
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if is, err = d.Adjudicator.Export(ctx, id, true); err != nil {
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%d letters were refused: %v", refused, err)
	}
	if _, err := os.Stat(filepath.Join(cfg.Data, "reread-since")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the letters would be read at every start: %v", err)
	}
	a, b := was.Entries(), is.Entries()
	if len(a) != before+lost+1 || len(b) != before+3 {
		t.Fatalf("%d entries, and %d after the restore", len(a), len(b))
	}
	if why := b[before+1].Act; why == nil || why.Kind != record.Restore || !why.Until.Equal(b[before].At) {
		t.Errorf("the entry that tells of the restore has the act %+v", why)
	}
	last := b[before+2]
	if last.Epoch != 1 || last.Orders[0] != a[before+1].Orders[0] {
		t.Errorf("the letter that the backup waited for became %q in epoch %d, was %q", last.Orders, last.Epoch, a[before+1].Orders)
	}
	explained, err := record.VerifyEpochs(is)
	_, played := record.Replay(is, g, nil)
	if err := errors.Join(err, played, record.VerifyChain(is), record.VerifyStream(is)); err != nil || len(explained) != 1 {
		t.Errorf("%d new epochs, %v", len(explained), err)
	}
}

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
	const looks, found = "it is checked for damage", "the database is sound"
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
	spoil(ctx, t, h.cfg.DSN(), "bounces")
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
