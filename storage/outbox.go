package storage

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/mail"
	"samizdat/rules"
)

// Outbox is the queue of outgoing letters.
type Outbox struct {
	db   *connection
	from string
	claims
}

var _ mail.Queue = (*Outbox)(nil)

// Outbox returns the outbox. from is the envelope sender, to which bounces go.
func (db *DB) Outbox(from string) *Outbox {
	return &Outbox{db: db.connection, from: from, claims: newClaims(db.connection)}
}

// queueLetters puts letters into the outbox, and records letters to players in the table sent.
func queueLetters(ctx context.Context, tx *transaction, letters []exchange.OutgoingLetter) error {
	if len(letters) == 0 {
		return nil
	}
	ids, err := tx.pool.engine.nextLetterIDs(ctx, tx, len(letters))
	if err != nil {
		return fmt.Errorf("number letters: %w", err)
	}
	for i, letter := range letters {
		if letter.Replaces {
			dropReplaceable(ctx, tx, letter.Match, letter.Seat)
		}
		// A letter to a player has match and seat: if the player's address changes, so does the recipient. A letter to an
		// observer has the match in the column watched: the letter is dropped if the observer leaves. A notice about a
		// match has its Message-ID in the column note.
		isToPlayer, isToObserver := letter.Seat != rules.NoSeat, letter.Observer > 0
		isNotice := !isToPlayer && !isToObserver && letter.Match != ""
		id := ids[i]
		tx.enqueue(ctx, wrapResult("queue a letter"), `INSERT INTO outbox (id, recipient, picture_at, file_at, due, since, at, urgent,
				match, seat, number, letter, note, watched, observer, spare, turn)
			VALUES ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
				CASE WHEN $16 = 0 THEN (SELECT `+queueNumberExpression+`
					FROM (SELECT CAST($8 AS TEXT) AS match, CAST($13 AS TEXT) AS watched, CAST($7 AS BIGINT) AS urgent) AS o) END)`,
			id, letter.To, letter.Raw.PictureAt, letter.Raw.FileAt, letter.Date.UnixMicro(), letter.Date.Add(-letter.Delay).UnixMicro(),
			len(letter.Decisions) > 0,
			nullUnless(isToPlayer || isNotice, letter.Match), nullUnless(isToPlayer, int64(letter.Seat)), nullUnless(isToPlayer ||
				isToObserver, letter.Number),
			tx.seal(letter.Raw.LetterID, "outbox.letter", id),
			nullUnless(isNotice && letter.MessageID != "", letter.MessageID), nullUnless(isToObserver, letter.Match),
			nullUnless(isToObserver, int64(letter.Observer)),
			letter.Replaceable, letter.Delay > 0)
		tx.enqueue(ctx, wrapResult("queue the body of a letter"), `INSERT INTO bodies (id, raw, drawing, file) VALUES ($1, $2, $3, $4)`,
			id, tx.seal(bodyColumn{&letter.Raw.Bytes}, "bodies.raw", id), tx.seal(letter.Drawing, "bodies.drawing", id),
			tx.seal(letter.File, "bodies.file", id))
		if !isToPlayer {
			continue
		}
		tx.enqueue(ctx, wrapResult("record letter %d to seat %d of match %s", letter.Number, letter.Seat, letter.Match),
			`INSERT INTO sent (match, seat, number, decisions, entries)
			VALUES ($1, $2, $3, $4, $5)`,
			letter.Match, int(letter.Seat), letter.Number,
			tx.seal(deltaColumn{&letter.Decisions}, "sent.decisions", letter.Match, int(letter.Seat), letter.Number), letter.EntryCount)
	}
	return nil
}

// dropReplaceable drops replaceable letters (spare) that wait in the outbox for a seat, except a letter that is being
// sent. Dropped letters count as never written (see sentLettersQuery).
func dropReplaceable(ctx context.Context, tx *transaction, match string, seat rules.Seat) {
	dropWaitingLetters(ctx, tx, `spare = 1 AND attempts = 0 AND claim IS NULL AND match = $2 AND seat = $3`, match, int(seat))
}

func newNotice(to string, raw []byte, at time.Time) []exchange.OutgoingLetter {
	return []exchange.OutgoingLetter{{Addressee: exchange.Addressee{Seat: rules.NoSeat, To: to}, Schedule: exchange.Schedule{Date: at},
		Raw: exchange.RenderedMessage{Bytes: raw}}}
}

