package storage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/rules"
)

// maxReportedFailureAge spares a new director the failures of past years.
const maxReportedFailureAge = 30 * 24 * time.Hour

// SeatFailures is a seat with undelivered letters.
type SeatFailures struct {
	Match string
	Seat  rules.Seat
	Name  string
	// Returned counts bounces from a dead address, and Failed counts permanently failed letters.
	Returned, Failed int
	// Reason is the last answer of a mail server.
	Reason string
}

// undeliveredLetter is a bounce or a permanently failed letter.
type undeliveredLetter struct {
	// id is the outbox ID or, for a bounce, the letter number.
	id     int64
	match  string
	seat   int
	name   string
	reason string
	// mail is the delivery state of the seat, for a bounce.
	mail seatMailColumn
}

func (letter *undeliveredLetter) targets() []any {
	return []any{&letter.id, &letter.match, &letter.seat, &letter.reason, &letter.name}
}

// ReportUndelivered queues a letter to the director about undelivered letters that have not been reported, at most one
// letter per day (UTC). It reports whether a letter was queued.
func (db Operator) ReportUndelivered(ctx context.Context, now time.Time, to string,
	write func([]SeatFailures) ([]byte, error)) (wasNotified bool, err error) {
	defer wrapError(&err, "report undelivered letters to the director")
	since, day := now.Add(-maxReportedFailureAge).UnixMicro(), now.UTC().Unix()/(24*60*60)
	// Usually there is no news, and no lock is needed.
	returned, failed, err := db.key.readUnreported(ctx, db.reader, since, day)
	if err != nil || len(returned)+len(failed) == 0 {
		return false, err
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		wasNotified = false
		tx.pool.engine.acquireLock(ctx, tx, noticesLock)
		returned, failed, err := db.key.readUnreported(ctx, tx, since, day)
		if err != nil || len(returned)+len(failed) == 0 {
			return err
		}
		raw, err := write(groupBySeat(returned, failed))
		if err != nil {
			return err
		}
		wasNotified = true
		for _, letter := range returned {
			tx.exec(ctx, `UPDATE bounces SET told = 1 WHERE number = $1 AND match = $2 AND seat = $3`, letter.id, letter.match, letter.seat)
		}
		for _, letter := range failed {
			tx.exec(ctx, `UPDATE outbox SET told = 1 WHERE id = $1`, letter.id)
		}
		tx.exec(ctx, `DELETE FROM director`)
		tx.exec(ctx, `INSERT INTO director (day) VALUES ($1)`, day)
		return queueLetters(ctx, tx, newNotice(to, raw, now))
	})
	return wasNotified && err == nil, err
}

