package storage

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"samizdat/mail"
)

const (
	heartbeatInterval = time.Second
	heartbeatTimeout  = 2 * time.Second
	// sessionTimeout is the time without heartbeats after which PostgreSQL ends a session. The daemon trusts its
	// session for leaseTime only, because clocks of two machines differ.
	sessionTimeout = 5 * time.Second
	leaseTime      = sessionTimeout - time.Second
	joinTimeout    = 5 * time.Second
)

// The first keys of advisory locks. The second key of sessionLock is the number of the session.
const (
	sessionLock = 1989_01
	pollerLock  = 1989_02
)

// liveSessionsQuery selects the session numbers for which a living daemon holds sessionLock.
const liveSessionsQuery = `(SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = 198901 AND objsubid = 2 AND granted
	AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`

// Notification is a message between daemons.
type Notification string

// LettersArrived means that letters were stored, LettersHandled means that letters have outcomes.
const (
	LettersArrived Notification = "arrived"
	LettersHandled Notification = "handled"
)

// Session is a connection that shows that a daemon is alive by holding an advisory lock on the session's number. The
// number is a fencing number: it marks the rows that the daemon has claimed and is never reused. If the daemon dies,
// PostgreSQL ends the connection immediately. If the daemon hangs or is cut off, PostgreSQL ends the connection after
// some seconds. Then the claims of the daemon end, see [Daemons.ReleaseDead] and [Session.IsAlive].
type Session struct {
	number int64
	conn   *pgx.Conn
	// pid is the ID of the server process of the session.
	pid     int64
	started time.Time
	// lease is the time until which the session is certainly alive, in nanoseconds since started.
	lease    atomic.Int64
	isPoller atomic.Bool
}

// IsShared reports whether several daemons may share the database.
func (db *DB) IsShared() bool { return db.writer.server != nil }

// Join starts a session, which Run keeps alive. Claims of earlier sessions of this daemon end.
func (db Daemons) Join(ctx context.Context) (_ *Session, err error) {
	defer wrapError(&err, "join the daemons on the database")
	ctx, cancel := context.WithTimeout(ctx, joinTimeout)
	defer cancel()
	s := &Session{started: time.Now()}
	server := db.writer.server.Copy()
	// The server must detect a daemon that hangs; TCP keep-alive would not.
	server.RuntimeParams["idle_session_timeout"] = fmt.Sprint(sessionTimeout.Milliseconds())
	if s.conn, err = pgx.ConnectConfig(ctx, server); err != nil {
		return nil, err
	}
	s.pid = int64(s.conn.PgConn().PID())
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if err = s.conn.QueryRow(ctx, "SELECT nextval('sessions')").Scan(&s.number); err != nil {
		return nil, err
	}
	if _, err = s.conn.Exec(ctx, "SELECT pg_advisory_lock($1::int, $2::int)", sessionLock, s.number); err != nil {
		return nil, err
	}
	for _, n := range []Notification{LettersArrived, LettersHandled} {
		if _, err = s.conn.Exec(ctx, "LISTEN "+string(n)); err != nil {
			return nil, err
		}
	}
	if err = s.heartbeat(ctx); err != nil {
		return nil, err
	}
	db.session.Store(s)
	return s, nil
}

// Number returns the fencing number.
func (s *Session) Number() int64 { return s.number }

// IsAlive reports whether other daemons certainly still regard the session as alive. It does not block.
func (s *Session) IsAlive() bool { return time.Since(s.started) < time.Duration(s.lease.Load()) }

// Run keeps the session alive until ctx ends; it returns an error if the session is lost. onNotification is called
// for each notification, and regularly for both kinds, because a notification may be lost. onElected is called once,
// when this daemon becomes the poller.
func (s *Session) Run(ctx context.Context, onNotification func(Notification), onElected func()) error {
	defer s.close()
	for wasElected := false; ctx.Err() == nil; {
		if err := s.heartbeat(ctx); err != nil {
			return fmt.Errorf("the session %d is lost: %w", s.number, err)
		}
		if !wasElected && s.isPoller.Load() {
			wasElected = true
			onElected()
		}
		onNotification(LettersArrived)
		onNotification(LettersHandled)
		if err := s.listen(ctx, time.Now().Add(heartbeatInterval), onNotification); err != nil {
			return fmt.Errorf("the session %d is lost: %w", s.number, err)
		}
	}
	return nil
}

// heartbeat extends the lease of the session, and tries to make this daemon the poller.
func (s *Session) heartbeat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, heartbeatTimeout)
	defer cancel()
	start := time.Since(s.started)
	if s.isPoller.Load() {
		if _, err := s.conn.Exec(ctx, "SELECT 1"); err != nil {
			return err
		}
	} else {
		var isPoller bool
		if err := s.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1::int, 0)", pollerLock).Scan(&isPoller); err != nil {
			return err
		}
		s.isPoller.Store(isPoller)
	}
	s.lease.Store(int64(start + leaseTime))
	return nil
}

