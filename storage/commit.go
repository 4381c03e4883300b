package storage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// mostTogether is how many changes one transaction may have: what is stored first must not wait long
// for what comes behind it.
const mostTogether = 64

// canWaitFor is how long a change that can wait does, unless another comes with which it is written. While
// letters come in, one mostly does: the disk is waited for once then, and a letter of the same match does not
// wait for what became of the answers to the last.
const canWaitFor = 5 * time.Millisecond

// commits puts changes that are made at the same time into one transaction, so that the disk is
// waited for once. Whoever comes while it is written makes the next one, of all that have
// come meanwhile. The zero value is not ready: see newCommits.
type commits struct {
	// turn is held by whoever writes.
	turn chan struct{}
	// rest is how long a change that can wait does.
	rest time.Duration

	mu      sync.Mutex
	waiting []*change
	// alone is how many changes are still to be written alone: a transaction of several has failed,
	// and it may be for one of them.
	alone int
}

func newCommits() commits { return commits{turn: make(chan struct{}, 1), rest: canWaitFor} }

// change is one of the changes of a transaction: all of it is stored, or nothing.
type change struct {
	ctx context.Context
	do  work
	tx  *transaction
	// err is what came of it, once done is closed.
	err  error
	done chan struct{}
}

// write makes a change. An error of the change leaves those that are written with it alone; when the
// transaction itself fails, none of them is stored, and each gets the error.
func (sqlite) write(ctx context.Context, db *DB, do work, canWait bool) error {
	c := &change{ctx: ctx, do: do, done: make(chan struct{})}
	g := &db.commits
	g.mu.Lock()
	g.waiting = append(g.waiting, c)
	g.mu.Unlock()
	if canWait {
		c.rest(g.rest)
	}
	for {
		select {
		case <-c.done:
			return c.err
		case g.turn <- struct{}{}:
			db.commitNext()
			<-g.turn
		case <-ctx.Done():
			if g.withdraw(c) {
				return inTime(ctx, context.Cause(ctx))
			}
			<-c.done // It is being written.
			return c.err
		}
	}
}

// rest waits a moment for somebody else to write the change.
func (c *change) rest(most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-c.done:
	case <-t.C:
	case <-c.ctx.Done():
	}
}

// withdraw takes back a change that is not being written yet.
func (g *commits) withdraw(c *change) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.waiting, c)
	if i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	}
	return i >= 0
}

// next takes the changes of the next transaction, in the order in which they came.
func (g *commits) next() []*change {
	g.mu.Lock()
	defer g.mu.Unlock()
	n := min(len(g.waiting), mostTogether)
	if g.alone > 0 && n > 0 {
		g.alone--
		n = 1
	}
	together := slices.Clone(g.waiting[:n])
	g.waiting = slices.Delete(g.waiting, 0, n)
	return together
}

// commitNext writes the changes that wait, in one transaction, and tells those who made them.
func (db *DB) commitNext() {
	together := db.commits.next()
	if len(together) == 0 {
		return
	}
	if err := db.commit(together); err != nil {
		for _, c := range together {
			// What a change found out may come from another that is not stored.
			c.err = err
		}
		if len(together) > 1 {
			db.commits.mu.Lock()
			db.commits.alone = len(together)
			db.commits.mu.Unlock()
		}
	}
	for _, c := range together {
		if db.note(c.err); c.err != nil && c.tx != nil {
			c.tx.undone()
		}
		close(c.done)
	}
}

// commit writes changes in one transaction. It notes what came of each. An error means that none of them
// is stored.
func (db *DB) commit(together []*change) (err error) {
	// The transaction does not end with whoever waits for one of its changes.
	ctx := context.WithoutCancel(together[0].ctx)
	begun, err := db.writer.begin(ctx, "BEGIN IMMEDIATE")
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for _, c := range together {
		c.tx = &transaction{in: begun, pool: db.writer}
		if c.err = inTime(c.ctx, context.Cause(c.ctx)); c.err != nil {
			continue
		}
		if len(together) == 1 {
			// It needs no savepoint to be undone alone.
			if err := c.tx.run(ctx, c.do); err != nil {
				return errors.Join(err, begun.Rollback())
			}
			continue
		}
		if err := part(ctx, c); err != nil {
			return errors.Join(err, begun.Rollback())
		}
	}
	if err := begun.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// part makes one change of a transaction. What has failed is undone, and nothing else; an error means
// that it could not be: then nothing is left of the transaction.
func part(ctx context.Context, c *change) error {
	if _, err := c.tx.ExecContext(ctx, "SAVEPOINT part"); err != nil {
		return fmt.Errorf("begin a change: %w", err)
	}
	c.err = c.tx.run(ctx, c.do)
	if c.err != nil {
		if _, err := c.tx.ExecContext(ctx, "ROLLBACK TO part"); err != nil {
			// A full disk, or damage, ends the whole transaction.
			return errors.Join(c.err, fmt.Errorf("undo a change: %w", err))
		}
	}
	if _, err := c.tx.ExecContext(ctx, "RELEASE part"); err != nil {
		return fmt.Errorf("end a change: %w", err)
	}
	return nil
}
