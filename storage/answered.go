package storage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"time"

	"samizdat/mail"
)

// Answers bounds how often each sender is answered by all daemons on one PostgreSQL together; it does
// what [mail.RateLimiter] does for one. What bounds the answers to all senders counts for each
// daemon alone, so that not every letter waits for one row.
type Answers struct {
	db   *DB
	each mail.Rate
	all  *mail.RateLimiter
	now  func() time.Time
	log  *slog.Logger
}

// Answers makes a limiter.
func (db *DB) Answers(each, all mail.Rate, now func() time.Time, log *slog.Logger) *Answers {
	return &Answers{db, each, mail.NewRateLimiter(mail.Rate{}, all, now), now, log}
}

// answer takes a permission: a sender's bucket is known by when it is full again. A crash of the server may give
// the last ones back, which costs nobody anything, and so nobody waits for the disk.
const answer = `INSERT INTO answered AS a (who, full_at) SELECT $1::text, $2::bigint FROM set_config('synchronous_commit', 'off', true)
	ON CONFLICT (who) DO UPDATE SET full_at = greatest(a.full_at, $3) + $4 WHERE greatest(a.full_at, $3) + $4 <= $5`

// Allow implements adjudicator.Limiter. What cannot be counted is allowed: if the database is away, nothing is
// answered anyway.
func (a *Answers) Allow(ctx context.Context, who, person string) (wait time.Duration) {
	if wait := a.all.Allow(ctx, "", person); wait > 0 || a.each.Burst == 0 {
		return wait
	}
	sum := sha256.Sum256([]byte(who))
	key := a.db.key.keyed(hex.EncodeToString(sum[:]))
	now, every := a.now().UnixMicro(), a.each.Every.Microseconds()
	most := now + int64(a.each.Burst)*every
	ok, err := changed(a.db.writer.ExecContext(ctx, answer, key, now+every, now, every, most))
	full := most
	if err == nil && !ok {
		err = a.db.reader.QueryRowContext(ctx, `SELECT full_at FROM answered WHERE who = $1`, key).Scan(&full)
	}
	if err != nil {
		a.log.WarnContext(ctx, "an answer is not counted", "error", err)
		return 0
	}
	if ok {
		return 0
	}
	return max(time.Duration(full+every-most)*time.Microsecond, 1)
}

// ForgetAnswered deletes the buckets that are full.
func (db *DB) ForgetAnswered(ctx context.Context, now time.Time) (err error) {
	defer wrap(&err, "forget whom nobody has answered lately")
	_, err = db.writer.ExecContext(ctx, `DELETE FROM answered WHERE full_at <= $1`, now.UnixMicro())
	return err
}
