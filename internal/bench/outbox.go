package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/daemon"
)

// Letters that wait are of so many matches.
const backlogMatches = 100

// sentOfBacklog is what part of a backlog is sent to be measured by: one of so many.
const sentOfBacklog = 10

// outbox measures letters that wait to be sent: how long it takes to find those whose turn it
// is, and how quickly they go.
func (b *bench) outbox(ctx context.Context) (err error) {
	dir, remove, err := b.scratch("outbox")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	return b.with(ctx, b.configuration(filepath.Join(dir, "data"), false), func(d *daemon.Daemon) error {
		if err := b.waiting(ctx, d); err != nil {
			return err
		}
		name := thousands(int64(b.Backlog)) + " letters wait: "
		box := d.DB.Outbox(d.Config.Address)
		const looks = 10
		err := b.took(name+"finding the next", "ms", looks, func() error {
			for range looks {
				if due, err := box.Due(ctx, time.Now(), 64); err != nil || len(due) == 0 {
					return errors.Join(err, fmt.Errorf("%d letters are due", len(due)))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return b.served(ctx, d, nil, func(ctx context.Context, start func(), _ inbox) error {
			want := max(1, b.Backlog/sentOfBacklog)
			began, used, n := time.Now(), processor(), 0
			start()
			err := until(ctx, func() (bool, error) {
				sent, err := box.SentSince(ctx, began)
				n = len(sent)
				return n >= want, err
			})
			passed, busy := time.Since(began), processor()-used
			b.table.note(name+"sending", "letters/s", float64(n)/passed.Seconds())
			b.table.note(name+"sending, of the processor", "ms a letter", inMillis(busy)/float64(max(n, 1)))
			return err
		})
	})
}

// waiting puts letters into an outbox that nobody sends.
func (b *bench) waiting(ctx context.Context, d *daemon.Daemon) error {
	raw := append([]byte("Subject: what is asked\r\n\r\n"), bytes.Repeat([]byte("It is your move, and nothing else.\r\n"), sizeOfAnswer/36)...)
	matches := min(backlogMatches, max(1, b.Backlog/2))
	for i := range matches {
		m, err := b.make(fmt.Sprintf("waits%d", i), uint64(i), b.random(), 1)
		if err != nil {
			return err
		}
		if err := m.store(ctx, d.Adjudicator); err != nil {
			return err
		}
		each := b.Backlog/matches/len(b.seats) - 1 // Beside the one that store has queued.
		if each < 1 {
			continue
		}
		letters := m.letters(d.Adjudicator, each, raw)
		m.match.Version++
		if err := d.DB.Apply(ctx, adjudicator.Change{Match: m.match, Letters: letters}); err != nil {
			return err
		}
	}
	return nil
}
