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

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/playout"
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
	err := withTable(ctx, cfg, seats, func(d *daemon.Daemon, tab *clients) error {
		d.Adjudicator.Random = playout.Bytes(4)
		m, err := d.Adjudicator.New(ctx, adjudicator.Invitation{Game: g.Name(), Players: tab.addresses()})
		if err != nil {
			return err
		}
		id = m.ID
		game := demoGameTable{clients: tab, daemon: d, game: g, match: id}
		for i := range seats {
			r, err := g.Robot("sensible", uint64(i))
			if err != nil {
				return err
			}
			game.robots = append(game.robots, r)
		}
		if err := game.join(ctx, joinWords); err != nil {
			return err
		}
		seat, err := game.some(ctx, 0, before)
		if err != nil {
			return err
		}
		if err := storage.Backup(ctx, cfg.Database(), backup); err != nil {
			return err
		}
		if _, err := game.some(ctx, seat, lost); err != nil {
			return err
		}
		was, err = d.Adjudicator.Export(ctx, id, true)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	r, err := daemon.Restore(ctx, cfg, backup)
	if err != nil || r.Matches != 1 {
		t.Fatalf("restored %+v, %v", r, err)
	}
	var is *record.Record
	refused := 0
	err = withTable(ctx, cfg, seats, func(d *daemon.Daemon, tab *clients) error {
		for refused < lost-1 {
			for _, s := range seats {
				p := tab.players[s]
				l, ok, err := p.fetch()
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
	if len(a) != before+lost+1 || len(b) != before+2 {
		t.Fatalf("%d entries, and %d after the restore", len(a), len(b))
	}
	last := b[before+1]
	if last.Epoch != 1 || last.Orders[0] != a[before+1].Orders[0] {
		t.Errorf("the letter that the backup waited for became %q in epoch %d, was %q", last.Orders, last.Epoch, a[before+1].Orders)
	}
	if err := errors.Join(record.VerifyChain(is), record.VerifyStream(is)); err != nil {
		t.Error(err)
	}
}

// some sends as many orders as are wanted, beginning with a seat, and returns the
// seat that wrote the last.
func (t *demoGameTable) some(ctx context.Context, seat, n int) (int, error) {
	for n > 0 {
		p := t.players[t.seats[seat]]
		if !isMove(p.last) {
			seat = (seat + 1) % len(t.seats)
			if err := t.untilAsked(ctx, seat); err != nil {
				return seat, err
			}
			continue
		}
		line, err := t.robotOrder(ctx, seat)
		if err != nil {
			return seat, err
		}
		if err := t.send(p, line); err != nil {
			return seat, err
		}
		if err := t.read(ctx, []string{t.seats[seat]}); err != nil {
			return seat, err
		}
		n--
	}
	return seat, nil
}
