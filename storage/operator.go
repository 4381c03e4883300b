package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/rules"
)

// directorNewsAge is how old news for the director may be: who is named for the first
// time is not told of years.
const directorNewsAge = 30 * 24 * time.Hour

// Trouble is that letters to a seat do not arrive.
type Trouble struct {
	Match string
	Seat  rules.Seat
	// Name is the seat's.
	Name string
	// Returned letters came back from an address that does not work, Failed could not
	// be sent for good.
	Returned, Failed int
	// Reason is what a mail server said of the last.
	Reason string
}

// undeliveredLetter is one letter that did not arrive.
type undeliveredLetter struct {
	// id is the letter's number: in the outbox, or that of the letter to its seat if it came back.
	id     int64
	match  string
	seat   int
	name   string
	reason string
	// mail is what is known of how letters reach the seat, if it came back.
	mail seatMail
}

func (t *undeliveredLetter) columns() []any {
	return []any{&t.id, &t.match, &t.seat, &t.reason, &t.name}
}

// TellDirector queues a letter on the troubles that no letter has told of yet, unless
// one was queued on the same day (UTC). Letter and account change together. It
// reports whether there was one.
func (db Operator) TellDirector(ctx context.Context, now time.Time, to string, write func([]Trouble) ([]byte, error)) (told bool,
	err error) {
	defer wrapError(&err, "tell the director of letters that did not arrive")
	since, day := now.Add(-directorNewsAge).UnixMicro(), now.UTC().Unix()/(24*60*60)
	// Most of the time there is nothing, or what there is has come back from an address of before.
	// Then nobody has to wait for it.
	returned, failed, err := db.key.readUntold(ctx, db.reader, since, day)
	if err != nil || len(returned)+len(failed) == 0 {
		return false, err
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		told = false
		if err := tx.pool.engine.acquireLock(ctx, tx, noticesLock); err != nil {
			return err
		}
		returned, failed, err := db.key.readUntold(ctx, tx, since, day)
		if err != nil || len(returned)+len(failed) == 0 {
			return err
		}
		raw, err := write(groupBySeat(returned, failed))
		if err != nil {
			return err
		}
		told = true
		err = errors.Join(
			markTold(ctx, tx, `UPDATE bounces SET told = 1 WHERE number = $1 AND match = $2 AND seat = $3`, returned,
				func(t undeliveredLetter) []any { return []any{t.id, t.match, t.seat} }),
			markTold(ctx, tx, `UPDATE outbox SET told = 1 WHERE id = $1`, failed, func(t undeliveredLetter) []any { return []any{t.id} }))
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM director`); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO director (day) VALUES ($1)`, day); err != nil {
			return err
		}
		return queueLetters(ctx, tx, noticeLetter(to, raw, now))
	})
	return told && err == nil, err
}