func nullUnless[T any](isValid bool, v T) sql.Null[T] { return sql.Null[T]{V: v, Valid: isValid} }

// Due implements mail.Queue. Drawings and files are returned unrendered.
func (o *Outbox) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]mail.Outgoing, error) {
	if err := o.assignQueueNumbers(ctx, now); err != nil {
		return nil, err
	}
	return o.readAndClaim(ctx, except, func(except []int64) ([]mail.Outgoing, error) { return o.readDue(ctx, now, limit, except) })
}

// MarkSent implements mail.Queue. A trigger deletes the bodies, because letters can be composed again.
func (o *Outbox) MarkSent(ctx context.Context, ids []int64, now time.Time) error {
	return o.db.writeSoon(ctx, func(ctx context.Context, tx *transaction) error {
		var accepted []acceptedLetter
		for session, ids := range o.groupBySession(ids) {
			// Letters claimed by another daemon are not recorded.
			recorded, err := queryAll(ctx, tx, func(s *acceptedLetter) []any { return []any{&s.match, &s.seat, &s.number} },
				`UPDATE outbox SET state = 'sent', due = 0, turn = NULL, claim = NULL, letter = $1, at = $2 WHERE id = ANY ($3)
					AND coalesce(claim, 0) = $4
				RETURNING (SELECT id FROM matches WHERE id = outbox.match AND tempo <> ''), seat, number`, emptyValue, now.UnixMicro(), ids, session)
			if err != nil {
				return fmt.Errorf("record %d letters as sent: %w", len(ids), err)
			}
			accepted = append(accepted, recorded...)
		}
		return o.db.key.startClocks(ctx, tx, accepted, now)
	})
}

// MarkFailed implements mail.Queue.
func (o *Outbox) MarkFailed(ctx context.Context, id int64, now, next time.Time, isPermanent bool, reason string) (err error) {
	defer wrapError(&err, "record the failure of letter %d", id)
	state := "waiting"
	if isPermanent {
		state = "failed"
	}
	return o.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		// A letter may be sent before its due time because it precedes a due letter (see readDue). If the early attempt
		// fails, it is not counted, and the due time stays.
		const isEarly = `(due > $1 AND at <= $1)`
		ok, err := rowChanged(tx.ExecContext(ctx,
			`UPDATE outbox SET attempts = CASE WHEN `+isEarly+` THEN attempts ELSE attempts + 1 END, due = CASE
			WHEN `+isEarly+` THEN due ELSE $2 END,
			turn = NULL, claim = NULL, state = $3, reason = $4, at = $1 WHERE id = $5 AND state = 'waiting' AND coalesce(claim, 0) = $6`,
			now.UnixMicro(), next.UnixMicro(), state, reason, id, o.sessionOf(id)))
		if err == nil && isPermanent && ok {
			if err = removeUnreachable(ctx, tx, id); err == nil {
				err = o.db.key.recordFailedLetter(ctx, tx, id, reason, now)
			}
		}
		return err
	})
}

// MarkDeferred implements mail.Queue. If the letter is already due after next, its due time stays.
func (o *Outbox) MarkDeferred(ctx context.Context, id int64, now, next time.Time, reason string) (err error) {
	defer wrapError(&err, "defer letter %d", id)
	return o.db.writeStatement(ctx, `UPDATE outbox SET due = CASE WHEN due > $1 AND at <= $2 THEN due
			ELSE $1 END, turn = NULL, claim = NULL, reason = $3, at = $2
			WHERE id = $4 AND state = 'waiting' AND coalesce(claim, 0) = $5`, next.UnixMicro(), now.UnixMicro(), reason, id, o.sessionOf(id))
}

// SentSince returns the times of letters sent since a time, oldest first.
func (o *Outbox) SentSince(ctx context.Context, since time.Time) (out []time.Time, err error) {
	defer wrapError(&err, "read the times of sent letters")
	return queryAll(ctx, o.db.reader, func(at *time.Time) []any { return []any{micros{at}} },
		`SELECT at FROM outbox WHERE state = 'sent' AND at >= $1 ORDER BY at`, since.UnixMicro())
}

// NextDue implements mail.Queue.
func (o *Outbox) NextDue(ctx context.Context) (time.Time, bool, error) {
	var due sql.NullInt64
	if err := o.db.reader.QueryRowContext(o.db.reader.withoutCancel(ctx), `SELECT min(due) FROM (SELECT due FROM outbox WHERE state = 'waiting'
		AND turn IS NOT NULL AND coalesce(claim, $1) = $1
		UNION ALL SELECT due FROM outbox WHERE state = 'waiting' AND turn IS NULL AND coalesce(claim, $1) = $1) AS d`,
		o.currentSession()).Scan(&due); err != nil {
		return time.Time{}, false, fmt.Errorf("read the outbox: %w", err)
	}
	return time.UnixMicro(due.Int64), due.Valid, nil
}

