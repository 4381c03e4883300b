package storage

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"samizdat/mail"
)

// A letter that the poller has fetched is an arrival until it is filed. Any daemon may claim it and
// adjudicate it; its receipt lets that happen once, so that nothing is lost or done twice where a claim
// lapses in the middle of it. What came of it is noted for the poller, which takes the arrival
// away and files the letter.

// Arrival is a letter that a daemon has claimed.
type Arrival struct {
	mail.Received
	// Tries counts the claims to it, this one included.
	Tries int
}

// ErrNotPoller is that another daemon reads the inbox.
var ErrNotPoller = errors.New("another daemon is the poller")

// polling reports whether the backend $1 is the poller's session.
const polling = `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 198902 AND objsubid = 2 AND granted
	AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid = $1)`

// asPoller makes a change that only the poller may make.
func (db *DB) asPoller(ctx context.Context, s *Session, do work) error {
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		var is bool
		if err := tx.QueryRowContext(ctx, polling, s.pid).Scan(&is); err != nil {
			return fmt.Errorf("see who is the poller: %w", err)
		}
		if !is {
			return ErrNotPoller
		}
		return do(ctx, tx)
	})
}

// tell lets the daemons know that something has become of arrivals, once it is committed.
func tell(ctx context.Context, tx *transaction) error {
	_, err := tx.ExecContext(ctx, "SELECT pg_notify($1, '')", arrivalsChannel)
	return err
}

// Arrive stores a letter, for some daemon to adjudicate, unless it is stored already.
func (db *DB) Arrive(ctx context.Context, s *Session, r mail.Received) (err error) {
	defer wrap(&err, "store letter %d of the inbox", r.UID)
	return db.asPoller(ctx, s, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO arrivals (uid_validity, uid, arrived, size, truncated, raw) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
			int64(r.UIDValidity), int64(r.UID), r.Arrived.UnixMicro(), r.Size, r.Truncated, tx.seal(r.Raw, "arrivals.raw", int64(r.UIDValidity), int64(r.UID)))
		if err != nil {
			return err
		}
		return tell(ctx, tx)
	})
}

// Outcome is what came of an arrival: the folder for the letter, or one of the words of a daemon for
// what went wrong.
type Outcome struct {
	UIDValidity, UID uint32
	What             string
}

// Outcomes takes away the arrivals that were handled, for the poller.
func (db *DB) Outcomes(ctx context.Context, s *Session) (out []Outcome, err error) {
	defer wrap(&err, "read what came of letters")
	err = db.asPoller(ctx, s, func(ctx context.Context, tx *transaction) (err error) {
		out, err = list(ctx, tx, func(o *Outcome) []any { return []any{&o.UIDValidity, &o.UID, &o.What} },
			`DELETE FROM arrivals WHERE outcome IS NOT NULL RETURNING uid_validity, uid, outcome`)
		return err
	})
	return out, err
}

// Claim claims letters that nobody has, the oldest first: those that were never claimed, or
// those that were, and whose daemon has not put them down.
func (db *DB) Claim(ctx context.Context, s *Session, most int, again bool) (out []Arrival, err error) {
	defer wrap(&err, "claim letters")
	least, largest := 0, 0
	if again {
		least, largest = 1, math.MaxInt32
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) (err error) {
		out, err = list(ctx, tx, func(a *Arrival) []any {
			validity, uid := new(int64), new(int64)
			return []any{&a.UIDValidity, &a.UID, validity, uid, micros{&a.Arrived}, &a.Size, &a.Truncated,
				tx.key().unsealed(&a.Raw, "arrivals.raw", validity, uid), &a.Tries}
		}, `WITH free AS MATERIALIZED (SELECT uid_validity AS v, uid AS u FROM arrivals WHERE outcome IS NULL AND claim IS NULL AND tries BETWEEN $1 AND $2
				ORDER BY uid_validity, uid LIMIT $3 + 0 FOR UPDATE SKIP LOCKED)
			UPDATE arrivals SET claim = $4, tries = tries + 1 FROM free WHERE uid_validity = v AND uid = u
			RETURNING uid_validity, uid, uid_validity, uid, arrived, size, truncated, raw, tries`, least, largest, most, s.number)
		return err
	})
	return out, err
}

// PutDown takes back a claim to a letter of a session that has ended: the daemon has not died of it.
func (db *DB) PutDown(ctx context.Context, validity, uid uint32) (err error) {
	defer wrap(&err, "put down letter %d", uid)
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `UPDATE arrivals SET tries = tries - 1 WHERE uid_validity = $1 AND uid = $2 AND tries > 0 AND outcome IS NULL`, int64(validity), int64(uid))
		return err
	})
}

// Handled notes what came of a letter, if the claim to it holds still.
func (db *DB) Handled(ctx context.Context, s *Session, o Outcome) (err error) {
	defer wrap(&err, "note what came of letter %d", o.UID)
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		if _, err := tx.ExecContext(ctx, `UPDATE arrivals SET outcome = $1 WHERE uid_validity = $2 AND uid = $3 AND claim = $4`,
			o.What, int64(o.UIDValidity), int64(o.UID), s.number); err != nil {
			return err
		}
		return tell(ctx, tx)
	})
}

// InHand counts the letters that daemons have claimed, or are still to claim.
func (db *DB) InHand(ctx context.Context) (n int, err error) {
	defer wrap(&err, "count the letters in hand")
	err = db.reader.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM arrivals) + (SELECT count(*) FROM outbox WHERE state = 'waiting' AND claim IS NOT NULL)`).Scan(&n)
	return n, err
}

// settled is for how long a daemon has to be there before it takes daemons for dead that are not: after
// a restart of the server all make new sessions.
const settled = 3 * time.Second

// Reap frees what dead daemons have claimed. The poller calls it.
func (db *DB) Reap(ctx context.Context, s *Session) (err error) {
	defer wrap(&err, "free what dead daemons have claimed")
	if time.Since(s.begun) < settled {
		return nil
	}
	return db.asPoller(ctx, s, func(ctx context.Context, tx *transaction) error {
		// What is locked is being booked by somebody who is not dead, or not yet.
		freed, err := tx.ExecContext(ctx, `WITH dead AS MATERIALIZED (SELECT uid_validity AS v, uid AS u FROM arrivals
				WHERE outcome IS NULL AND claim IS NOT NULL AND claim NOT IN `+living+` FOR UPDATE SKIP LOCKED)
			UPDATE arrivals SET claim = NULL FROM dead WHERE uid_validity = v AND uid = u`)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `WITH dead AS MATERIALIZED (SELECT id AS i FROM outbox
				WHERE state = 'waiting' AND claim IS NOT NULL AND claim NOT IN `+living+` FOR UPDATE SKIP LOCKED)
			UPDATE outbox SET claim = NULL FROM dead WHERE id = i`); err != nil {
			return err
		}
		if n, err := freed.RowsAffected(); err != nil || n == 0 {
			return err
		}
		return tell(ctx, tx)
	})
}
