package storage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Sent implements exchange.Store.
func (db Matches) Sent(ctx context.Context, match string, seat rules.Seat, number int64) (exchange.Sent, bool, error) {
	list, err := db.key.readSent(ctx, db.reader, match, seat, lettersTo+`AND number = $3`, number)
	if err == nil && len(list) == 0 {
		list, err = db.readPackedSent(ctx, match, seat)
		list = slices.DeleteFunc(list, func(l exchange.Sent) bool { return l.Number != number })
	}
	if err != nil || len(list) == 0 {
		return exchange.Sent{Number: number}, false, err
	}
	return list[0], true, nil
}

// Letters implements exchange.Store.
func (db Matches) Letters(ctx context.Context, match string, seat rules.Seat) ([]exchange.Sent, error) {
	later, err := db.key.readSent(ctx, db.reader, match, seat, lettersTo+`ORDER BY number`)
	if err != nil {
		return nil, err
	}
	before, err := db.readPackedSent(ctx, match, seat)
	return mergeLetters(before, later), err
}

// appendRows adds letters that stand in rows to those that are packed. Some stand in both.
func mergeLetters(packed, later []exchange.Sent) []exchange.Sent {
	for _, l := range later {
		i, is := slices.BinarySearchFunc(packed, l.Number, func(p exchange.Sent, n int64) int { return cmp.Compare(p.Number, n) })
		if !is {
			packed = slices.Insert(packed, i, l)
		}
	}
	return packed
}

// readPackedSent reads the letters to a seat that are packed.
func (db Matches) readPackedSent(ctx context.Context, match string, seat rules.Seat) ([]exchange.Sent, error) {
	p, err := db.readArchive(ctx, match, false)
	if p == nil {
		return nil, err
	}
	return p.letters(seat), nil
}

// lettersTo are the letters to a seat, without those whose place another took before they went out;
// which of them, follows.
const lettersTo = `SELECT number, decisions, entries FROM sent WHERE match = $1 AND seat = $2
	AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.state = 'dropped' AND o.spare = 1 AND o.match = sent.match AND o.seat = sent.seat
	AND o.number = sent.number) `

// readSent reads what letters to a seat asked.
func (k *key) readSent(ctx context.Context, a querier, match string, seat rules.Seat, query string, args ...any) (out []exchange.Sent,
	err error) {
	defer wrapError(&err, "read the letters to seat %d of match %s", seat, match)
	return queryAll(ctx, a, func(s *exchange.Sent) []any {
		open := func(to any, column string) unsealed { return k.unsealed(to, column, match, int(seat), &s.Number) }
		return []any{&s.Number, open(deltaColumn{&s.Decisions}, "sent.decisions"), &s.Entries}
	}, query, append([]any{match, int(seat)}, args...)...)
}

var (
	_ exchange.BounceBook = (*DB)(nil)
	_ exchange.ReturnBook = (*DB)(nil)
)

// Returned implements exchange.ReturnBook.
func (db Matches) Returned(ctx context.Context, match string) (out map[rules.Seat]int, err error) {
	defer wrapError(&err, "count the letters of match %s that did not arrive", match)
	out = map[rules.Seat]int{}
	err = db.key.eachUndelivered(ctx, db.reader, func(_ string, seat int) { out[rules.Seat(seat)]++ }, undelivered+`WHERE b.match = $1`, match)
	return out, err
}

// undelivered are letters that did not arrive.
const undelivered = `SELECT b.match, b.seat, b.number, s.addresses FROM bounces b JOIN seats s ON s.match = b.match AND s.seat = b.seat `

// eachUndelivered tells of each letter that did not arrive, but not of those of which it does not matter
// any more, since newer ones did.
func (k *key) eachUndelivered(ctx context.Context, a querier, tell func(match string, seat int), query string, args ...any) error {
	return eachRow(ctx, a, func(scan func(...any) error) error {
		var match string
		var seat int
		var number int64
		var mail seatMail
		err := scan(&match, &seat, &number, k.unsealed(asJSON{&mail}, "seats.addresses", &match, &seat))
		if err == nil && number > mail.Good {
			tell(match, seat)
		}
		return err
	}, query, args...)
}

