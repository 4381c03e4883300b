package storage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"samizdat/adjudicator"
)

// Of a match that runs the last entries stand in rows, one in each. Those before them are packed, with what
// its letters asked: in rows they take five times the room.

const (
	// fullRows finds, by an index that has nothing else, matches with so many entries in rows that they are packed.
	fullRows = `seq % 64 = 63`
	// keptLetters is how many letters to a seat stay in rows: who answers one of them makes nobody unpack anything.
	keptLetters = 32
)

// LongHistories lists matches that have many entries in rows, in the order of their names, behind a name.
func (db *DB) LongHistories(ctx context.Context, after string, limit int) (ids []string, err error) {
	defer wrap(&err, "list whose entries are to be packed")
	return list(ctx, db.reader, func(id *string) []any { return []any{id} },
		`SELECT DISTINCT match FROM entries WHERE `+fullRows+` AND match > $1 ORDER BY match LIMIT $2 + 0`, after, limit)
}

// PackHistory packs the entries of a match that runs, in one transaction. It does nothing where the match is over, and
// where it moves meanwhile. What reads its history reads it as before.
func (a *Archiver) PackHistory(ctx context.Context, id string, now time.Time) (done bool, err error) {
	defer wrap(&err, "pack the entries of match %s", id)
	m, p, err := a.db.toPack(ctx, id)
	if m == nil || err != nil {
		return false, err
	}
	data, err := p.pack(a.z, m)
	if err != nil {
		return false, err
	}
	err = a.db.writeSoon(ctx, func(ctx context.Context, tx *transaction) error {
		if err := unmoved(tx.ExecContext(ctx, `UPDATE matches SET archived = 0 WHERE id = $1 AND version = $2`, id, m.Version)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM entries WHERE match = $1`, id); err != nil {
			return err
		}
		for i := range m.Seats {
			if _, err := tx.ExecContext(ctx, `DELETE FROM sent WHERE match = $1 AND seat = $2 AND number <= $3`, id, i, m.Seats[i].Letters-keptLetters); err != nil {
				return err
			}
		}
		return keepArchive(ctx, tx, id, now, data)
	})
	if errors.Is(err, adjudicator.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}

// droppable asks whether a letter of a match waits whose place the next may take. It is then as if it had not been
// written, which what is packed would not forget.
const droppable = `SELECT EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting' AND match = $1 AND spare = 1)`

// toPack reads a match that runs with its history; nil where it does not run, and while one of its letters may
// still be dropped.
func (db *DB) toPack(ctx context.Context, id string) (*adjudicator.Match, *packed, error) {
	tx, err := db.reader.snapshot(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = tx.Rollback() }() // it has read only
	m, err := db.key.wholeMatch(ctx, tx, id)
	// What lists matches reads the first entry of one that has no summary.
	if err != nil || m.State != adjudicator.Playing || m.Summary == nil {
		return nil, nil, err
	}
	var waits bool
	if err := tx.QueryRowContext(ctx, droppable, id).Scan(&waits); err != nil || waits {
		return nil, nil, err
	}
	p, err := db.key.wholeHistory(ctx, tx, m)
	if err != nil {
		return nil, nil, err
	}
	// Its position stands with the match.
	p.position = []byte{}
	return m, p, nil
}

// keepArchive writes what is packed of a match.
func keepArchive(ctx context.Context, tx *transaction, id string, now time.Time, data []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO archives (match, at, record) VALUES ($1, $2, $3)
		ON CONFLICT (match) DO UPDATE SET at = excluded.at, cleared = 0, record = excluded.record`, id, now.UnixMicro(), tx.seal(data, "archives.record", id))
	if err != nil {
		return fmt.Errorf("write the archive: %w", err)
	}
	return nil
}
