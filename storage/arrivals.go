package storage

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/mail"
)

// A letter that the poller has fetched is an arrival until it is filed. Any daemon may claim it and
// adjudicate it; its receipt lets that happen once, so that nothing is lost or done twice where a claim
// lapses in the middle of it. What came of it is noted for the poller, which takes the arrival
// away and files the letter.

// Arrival is a letter that a daemon has claimed. Its keys are equal to those of others where what they were made of is.
type Arrival struct {
	Laid
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

// tell lets the daemons know some news, once they are committed.
func tell(ctx context.Context, tx *transaction, n News) error {
	return tx.later(ctx, done("tell that letters have %s", n), "SELECT pg_notify($1, '')", string(n))
}

// Laid is a letter of the inbox, with keys that name what it concerns.
type Laid struct {
	mail.Received
	Keys []string
}

// Arrive stores letters, for some daemon to adjudicate, unless they are stored already. Those that have a key in
// common have to be stored in the order in which they came.
func (db *DB) Arrive(ctx context.Context, s *Session, letters ...Laid) (err error) {
	defer wrap(&err, "store %d letters of the inbox", len(letters))
	return db.asPoller(ctx, s, func(ctx context.Context, tx *transaction) error {
		for _, r := range letters {
			keys := make([]string, len(r.Keys))
			for i, k := range r.Keys {
				keys[i] = tx.key().keyed(fmt.Sprintf("%x", sha256.Sum256([]byte(k))))
			}
			err := tx.later(ctx, done("store letter %d", r.UID), `INSERT INTO arrivals (uid_validity, uid, arrived, size, truncated, raw, keys) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
				int64(r.UIDValidity), int64(r.UID), r.Arrived.UnixMicro(), r.Size, r.Truncated, tx.seal(r.Raw, "arrivals.raw", int64(r.UIDValidity), int64(r.UID)), strings.Join(keys, " "))
			if err != nil {
				return err
			}
		}
		return tell(ctx, tx, Arrived)
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

// pending is an arrival of which nothing has come yet.
type pending struct {
	validity, uid int64
	keys          string
	claim, tries  int64
}

// Claim claims letters that nobody has, the oldest first: those that were never claimed, or again
// those that were, but for those that were so many times, and whose daemon has not put them down. It passes over letters that have a key in common with
// an older one that is not the daemon's own: who has both handles them in their order. Rest is whether there
// are letters that nobody has.
func (db *DB) Claim(ctx context.Context, s *Session, most int, again bool, but int) (out []Arrival, rest bool, err error) {
	defer wrap(&err, "claim letters")
	// Mostly there is nothing that is left: then nobody has to wait for who claims.
	if err := db.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM arrivals WHERE outcome IS NULL AND claim IS NULL)`).Scan(&rest); err != nil || !rest {
		return nil, false, err
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		if err := tx.pool.engine.one(ctx, tx, claiming); err != nil {
			return err
		}
		all, err := list(ctx, tx, func(u *pending) []any { return []any{&u.validity, &u.uid, &u.keys, &u.claim, &u.tries} },
			`SELECT uid_validity, uid, keys, coalesce(claim, 0), tries FROM arrivals WHERE outcome IS NULL ORDER BY uid_validity, uid`)
		if err != nil {
			return err
		}
		var validities, uids []int64
		if validities, uids, rest = claimable(all, s.number, most, again, but); len(uids) == 0 {
			out = nil
			return nil
		}
		out, err = list(ctx, tx, func(a *Arrival) []any {
			validity, uid := new(int64), new(int64)
			return []any{&a.UIDValidity, &a.UID, validity, uid, micros{&a.Arrived}, &a.Size, &a.Truncated,
				tx.key().unsealed(&a.Raw, "arrivals.raw", validity, uid), inWords{&a.Keys}, &a.Tries}
		}, `UPDATE arrivals SET claim = $1, tries = tries + 1 FROM unnest($2::bigint[], $3::bigint[]) AS free (v, u) WHERE uid_validity = v AND uid = u
			RETURNING uid_validity, uid, uid_validity, uid, arrived, size, truncated, raw, keys, tries`, s.number, validities, uids)
		slices.SortFunc(out, func(a, b Arrival) int {
			return cmp.Or(cmp.Compare(a.UIDValidity, b.UIDValidity), cmp.Compare(a.UID, b.UID))
		})
		return err
	})
	return out, rest, err
}

// claimable are the arrivals that a session may claim, of all in their order.
func claimable(all []pending, session int64, most int, again bool, but int) (validities, uids []int64, rest bool) {
	// others are keys of letters that are not the session's own.
	others := map[string]bool{}
	for _, u := range all {
		keys := strings.Fields(u.keys)
		is := u.claim == session
		if u.claim == 0 && (u.tries > 0) == again && !(again && u.tries == int64(but)) && len(uids) < most && !slices.ContainsFunc(keys, func(k string) bool { return others[k] }) {
			validities, uids = append(validities, u.validity), append(uids, u.uid)
			is = true
		}
		if is {
			continue
		}
		rest = rest || u.claim == 0
		for _, k := range keys {
			others[k] = true
		}
	}
	return validities, uids, rest
}

// PutDown takes back a claim to a letter of a session that has ended: the daemon has not died of it.
func (db *DB) PutDown(ctx context.Context, validity, uid uint32) (err error) {
	defer wrap(&err, "put down letter %d", uid)
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `UPDATE arrivals SET tries = tries - 1 WHERE uid_validity = $1 AND uid = $2 AND tries > 0 AND outcome IS NULL`, int64(validity), int64(uid))
		return err
	})
}

// Handled notes what came of letters, where the claims to them hold still.
func (db *DB) Handled(ctx context.Context, s *Session, outcomes ...Outcome) (err error) {
	defer wrap(&err, "note what came of %d letters", len(outcomes))
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		for _, o := range outcomes {
			if err := tx.later(ctx, done("note what came of letter %d", o.UID), `UPDATE arrivals SET outcome = $1 WHERE uid_validity = $2 AND uid = $3 AND claim = $4`,
				o.What, int64(o.UIDValidity), int64(o.UID), s.number); err != nil {
				return err
			}
		}
		return tell(ctx, tx, Handled)
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
		return tell(ctx, tx, Arrived)
	})
}
