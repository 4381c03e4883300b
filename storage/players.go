package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"samizdat/adjudicator"
)

var _ adjudicator.AddressBook = (*DB)(nil)

// playerColumns are those a player p who sits in the match of a seat s.
const playerColumns = `p.id, p.address, p.contact, p.version, p.zone, p.away, p.calendar, EXISTS (SELECT 1 FROM seats WHERE player = p.id AND match <> s.match)`

// columns are where they go.
func (k *key) columns(p *adjudicator.Player) []any {
	return []any{&p.ID, &p.Address, k.unsealed(inJSON{&p.Contact}, "players.contact", &p.ID), &p.Version, &p.Zone, inJSON{&p.Away}, &p.Calendar, &p.Several}
}

// enrol makes a player known who is not: the oldest who has the address, or a new one.
// Whoever changes him at the same time has to see the match that he sits down in.
func enrol(ctx context.Context, tx *transaction, p *adjudicator.Player) error {
	if p.ID != 0 {
		return nil
	}
	if err := tx.pool.engine.one(ctx, tx, enrolling); err != nil {
		return err
	}
	is := *p
	const columns = `id, contact, version, zone, away, calendar`
	to := []any{&is.ID, tx.key().unsealed(inJSON{&is.Contact}, "players.contact", &is.ID), &is.Version, &is.Zone, inJSON{&is.Away}, &is.Calendar}
	err := tx.QueryRowContext(ctx, `UPDATE players SET version = version + 1
		WHERE id = (SELECT min(id) FROM players WHERE address = $1 AND address <> '') AND address = $1 RETURNING `+columns, p.Address).Scan(to...)
	if errors.Is(err, sql.ErrNoRows) {
		err = tx.QueryRowContext(ctx, `INSERT INTO players (id, address) SELECT coalesce(max(id), 0) + 1, $1 FROM players RETURNING `+columns, p.Address).Scan(to...)
	}
	if err != nil {
		return fmt.Errorf("look for a player: %w", err)
	}
	was := *p
	tx.undo = append(tx.undo, func() { *p = was })
	*p = is
	return nil
}

// updatePlayer writes what is a player's own, unless it has moved on since it was read.
// Letters that wait go where letters to him go now.
func updatePlayer(ctx context.Context, tx *transaction, p *adjudicator.Player) error {
	err := tx.later(ctx, onVersion("update player %d", p.ID), `UPDATE players SET address = $1, contact = $2, due = $3, since = $4, zone = $5, away = $6, calendar = $7, version = version + 1 WHERE id = $8 AND version = $9`,
		p.Address, tx.seal(inJSON{p.Contact}, "players.contact", p.ID), known(p.Due()), known(p.Newest()), p.Zone, inJSON{p.Away}, p.Calendar, p.ID, p.Version)
	if err != nil {
		return err
	}
	return tx.later(ctx, done("send the letters of player %d elsewhere", p.ID), `UPDATE outbox SET recipient = $1 WHERE state = 'waiting' AND match IS NOT NULL AND recipient <> $1
		AND (match, seat) IN (SELECT match, seat FROM seats WHERE player = $2)`, p.Address, p.ID)
}

// Player reads a player by his number; nil where there is none.
func (db *DB) Player(ctx context.Context, id int64) (*adjudicator.Player, error) {
	var p adjudicator.Player
	err := db.reader.QueryRowContext(ctx, `SELECT p.id, p.address, p.contact, p.version, p.zone, p.away, p.calendar, EXISTS (SELECT 1 FROM seats WHERE player = p.id)
		FROM players p WHERE p.id = $1`, id).Scan(db.key.columns(&p)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read player %d: %w", id, err)
	}
	return &p, nil
}

// SeatsOf implements adjudicator.AddressBook.
func (db *DB) SeatsOf(ctx context.Context, player int64) (out []adjudicator.SeatOf, err error) {
	defer wrap(&err, "look for the seats of player %d", player)
	return list(ctx, db.reader, func(s *adjudicator.SeatOf) []any { return []any{&s.Match, &s.Seat, &s.State} },
		`SELECT s.match, s.seat, m.state FROM seats s JOIN matches m ON m.id = s.match WHERE s.player = $1 ORDER BY s.match, s.seat`, player)
}

// NoteSent implements adjudicator.AddressBook.
func (db *DB) NoteSent(ctx context.Context, messageID string) (sent time.Time, waits bool, err error) {
	defer wrap(&err, "look for the letter %s", messageID)
	var state string
	var at int64
	err = db.reader.QueryRowContext(ctx, `SELECT state, at FROM outbox WHERE note = $1`, messageID).Scan(&state, &at)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = nil
	case err == nil && state == "sent":
		sent = time.UnixMicro(at).UTC()
	}
	return sent, err == nil && state == "waiting", err
}

// Registered implements adjudicator.Store.
func (db *DB) Registered(ctx context.Context, address string) (is bool, err error) {
	defer wrap(&err, "look for an address")
	err = db.reader.QueryRowContext(ctx, `SELECT count(*) > 0 FROM players WHERE address = $1 AND address <> ''`, address).Scan(&is)
	return is, err
}
