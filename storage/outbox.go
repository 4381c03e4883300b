package storage

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"samizdat/adjudicator"
	"samizdat/mail"
	"samizdat/rules"
)

// Outbox is the queue of letters that wait to be sent.
type Outbox struct {
	db   *DB
	from string
	claims
}

var _ mail.Queue = (*Outbox)(nil)

// Outbox returns the outbox. Bounces go to the address from.
func (db *DB) Outbox(from string) *Outbox { return &Outbox{db: db, from: from, claims: newClaims(db)} }

// queue queues letters, and notes what each asked.
func queue(ctx context.Context, tx *transaction, letters []adjudicator.Dispatch) error {
	if len(letters) == 0 {
		return nil
	}
	ids, err := tx.pool.engine.letters(ctx, tx, len(letters))
	if err != nil {
		return fmt.Errorf("number letters: %w", err)
	}
	for i, d := range letters {
		if d.TellsAll {
			if err := dropSpare(ctx, tx, d.Match, d.Seat); err != nil {
				return err
			}
		}
		// Whose letter it is. Letters to a player follow him elsewhere; those to an observer
		// are dropped when he leaves. A short letter about a match follows nobody, and is
		// found again by its name.
		player, watched := d.Seat != rules.Nobody, d.Observer > 0
		short := !player && !watched && d.Match != ""
		id := ids[i]
		if err := tx.later(ctx, done("queue a letter"), `INSERT INTO outbox (id, recipient, picture_at, file_at, due, since, at, urgent, match, seat, number, letter, note, watched, observer, spare, turn)
			VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
				CASE WHEN $16 = 0 THEN (SELECT `+behind+` FROM (SELECT CAST($8 AS TEXT) AS match, CAST($13 AS TEXT) AS watched, CAST($7 AS BIGINT) AS urgent) AS o) END)`,
			id, d.To, d.Raw.PictureAt, d.Raw.FileAt, d.Date.UnixMicro(), d.Date.Add(-d.Held).UnixMicro(), len(d.Decisions) > 0,
			when(player || short, d.Match), when(player, int64(d.Seat)), when(player || watched, d.Number), tx.seal(d.Raw.LetterID, "outbox.letter", id),
			when(short && d.MessageID != "", d.MessageID), when(watched, d.Match), when(watched, int64(d.Observer)), d.Spare, d.Held > 0); err != nil {
			return err
		}
		if err := tx.later(ctx, done("queue what a letter says"), `INSERT INTO bodies (id, raw, drawing, file) VALUES ($1, $2, $3, $4)`,
			id, tx.seal(inBody{&d.Raw.Bytes}, "bodies.raw", id), tx.seal(d.Drawing, "bodies.drawing", id), tx.seal(d.File, "bodies.file", id)); err != nil {
			return err
		}
		if !player {
			continue
		}
		if err := tx.later(ctx, done("note letter %d to seat %d of match %s", d.Number, d.Seat, d.Match), `INSERT INTO sent (match, seat, number, decisions, entries)
			VALUES ($1, $2, $3, $4, $5)`,
			d.Match, int(d.Seat), d.Number, tx.seal(inNumbers{&d.Decisions}, "sent.decisions", d.Match, int(d.Seat), d.Number), d.Entries); err != nil {
			return err
		}
	}
	return nil
}

// dropSpare drops the letters to a seat that wait to be sent, and whose place another now
// takes. They count as never written (see lettersTo), but for one that the sender had in hand and that
// went out all the same.
func dropSpare(ctx context.Context, tx *transaction, match string, seat rules.Seat) (err error) {
	defer wrap(&err, "drop what waits for seat %d of match %s", seat, match)
	return dropWaiting(ctx, tx, `spare = 1 AND attempts = 0 AND claim IS NULL AND match = $2 AND seat = $3`, match, int(seat))
}

// note is a letter that concerns no match.
func note(to string, raw []byte, at time.Time) []adjudicator.Dispatch {
	return []adjudicator.Dispatch{{Addressee: adjudicator.Addressee{Seat: rules.Nobody, To: to}, Sending: adjudicator.Sending{Date: at}, Raw: adjudicator.Rendered{Bytes: raw}}}
}

// when is a value where it is known, or NULL.
func when[T any](known bool, v T) sql.Null[T] { return sql.Null[T]{V: v, Valid: known} }

