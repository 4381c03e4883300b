package storage

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"

	"samizdat/mail"
)

// Several daemons that send from one outbox claim the letters that they send.
// The number of the daemon's session stands at each; it is 0 here, and none there, where a
// daemon is alone.

// claims are those of this process to letters that it sends.
type claims struct {
	db *DB
	mu *sync.Mutex
	// numbers are the sessions in which letters were claimed.
	numbers map[int64]int64
}

var _ mail.Claims = (*Outbox)(nil)

func newClaims(db *DB) claims { return claims{db, new(sync.Mutex), map[int64]int64{}} }

// current is the number of this daemon's session.
func (c claims) current() int64 {
	if s := c.db.session.Load(); s != nil {
		return s.number
	}
	return 0
}

// number is that of the session in which a letter was claimed.
func (c claims) number(id int64) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.numbers[id]; ok {
		return n
	}
	return c.current()
}

// byNumber are letters by the sessions in which they were claimed.
func (c claims) byNumber(ids []int64) map[int64][]int64 {
	out := map[int64][]int64{}
	for _, id := range ids {
		n := c.number(id)
		out[n] = append(out[n], id)
	}
	return out
}

// Ours implements mail.Claims.
func (c claims) Ours(id int64) bool {
	s := c.db.session.Load()
	return s == nil || s.Lives() && c.number(id) == s.number
}

// Release implements mail.Claims.
func (c claims) Release(ctx context.Context, except ...int64) (err error) {
	defer wrap(&err, "give up claims to letters")
	s := c.db.session.Load()
	if s == nil {
		return nil
	}
	c.forget(except)
	return c.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		_, err := tx.ExecContext(ctx, `UPDATE outbox SET claim = NULL WHERE state = 'waiting' AND claim = $1 AND id <> ALL ($2)`, s.number, append([]int64{}, except...))
		return err
	})
}

// forget forgets the claims to all letters but those that are in hand.
func (c claims) forget(inHand []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.numbers, func(id, _ int64) bool { return !slices.Contains(inHand, id) })
}

// claimed claims letters that are read, where there are other daemons: of those that are read, it gives
// those that nobody else has. Some were read before, and are in hand.
func (c claims) claimed(ctx context.Context, inHand []int64, read func(except []int64) ([]mail.Outgoing, error)) ([]mail.Outgoing, error) {
	s := c.db.session.Load()
	if s == nil {
		return read(inHand)
	}
	if !s.Lives() {
		return nil, nil
	}
	letters, err := read(inHand)
	if err != nil || len(letters) == 0 {
		return nil, err
	}
	got, err := c.claim(ctx, s.number, letters, inHand)
	if err != nil {
		return nil, err
	}
	if inHand != nil {
		c.forget(inHand)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.DeleteFunc(letters, func(l mail.Outgoing) bool {
		if got[l.ID] {
			c.numbers[l.ID] = s.number
		}
		return !got[l.ID]
	}), nil
}

// claim claims letters, and tells which it has got: none while another daemon has an older one to the same reader, or is
// about to have it.
func (c claims) claim(ctx context.Context, number int64, letters []mail.Outgoing, inHand []int64) (got map[int64]bool, err error) {
	defer wrap(&err, "claim letters")
	ids := make([]int64, len(letters))
	for i, l := range letters {
		ids[i] = l.ID
	}
	id := func(id *int64) []any { return []any{id} }
	err = c.db.write(ctx, func(ctx context.Context, tx *transaction) error {
		got = map[int64]bool{}
		free, err := list(ctx, tx, id, `SELECT id FROM outbox WHERE id = ANY ($1) AND state = 'waiting' AND coalesce(claim, $2) = $2 ORDER BY id FOR UPDATE SKIP LOCKED`, ids, number)
		if err != nil {
			return err
		}
		claimed, err := list(ctx, tx, id, `UPDATE outbox AS o SET claim = $1 WHERE id = ANY ($2) AND NOT EXISTS (SELECT 1 FROM outbox e WHERE `+earlier+`
			AND e.id <> ALL ($2) AND NOT (e.id = ANY ($3) AND e.claim = $1)) RETURNING id`, number, free, append([]int64{}, inHand...))
		for _, id := range claimed {
			got[id] = true
		}
		return err
	})
	return got, err
}

// changed reports whether a statement has changed a row.
func changed(r sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := r.RowsAffected()
	return n > 0, err
}
