package storage

import (
	"context"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/rules"
)

// Alarm is what the operator has been told of one fault.
type Alarm struct {
	// Cause names the fault, such as "imap".
	Cause string
	// Since is when it began.
	Since time.Time
	// What says what is wrong, and Hint what to do, for the doctor. What is empty when the fault is over and
	// the operator knows.
	What, Hint string
	// Told is when a letter about the cause last went to the operator; zero for never.
	Told time.Time
}

// alarming is what the receipts of alarms begin with; others are hexadecimal digits.
const alarming = "alarm "

// Alarms lists the alarms, also those that are over.
func (db *DB) Alarms(ctx context.Context) ([]Alarm, error) { return alarms(ctx, db.reader) }

// Alarms lists the alarms that are not over.
func (i *Inspection) Alarms(ctx context.Context) (open []Alarm, err error) {
	all, err := alarms(ctx, i.pool)
	for _, a := range all {
		if a.What != "" {
			open = append(open, a)
		}
	}
	return open, err
}

func alarms(ctx context.Context, tx asker) (out []Alarm, err error) {
	defer wrap(&err, "read what the operator was told")
	type row struct {
		Alarm
		since, told int64
	}
	rows, err := list(ctx, tx, func(r *row) []any { return []any{&r.Cause, &r.What, &r.since, &r.told} },
		`SELECT substr(digest, 7), disposition, uid_validity, uid FROM received WHERE match = '' AND seat = $1 AND digest >= $2 AND digest < $3 ORDER BY digest`,
		int(rules.Nobody), alarming, alarming+"\x7f")
	for _, r := range rows {
		r.What, r.Hint, _ = strings.Cut(r.What, "\n")
		if r.Since = time.Unix(r.since, 0); r.told > 0 {
			r.Told = time.Unix(r.told, 0)
		}
		out = append(out, r.Alarm)
	}
	return out, err
}

// NoteAlarm notes what the operator has been told of a fault, in the place of what was noted before.
func (db *DB) NoteAlarm(ctx context.Context, a Alarm, now time.Time) (err error) {
	defer wrap(&err, "note what the operator was told")
	told := int64(0)
	if !a.Told.IsZero() {
		told = a.Told.Unix()
	}
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		if err := tx.pool.engine.one(ctx, tx, telling); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM received WHERE match = '' AND seat = $1 AND digest = $2`, int(rules.Nobody), alarming+a.Cause); err != nil {
			return err
		}
		return receive(ctx, tx, &adjudicator.Receipt{Seat: rules.Nobody, Digest: alarming + a.Cause, UIDValidity: uint32(a.Since.Unix()), UID: uint32(told),
			Disposition: adjudicator.Disposition(strings.TrimSpace(a.What + "\n" + a.Hint)), At: now})
	})
}
