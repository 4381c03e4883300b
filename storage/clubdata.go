package storage

import (
	"bytes"
	"compress/flate"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
)

// from are the letters that came from player ?1: those of the club, and of his seats as long as
// they were his.
const from = `match IN (SELECT 'club-' || ?1 UNION SELECT match FROM seats WHERE player = ?1 UNION SELECT match FROM former WHERE player = ?1)
	AND (match = 'club-' || ?1 OR ?1 = coalesce((SELECT f.player FROM former f WHERE f.match = received.match AND f.seat = received.seat AND f.until >= received.at ORDER BY f.until LIMIT 1),
		(SELECT s.player FROM seats s WHERE s.match = received.match AND s.seat = received.seat)))`

// concerns are the queries for what is stored about a player: of each table what is his, in the
// open, without keys of tokens and without what is hidden from him.
var concerns = []struct{ table, query string }{
	{"players", `SELECT id, address, unseal(contact, 'players.contact', id) AS contact, zone, calendar, away FROM players WHERE id = ?1`},
	{"members", `SELECT player, name, state, since, settings, proposed, letters FROM members WHERE player = ?1`},
	{"applicants", `SELECT address, name, asked FROM applicants WHERE address = (SELECT address FROM players WHERE id = ?1 AND address <> '')`},
	{"seats", `SELECT match, seat, name, called, joined, words, seal, letters, format, script, clock, unseal(addresses, 'seats.addresses', match, seat) AS addresses,
		unseal(thoughts, 'seats.thoughts', match, seat) AS thoughts FROM seats WHERE player = ?1 ORDER BY match, seat`},
	{"observers", `SELECT match, number, address, letters, since FROM observers WHERE address = (SELECT address FROM players WHERE id = ?1 AND address <> '')`},
	{"offers", `SELECT id, state, terms, match, created, expires FROM offers o WHERE EXISTS (SELECT 1 FROM json_each(o.parties) WHERE value ->> '$.member' = ?1)
		OR EXISTS (SELECT 1 FROM json_each(o.invited) WHERE value = ?1) ORDER BY id`},
	{"queue", `SELECT game, terms, most, since FROM queue WHERE member = ?1`},
	{"clublog", `SELECT at, by, act, why FROM clublog WHERE member = ?1 ORDER BY id`},
	{"bounces", `SELECT b.match, b.seat, b.number, b.hard, b.recipient, b.status, b.reason, b.at FROM bounces b JOIN seats s ON s.match = b.match AND s.seat = b.seat
		WHERE s.player = ?1 AND b.recipient = (SELECT address FROM players WHERE id = ?1 AND address <> '')`},
	{"outbox", `SELECT match, seat, number, recipient, state, at FROM outbox WHERE recipient = (SELECT address FROM players WHERE id = ?1 AND address <> '') ORDER BY id`},
	{"received", `SELECT match, message_id, disposition, at, unseal(raw, 'received.raw', match, seat, digest) AS raw FROM received
		WHERE ` + from + ` ORDER BY at`},
}

// DataOf is all that is stored about a player, by tables: rows with their columns.
func (db *DB) DataOf(ctx context.Context, player int64) (map[string][]map[string]any, error) {
	out := map[string][]map[string]any{}
	for _, c := range concerns {
		rows, err := db.reader.QueryContext(ctx, c.query, player)
		if err != nil {
			return nil, fmt.Errorf("read what %s has of player %d: %w", c.table, player, err)
		}
		if out[c.table], err = allOf(rows); err != nil {
			return nil, fmt.Errorf("read what %s has of player %d: %w", c.table, player, err)
		}
	}
	return out, nil
}

