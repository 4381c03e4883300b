package storage

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mattn/go-sqlite3"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

var _ adjudicator.Store = (*DB)(nil)

// Create implements adjudicator.Store.
func (db *DB) Create(ctx context.Context, m *adjudicator.Match, letters []adjudicator.Dispatch) error {
	secret, err := db.key.wrap(m.Secret.Bytes(), "secret "+m.ID)
	if err != nil {
		return err
	}
	options, err := json.Marshal(m.Options)
	if err != nil {
		return err
	}
	var recorded sql.NullString
	if m.Recorded != nil {
		b, err := json.Marshal(m.Recorded)
		if err != nil {
			return err
		}
		recorded = sql.NullString{String: string(b), Valid: true}
	}
	m.Version = 1
	return db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO matches (id, game, revision, options, state, secret, recorded, head, version, created)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			m.ID, m.Game, m.Revision, string(options), string(m.State), secret, recorded, m.Head, m.Version, m.Created.UnixMicro())
		if err != nil {
			return fmt.Errorf("insert match %s: %w", m.ID, err)
		}
		for i, s := range m.Seats {
			k, err := db.key.wrap(s.Key, seatKey(m.ID, i))
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO seats (match, seat, name, address, key, joined, words, letters, format, script)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, m.ID, i, s.Name, s.Address, k, s.Joined, s.Words, s.Letters, string(s.Format), string(s.Script)); err != nil {
				return fmt.Errorf("insert seat %d of match %s: %w", i, m.ID, err)
			}
		}
		if _, err := tx.ExecContext(ctx, `UPDATE matches SET observe = ? WHERE id = ?`, m.Spectators.String(), m.ID); err != nil {
			return fmt.Errorf("insert match %s: %w", m.ID, err)
		}
		return post(ctx, tx, letters)
	})
}

func seatKey(match string, seat int) string { return fmt.Sprintf("key %s %d", match, seat) }

// Match implements adjudicator.Store.
func (db *DB) Match(ctx context.Context, id string) (*adjudicator.Match, error) {
	m := &adjudicator.Match{ID: id}
	var options, held, state string
	var secret []byte
	var recorded, position sql.NullString
	var created int64
	// One snapshot for the match and its seats.
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("read match %s: %w", id, err)
	}
	defer func() { _ = tx.Rollback() }() // it has read only
	err = tx.QueryRowContext(ctx, `SELECT game, revision, options, state, secret, recorded, used, epoch, position, build, entries, ordered, head, held, version, created
		FROM matches WHERE id = ?`, id).Scan(&m.Game, &m.Revision, &options, &state, &secret, &recorded, &m.Used, &m.Epoch, &position, &m.Build,
		&m.Entries, &m.Ordered, &m.Head, &held, &m.Version, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, adjudicator.ErrNoMatch
	}
	if err != nil {
		return nil, fmt.Errorf("read match %s: %w", id, err)
	}
	m.State, m.Created = adjudicator.State(state), time.UnixMicro(created).UTC()
	if err := errors.Join(json.Unmarshal([]byte(options), &m.Options), json.Unmarshal([]byte(held), &m.Held)); err != nil {
		return nil, fmt.Errorf("read match %s: %w", id, err)
	}
	if recorded.Valid {
		m.Recorded = []record.Outcome{}
		if err := json.Unmarshal([]byte(recorded.String), &m.Recorded); err != nil {
			return nil, fmt.Errorf("read match %s: recorded outcomes: %w", id, err)
		}
	}
	if position.Valid {
		m.Position = []byte(position.String)
	}
	plain, err := db.key.unwrap(secret, "secret "+id)
	if err != nil {
		return nil, err
	}
	if m.Secret, err = record.SecretFromBytes(plain); err != nil {
		return nil, err
	}
	if err := observed(ctx, tx, m); err != nil {
		return nil, err
	}
	if m.Seats, err = db.seats(ctx, tx, id); err != nil {
		return nil, err
	}
	return m, errors.Join(thoughts(ctx, tx, m), addresses(ctx, tx, m))
}