// Letters that can be sent now have a queue number (column turn). Urgent letters are sent first; among urgent letters,
// and among all others, the lowest queue number comes first. Matches alternate, so that a busy match does not use up the
// daily limit. Letters without a queue number wait for a retry, or are delayed for observers.

// queueNumberExpression computes the queue number of letter o: one more than the last number of its match, and at least
// the smallest number of all waiting letters. For example, if match a has the numbers 1, 2, 3, the first letter of match
// b gets 1 and is sent second.
const queueNumberExpression = `(SELECT 1 + max(t) FROM (
		SELECT coalesce((SELECT max(turn) FROM outbox WHERE state = 'waiting' AND match = o.match AND urgent = o.urgent),
			(SELECT max(turn) FROM outbox WHERE state = 'waiting' AND watched = o.watched AND urgent = o.urgent), 0) AS t
		UNION ALL SELECT coalesce((SELECT min(turn) FROM outbox WHERE state = 'waiting' AND turn IS NOT NULL
		AND urgent = o.urgent) - 1, 0)) AS ends)`

const assignQueueNumberStatement = `UPDATE outbox AS o SET turn = ` + queueNumberExpression + ` WHERE id = $1`

const dueLettersQuery = `SELECT id FROM outbox WHERE state = 'waiting' AND turn IS NULL AND due <= $1 ORDER BY due, id`

// futureLettersCondition selects letters without a queue number that were changed later than now: the clock was set
// back.
const futureLettersCondition = `state = 'waiting' AND turn IS NULL AND at > $1`

// dueFromNowExpression computes the new due time of a letter that futureLettersCondition selects.
const dueFromNowExpression = `CASE WHEN watched IS NULL THEN $1 ELSE $1 + due - at END`

// assignQueueNumbers gives queue numbers to due letters. If the clock was set back, a letter that failed later than now
// is due at once, and a delayed letter to an observer waits for its delay again, counted from now.
func (o *Outbox) assignQueueNumbers(ctx context.Context, now time.Time) (err error) {
	defer wrapError(&err, "assign queue numbers to due letters")
	var hasDue bool
	err = o.db.reader.QueryRowContext(o.db.reader.withoutCancel(ctx),
		`SELECT EXISTS (`+dueLettersQuery+`) OR EXISTS (SELECT 1 FROM outbox WHERE `+futureLettersCondition+`)`,
		now.UnixMicro()).Scan(&hasDue)
	if err != nil || !hasDue {
		return err
	}
	return o.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.pool.engine.acquireLock(ctx, tx, outboxOrderLock)
		tx.exec(ctx, `UPDATE outbox SET due = `+dueFromNowExpression+`, since = CASE
			WHEN since > $1 THEN `+dueFromNowExpression+` ELSE since END, at = $1 WHERE `+futureLettersCondition, now.UnixMicro())
		ids, err := queryColumn[int64](ctx, tx, dueLettersQuery+` FOR UPDATE SKIP LOCKED`, now.UnixMicro())
		for _, id := range ids {
			tx.exec(ctx, assignQueueNumberStatement, id)
		}
		return err
	})
}

// waitingLettersQuery selects waiting letters with their bodies. A condition is appended.
const waitingLettersQuery = `SELECT o.id, o.recipient, o.letter, b.raw, b.drawing, o.picture_at, b.file, o.file_at, o.attempts,
	o.turn IS NULL, coalesce(o.match || '/' || o.seat, '') FROM outbox o JOIN bodies b ON b.id = o.id WHERE o.state = 'waiting' AND `

// letterTargets returns the targets for scanning the first columns of waitingLettersQuery.
func (k *key) letterTargets(l *mail.Outgoing) []any {
	unsealColumn := func(to any, column string) unsealed { return k.unsealInto(to, column, &l.ID) }
	return []any{&l.ID, &l.To, unsealColumn(&l.LetterID, "outbox.letter"), unsealColumn(bodyColumn{&l.Raw}, "bodies.raw"),
		unsealColumn(&l.Drawing, "bodies.drawing"), &l.PictureAt, unsealColumn(&l.File, "bodies.file"), &l.FileAt, &l.Attempts}
}

