package storage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Sent implements exchange.Store.
func (db Matches) Sent(ctx context.Context, match string, seat rules.Seat, number int64) (exchange.SentLetter, bool, error) {
	list, err := db.key.readSent(ctx, db.reader, match, seat, sentLettersQuery+`AND number = $3`, number)
	if err == nil && len(list) == 0 {
		list, err = db.readPackedSent(ctx, match, seat)
		list = slices.DeleteFunc(list, func(l exchange.SentLetter) bool { return l.Number != number })
	}
	if err != nil || len(list) == 0 {
		return exchange.SentLetter{Number: number}, false, err
	}
	return list[0], true, nil
}

// Letters implements exchange.Store.
func (db Matches) Letters(ctx context.Context, match string, seat rules.Seat) ([]exchange.SentLetter, error) {
	fromRows, err := db.key.readSent(ctx, db.reader, match, seat, sentLettersQuery+`ORDER BY number`)
	if err != nil {
		return nil, err
	}
	packed, err := db.readPackedSent(ctx, match, seat)
	return mergeLetters(packed, fromRows), err
}

// mergeLetters adds letters from rows to packed letters. Some may be in both: packed 1, 2 and rows 2, 3 give 1, 2, 3.
func mergeLetters(packed, fromRows []exchange.SentLetter) []exchange.SentLetter {
	for _, l := range fromRows {
		i, ok := slices.BinarySearchFunc(packed, l.Number, func(p exchange.SentLetter, n int64) int { return cmp.Compare(p.Number, n) })
		if !ok {
			packed = slices.Insert(packed, i, l)
		}
	}
	return packed
}

func (db Matches) readPackedSent(ctx context.Context, match string, seat rules.Seat) ([]exchange.SentLetter, error) {
	packed, err := db.readArchive(ctx, match, false)
	if packed == nil {
		return nil, err
	}
	return packed.letters(seat), nil
}

// sentLettersQuery selects the letters to a seat, without letters that were replaced before they were sent. Further
// conditions are appended.
const sentLettersQuery = `SELECT number, decisions, entries FROM sent WHERE match = $1 AND seat = $2
	AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.state = 'dropped' AND o.spare = 1 AND o.match = sent.match AND o.seat = sent.seat
	AND o.number = sent.number) `

func (k *key) readSent(ctx context.Context, db querier, match string, seat rules.Seat, query string,
	args ...any) (out []exchange.SentLetter, err error) {
	defer wrapError(&err, "read the letters to seat %d of match %s", seat, match)
	return queryAll(ctx, db, func(s *exchange.SentLetter) []any {
		unsealColumn := func(to any, column string) unsealed { return k.unsealInto(to, column, match, int(seat), &s.Number) }
		return []any{&s.Number, unsealColumn(deltaColumn{&s.Decisions}, "sent.decisions"), &s.EntryCount}
	}, query, append([]any{match, int(seat)}, args...)...)
}

var (
	_ exchange.BounceRecorder = (*DB)(nil)
	_ exchange.BounceCounter  = (*DB)(nil)
)

// CountBounces implements exchange.BounceCounter.
func (db Matches) CountBounces(ctx context.Context, match string) (out map[rules.Seat]int, err error) {
	defer wrapError(&err, "count the undelivered letters of match %s", match)
	out = map[rules.Seat]int{}
	countUndelivered := func(_ string, seat int) { out[rules.Seat(seat)]++ }
	return out, db.key.forEachUndelivered(ctx, db.reader, countUndelivered, undeliveredQuery+`WHERE b.match = $1`, match)
}

const undeliveredQuery = `SELECT b.match, b.seat, b.number, s.addresses FROM bounces b
	JOIN seats s ON s.match = b.match AND s.seat = b.seat `

// forEachUndelivered calls visit for each undelivered letter, except letters to an earlier address or player of the
// seat.
func (k *key) forEachUndelivered(ctx context.Context, db querier, visit func(match string, seat int), query string, args ...any) error {
	return eachRow(ctx, db, func(scan func(...any) error) error {
		var match string
		var seat int
		var number int64
		var mail seatMailColumn
		err := scan(&match, &seat, &number, k.unsealInto(asJSON{&mail}, "seats.addresses", &match, &seat))
		if err == nil && number > mail.IgnoreBouncesThrough {
			visit(match, seat)
		}
		return err
	}, query, args...)
}

