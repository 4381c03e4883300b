package storage

import (
	"context"
	"fmt"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
)

// unseat has whoever has read a match of a member who is to be forgotten read it again: what he had there would be
// written back.
func unseat(ctx context.Context, tx *transaction, c *club.Change) error {
	if c == nil || c.Forgotten == nil {
		return nil
	}
	ids, err := list(ctx, tx, func(id *string) []any { return []any{id} }, `SELECT DISTINCT match FROM seats WHERE player = $1 ORDER BY match`, c.Forgotten.ID)
	for _, id := range ids {
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE matches SET version = version + 1 WHERE id = $1`, id)
		}
	}
	wrap(&err, "forget who played matches of member %d of the club", c.Forgotten.ID)
	return err
}

// mailTo are the letters to an address: those of some numbers, and all behind the last of them.
type mailTo struct {
	address string
	ids     []int64
	last    int64
}

// mailTo looks for the letters to a member who is to be forgotten, before the transaction: a file has no index for
// that, and nothing else could be written while all letters are looked through.
func (db *DB) mailTo(ctx context.Context, c *club.Change) (to mailTo, err error) {
	if c == nil || c.Forgotten == nil {
		return to, nil
	}
	to.address = c.Forgotten.Address
	if db.engine.indexesRecipients() {
		return to, nil
	}
	defer wrap(&err, "look for the letters to member %d of the club", c.Forgotten.ID)
	if err := db.reader.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) FROM outbox`).Scan(&to.last); err != nil {
		return to, err
	}
	to.ids, err = newer(ctx, db.reader, mailTo{address: to.address})
	return to, err
}

// newer lists letters to an address behind the last that is known.
func newer(ctx context.Context, a asker, to mailTo) ([]int64, error) {
	return list(ctx, a, func(id *int64) []any { return []any{id} }, `SELECT id FROM outbox WHERE recipient = $1 AND id > $2`, to.address, to.last)
}

// forget drops those that wait, and forgets to whom all went.
func (to mailTo) forget(ctx context.Context, tx *transaction) error {
	more, err := newer(ctx, tx, to)
	ids := append(append([]int64{}, to.ids...), more...)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE outbox SET recipient = '', reason = '', letter = $1 WHERE state <> 'waiting' AND recipient = $2 AND id = ANY ($3)`, nothing, to.address, ids)
	}
	if err == nil {
		err = dropWaiting(ctx, tx, `recipient = $2 AND id = ANY ($3)`, to.address, ids)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE outbox SET recipient = '', reason = '' WHERE state = 'dropped' AND recipient = $1 AND id = ANY ($2)`, to.address, ids)
	}
	wrap(&err, "forget letters")
	return err
}

// forgetting is what is done to forget a player, and with what. What is left of him in matches that are
// over is what their records need.
var forgetting = []struct {
	statement string
	args      func(m *club.Member) []any
}{
	{`DELETE FROM received WHERE ` + from, forgottenID},
	{`DELETE FROM bounces WHERE (match, seat) IN (SELECT match, seat FROM seats WHERE player = $1) OR recipient = $2`, func(m *club.Member) []any { return []any{m.ID, m.Address} }},
	{`DELETE FROM former WHERE player = $1`, forgottenID},
	{`UPDATE observers SET ended = 1, address = '' WHERE address = $1`, forgottenAddress},
	{`UPDATE seats SET called = CASE called WHEN '' THEN '' ELSE $1 END, said_day = '' WHERE player = $2`, func(m *club.Member) []any { return []any{m.Pseudonym(), m.ID} }},
	{`DELETE FROM applicants WHERE address = $1`, forgottenAddress},
	{`DELETE FROM queue WHERE member = $1`, forgottenID},
}

func forgottenID(m *club.Member) []any      { return []any{m.ID} }
func forgottenAddress(m *club.Member) []any { return []any{m.Address} }

// forget forgets a member, unless he plays. It comes before the letters of the change: the last
// goes to him.
func forget(ctx context.Context, tx *transaction, m *club.Member, to mailTo) (err error) {
	defer wrap(&err, "forget member %d of the club", m.ID)
	// Who is to be forgotten sits down nowhere meanwhile.
	err = tx.pool.engine.one(ctx, tx, enrolling)
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE players SET version = version + 1 WHERE id = $1`, m.ID)
	}
	if err != nil {
		return err
	}
	var plays bool
	if err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM seats s JOIN matches ON id = match WHERE s.player = $1 AND state IN ('inviting', 'playing'))`, m.ID).Scan(&plays); err != nil {
		return err
	}
	if plays {
		return adjudicator.ErrConflict
	}
	for _, f := range forgetting {
		if _, err := tx.ExecContext(ctx, f.statement, f.args(m)...); err != nil {
			return fmt.Errorf("%s: %w", f.statement, err)
		}
	}
	if err := to.forget(ctx, tx); err != nil {
		return err
	}
	type seat struct {
		match string
		seat  int
	}
	seats, err := list(ctx, tx, func(s *seat) []any { return []any{&s.match, &s.seat} }, `SELECT match, seat FROM seats WHERE player = $1`, m.ID)
	for _, s := range seats {
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE seats SET thoughts = $1 WHERE match = $2 AND seat = $3`, tx.seal("{}", "seats.thoughts", s.match, s.seat), s.match, s.seat)
		}
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `UPDATE players SET address = '', contact = $1, due = NULL, since = NULL, zone = '', away = '{}', calendar = 0 WHERE id = $2`,
			tx.seal("{}", "players.contact", m.ID), m.ID)
	}
	return err
}