const (
	queuedLettersQuery = `SELECT o.id, o.urgent, EXISTS (SELECT 1 FROM outbox e WHERE ` + olderCondition + `)
	FROM outbox o WHERE state = 'waiting' AND turn IS NOT NULL`
	// sendingOrderQuery selects letters in sending order, for a single daemon. If the clock was set back, a delayed
	// letter to an observer (due > at) waits until it is due. sharedSendingOrderQuery also skips a letter that another
	// daemon has claimed, and later letters to the same reader.
	sendingOrderQuery = queuedLettersQuery + ` AND (watched IS NULL OR due <= at OR due <= $1)
	ORDER BY urgent DESC, turn, due, id LIMIT $2 + 0`
	sharedSendingOrderQuery = queuedLettersQuery + ` AND coalesce(claim, $1) = $1
		AND NOT EXISTS (SELECT 1 FROM outbox e WHERE ` + olderCondition + ` AND e.claim <> $1)
	AND (watched IS NULL OR due <= at OR due <= $2) ORDER BY urgent DESC, turn, due, id LIMIT $3 + 0`
)

const olderLettersQuery = `SELECT o.id, e.id FROM outbox e, outbox o WHERE o.id = ANY ($1) AND ` + olderCondition + ` ORDER BY e.id`

// olderCondition selects the older letters e to the reader of letter o.
const olderCondition = `e.state = 'waiting' AND e.match IS NOT NULL AND e.match = o.match AND e.seat = o.seat AND e.id < o.id`

// readDue returns due letters in sending order. A letter is preceded by all older letters to the same reader, even
// if they wait for a retry. The older letters count against limit, but a letter and its older letters are never
// split: the result may be longer than limit.
func (o *Outbox) readDue(ctx context.Context, now time.Time, limit int, except []int64) (out []mail.Outgoing, err error) {
	defer wrapError(&err, "read the outbox")
	isTaken := map[int64]bool{}
	for _, id := range except {
		isTaken[id] = true
	}
	order, err := o.readSendingOrder(ctx, now, limit+len(except))
	if err != nil {
		return nil, err
	}
	older, err := o.readOlder(ctx, order, isTaken)
	var dueIDs []int64
	isUrgent := map[int64]bool{}
	for _, letter := range order {
		if len(dueIDs) >= limit {
			break
		}
		if isTaken[letter.id] {
			continue
		}
		for _, id := range append(older[letter.id], letter.id) {
			if !isTaken[id] {
				isTaken[id], isUrgent[id] = true, letter.isUrgent
				dueIDs = append(dueIDs, id)
			}
		}
	}
	if err != nil || len(dueIDs) == 0 {
		return nil, err
	}
	out, err = o.readLetters(ctx, waitingLettersQuery+`o.id = ANY ($1)`, dueIDs)
	for i := range out {
		out[i].Urgent = isUrgent[out[i].ID]
	}
	slices.SortFunc(out, func(a, b mail.Outgoing) int {
		return cmp.Compare(slices.Index(dueIDs, a.ID), slices.Index(dueIDs, b.ID))
	})
	return out, err
}

// queuedLetter is a letter with a queue number. hasOlder reports whether older letters to its reader wait.
type queuedLetter struct {
	id                 int64
	isUrgent, hasOlder bool
}

func (o *Outbox) readSendingOrder(ctx context.Context, now time.Time, limit int) ([]queuedLetter, error) {
	query, args := sendingOrderQuery, []any{now.UnixMicro(), limit}
	if session := o.currentSession(); session != 0 {
		query, args = sharedSendingOrderQuery, append([]any{session}, args...)
	}
	return queryAll(o.db.reader.withoutCancel(ctx), o.db.reader,
		func(letter *queuedLetter) []any { return []any{&letter.id, &letter.isUrgent, &letter.hasOlder} }, query, args...)
}