func (db *DB) seats(ctx context.Context, tx *sql.Tx, id string) ([]adjudicator.Seat, error) {
	rows, err := tx.QueryContext(ctx, `SELECT name, address, key, joined, words, letters, said_day, said, format, script FROM seats WHERE match = ? ORDER BY seat`, id)
	if err != nil {
		return nil, fmt.Errorf("read the seats of %s: %w", id, err)
	}
	defer rows.Close()
	var out []adjudicator.Seat
	for rows.Next() {
		var s adjudicator.Seat
		var k []byte
		if err := rows.Scan(&s.Name, &s.Address, &k, &s.Joined, &s.Words, &s.Letters, &s.Said.Day, &s.Said.Count, &s.Format, &s.Script); err != nil {
			return nil, fmt.Errorf("read the seats of %s: %w", id, err)
		}
		if s.Key, err = db.key.unwrap(k, seatKey(id, len(out))); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// Apply implements adjudicator.Store.
func (db *DB) Apply(ctx context.Context, c adjudicator.Change) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		if c.Receipt != nil {
			if err := receive(ctx, tx, c.Receipt); err != nil {
				return err
			}
		}
		if c.Match != nil {
			if err := db.update(ctx, tx, c.Match); err != nil {
				return err
			}
		}
		for _, e := range c.Entries {
			b, err := json.Marshal(e)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO entries (match, seq, entry) VALUES (?, ?, ?)`, c.Match.ID, e.Seq, string(b)); err != nil {
				return fmt.Errorf("insert entry %d of match %s: %w", e.Seq, c.Match.ID, err)
			}
		}
		if err := observe(ctx, tx, c); err != nil {
			return err
		}
		return post(ctx, tx, c.Letters)
	})
}

// deflaters are kept: making one costs more than a letter.
var deflaters = sync.Pool{New: func() any {
	z, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // only an unknown level is an error
	}
	return z
}}

func deflate(data []byte) ([]byte, error) {
	var out bytes.Buffer
	z := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(z)
	z.Reset(&out)
	_, err := z.Write(data)
	err = errors.Join(err, z.Close())
	return out.Bytes(), err
}

func receive(ctx context.Context, tx *sql.Tx, r *adjudicator.Receipt) error {
	raw, err := deflate(r.Raw)
	if err != nil {
		return fmt.Errorf("compress the letter: %w", err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO received (match, seat, digest, uid_validity, uid, message_id, sha256, disposition, raw, at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.Match, int(r.Seat), r.Digest, r.UIDValidity, r.UID, r.MessageID, r.SHA256, string(r.Disposition), raw, r.At.UnixMicro())
	var e sqlite3.Error
	if errors.As(err, &e) && e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey {
		return adjudicator.ErrDuplicate
	}
	if err != nil {
		return fmt.Errorf("insert the receipt: %w", err)
	}
	return nil
}

func (db *DB) update(ctx context.Context, tx *sql.Tx, m *adjudicator.Match) error {
	held := m.Held
	if held == nil {
		held = []adjudicator.Held{}
	}
	h, err := json.Marshal(held)
	if err != nil {
		return err
	}
	var position sql.NullString
	if m.Position != nil {
		position = sql.NullString{String: string(m.Position), Valid: true}
	}
	res, err := tx.ExecContext(ctx, `UPDATE matches SET state = ?, used = ?, epoch = ?, position = ?, build = ?, entries = ?, ordered = ?, head = ?,
		held = ?, version = version + 1 WHERE id = ? AND version = ?`,
		string(m.State), m.Used, m.Epoch, position, m.Build, m.Entries, m.Ordered, m.Head, string(h), m.ID, m.Version)
	if err != nil {
		return fmt.Errorf("update match %s: %w", m.ID, err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n != 1 {
		return adjudicator.ErrConflict
	}
	for i, s := range m.Seats {
		k, err := db.key.wrap(s.Key, seatKey(m.ID, i))
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE seats SET joined = ?, words = ?, letters = ?, key = ?, said_day = ?, said = ?, format = ?,
			script = ? WHERE match = ? AND seat = ?`,
			s.Joined, s.Words, s.Letters, k, s.Said.Day, s.Said.Count, string(s.Format), string(s.Script), m.ID, i); err != nil {
			return fmt.Errorf("update seat %d of match %s: %w", i, m.ID, err)
		}
	}
	if err := readdress(ctx, tx, m); err != nil {
		return err
	}
	return think(ctx, tx, m)
}

