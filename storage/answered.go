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
func (a *Answers) Allow(ctx context.Context, who string) bool {
	if !a.all.Allow(ctx, "") {
		return false
	}
	if a.each.Burst == 0 {
		return true
	}
	sum := sha256.Sum256([]byte(who))
	now, every := a.now().UnixMicro(), a.each.Every.Microseconds()
	ok, err := changed(a.db.writer.ExecContext(ctx, answer, a.db.key.keyed(hex.EncodeToString(sum[:])), now+every, now, every, now+int64(a.each.Burst)*every))
	if err != nil {
		a.log.WarnContext(ctx, "an answer is not counted", "error", err)
	}
	return ok || err != nil
}

// ForgetAnswered deletes the buckets that are full.
func (db *DB) ForgetAnswered(ctx context.Context, now time.Time) (err error) {
	defer wrap(&err, "forget whom nobody has answered lately")
	_, err = db.writer.ExecContext(ctx, `DELETE FROM answered WHERE full_at <= $1`, now.UnixMicro())
	return err
}