// RecordBounce implements exchange.BounceRecorder.
func (db Matches) RecordBounce(ctx context.Context, match string, seat rules.Seat, number int64, b exchange.Bounce, at time.Time) error {
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		return db.key.recordBounce(ctx, tx, match, seat, number, b, at, false)
	})
}

// recordBounce stores a bounce. gaveUp is set if we no longer try to send the letter. Then the outbox, not the bounce,
// reports the letter to the director.
func (k *key) recordBounce(ctx context.Context, tx *transaction, match string, seat rules.Seat, number int64, b exchange.Bounce,
	at time.Time, gaveUp bool) error {
	tx.enqueue(ctx, wrapResult("record the bounce of letter %d to seat %d of match %s", number, seat, match),
		`INSERT INTO bounces (match, seat, number, hard, recipient, status, reason, at, told, final)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
		ON CONFLICT (match, seat, number) DO UPDATE SET hard = CASE WHEN excluded.hard > bounces.hard THEN excluded.hard
		ELSE bounces.hard END, recipient = excluded.recipient, status = excluded.status,
			reason = excluded.reason, told = CASE WHEN excluded.told > bounces.told THEN excluded.told ELSE bounces.told END,
			final = CASE WHEN excluded.final > bounces.final THEN excluded.final ELSE bounces.final END
		WHERE excluded.hard > bounces.hard OR excluded.final > bounces.final AND excluded.hard = bounces.hard`,
		match, int(seat), number, b.Hard, b.Recipient, b.Status, b.Reason, at.UnixMicro(), gaveUp)
	if b.Hard || gaveUp {
		if err := k.recordInvitationBounce(ctx, tx, match, seat); err != nil {
			return err
		}
	}
	return k.recordReturned(ctx, tx, match, seat, number, at, !b.Hard && !gaveUp, gaveUp)
}

// recordReturned records in a running match that a letter to a seat was not delivered. mayArrive means that it may still
// arrive. If gaveUp is set, the letter is recorded as accepted before the bounce, so that the clock starts: otherwise a
// player with a server that refuses every letter would never run out of time.
func (k *key) recordReturned(ctx context.Context, tx *transaction, match string, seat rules.Seat, number int64, at time.Time, mayArrive,
	gaveUp bool) error {
	ok, err := lockMatch(ctx, tx, match, `state <> 'over'`)
	if err != nil || !ok {
		return err
	}
	m, err := k.readMatch(ctx, tx, match)
	if err != nil {
		return err
	}
	accepted := gaveUp && m.RecordAccepted(seat, number, at)
	if m.RecordBounce(seat, number, at, mayArrive) || accepted {
		updateMatch(ctx, tx, m)
	}
	return nil
}

func (k *key) recordInvitationBounce(ctx context.Context, tx *transaction, match string, seat rules.Seat) error {
	ok, err := lockMatch(ctx, tx, match, `state = 'inviting'`)
	if err != nil || !ok {
		return err
	}
	m, err := k.readMatch(ctx, tx, match)
	if err == nil && m.RecordInvitationBounce(seat) {
		updateMatch(ctx, tx, m)
	}
	return err
}

// recordFailedLetter records a bounce for a letter to a player, after the letter was refused permanently or retried too
// long: no delivery report follows.
func (k *key) recordFailedLetter(ctx context.Context, tx *transaction, id int64, reason string, at time.Time) error {
	var match, to string
	var seat int
	var number int64
	err := tx.QueryRowContext(ctx, `SELECT match, seat, number, recipient FROM outbox
		WHERE id = $1 AND state = 'failed' AND match IS NOT NULL AND seat IS NOT NULL AND number IS NOT NULL`, id).Scan(&match, &seat, &number,
		&to)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	b := message.BounceForReason(to, reason)
	f := b.Failure()
	if f != message.SoftFailure && f != message.HardFailure {
		// The fault is on our side, but the player did not get the letter.
		return k.recordReturned(ctx, tx, match, rules.Seat(seat), number, at, false, false)
	}
	return k.recordBounce(ctx, tx, match, rules.Seat(seat), number,
		exchange.Bounce{Hard: f == message.HardFailure, Recipient: b.Recipient, Status: b.Status, Reason: b.Reason}, at, true)
}