// Received implements adjudicator.Store.
func (db *DB) Received(ctx context.Context, match string, seat rules.Seat, digest string) (adjudicator.Disposition, bool, error) {
	var d string
	err := db.reader.QueryRowContext(ctx, `SELECT disposition FROM received WHERE match = ? AND seat = ? AND digest = ?`, match, int(seat), digest).Scan(&d)
	if errors.Is(err, sql.ErrNoRows) {
		return "", false, nil
	}
	if err != nil {
		return "", false, fmt.Errorf("look for a receipt: %w", err)
	}
	return adjudicator.Disposition(d), true, nil
}

// Sent implements adjudicator.Store.
func (db *DB) Sent(ctx context.Context, match string, seat rules.Seat, number int64) (adjudicator.Sent, bool, error) {
	s := adjudicator.Sent{Number: number}
	var decisions string
	err := db.reader.QueryRowContext(ctx, `SELECT message_id, decisions, entries FROM sent WHERE match = ? AND seat = ? AND number = ?`,
		match, int(seat), number).Scan(&s.MessageID, &decisions, &s.Entries)
	if errors.Is(err, sql.ErrNoRows) {
		return s, false, nil
	}
	if err != nil {
		return s, false, fmt.Errorf("read letter %d to seat %d of match %s: %w", number, seat, match, err)
	}
	if err := json.Unmarshal([]byte(decisions), &s.Decisions); err != nil {
		return s, false, fmt.Errorf("read letter %d to seat %d of match %s: %w", number, seat, match, err)
	}
	return s, true, nil
}

// Letters implements adjudicator.Store.
func (db *DB) Letters(ctx context.Context, match string, seat rules.Seat) ([]adjudicator.Sent, error) {
	rows, err := db.reader.QueryContext(ctx, `SELECT number, message_id, decisions, entries FROM sent WHERE match = ? AND seat = ? ORDER BY number`,
		match, int(seat))
	if err != nil {
		return nil, fmt.Errorf("read the letters to seat %d of match %s: %w", seat, match, err)
	}
	defer rows.Close()
	var out []adjudicator.Sent
	for rows.Next() {
		var s adjudicator.Sent
		var decisions string
		if err := rows.Scan(&s.Number, &s.MessageID, &decisions, &s.Entries); err != nil {
			return nil, fmt.Errorf("read the letters to seat %d of match %s: %w", seat, match, err)
		}
		if err := json.Unmarshal([]byte(decisions), &s.Decisions); err != nil {
			return nil, fmt.Errorf("read letter %d to seat %d of match %s: %w", s.Number, seat, match, err)
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// Registered implements adjudicator.Store.
func (db *DB) Registered(ctx context.Context, address string) (bool, error) {
	var n int
	err := db.reader.QueryRowContext(ctx, `SELECT count(*) FROM seats WHERE address = ?1 OR second = ?1 AND second <> ''`, address).Scan(&n)
	if err != nil {
		return false, fmt.Errorf("look for an address: %w", err)
	}
	return n > 0, nil
}

// History implements adjudicator.Store.
func (db *DB) History(ctx context.Context, match string) ([]record.Entry, error) {
	rows, err := db.reader.QueryContext(ctx, `SELECT entry FROM entries WHERE match = ? ORDER BY seq`, match)
	if err != nil {
		return nil, fmt.Errorf("read the history of %s: %w", match, err)
	}
	defer rows.Close()
	var out []record.Entry
	for rows.Next() {
		var text string
		var e record.Entry
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("read the history of %s: %w", match, err)
		}
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			return nil, fmt.Errorf("read the history of %s: %w", match, err)
		}
		out = append(out, e)
	}
	return out, rows.Err()
}