// Bounced implements exchange.BounceBook.
func (db Matches) Bounced(ctx context.Context, match string, seat rules.Seat, number int64, b exchange.Bounce, at time.Time) error {
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		return db.key.recordBounce(ctx, tx, match, seat, number, b, at, false)
	})
}

// recordBounce books a letter that did not arrive. Final says that it is not tried any more;
// then the director hears of it in another way.
func (k *key) recordBounce(ctx context.Context, tx *transaction, match string, seat rules.Seat, number int64, b exchange.Bounce,
	at time.Time, final bool) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO bounces (match, seat, number, hard, recipient, status, reason, at, told, final)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
		ON CONFLICT (match, seat, number) DO UPDATE SET hard = CASE WHEN excluded.hard > bounces.hard THEN excluded.hard
		ELSE bounces.hard END, recipient = excluded.recipient, status = excluded.status,
			reason = excluded.reason, told = CASE WHEN excluded.told > bounces.told THEN excluded.told ELSE bounces.told END,
			final = CASE WHEN excluded.final > bounces.final THEN excluded.final ELSE bounces.final END
		WHERE excluded.hard > bounces.hard OR excluded.final > bounces.final AND excluded.hard = bounces.hard`,
		match, int(seat), number, b.Hard, b.Recipient, b.Status, b.Reason, at.UnixMicro(), final)
	if err != nil {
		return fmt.Errorf("book that letter %d to seat %d of match %s did not arrive: %w", number, seat, match, err)
	}
	if b.Hard || final {
		if err := k.recordUnreached(ctx, tx, match, seat); err != nil {
			return err
		}
	}
	return k.recordReturned(ctx, tx, match, seat, number, at, !b.Hard && !final, final)
}

// recordReturned tells a match that a letter to a seat did not arrive, unless it is over: nothing is
// asked there any more. A letter that the player's mail server refused is one that it took and
// sent back: a server that refuses each letter would stop his clock for ever.
func (k *key) recordReturned(ctx context.Context, tx *transaction, match string, seat rules.Seat, number int64, at time.Time, mayArrive,
	refused bool) error {
	is, err := lockMatch(ctx, tx, match, `state <> 'over'`)
	if err != nil || !is {
		return err
	}
	m, err := k.readMatch(ctx, tx, match)
	if err != nil {
		return err
	}
	taken := refused && m.Accepted(seat, number, at)
	if m.Returned(seat, number, at, mayArrive) || taken {
		return updateMatch(ctx, tx, m)
	}
	return nil
}

// recordUnreached notes that an invitation to a seat came back. It does nothing where the match
// has begun.
func (k *key) recordUnreached(ctx context.Context, tx *transaction, match string, seat rules.Seat) error {
	is, err := lockMatch(ctx, tx, match, `state = 'inviting'`)
	if err != nil || !is {
		return err
	}
	m, err := k.readMatch(ctx, tx, match)
	if err == nil && m.Unreached(seat) {
		err = updateMatch(ctx, tx, m)
	}
	return err
}

// recordGivenUp books a letter to a player that was refused for good, or was tried for too
// long, as one that did not arrive. Nobody sends a report of it.
func (k *key) recordGivenUp(ctx context.Context, tx *transaction, id int64, reason string, at time.Time) error {
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
		// It is our own fault, and yet the player has not been asked.
		return k.recordReturned(ctx, tx, match, rules.Seat(seat), number, at, false, false)
	}
	return k.recordBounce(ctx, tx, match, rules.Seat(seat), number,
		exchange.Bounce{Hard: f == message.HardFailure, Recipient: b.Recipient, Status: b.Status, Reason: b.Reason}, at, true)
}