// readOlder returns the IDs of the older letters to the same reader, for each letter of order that is not in isTaken.
func (o *Outbox) readOlder(ctx context.Context, order []queuedLetter, isTaken map[int64]bool) (map[int64][]int64, error) {
	var ids []int64
	for _, letter := range order {
		if letter.hasOlder && !isTaken[letter.id] {
			ids = append(ids, letter.id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	out := map[int64][]int64{}
	return out, eachRow(ctx, o.db.reader, func(scan func(...any) error) error {
		var id, before int64
		err := scan(&id, &before)
		out[id] = append(out[id], before)
		return err
	}, olderLettersQuery, ids)
}

// readLetters reads letters to send. A letter that was dropped after its claim is missing from the result.
func (o *Outbox) readLetters(ctx context.Context, query string, args ...any) ([]mail.Outgoing, error) {
	return queryAll(o.db.reader.withoutCancel(ctx), o.db.reader, func(l *mail.Outgoing) []any {
		l.EnvelopeFrom = o.from
		return append(o.db.key.letterTargets(l), &l.Early, &l.Reader)
	}, query, args...)
}

// claims holds the claims of a daemon that shares the outbox with other daemons. A claim is the number of a session; on
// SQLite it is 0, and the column is empty.
type claims struct {
	db *connection
	mu *sync.Mutex
	// sessions maps letters to the session that claimed them.
	sessions map[int64]int64
}

var _ mail.Claims = (*Outbox)(nil)

func newClaims(db *connection) claims { return claims{db, new(sync.Mutex), map[int64]int64{}} }

func (c claims) currentSession() int64 {
	if s := c.db.session.Load(); s != nil {
		return s.number
	}
	return 0
}

func (c claims) sessionOf(id int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.sessions[id]; ok {
		return n
	}
	return c.currentSession()
}

func (c claims) groupBySession(ids []int64) map[int64][]int64 {
	out := map[int64][]int64{}
	for _, id := range ids {
		n := c.sessionOf(id)
		out[n] = append(out[n], id)
	}
	return out
}

func (c claims) Holds(id int64) bool {
	s := c.db.session.Load()
	return s == nil || s.IsAlive() && c.sessionOf(id) == s.number
}

func (c claims) Release(ctx context.Context, except ...int64) (err error) {
	defer wrapError(&err, "release claims of letters")
	s := c.db.session.Load()
	if s == nil {
		return nil
	}
	c.forgetAllExcept(except)
	return c.db.writeStatement(ctx, `UPDATE outbox SET claim = NULL WHERE state = 'waiting' AND claim = $1 AND id <> ALL ($2)`, s.number,
		append([]int64{}, except...))
}

func (c claims) forgetAllExcept(inProgress []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.sessions, func(id, _ int64) bool { return !slices.Contains(inProgress, id) })
}

// readAndClaim claims the free letters among those that read returns, and returns the claimed letters. inProgress are
// letters that were claimed earlier and are not sent yet; read skips them.
func (c claims) readAndClaim(ctx context.Context, inProgress []int64,
	read func(except []int64) ([]mail.Outgoing, error)) ([]mail.Outgoing, error) {
	s := c.db.session.Load()
	if s == nil {
		return read(inProgress)
	}
	if !s.IsAlive() {
		return nil, nil
	}
	letters, err := read(inProgress)
	if err != nil || len(letters) == 0 {
		return nil, err
	}
	isClaimed, err := c.claim(ctx, s.number, letters, inProgress)
	if err != nil {
		return nil, err
	}
	if inProgress != nil {
		c.forgetAllExcept(inProgress)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(letters, func(l mail.Outgoing) bool {
		if isClaimed[l.ID] {
			c.sessions[l.ID] = s.number
		}
		return !isClaimed[l.ID]
	}), nil
}

// claim claims letters and reports which were free. A letter is not free while another daemon claims an older letter to
// its reader.
func (c claims) claim(ctx context.Context, session int64, letters []mail.Outgoing,
	inProgress []int64) (isClaimed map[int64]bool, err error) {
	defer wrapError(&err, "claim letters")
	ids := make([]int64, len(letters))
	for i, l := range letters {
		ids[i] = l.ID
	}
	err = c.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		isClaimed = map[int64]bool{}
		free, err := queryColumn[int64](ctx, tx, `SELECT id FROM outbox WHERE id = ANY ($1) AND state = 'waiting' AND coalesce(claim, $2) = $2
			ORDER BY id FOR UPDATE SKIP LOCKED`, ids, session)
		if err != nil {
			return err
		}
		claimed, err := queryColumn[int64](ctx, tx, `UPDATE outbox AS o SET claim = $1 WHERE id = ANY ($2)
			AND NOT EXISTS (SELECT 1 FROM outbox e WHERE `+olderCondition+`
			AND e.id <> ALL ($2) AND NOT (e.id = ANY ($3) AND e.claim = $1)) RETURNING id`, session, free, append([]int64{}, inProgress...))
		for _, id := range claimed {
			isClaimed[id] = true
		}
		return err
	})
	return isClaimed, err
}

func rowChanged(r sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}
