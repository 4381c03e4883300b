package storage

import (
	"context"
	"fmt"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// Bad names a letter that was put in quarantine.
type Bad struct {
	UIDValidity, UID uint32
	// SHA256 is that of what was read of the letter; empty when nothing was.
	SHA256 string
}

// noted is what the receipts of letters in quarantine begin with; others are
// hexadecimal digits.
const noted = "quarantine "

// NoteBad notes a letter that is put in quarantine, and queues what write makes of it:
// not twice for one letter on a day (UTC), and for as many as most on one. Last tells
// write that the day has no more. Both are stored together. Without a recipient nothing
// is queued, but the database has shown that it can be written.
func (o *Outbox) NoteBad(ctx context.Context, to string, b Bad, at time.Time, most int, write func(last bool) ([]byte, error)) (queued bool, err error) {
	defer wrap(&err, "note a letter in quarantine")
	day := noted + at.UTC().Format(time.DateOnly) + " "
	err = o.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		queued = false
		if err := tx.pool.engine.one(ctx, tx, telling); err != nil {
			return err
		}
		var known bool
		var before int
		digest := fmt.Sprintf("%s%d %d %s", day, b.UIDValidity, b.UID, b.SHA256)
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(CASE digest WHEN $1 THEN 1 ELSE 0 END), 0), count(*) FROM received WHERE match = '' AND seat = $2 AND digest >= $3 AND digest < $4`,
			digest, int(rules.Nobody), day, day+"\x7f").Scan(&known, &before); err != nil {
			return err
		}
		if known {
			return nil
		}
		if err := receive(ctx, tx, &adjudicator.Receipt{Seat: rules.Nobody, Digest: digest, UIDValidity: b.UIDValidity, UID: b.UID,
			Disposition: "quarantined", At: at}); err != nil {
			return err
		}
		if before >= most || to == "" {
			return nil
		}
		raw, err := write(before == most-1)
		if err != nil {
			return err
		}
		queued = true
		return queue(ctx, tx, note(to, raw, at))
	})
	return queued && err == nil, err
}