func (s *Session) listen(ctx context.Context, until time.Time, onNotification func(Notification)) error {
	for {
		wait, cancel := context.WithDeadline(ctx, until)
		n, err := s.conn.WaitForNotification(wait)
		cancel()
		switch {
		case err == nil:
			onNotification(Notification(n.Channel))
		case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded) && !s.conn.IsClosed():
			return nil
		default:
			return err
		}
	}
}

func (s *Session) close() {
	s.lease.Store(0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.conn.Close(ctx) // If the server cannot be reached, it will end the session.
}

// An arrival is a letter that the poller has fetched and not yet moved to a folder. Any daemon may claim and
// adjudicate it; the receipt prevents a second adjudication after a claim has ended. The daemon records the outcome,
// and the poller deletes the arrival and moves the letter.

// Arrival is a claimed letter. Its keys are hashed; they can only be compared.
type Arrival struct {
	KeyedLetter
	// Tries counts the claims of the letter, including this one.
	Tries int
}

// ErrNotPoller means that another daemon reads the inbox.
var ErrNotPoller = errors.New("another daemon is the poller")

// isPollerQuery checks whether the server process $1 holds pollerLock.
const isPollerQuery = `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 198902 AND objsubid = 2 AND granted
	AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid = $1)`

func (db Daemons) writeAsPoller(ctx context.Context, s *Session, change changeFunc) error {
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		var isPoller bool
		if err := tx.QueryRowContext(ctx, isPollerQuery, s.pid).Scan(&isPoller); err != nil {
			return fmt.Errorf("check which session is the poller: %w", err)
		}
		if !isPoller {
			return ErrNotPoller
		}
		return change(ctx, tx)
	})
}

func notify(ctx context.Context, tx *transaction, n Notification) {
	tx.enqueue(ctx, wrapResult("notify daemons of letters %s", n), "SELECT pg_notify($1, '')", string(n))
}

// KeyedLetter is a letter of the inbox. Letters with a common key, e.g. a match, are handled in order (mail.IMAPConfig).
type KeyedLetter struct {
	mail.Received
	Keys []string
}