// allOf reads rows whatever their columns are.
func allOf(rows *sql.Rows) (out []map[string]any, err error) {
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		values, to := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		row := map[string]any{}
		for i, c := range columns {
			if row[c] = values[i]; c == "raw" {
				row[c] = inflated(values[i])
			} else if b, ok := values[i].([]byte); ok {
				row[c] = string(b)
			}
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// inflated is a letter that was stored compressed: with the dictionary, or without one before
// there was any.
func inflated(v any) string {
	b, _ := v.([]byte)
	if s, ok := v.(string); ok {
		b = []byte(s)
	}
	if len(b) == 0 {
		return ""
	}
	var text []byte
	var err error
	if marked(b) {
		text, err = letterRows.unpack(b)
	} else {
		text, err = io.ReadAll(flate.NewReader(bytes.NewReader(b)))
	}
	if err != nil {
		return ""
	}
	return string(text)
}

// ClubLog lists the newest entries of the club's log, the newest first.
func (db *DB) ClubLog(ctx context.Context, limit int) (out []club.LogEntry, err error) {
	defer wrap(&err, "read the log of the club")
	return list(ctx, db.reader, func(e *club.LogEntry) []any {
		return []any{micros{&e.At}, &e.Member, &e.By, &e.Act, &e.Why}
	}, `SELECT at, coalesce(member, 0), by, act, why FROM clublog ORDER BY id DESC LIMIT ?`, limit)
}

// forgetting is what is done to forget a player, whose number is ?1, whose address ?2 and whose
// pseudonym ?3. What is left of him in matches that are over is what their records need.
var forgetting = []string{
	`DELETE FROM received WHERE ` + from,
	`DELETE FROM bounces WHERE (match, seat) IN (SELECT match, seat FROM seats WHERE player = ?1) OR recipient = ?2`,
	`DELETE FROM former WHERE player = ?1`,
	`UPDATE outbox SET recipient = '', reason = '', letter = x'' WHERE state <> 'waiting' AND recipient = ?2`,
	`UPDATE outbox SET state = 'dropped', turn = NULL, letter = x'' WHERE state = 'waiting' AND recipient = ?2`,
	`UPDATE outbox SET recipient = '', reason = '' WHERE state = 'dropped' AND recipient = ?2`,
	`UPDATE observers SET ended = 1, address = '' WHERE address = ?2`,
	`UPDATE seats SET called = CASE called WHEN '' THEN '' ELSE ?3 END, said_day = '', thoughts = seal('{}', 'seats.thoughts', match, seat) WHERE player = ?1`,
	`DELETE FROM applicants WHERE address = ?2`,
	`DELETE FROM queue WHERE member = ?1`,
	`UPDATE players SET address = '', contact = seal('{}', 'players.contact', id), due = NULL, since = NULL, zone = '', away = '{}', calendar = 0, version = version + 1 WHERE id = ?1`,
}

// forget forgets a member, unless he plays. It comes before the letters of the change: the last
// goes to him.
func forget(ctx context.Context, tx *sql.Tx, m *club.Member) (err error) {
	defer wrap(&err, "forget member %d of the club", m.ID)
	var plays bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM seats s JOIN matches ON id = match WHERE s.player = ? AND state IN ('inviting', 'playing'))`, m.ID).Scan(&plays); err != nil {
		return err
	}
	if plays {
		return adjudicator.ErrConflict
	}
	for _, statement := range forgetting {
		if _, err := tx.ExecContext(ctx, statement, m.ID, m.Address, m.Pseudonym()); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// Desk is where the director's letters about the club stand.
func (db *DB) Desk(ctx context.Context) (d club.Desk, err error) {
	defer wrap(&err, "read where the director's letters stand")
	err = db.reader.QueryRowContext(ctx, `SELECT letters, proposed, asked, version FROM clubdesk WHERE id = 1`).Scan(&d.Letters, inJSON{&d.Proposed}, micros{&d.Asked}, &d.Version)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return d, err
}

// writeDesk writes it, unless it has moved on since it was read.
func writeDesk(ctx context.Context, tx *sql.Tx, d *club.Desk) error {
	proposed := when(d.Proposed != nil, inJSON{d.Proposed})
	if d.Version == 0 {
		_, err := tx.ExecContext(ctx, `INSERT INTO clubdesk (id, letters, proposed, asked, version) VALUES (1, ?, ?, ?, 1)`, d.Letters, proposed, d.Asked.UnixMicro())
		return orConflict(err, "write where the director's letters stand")
	}
	return unmoved(tx.ExecContext(ctx, `UPDATE clubdesk SET letters = ?, proposed = ?, asked = ?, version = version + 1 WHERE id = 1 AND version = ?`,
		d.Letters, proposed, d.Asked.UnixMicro(), d.Version))
}
