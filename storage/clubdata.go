package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"samizdat/adjudicator/club"
)

// from are the letters that came from player $1: those of the club, and of his seats as long as
// they were his.
const from = `match IN (SELECT 'club-' || CAST($1 AS bigint) UNION SELECT match FROM seats WHERE player = $1 UNION SELECT match FROM former WHERE player = $1)
	AND (match = 'club-' || CAST($1 AS bigint) OR $1 = coalesce((SELECT f.player FROM former f WHERE f.match = received.match AND f.seat = received.seat AND f.until >= received.at ORDER BY f.until LIMIT 1),
		(SELECT s.player FROM seats s WHERE s.match = received.match AND s.seat = received.seat)))`

// concerns are the queries for what is stored about a player: of each table what is his, in the
// open, without keys of tokens and without what is hidden from him.
var concerns = []concern{
	{table: "players", query: `SELECT id, address, contact, zone, calendar, away FROM players WHERE id = $1`, row: []string{"id"}},
	{table: "members", query: `SELECT player, name, state, since, settings, proposed, letters FROM members WHERE player = $1`},
	{table: "applicants", query: `SELECT address, name, asked FROM applicants WHERE address = (SELECT address FROM players WHERE id = $1 AND address <> '')`},
	{table: "seats", query: `SELECT match, seat, name, called, joined, words, seal, letters, format, script, clock, addresses, thoughts
		FROM seats WHERE player = $1 ORDER BY match, seat`, row: []string{"match", "seat"}},
	{table: "observers", query: `SELECT match, number, address, letters, since FROM observers WHERE address = (SELECT address FROM players WHERE id = $1 AND address <> '')`},
	{table: "offers", query: `SELECT id, state, terms, match, created, expires, parties, invited FROM offers ORDER BY id`, only: offered, without: []string{"parties", "invited"}},
	{table: "queue", query: `SELECT game, terms, most, since FROM queue WHERE member = $1`},
	{table: "clublog", query: `SELECT at, by, act, why FROM clublog WHERE member = $1 ORDER BY id`},
	{table: "bounces", query: `SELECT b.match, b.seat, b.number, b.hard, b.recipient, b.status, b.reason, b.at FROM bounces b JOIN seats s ON s.match = b.match AND s.seat = b.seat
		WHERE s.player = $1 AND b.recipient = (SELECT address FROM players WHERE id = $1 AND address <> '')`},
	{table: "outbox", query: `SELECT match, seat, number, recipient, state, at FROM outbox WHERE recipient = (SELECT address FROM players WHERE id = $1 AND address <> '') ORDER BY id`},
	{table: "received", query: `SELECT match, seat, digest, message_id, disposition, at, raw FROM received WHERE ` + from + ` ORDER BY at`,
		row: []string{"match", "seat", "digest"}, without: []string{"seat", "digest"}},
}

// concern is a query for what a table has of a player.
type concern struct {
	table, query string
	// row are the columns that name a row of a table with sealed ones.
	row []string
	// only tells which rows concern a player, where the query gives others as well.
	only func(row map[string]any, player int64) (bool, error)
	// without are columns that are not for him.
	without []string
}

// offered tells whether a player has a part in an offer.
func offered(row map[string]any, player int64) (bool, error) {
	var parties []club.Party
	var invited []int64
	err := errors.Join(inJSON{&parties}.Scan(row["parties"]), inJSON{&invited}.Scan(row["invited"]))
	return slices.Contains(invited, player) || slices.ContainsFunc(parties, func(p club.Party) bool { return p.Member == player }), err
}

// DataOf is all that is stored about a player, by tables: rows with their columns.
func (db *DB) DataOf(ctx context.Context, player int64) (map[string][]map[string]any, error) {
	out := map[string][]map[string]any{}
	for _, c := range concerns {
		var err error
		if out[c.table], err = db.all(ctx, c, player); err != nil {
			return nil, fmt.Errorf("read what %s has of player %d: %w", c.table, player, err)
		}
	}
	return out, nil
}

// all reads the rows of a table that concern a player.
func (db *DB) all(ctx context.Context, c concern, player int64) (out []map[string]any, err error) {
	var args []any
	if c.only == nil {
		args = append(args, player)
	}
	rows, err := db.reader.QueryContext(ctx, c.query, args...)
	if err != nil {
		return nil, err
	}
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
		for i, column := range columns {
			row[column] = values[i]
		}
		if c.only != nil {
			if is, err := c.only(row, player); err != nil || !is {
				if err != nil {
					return nil, err
				}
				continue
			}
		}
		if err := db.key.unsealRow(row, c); err != nil {
			return nil, err
		}
		for _, column := range c.without {
			delete(row, column)
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// unsealRow unseals what is sealed in a row: the columns that hold bytes.
func (k *key) unsealRow(row map[string]any, c concern) error {
	for column, v := range row {
		if _, ok := v.([]byte); !ok {
			continue
		}
		what := []any{c.table + "." + column}
		for _, name := range c.row {
			what = append(what, row[name])
		}
		plain, err := k.open(v, what...)
		if err == nil && column == "raw" {
			plain, err = letterRows.unpack(plain)
		}
		if err != nil {
			return err
		}
		row[column] = string(plain)
	}
	return nil
}

// ClubLog lists the newest entries of the club's log, the newest first.
func (db *DB) ClubLog(ctx context.Context, limit int) (out []club.LogEntry, err error) {
	defer wrap(&err, "read the log of the club")
	return list(ctx, db.reader, func(e *club.LogEntry) []any {
		return []any{micros{&e.At}, &e.Member, &e.By, &e.Act, &e.Why}
	}, `SELECT at, coalesce(member, 0), by, act, why FROM clublog ORDER BY id DESC LIMIT $1 + 0`, limit)
}

// Directing is where the director's letters about the club stand.
func (db *DB) Directing(ctx context.Context) (d club.Directing, err error) {
	defer wrap(&err, "read where the director's letters stand")
	err = db.reader.QueryRowContext(ctx, `SELECT letters, proposed, asked, version FROM clubdesk WHERE id = 1`).Scan(&d.Letters, inJSON{&d.Proposed}, micros{&d.Asked}, &d.Version)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return d, err
}

// writeDirecting writes it, unless it has moved on since it was read.
func writeDirecting(ctx context.Context, tx *transaction, d *club.Directing) error {
	proposed := when(d.Proposed != nil, inJSON{d.Proposed})
	if d.Version == 0 {
		_, err := tx.ExecContext(ctx, `INSERT INTO clubdesk (id, letters, proposed, asked, version) VALUES (1, $1, $2, $3, 1)`, d.Letters, proposed, d.Asked.UnixMicro())
		return orConflict(err, "write where the director's letters stand")
	}
	return unmoved(tx.ExecContext(ctx, `UPDATE clubdesk SET letters = $1, proposed = $2, asked = $3, version = version + 1 WHERE id = 1 AND version = $4`,
		d.Letters, proposed, d.Asked.UnixMicro(), d.Version))
}