// StoreArrivals stores letters for any daemon to adjudicate, unless they are already stored. Letters with a common
// key must be stored in order.
func (db Daemons) StoreArrivals(ctx context.Context, s *Session, letters ...KeyedLetter) (err error) {
	defer wrapError(&err, "store %d letters of the inbox", len(letters))
	return db.writeAsPoller(ctx, s, func(ctx context.Context, tx *transaction) error {
		for _, letter := range letters {
			keys := make([]string, len(letter.Keys))
			for i, k := range letter.Keys {
				keys[i] = tx.key().keyedDigest(fmt.Sprintf("%x", sha256.Sum256([]byte(k))))
			}
			tx.enqueue(ctx, wrapResult("store letter %d", letter.UID),
				`INSERT INTO arrivals (uid_validity, uid, arrived, size, truncated, raw, keys)
				VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
				int64(letter.UIDValidity), int64(letter.UID), letter.Arrived.UnixMicro(), letter.Size, letter.Truncated,
				tx.seal(letter.Raw, "arrivals.raw", int64(letter.UIDValidity),
					int64(letter.UID)), strings.Join(keys, " "))
		}
		notify(ctx, tx, LettersArrived)
		return nil
	})
}

// Outcome is the result of an arrival. Value is the folder for the letter, e.g. "Samizdat/Done", or a keyword of the
// daemon for an error.
type Outcome struct {
	UIDValidity, UID uint32
	Value            string
}

// TakeOutcomes deletes and returns the handled arrivals, for the poller.
func (db Daemons) TakeOutcomes(ctx context.Context, s *Session) (out []Outcome, err error) {
	defer wrapError(&err, "read the outcomes of letters")
	err = db.writeAsPoller(ctx, s, func(ctx context.Context, tx *transaction) (err error) {
		out, err = queryAll(ctx, tx, func(o *Outcome) []any { return []any{&o.UIDValidity, &o.UID, &o.Value} },
			`DELETE FROM arrivals WHERE outcome IS NOT NULL RETURNING uid_validity, uid, outcome`)
		return err
	})
	return out, err
}

// pendingArrival is an arrival without an outcome. claim is the number of a session, or 0.
type pendingArrival struct {
	validity, uid int64
	keys          string
	claim, tries  int64
}

// Claim claims at most limit free letters, oldest first: letters that were never claimed or, with isRetry, letters that
// were claimed before but fewer than maxTries times. It skips letters that have a key in common with an older unfinished
// letter, unless this session claims both letters. hasMore reports whether free letters remain.
func (db Daemons) Claim(ctx context.Context, s *Session, limit int, isRetry bool, maxTries int) (out []Arrival, hasMore bool, err error) {
	defer wrapError(&err, "claim letters")
	// Usually no letter is free, and no lock is needed.
	if err := db.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM arrivals WHERE outcome IS NULL
		AND claim IS NULL)`).Scan(&hasMore); err != nil || !hasMore {
		return nil, false, err
	}
	err = db.write(ctx, func(ctx context.Context, tx *transaction) error {
		tx.pool.engine.acquireLock(ctx, tx, arrivalsLock)
		pending, err := queryAll(ctx, tx, func(arrival *pendingArrival) []any {
			return []any{&arrival.validity, &arrival.uid, &arrival.keys, &arrival.claim, &arrival.tries}
		},
			`SELECT uid_validity, uid, keys, coalesce(claim, 0), tries FROM arrivals WHERE outcome IS NULL ORDER BY uid_validity, uid`)
		if err != nil {
			return err
		}
		var validities, uids []int64
		if validities, uids, hasMore = selectClaimable(pending, s.number, limit, isRetry, maxTries); len(uids) == 0 {
			out = nil
			return nil
		}
		out, err = queryAll(ctx, tx, func(a *Arrival) []any {
			validity, uid := new(int64), new(int64)
			return []any{&a.UIDValidity, &a.UID, validity, uid, micros{&a.Arrived}, &a.Size, &a.Truncated,
				tx.key().unsealInto(&a.Raw, "arrivals.raw", validity, uid), wordsList{&a.Keys}, &a.Tries}
		}, `UPDATE arrivals SET claim = $1, tries = tries + 1 FROM unnest($2::bigint[], $3::bigint[]) AS free (v, u) WHERE uid_validity = v
			AND uid = u
			RETURNING uid_validity, uid, uid_validity, uid, arrived, size, truncated, raw, keys, tries`, s.number, validities, uids)
		slices.SortFunc(out, func(a, b Arrival) int {
			return cmp.Or(cmp.Compare(a.UIDValidity, b.UIDValidity), cmp.Compare(a.UID, b.UID))
		})
		return err
	})
	return out, hasMore, err
}

// selectClaimable chooses letters as Claim describes.
func selectClaimable(pending []pendingArrival, session int64, limit int, isRetry bool, maxTries int) (validities,
	uids []int64, hasMore bool) {
	// otherKeys are the keys of older letters that this session does not claim.
	otherKeys := map[string]bool{}
	for _, arrival := range pending {
		keys := strings.Fields(arrival.keys)
		isOurs := arrival.claim == session
		if arrival.claim == 0 && (arrival.tries > 0) == isRetry && !(isRetry && arrival.tries == int64(maxTries)) && len(uids) < limit &&
			!slices.ContainsFunc(keys, func(k string) bool { return otherKeys[k] }) {
			validities, uids = append(validities, arrival.validity), append(uids, arrival.uid)
			isOurs = true
		}
		if isOurs {
			continue
		}
		hasMore = hasMore || arrival.claim == 0
		for _, k := range keys {
			otherKeys[k] = true
		}
	}
	return validities, uids, hasMore
}

// RefundTry decrements Tries of a letter: the last try failed because the session ended, and not because of the letter.
func (db Daemons) RefundTry(ctx context.Context, validity, uid uint32) (err error) {
	defer wrapError(&err, "refund a try of letter %d", uid)
	return db.writeStatement(ctx, `UPDATE arrivals SET tries = tries - 1 WHERE uid_validity = $1 AND uid = $2 AND tries > 0
			AND outcome IS NULL`, int64(validity), int64(uid))
}

// RecordOutcomes records outcomes of letters that the session still claims.
func (db Daemons) RecordOutcomes(ctx context.Context, s *Session, outcomes ...Outcome) (err error) {
	defer wrapError(&err, "record the outcomes of %d letters", len(outcomes))
	return db.write(ctx, func(ctx context.Context, tx *transaction) error {
		for _, o := range outcomes {
			tx.enqueue(ctx, wrapResult("record the outcome of letter %d", o.UID), `UPDATE arrivals SET outcome = $1 WHERE uid_validity = $2
				AND uid = $3 AND claim = $4`,
				o.Value, int64(o.UIDValidity), int64(o.UID), s.number)
		}
		notify(ctx, tx, LettersHandled)
		return nil
	})
}

// CountBacklog counts all arrivals, and the letters in the outbox that a daemon has claimed.
func (db Daemons) CountBacklog(ctx context.Context) (n int, err error) {
	defer wrapError(&err, "count the unfinished letters")
	return queryValue[int](ctx, db.reader, `SELECT (SELECT count(*) FROM arrivals) + (SELECT count(*) FROM outbox WHERE state = 'waiting'
		AND claim IS NOT NULL)`)
}

// settleTime is the age at which a session may release the claims of other sessions: after a restart of the server
// all daemons need time to start new sessions.
const settleTime = 3 * time.Second

// ReleaseDead releases the claims of dead daemons. The poller calls it.
func (db Daemons) ReleaseDead(ctx context.Context, s *Session) (err error) {
	defer wrapError(&err, "release the claims of dead daemons")
	if time.Since(s.started) < settleTime {
		return nil
	}
	return db.writeAsPoller(ctx, s, func(ctx context.Context, tx *transaction) error {
		hasReleased := false
		// A locked row is skipped: its daemon is alive and is recording an outcome.
		tx.enqueue(ctx, func(result sql.Result, err error) error {
			hasReleased, err = rowChanged(result, err)
			return err
		}, `WITH dead AS MATERIALIZED (SELECT uid_validity AS v, uid AS u FROM arrivals
				WHERE outcome IS NULL AND claim IS NOT NULL AND claim NOT IN `+liveSessionsQuery+` FOR UPDATE SKIP LOCKED)
			UPDATE arrivals SET claim = NULL FROM dead WHERE uid_validity = v AND uid = u`)
		tx.exec(ctx, `WITH dead AS MATERIALIZED (SELECT id AS i FROM outbox
				WHERE state = 'waiting' AND claim IS NOT NULL AND claim NOT IN `+liveSessionsQuery+` FOR UPDATE SKIP LOCKED)
			UPDATE outbox SET claim = NULL FROM dead WHERE id = i`)
		if err := tx.flush(ctx); err != nil {
			return err
		}
		if hasReleased {
			notify(ctx, tx, LettersArrived)
		}
		return nil
	})
}

// ReplyLimits are rate limits for answers. The limit for a sender counts the answers of all daemons. The limit for all
// senders applies to each daemon separately, because letters would have to wait for a row that all daemons update.
type ReplyLimits struct {
	db        *connection
	perSender mail.Rate
	total     *mail.RateLimiter
	now       func() time.Time
	log       *slog.Logger
}

// NewReplyLimits returns limits with full buckets.
func (db Daemons) NewReplyLimits(perSender, totalRate mail.Rate, now func() time.Time, log *slog.Logger) *ReplyLimits {
	return &ReplyLimits{db.connection, perSender, mail.NewRateLimiter(mail.Rate{}, totalRate, now), now, log}
}

// takeTokenStatement takes a token from a sender's token bucket, which is stored as the time when the bucket is full
// again. The statement does not wait for the disk: after a crash the last tokens may be available again.
const takeTokenStatement = `INSERT INTO answered AS a (who, full_at)
	SELECT $1::text, $2::bigint FROM set_config('synchronous_commit', 'off', true)
	ON CONFLICT (who) DO UPDATE SET full_at = greatest(a.full_at, $3) + $4 WHERE greatest(a.full_at, $3) + $4 <= $5`

// Allow implements conversation.Limiter. If the database fails, the answer is allowed.
func (l *ReplyLimits) Allow(ctx context.Context, name, person string) (wait time.Duration) {
	if wait := l.total.Allow(ctx, "", person); wait > 0 || l.perSender.Burst == 0 {
		return wait
	}
	sum := sha256.Sum256([]byte(name))
	key := l.db.key.keyedDigest(hex.EncodeToString(sum[:]))
	now, refillInterval := l.now().UnixMicro(), l.perSender.Every.Microseconds()
	latestFullAt := now + int64(l.perSender.Burst)*refillInterval
	ok, err := rowChanged(l.db.writer.ExecContext(ctx, takeTokenStatement, key, now+refillInterval, now, refillInterval, latestFullAt))
	fullAt := latestFullAt
	if err == nil && !ok {
		err = l.db.reader.QueryRowContext(ctx, `SELECT full_at FROM answered WHERE who = $1`, key).Scan(&fullAt)
	}
	if err != nil {
		l.log.WarnContext(ctx, "counting an answer for the rate limit failed", "error", err)
		return 0
	}
	if ok {
		return 0
	}
	return max(time.Duration(fullAt+refillInterval-latestFullAt)*time.Microsecond, 1)
}

// DeleteFullBuckets deletes the buckets of senders who have not been answered lately.
func (db Daemons) DeleteFullBuckets(ctx context.Context, now time.Time) (err error) {
	defer wrapError(&err, "delete full buckets of the rate limit")
	_, err = db.writer.ExecContext(ctx, `DELETE FROM answered WHERE full_at <= $1`, now.UnixMicro())
	return err
}