// readUntold is what the director is to be told of; nothing when he was told of something on
// that day.
func (k *key) readUntold(ctx context.Context, tx querier, since, day int64) (returned, failed []undeliveredLetter, err error) {
	var last int64
	if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(day), -1) FROM director`).Scan(&last); err != nil || last == day {
		return nil, nil, err
	}
	if returned, err = k.returnedLetters(ctx, tx, since); err != nil {
		return nil, nil, err
	}
	failed, err = failedLetters(ctx, tx, since)
	return returned, failed, err
}

// returnedLetters are the letters that came back from addresses that do not work, and
// that their readers have still.
func (k *key) returnedLetters(ctx context.Context, tx querier, since int64) ([]undeliveredLetter, error) {
	all, err := queryAll(ctx, tx, func(t *undeliveredLetter) []any {
		return append(t.columns(), k.unsealed(asJSON{&t.mail}, "seats.addresses", &t.match, &t.seat))
	}, `SELECT b.number, b.match, b.seat, trim(b.status || ' ' || b.reason), s.name, s.addresses
		FROM bounces b JOIN seats s ON s.match = b.match AND s.seat = b.seat
		WHERE b.hard = 1 AND b.told = 0 AND b.at >= $1 ORDER BY b.match, b.seat, b.number`, since)
	return slices.DeleteFunc(all, func(t undeliveredLetter) bool { return t.id <= t.mail.Good }), err
}

// failedLetters are the letters to players that are not tried any more.
func failedLetters(ctx context.Context, tx querier, since int64) ([]undeliveredLetter, error) {
	return queryAll(ctx, tx, (*undeliveredLetter).columns, `SELECT o.id, o.match, o.seat, o.reason, s.name
		FROM outbox o JOIN seats s ON s.match = o.match AND s.seat = o.seat
		WHERE o.state = 'failed' AND o.told = 0 AND o.match IS NOT NULL AND o.at >= $1 ORDER BY o.match, o.seat, o.id`, since)
}

// groupBySeat counts both by seat.
func groupBySeat(returned, failed []undeliveredLetter) []Trouble {
	var out []Trouble
	of := func(t undeliveredLetter) *Trouble {
		for i := range out {
			if out[i].Match == t.match && int(out[i].Seat) == t.seat {
				out[i].Reason = t.reason
				return &out[i]
			}
		}
		out = append(out, Trouble{Match: t.match, Seat: rules.Seat(t.seat), Name: t.name, Reason: t.reason})
		return &out[len(out)-1]
	}
	for _, t := range returned {
		of(t).Returned++
	}
	for _, t := range failed {
		of(t).Failed++
	}
	return out
}

func markTold(ctx context.Context, tx *transaction, query string, list []undeliveredLetter, args func(undeliveredLetter) []any) error {
	for _, t := range list {
		if _, err := tx.ExecContext(ctx, query, args(t)...); err != nil {
			return err
		}
	}
	return nil
}

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

// alarmPrefix is what the receipts of alarms begin with; others are hexadecimal digits.
const alarmPrefix = "alarm "

// Alarms lists the alarms, also those that are over.
func (db Operator) Alarms(ctx context.Context) ([]Alarm, error) { return alarms(ctx, db.reader) }

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

func alarms(ctx context.Context, tx querier) (out []Alarm, err error) {
	defer wrapError(&err, "read what the operator was told")
	type row struct {
		Alarm
		since, told int64
	}
	rows, err := queryAll(ctx, tx, func(r *row) []any { return []any{&r.Cause, &r.What, &r.since, &r.told} },
		`SELECT substr(digest, 7), disposition, uid_validity, uid FROM received WHERE match = '' AND seat = $1 AND digest >= $2 AND digest < $3
			ORDER BY digest`,
		int(rules.NoSeat), alarmPrefix, alarmPrefix+"\x7f")
	for _, r := range rows {
		r.What, r.Hint, _ = strings.Cut(r.What, "\n")
		if r.Since = time.Unix(r.since, 0); r.told > 0 {
			r.Told = time.Unix(r.told, 0)
		}
		out = append(out, r.Alarm)
	}
	return out, err
}

// RecordAlarm notes what the operator has been told of a fault, in the place of what was noted before.
func (db Operator) RecordAlarm(ctx context.Context, a Alarm, now time.Time) (err error) {
	defer wrapError(&err, "note what the operator was told")
	told := int64(0)
	if !a.Told.IsZero() {
		told = a.Told.Unix()
	}
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		if err := tx.pool.engine.acquireLock(ctx, tx, noticesLock); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM received WHERE match = '' AND seat = $1 AND digest = $2`, int(rules.NoSeat),
			alarmPrefix+a.Cause); err != nil {
			return err
		}
		return insertReceipt(ctx, tx, &exchange.Receipt{Seat: rules.NoSeat, Digest: alarmPrefix + a.Cause, UIDValidity: uint32(a.Since.Unix()),
			UID:         uint32(told),
			Disposition: exchange.Disposition(strings.TrimSpace(a.What + "\n" + a.Hint)), At: now})
	})
}

// QuarantinedLetter names a letter that was put in quarantine.
type QuarantinedLetter struct {
	UIDValidity, UID uint32
	// SHA256 is that of what was read of the letter; empty when nothing was.
	SHA256 string
}

// quarantinePrefix is what the receipts of letters in quarantine begin with; others are
// hexadecimal digits.
const quarantinePrefix = "quarantine "

// RecordQuarantined notes a letter that is put in quarantine, and queues what write makes of it:
// not twice for one letter on a day (UTC), and for as many as most on one. Last tells
// write that the day has no more. Both are stored together. Without a recipient nothing
// is queued, but the database has shown that it can be written.
func (o *Outbox) RecordQuarantined(ctx context.Context, to string, b QuarantinedLetter, at time.Time, most int,
	write func(last bool) ([]byte, error)) (queued bool, err error) {
	defer wrapError(&err, "note a letter in quarantine")
	day := quarantinePrefix + at.UTC().Format(time.DateOnly) + " "
	err = o.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		queued = false
		if err := tx.pool.engine.acquireLock(ctx, tx, noticesLock); err != nil {
			return err
		}
		var known bool
		var before int
		digest := fmt.Sprintf("%s%d %d %s", day, b.UIDValidity, b.UID, b.SHA256)
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(CASE digest WHEN $1 THEN 1 ELSE 0 END), 0), count(*) FROM received
			WHERE match = '' AND seat = $2 AND digest >= $3 AND digest < $4`,
			digest, int(rules.NoSeat), day, day+"\x7f").Scan(&known, &before); err != nil {
			return err
		}
		if known {
			return nil
		}
		if err := insertReceipt(ctx, tx, &exchange.Receipt{Seat: rules.NoSeat, Digest: digest, UIDValidity: b.UIDValidity, UID: b.UID,
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
		return queueLetters(ctx, tx, noticeLetter(to, raw, at))
	})
	return queued && err == nil, err
}
