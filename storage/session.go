package storage

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// beatEvery is how often a session shows that its daemon lives, beatTakes how long that may
	// take.
	beatEvery = time.Second
	beatTakes = 2 * time.Second
	// silence is after what time PostgreSQL ends the session of a daemon that says nothing, and
	// leaseOf how long before that the daemon itself trusts in it: clocks of two machines do not
	// run alike.
	silence = 5 * time.Second
	leaseOf = silence - time.Second
	// joinTakes bounds the making of a session.
	joinTakes = 5 * time.Second
)

// The advisory locks of a database, by their first number. The second of sessionLock is the number of
// the session.
const (
	sessionLock = 1989_01
	pollerLock  = 1989_02
)

// living are the numbers of the sessions whose daemons live.
const living = `(SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = 198901 AND objsubid = 2 AND granted
	AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`

// News is what daemons tell each other.
type News string

// Of letters that have arrived, and of those that were handled.
const (
	Arrived News = "arrived"
	Handled News = "handled"
)

// Session is how a daemon among several on one PostgreSQL shows the others that it lives: a
// connection of its own that holds a lock on the session's number. The number is the daemon's
// fencing number: it stands at each row that the daemon claims, and is never given again. When the
// daemon dies PostgreSQL ends the connection at once, and after some seconds when it hangs or is
// cut off; its claims have lapsed then, whatever it does when it comes back: for others see
// [DB.Reap], for itself [Session.Lives].
type Session struct {
	number int64
	conn   *pgx.Conn
	// pid is the process of the server that has the session.
	pid   int64
	begun time.Time
	// lease is until when the session lives for sure, in nanoseconds since it was begun.
	lease atomic.Int64
	polls atomic.Bool
}

// Shared tells whether several daemons may serve from the database at once.
func (db *DB) Shared() bool { return db.writer.server != nil }

// Join begins a session, which Hold keeps. What was claimed in an earlier one has lapsed.
func (db *DB) Join(ctx context.Context) (_ *Session, err error) {
	defer wrap(&err, "join the daemons on the database")
	ctx, cancel := context.WithTimeout(ctx, joinTakes)
	defer cancel()
	s := &Session{begun: time.Now()}
	server := db.writer.server.Copy()
	// It is the server that finds out that we are silent: what the machines between us keep alive says
	// nothing of a daemon that hangs.
	server.RuntimeParams["idle_session_timeout"] = fmt.Sprint(silence.Milliseconds())
	if s.conn, err = pgx.ConnectConfig(ctx, server); err != nil {
		return nil, err
	}
	s.pid = int64(s.conn.PgConn().PID())
	defer func() {
		if err != nil {
			s.hangUp()
		}
	}()
	if err = s.conn.QueryRow(ctx, "SELECT nextval('sessions')").Scan(&s.number); err != nil {
		return nil, err
	}
	if _, err = s.conn.Exec(ctx, "SELECT pg_advisory_lock($1::int, $2::int)", sessionLock, s.number); err != nil {
		return nil, err
	}
	for _, n := range []News{Arrived, Handled} {
		if _, err = s.conn.Exec(ctx, "LISTEN "+string(n)); err != nil {
			return nil, err
		}
	}
	if err = s.beat(ctx); err != nil {
		return nil, err
	}
	db.session.Store(s)
	return s, nil
}

// Number is the fencing number.
func (s *Session) Number() int64 { return s.number }

// Lives reports whether no other daemon can think that the session has ended. It takes no time.
func (s *Session) Lives() bool { return time.Since(s.begun) < time.Duration(s.lease.Load()) }

// Polls reports whether this daemon is the poller.
func (s *Session) Polls() bool { return s.polls.Load() && s.Lives() }

// Hold keeps the session until ctx ends, or returns an error when it is lost. News is called when
// there are some, and now and then for all without that; elected once, when this daemon has become the poller.
func (s *Session) Hold(ctx context.Context, news func(News), elected func()) error {
	defer s.hangUp()
	for told := false; ctx.Err() == nil; {
		if err := s.beat(ctx); err != nil {
			return fmt.Errorf("the session %d is lost: %w", s.number, err)
		}
		if !told && s.polls.Load() {
			told = true
			elected()
		}
		news(Arrived)
		news(Handled)
		if err := s.listen(ctx, time.Now().Add(beatEvery), news); err != nil {
			return fmt.Errorf("the session %d is lost: %w", s.number, err)
		}
	}
	return nil
}

// beat shows that the daemon lives, and tries to become the poller.
func (s *Session) beat(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, beatTakes)
	defer cancel()
	began := time.Since(s.begun)
	if s.polls.Load() {
		if _, err := s.conn.Exec(ctx, "SELECT 1"); err != nil {
			return err
		}
	} else {
		var polls bool
		if err := s.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1::int, 0)", pollerLock).Scan(&polls); err != nil {
			return err
		}
		s.polls.Store(polls)
	}
	s.lease.Store(int64(began + leaseOf))
	return nil
}

// listen waits for news until a time.
func (s *Session) listen(ctx context.Context, until time.Time, news func(News)) error {
	for {
		wait, cancel := context.WithDeadline(ctx, until)
		n, err := s.conn.WaitForNotification(wait)
		cancel()
		switch {
		case err == nil:
			news(News(n.Channel))
		case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded) && !s.conn.IsClosed():
			return nil
		default:
			return err
		}
	}
}

// hangUp ends the session: at once where the server hears it.
func (s *Session) hangUp() {
	s.lease.Store(0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = s.conn.Close(ctx) // Whom it does not reach finds out by himself.
}
