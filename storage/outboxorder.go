package storage

import (
	"context"
	"fmt"
	"time"

	"samizdat/mail"
)

// ripe is a letter whose time has come. What was queued or has failed at a time that
// is still to come is ripe as well: the clock ran ahead then, and was set back.
const ripe = `(due <= ?1 OR at > ?1 AND watched IS NULL)`

// outgoing are the columns that a letter is sent by; fields are where they go.
const outgoing = `o.id, o.recipient, unseal(o.letter, 'outbox.letter', o.id), unseal(o.raw, 'outbox.raw', o.id), o.final,
	unseal(o.drawing, 'outbox.drawing', o.id), o.picture_at, o.attempts`

func fields(l *mail.Outgoing) []any {
	return []any{&l.ID, &l.To, &l.LetterID, &l.Raw, &l.Final, &l.Drawing, &l.PictureAt, &l.Attempts}
}

// dueOrder gives what is ripe. Letters that somebody has to answer go first, and with
// each its older ones to the same player. Then matches take turns, so that a busy one
// leaves others their part of a day's limit; within a match it goes by time.
const dueOrder = `
WITH ready AS (
	SELECT id, recipient, match, seat, watched,
		max(urgent) OVER newer AS pressing, min(due) OVER newer AS first
	FROM outbox WHERE state = 'waiting' AND ` + ripe + `
	WINDOW newer AS (PARTITION BY match, seat, CASE WHEN seat IS NULL THEN id END ORDER BY id DESC)
), turns AS (
	SELECT id, pressing, first,
		row_number() OVER (PARTITION BY coalesce(match, watched, recipient), pressing ORDER BY first, id) AS turn
	FROM ready
), picked AS (
	SELECT * FROM turns ORDER BY pressing DESC, turn, first, id LIMIT ?2
)
SELECT ` + outgoing + `, p.pressing, coalesce(o.match, ''), coalesce(o.seat, -1)
FROM picked p JOIN outbox o USING (id) ORDER BY p.pressing DESC, p.turn, p.first, p.id`

// reader is whose letter one is; the zero reader is nobody.
type reader struct {
	match string
	seat  int
}

// due reads what is to be sent now, in order.
func (o *Outbox) due(ctx context.Context, now time.Time, limit int) ([]mail.Outgoing, error) {
	var ripe []mail.Outgoing
	var readers []reader
	err := each(ctx, o.db.reader, func(scan func(...any) error) error {
		l := mail.Outgoing{EnvelopeFrom: o.from}
		var r reader
		if err := scan(append(fields(&l), &l.Urgent, &r.match, &r.seat)...); err != nil {
			return err
		}
		ripe, readers = append(ripe, l), append(readers, r)
		return nil
	}, dueOrder, now.UnixMicro(), limit)
	if err != nil {
		return nil, fmt.Errorf("read the outbox: %w", err)
	}
	if len(ripe) == 0 {
		return nil, nil
	}
	waiting, err := o.waiting(ctx, now)
	if err != nil || len(waiting) == 0 {
		return ripe, err
	}
	// A letter that failed does not let newer ones overtake it. All older ones that wait
	// for another try go before each letter that is ripe. They count against the
	// limit, but it never cuts between them and that letter: only its own try puts it off.
	var out []mail.Outgoing
	upTo := map[reader]int64{}
	for i, l := range ripe {
		if len(out) >= limit {
			break
		}
		if r := readers[i]; waiting[r] {
			older, err := o.older(ctx, now, r, upTo[r], l)
			if err != nil {
				return nil, err
			}
			out = append(out, older...)
			upTo[r] = l.ID
		}
		out = append(out, l)
	}
	return out, nil
}

const waitingReaders = `SELECT DISTINCT match, seat FROM outbox WHERE state = 'waiting' AND match IS NOT NULL AND seat IS NOT NULL AND NOT ` + ripe

// waiting lists the players to whom a letter waits for another try.
func (o *Outbox) waiting(ctx context.Context, now time.Time) (out map[reader]bool, err error) {
	defer wrap(&err, "look for letters that are tried again")
	out = map[reader]bool{}
	return out, each(ctx, o.db.reader, func(scan func(...any) error) error {
		var r reader
		err := scan(&r.match, &r.seat)
		out[r] = true
		return err
	}, waitingReaders, now.UnixMicro())
}

// older gives the letters between two to a player that wait for another try.
func (o *Outbox) older(ctx context.Context, now time.Time, r reader, after int64, than mail.Outgoing) (out []mail.Outgoing, err error) {
	defer wrap(&err, "look for letters that are tried again")
	return list(ctx, o.db.reader, func(l *mail.Outgoing) []any {
		*l = mail.Outgoing{EnvelopeFrom: o.from, Urgent: than.Urgent, Early: true}
		return fields(l)
	}, `SELECT `+outgoing+` FROM outbox o WHERE state = 'waiting' AND match = ?2 AND seat = ?3
		AND match IS NOT NULL AND id > ?4 AND id < ?5 AND NOT `+ripe+` ORDER BY id`,
		now.UnixMicro(), r.match, r.seat, after, than.ID)
}