// readUnreported returns no letters if a report was queued on this day.
func (k *key) readUnreported(ctx context.Context, tx querier, since, day int64) (returned, failed []undeliveredLetter, err error) {
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

// returnedLetters returns bounces that say that the present address of a player does not exist.
func (k *key) returnedLetters(ctx context.Context, tx querier, since int64) ([]undeliveredLetter, error) {
	all, err := queryAll(ctx, tx, func(letter *undeliveredLetter) []any {
		return append(letter.targets(), k.unsealInto(asJSON{&letter.mail}, "seats.addresses", &letter.match, &letter.seat))
	}, `SELECT b.number, b.match, b.seat, trim(b.status || ' ' || b.reason), s.name, s.addresses
		FROM bounces b JOIN seats s ON s.match = b.match AND s.seat = b.seat
		WHERE b.hard = 1 AND b.told = 0 AND b.at >= $1 ORDER BY b.match, b.seat, b.number`, since)
	return slices.DeleteFunc(all, func(letter undeliveredLetter) bool { return letter.id <= letter.mail.IgnoreBouncesThrough }), err
}

func failedLetters(ctx context.Context, tx querier, since int64) ([]undeliveredLetter, error) {
	return queryAll(ctx, tx, (*undeliveredLetter).targets, `SELECT o.id, o.match, o.seat, o.reason, s.name
		FROM outbox o JOIN seats s ON s.match = o.match AND s.seat = o.seat
		WHERE o.state = 'failed' AND o.told = 0 AND o.match IS NOT NULL AND o.at >= $1 ORDER BY o.match, o.seat, o.id`, since)
}

func groupBySeat(returned, failed []undeliveredLetter) []SeatFailures {
	var out []SeatFailures
	failuresOf := func(letter undeliveredLetter) *SeatFailures {
		for i := range out {
			if out[i].Match == letter.match && int(out[i].Seat) == letter.seat {
				out[i].Reason = letter.reason
				return &out[i]
			}
		}
		out = append(out, SeatFailures{Match: letter.match, Seat: rules.Seat(letter.seat), Name: letter.name, Reason: letter.reason})
		return &out[len(out)-1]
	}
	for _, letter := range returned {
		failuresOf(letter).Returned++
	}
	for _, letter := range failed {
		failuresOf(letter).Failed++
	}
	return out
}

// Alarm is a fault to be reported to the operator. It is kept after the end of the fault.
type Alarm struct {
	// Cause is the name of the fault, e.g. "imap".
	Cause string
	Since time.Time
	// Fault and Hint (advice) are for "samizdat doctor". Fault is empty once its end was reported.
	Fault, Hint string
	// ReportedAt is the time of the last letter about the fault, or zero.
	ReportedAt time.Time
}

// Alarms are stored in the table of receipts. Their digest is alarmPrefix and the cause, e.g. "alarm imap", which
// cannot be the digest of a letter, because that is hexadecimal. The column uid_validity holds Since, and uid holds
// ReportedAt, in seconds.
const alarmPrefix = "alarm "

// Alarms lists all alarms, including ended ones.
func (db Operator) Alarms(ctx context.Context) ([]Alarm, error) { return readAlarms(ctx, db.reader) }

// CurrentAlarms lists the current alarms.
func (i *Inspection) CurrentAlarms(ctx context.Context) (current []Alarm, err error) {
	all, err := readAlarms(ctx, i.pool)
	for _, a := range all {
		if a.Fault != "" {
			current = append(current, a)
		}
	}
	return current, err
}

func readAlarms(ctx context.Context, tx querier) (out []Alarm, err error) {
	defer wrapError(&err, "read the alarms")
	type row struct {
		Alarm
		since, told int64
	}
	rows, err := queryAll(ctx, tx, func(r *row) []any { return []any{&r.Cause, &r.Fault, &r.since, &r.told} },
		`SELECT substr(digest, 7), disposition, uid_validity, uid FROM received WHERE match = '' AND seat = $1 AND digest >= $2 AND digest < $3
			ORDER BY digest`,
		int(rules.NoSeat), alarmPrefix, alarmPrefix+"\x7f")
	for _, r := range rows {
		r.Fault, r.Hint, _ = strings.Cut(r.Fault, "\n")
		if r.Since = time.Unix(r.since, 0); r.told > 0 {
			r.ReportedAt = time.Unix(r.told, 0)
		}
		out = append(out, r.Alarm)
	}
	return out, err
}

// RecordAlarm replaces the alarm with the same cause.
func (db Operator) RecordAlarm(ctx context.Context, a Alarm, now time.Time) (err error) {
	defer wrapError(&err, "record an alarm")
	reportedAt := int64(0)
	if !a.ReportedAt.IsZero() {
		reportedAt = a.ReportedAt.Unix()
	}
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.pool.engine.acquireLock(ctx, tx, noticesLock)
		tx.exec(ctx, `DELETE FROM received WHERE match = '' AND seat = $1 AND digest = $2`, int(rules.NoSeat), alarmPrefix+a.Cause)
		insertReceipt(ctx, tx, &exchange.Receipt{Seat: rules.NoSeat, Digest: alarmPrefix + a.Cause, UIDValidity: uint32(a.Since.Unix()),
			UID: uint32(reportedAt), Disposition: exchange.Disposition(strings.TrimSpace(a.Fault + "\n" + a.Hint)), At: now})
		return nil
	})
}

// QuarantinedLetter identifies a letter in quarantine. The digest of its receipt is e.g.
// "quarantine 2026-11-26 1795716067 7 9f2c...".
type QuarantinedLetter struct {
	UIDValidity, UID uint32
	// SHA256 is the hash of the part that was read, or empty.
	SHA256 string
}

const quarantinePrefix = "quarantine "

// RecordQuarantined records a quarantined letter and queues a report, once per letter and day (UTC) and at most limit
// per day. isLast is true for the last report that limit allows on this day. If recipient is empty, no
// report is queued; the caller uses that to test whether the database can be written.
func (o *Outbox) RecordQuarantined(ctx context.Context, recipient string, letter QuarantinedLetter, at time.Time, limit int,
	write func(isLast bool) ([]byte, error)) (queued bool, err error) {
	defer wrapError(&err, "record a letter in quarantine")
	day := quarantinePrefix + at.UTC().Format(time.DateOnly) + " "
	err = o.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		queued = false
		tx.pool.engine.acquireLock(ctx, tx, noticesLock)
		var isRecorded bool
		var reports int
		digest := fmt.Sprintf("%s%d %d %s", day, letter.UIDValidity, letter.UID, letter.SHA256)
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(max(CASE digest WHEN $1 THEN 1 ELSE 0 END), 0), count(*) FROM received
			WHERE match = '' AND seat = $2 AND digest >= $3 AND digest < $4`,
			digest, int(rules.NoSeat), day, day+"\x7f").Scan(&isRecorded, &reports); err != nil {
			return err
		}
		if isRecorded {
			return nil
		}
		insertReceipt(ctx, tx, &exchange.Receipt{Seat: rules.NoSeat, Digest: digest, UIDValidity: letter.UIDValidity, UID: letter.UID,
			Disposition: "quarantined", At: at})
		if reports >= limit || recipient == "" {
			return nil
		}
		raw, err := write(reports == limit-1)
		if err != nil {
			return err
		}
		queued = true
		return queueLetters(ctx, tx, newNotice(recipient, raw, at))
	})
	return queued && err == nil, err
}
