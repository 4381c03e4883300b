package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
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
	g := dawn1989.Game{}
	seats := g.SeatNames(rules.Setup{Seats: 2, Revision: g.Revision()})
	cfg := config.Local(dir, seats)
	cfg.Letters.Pictures = false
	backup := filepath.Join(dir, "backup.db")
	const before, lost = 12, 5
	var id string
	var was *record.Record
	err := demo.WithPlayers(ctx, cfg, games, seats, func(d *daemon.Daemon, p *demo.Players) error {
		m, err := demo.NewMatch(ctx, d, p, g, 4, demo.Manner{Singly: true})
		if err != nil {
			return err
		}
		id = m.ID
		if err := m.Join(ctx, demo.JoinWords); err != nil {
			return err
		}
		some := func(n int) error {
			for range n {
				if _, err := m.Order(ctx); err != nil {
					return err
				}
			}
			return nil
		}
		if err := some(before); err != nil {
			return err
		}
		if err := storage.Backup(ctx, cfg.Database(), backup); err != nil {
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

	r, err := daemon.Restore(ctx, cfg, backup, storage.Restoring{})
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
