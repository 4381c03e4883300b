package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Archiver packs matches that are over, one in each transaction. It is not for several
// goroutines at once.
type Archiver struct {
	db *DB
	z  *zstd.Encoder
}

// Archiver makes an archiver. It needs some megabytes while it is kept.
func (db *DB) Archiver() (*Archiver, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		return nil, fmt.Errorf("make an archiver: %w", err)
	}
	return &Archiver{db, z}, nil
}

// unarchived are the matches that are over and of which something stands in rows.
const unarchived = `state = 'over' AND archived = 0`

// Unarchived lists matches that are over and are not archived, or have moved since, in the
// order of their names, behind a name.
func (db *DB) Unarchived(ctx context.Context, after string, limit int) (ids []string, err error) {
	defer wrap(&err, "list what is to be archived")
	return list(ctx, db.reader, func(id *string) []any { return []any{id} },
		`SELECT id FROM matches WHERE `+unarchived+` AND id > $1 ORDER BY id LIMIT $2 + 0`, after, limit)
}

// CountUnarchived counts them.
func (db *DB) CountUnarchived(ctx context.Context) (n int, err error) {
	defer wrap(&err, "count what is to be archived")
	err = db.reader.QueryRowContext(ctx, `SELECT count(*) FROM matches WHERE `+unarchived).Scan(&n)
	return n, err
}

// Archive packs a match into one row, in one transaction. It does nothing where the match may
// still be taken up again, where something of it waits, and where it moves meanwhile. What
// reads matches reads it as before.
func (a *Archiver) Archive(ctx context.Context, id string, now time.Time) (done bool, err error) {
	defer wrap(&err, "archive match %s", id)
	return a.pack(ctx, id, now, a.db.key.ofEnded, func(ctx context.Context, tx *transaction, m *adjudicator.Match) error {
		if err := unmoved(tx.ExecContext(ctx, `UPDATE matches SET position = $1, held = $1, archived = 1 WHERE id = $2 AND version = $3`, nothing, id, m.Version)); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM sent WHERE match = $1`, id)
		return err
	})
}

// pack packs what read finds of a match, which is nil where it is not to be packed, and lets drop take away
// what is packed but for the entries. A match that moves meanwhile is a conflict there, and stays as it is.
func (a *Archiver) pack(ctx context.Context, id string, now time.Time, read func(context.Context, asker, *adjudicator.Match) (*packed, error),
	drop func(context.Context, *transaction, *adjudicator.Match) error) (done bool, err error) {
	m, p, err := a.db.snapshotOf(ctx, id, read)
	if p == nil || err != nil {
		return false, err
	}
	data, err := p.pack(a.z, m)
	if err != nil {
		return false, err
	}
	err = a.db.writeSoon(ctx, func(ctx context.Context, tx *transaction) error {
		if err := drop(ctx, tx, m); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM entries WHERE match = $1`, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `INSERT INTO archives (match, at, record) VALUES ($1, $2, $3)
			ON CONFLICT (match) DO UPDATE SET at = excluded.at, cleared = 0, record = excluded.record`, id, now.UnixMicro(), tx.seal(data, "archives.record", id))
		return err
	})
	if errors.Is(err, adjudicator.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

// snapshotOf reads a match, and something of it, as they are at one moment.
func (db *DB) snapshotOf(ctx context.Context, id string, read func(context.Context, asker, *adjudicator.Match) (*packed, error)) (*adjudicator.Match, *packed, error) {
	tx, err := db.reader.snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = tx.Rollback() }() // it has read only
	m, err := db.key.wholeMatch(ctx, tx, id)
	if err != nil {
		return nil, nil, err
	}
	p, err := read(ctx, tx, m)
	return m, p, err
}

// waits asks whether something of a match waits: letters to be sent, or a change of a player's
// address.
const waits = `SELECT EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting' AND match = $1) OR EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting' AND watched = $1)
	OR EXISTS (SELECT 1 FROM seats s JOIN players p ON p.id = s.player WHERE s.match = $1 AND p.due IS NOT NULL)`

// ofEnded is what an archive holds of a match that is over; nil where it is not to be archived.
func (k *key) ofEnded(ctx context.Context, tx asker, m *adjudicator.Match) (*packed, error) {
	var busy bool
	if err := tx.QueryRowContext(ctx, waits, m.ID).Scan(&busy); err != nil {
		return nil, err
	}
	if busy || !m.Published() || m.Stopped != "" || m.Takeback != nil || !m.Due().IsZero() {
		return nil, nil
	}
	p, err := k.wholeHistory(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	p.position = m.Position
	if len(m.Held) > 0 {
		p.Held = m.Held
	}
	return p, nil
}

// wholeHistory reads the entries of a match, and what its letters asked, from its archive and from its rows.
func (k *key) wholeHistory(ctx context.Context, tx asker, m *adjudicator.Match) (*packed, error) {
	was, err := k.archived(ctx, tx, m, true)
	if err != nil {
		return nil, err
	}
	if was == nil {
		was = &packed{}
	}
	later, err := k.history(ctx, tx, m.ID)
	if err != nil {
		return nil, err
	}
	p := &packed{}
	if p.entries, err = was.withLater(later); err != nil {
		return nil, err
	}
	if len(p.entries) != m.Entries {
		return nil, fmt.Errorf("it has %d entries, and %d are found", m.Entries, len(p.entries))
	}
	for i := range m.Seats {
		later, err := k.sent(ctx, tx, m.ID, rules.Seat(i), lettersTo+`ORDER BY number`)
		if err != nil {
			return nil, err
		}
		p.Sent = append(p.Sent, packLetters(withLater(was.letters(rules.Seat(i)), later)))
	}
	return p, nil
}

// archived reads the archive of a match, with its entries if they are wanted; nil where there
// is none.
func (db *DB) archived(ctx context.Context, match string, entries bool) (*packed, error) {
	m := &adjudicator.Match{ID: match}
	var secret []byte
	err := db.reader.QueryRowContext(ctx, `SELECT secret FROM matches WHERE id = $1`, match).Scan(db.key.unsealed(&secret, "secret", match))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err == nil {
		m.Secret, err = record.SecretFromBytes(secret)
	}
	if err != nil {
		return nil, err
	}
	return db.key.archived(ctx, db.reader, m, entries)
}

func (k *key) archived(ctx context.Context, a asker, m *adjudicator.Match, entries bool) (*packed, error) {
	var data []byte
	err := a.QueryRowContext(ctx, `SELECT record FROM archives WHERE match = $1`, m.ID).Scan(k.unsealed(&data, "archives.record", m.ID))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return unpack(data, m, entries)
}