// Due implements mail.Queue. Letters have their drawings and files beside them.
func (o *Outbox) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]mail.Outgoing, error) {
	if err := o.ripen(ctx, now); err != nil {
		return nil, err
	}
	return o.claimed(ctx, except, func(except []int64) ([]mail.Outgoing, error) { return o.due(ctx, now, limit, except) })
}

// Sent implements mail.Queue. Bodies are dropped: what a letter said can be
// composed again.
func (o *Outbox) Sent(ctx context.Context, ids []int64, now time.Time) error {
	return o.db.writeSoon(ctx, func(ctx context.Context, tx *transaction) error {
		var to []sentTo
		for number, ids := range o.byNumber(ids) {
			// What is another's is not booked.
			booked, err := list(ctx, tx, func(s *sentTo) []any { return []any{&s.match, &s.seat, &s.number} },
				`UPDATE outbox SET state = 'sent', due = 0, turn = NULL, claim = NULL, letter = $1, at = $2 WHERE id = ANY ($3) AND coalesce(claim, 0) = $4
				RETURNING (SELECT id FROM matches WHERE id = outbox.match AND tempo <> ''), seat, number`, nothing, now.UnixMicro(), ids, number)
			if err != nil {
				return fmt.Errorf("book %d letters as sent: %w", len(ids), err)
			}
			to = append(to, booked...)
		}
		return o.db.key.accepted(ctx, tx, to, now)
	})
}

// Failed implements mail.Queue.
func (o *Outbox) Failed(ctx context.Context, id int64, now, next time.Time, permanent bool, reason string) (err error) {
	defer wrap(&err, "book the failure of letter %d", id)
	state := "waiting"
	if permanent {
		state = "failed"
	}
	return o.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		// An early try neither counts nor moves the letter's own time.
		const early = `(due > $1 AND at <= $1)`
		is, err := changed(tx.ExecContext(ctx, `UPDATE outbox SET attempts = CASE WHEN `+early+` THEN attempts ELSE attempts + 1 END, due = CASE WHEN `+early+` THEN due ELSE $2 END,
			turn = NULL, claim = NULL, state = $3, reason = $4, at = $1 WHERE id = $5 AND state = 'waiting' AND coalesce(claim, 0) = $6`,
			now.UnixMicro(), next.UnixMicro(), state, reason, id, o.number(id)))
		if err == nil && permanent && is {
			if err = unreachable(ctx, tx, id); err == nil {
				err = o.db.key.givenUp(ctx, tx, id, reason, now)
			}
		}
		return err
	})
}

// Deferred implements mail.Queue. A letter whose time comes later keeps it.
func (o *Outbox) Deferred(ctx context.Context, id int64, now, next time.Time, reason string) (err error) {
	defer wrap(&err, "put letter %d off", id)
	return o.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `UPDATE outbox SET due = CASE WHEN due > $1 AND at <= $2 THEN due ELSE $1 END, turn = NULL, claim = NULL, reason = $3, at = $2
			WHERE id = $4 AND state = 'waiting' AND coalesce(claim, 0) = $5`, next.UnixMicro(), now.UnixMicro(), reason, id, o.number(id))
		return err
	})
}

// SentSince tells when letters went out since a time, oldest first.
func (o *Outbox) SentSince(ctx context.Context, since time.Time) (out []time.Time, err error) {
	defer wrap(&err, "read what was sent")
	return list(ctx, o.db.reader, func(at *time.Time) []any { return []any{micros{at}} },
		`SELECT at FROM outbox WHERE state = 'sent' AND at >= $1 ORDER BY at`, since.UnixMicro())
}

// NextDue implements mail.Queue.
func (o *Outbox) NextDue(ctx context.Context) (time.Time, bool, error) {
	var due sql.NullInt64
	if err := o.db.reader.QueryRowContext(o.db.reader.brief(ctx), `SELECT min(due) FROM (SELECT due FROM outbox WHERE state = 'waiting' AND turn IS NOT NULL AND coalesce(claim, $1) = $1
		UNION ALL SELECT due FROM outbox WHERE state = 'waiting' AND turn IS NULL AND coalesce(claim, $1) = $1) AS d`, o.current()).Scan(&due); err != nil {
		return time.Time{}, false, fmt.Errorf("read the outbox: %w", err)
	}
	return time.UnixMicro(due.Int64), due.Valid, nil
}
