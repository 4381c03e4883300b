package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

// longMatch is a match that was played by mail in this process: as it is after many entries, and
// when it is over.
type longMatch struct {
	dir, id string
	match   *made
	// running, finished and cleared are bytes of the database, without those of an empty one;
	// the last two, which are 0 where the match was not played to its end, with the letters
	// that came in, and when those are not kept any more.
	running, finished, cleared float64
}

// played plays the long match once.
func (b *bench) played(ctx context.Context) (*longMatch, error) {
	if b.long != nil {
		return b.long, nil
	}
	l := &longMatch{dir: filepath.Join(b.Dir, "long"), id: "long"}
	over := filepath.Join(b.Dir, "over")
	if err := errors.Join(os.RemoveAll(l.dir), os.RemoveAll(over)); err != nil {
		return nil, err
	}
	// The same seed makes the match of which the whole record is, but for its name: where that
	// ends too early, another.
	for seed := uint64(wholeSeed); ; seed++ {
		m, err := b.make(l.id, seed, b.best(), b.History)
		if err != nil {
			return nil, err
		}
		if l.match, err = b.make(l.id, seed, b.best(), 1); err != nil {
			return nil, err
		}
		if m.key == l.match.key {
			break
		}
	}
	empty, err := b.playOn(ctx, l, l.dir, b.History)
	if err != nil {
		return nil, err
	}
	// A daemon packs the entries behind the letters.
	if l.running, err = b.atRest(ctx, l.dir, config.Default().KeepLetters); err != nil {
		return nil, err
	}
	l.running -= empty
	if !b.Brief {
		if err := copyDir(l.dir, over); err != nil {
			return nil, err
		}
		if _, err := b.playOn(ctx, l, over, 1<<30); err != nil {
			return nil, err
		}
		if l.finished, err = b.atRest(ctx, over, config.Default().KeepLetters); err != nil {
			return nil, err
		}
		if l.cleared, err = b.atRest(ctx, over, time.Nanosecond); err != nil {
			return nil, err
		}
		l.finished -= empty
		l.cleared -= empty
	}
	b.long = l
	return l, os.RemoveAll(over)
}

// playOn plays a match by mail until it has so many entries, or is over. It gives the bytes of
// a database without matches.
func (b *bench) playOn(ctx context.Context, l *longMatch, dir string, entries int) (empty float64, err error) {
	cfg := b.configuration(dir, true)
	if err := b.with(ctx, cfg, func(*daemon.Daemon) error { return nil }); err != nil {
		return 0, err
	}
	if empty, err = inUse(ctx, cfg.Database()); err != nil {
		return 0, err
	}
	return empty, b.with(ctx, cfg, func(d *daemon.Daemon) error {
		if _, err := d.DB.Match(ctx, l.id); errors.Is(err, adjudicator.ErrNoMatch) {
			if err := l.match.store(ctx, d.Adjudicator); err != nil {
				return err
			}
		}
		for {
			m, err := d.DB.Match(ctx, l.id)
			if err != nil || m.Entries >= entries {
				return err
			}
			raw, err := b.order(ctx, d, l.id, l.match.robots)
			if errors.Is(err, errEnded) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := errors.Join(take(ctx, d, raw), drain(ctx, d, nil)); err != nil {
				return fmt.Errorf("entry %d: %w", m.Entries, err)
			}
		}
	})
}

// atRest is how many bytes are in use when a daemon has served for a while that keeps letters
// to matches that are over for so long.
func (b *bench) atRest(ctx context.Context, dir string, keep time.Duration) (float64, error) {
	cfg := b.configuration(dir, false)
	cfg.KeepLetters = keep
	err := b.with(ctx, cfg, func(d *daemon.Daemon) error {
		return b.served(ctx, d, nil, func(_ context.Context, start func(), _ inbox) error {
			start()
			time.Sleep(b.Rest)
			return nil
		})
	})
	if err != nil {
		return 0, err
	}
	return inUse(ctx, cfg.Database())
}

// inUse is how many bytes of a database hold something.
func inUse(ctx context.Context, path string) (bytes float64, err error) {
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var pages, free, size float64
	for pragma, to := range map[string]*float64{"page_count": &pages, "freelist_count": &free, "page_size": &size} {
		if err := db.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(to); err != nil {
			return 0, fmt.Errorf("weigh %s: %w", path, err)
		}
	}
	return (pages - free) * size, nil
}

// size notes how large the database of a match is.
func (b *bench) size(ctx context.Context) error {
	l, err := b.played(ctx)
	if err != nil {
		return err
	}
	b.table.note(fmt.Sprintf("database of a match played by mail, at %d entries", b.History), "kB", l.running/1000)
	if l.finished > 0 {
		b.table.note("database of the same match when it is over", "kB", l.finished/1000)
		b.table.note("and when the letters that came in are not kept any more", "kB", l.cleared/1000)
	}
	return nil
}

// history measures letters to a match with a long history, from their bytes to the commit.
func (b *bench) history(ctx context.Context) error {
	l, err := b.played(ctx)
	if err != nil {
		return err
	}
	for _, q := range []struct {
		name, text string
		// upgraded: another build has stored the match.
		upgraded bool
	}{{"HISTORY", "HISTORY", false}, {"RESEND", "RESEND 3", false}, {"TAKEBACK", "TAKEBACK", false}, {"the first letter after an upgrade", "", true}, {"an order", "", false}} {
		if err := b.ask(ctx, l, q.name+fmt.Sprintf(", at %d entries", b.History), q.text, q.upgraded); err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
	}
	return nil
}

// ask measures a letter to a copy of the long match; without a text it brings an order.
func (b *bench) ask(ctx context.Context, l *longMatch, name, text string, upgraded bool) (err error) {
	dir, remove, err := b.scratch("ask")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	if err := copyDir(l.dir, dir); err != nil {
		return err
	}
	return b.with(ctx, b.configuration(dir, false), func(d *daemon.Daemon) error {
		m, err := d.DB.Match(ctx, l.id)
		if err != nil {
			return err
		}
		// The statements are prepared, and the templates read, by another letter.
		warm, err := letter(d.Config.Address, m, 0, m.Seats[0].Letters, "STATUS")
		if err != nil {
			return err
		}
		if err := take(ctx, d, warm); err != nil {
			return err
		}
		raw, err := b.order(ctx, d, l.id, l.match.robots)
		if err == nil && text != "" {
			raw, err = letter(d.Config.Address, m, rules.Seat(0), m.Seats[0].Letters, text)
		}
		if err != nil {
			return err
		}
		if upgraded {
			d.Adjudicator.Build = "another"
		}
		return b.took(name, "ms", 1, func() error {
			// To refuse takes as long as to do.
			_, err := d.Handler(func() {}).Handle(ctx, received(raw))
			return err
		})
	})
}

// copyDir copies the files of a directory, without those of mailboxes.
func copyDir(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	files, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, f.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, f.Name()), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}
