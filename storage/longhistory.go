package storage

import (
	"context"
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

// PackHistory packs the entries of a match that runs, in one transaction. It does nothing where the match is over,
// while one of its letters may still be dropped, and where it moves meanwhile. What reads its history reads it as before.
func (a *Archiver) PackHistory(ctx context.Context, id string, now time.Time) (done bool, err error) {
	defer wrap(&err, "pack the entries of match %s", id)
	return a.pack(ctx, id, now, a.db.key.ofRunning, func(ctx context.Context, tx *transaction, m *adjudicator.Match) error {
		if err := unmoved(tx.ExecContext(ctx, `UPDATE matches SET archived = 0 WHERE id = $1 AND version = $2`, id, m.Version)); err != nil {
			return err
		}
		for i := range m.Seats {
			for _, what := range []string{
				`DELETE FROM sent WHERE match = $1 AND seat = $2 AND number <= $3`,
				`DELETE FROM outbox WHERE state = 'dropped' AND spare = 1 AND match = $1 AND seat = $2 AND number <= $3`,
			} {
				if _, err := tx.ExecContext(ctx, what, id, i, m.Seats[i].Letters-keptLetters); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// droppable asks whether a letter of a match waits whose place the next may take. It is then as if it had not been
// written, which what is packed would not forget.
const droppable = `SELECT EXISTS (SELECT 1 FROM outbox WHERE state = 'waiting' AND match = $1 AND spare = 1)`

// ofRunning is what an archive holds of a match that runs; nil where nothing is to be packed of it.
func (k *key) ofRunning(ctx context.Context, tx asker, m *adjudicator.Match) (*packed, error) {
	if m.State != adjudicator.Playing {
		return nil, nil
	}
	var waits bool
	if err := tx.QueryRowContext(ctx, droppable, m.ID).Scan(&waits); err != nil || waits {
		return nil, err
	}
	p, err := k.wholeHistory(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	// Its position stands with the match.
	p.position = []byte{}
	return p, nil
}
