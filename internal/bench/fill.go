package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/internal/daemon"
)

// manyID is the name of one of the many matches.
func manyID(i int) string { return fmt.Sprintf("many%d", i) }

const (
	// drainEvery is after how many matches their letters are sent away.
	drainEvery = 250
	// storesAtOnce is how many matches are stored at a time.
	storesAtOnce = 16
)

// fill gives the directory with the many matches, which it makes where they are not there.
// Its database is as a daemon of this build leaves it.
func (b *bench) fill(ctx context.Context) (dir string, err error) {
	dir = filepath.Join(b.Dir, "many")
	if b.many {
		return dir, nil
	}
	err = b.with(ctx, b.configuration(dir, false), func(d *daemon.Daemon) error {
		there, err := d.DB.Begun(ctx)
		if err != nil {
			return err
		}
		if err := b.makeMany(ctx, d, len(there)); err != nil {
			return err
		}
		return b.settle(ctx, d)
	})
	b.many = err == nil
	return dir, err
}

// makeMany makes what is missing of the many matches.
func (b *bench) makeMany(ctx context.Context, d *daemon.Daemon, from int) error {
	if from >= b.Matches {
		return nil
	}
	began := time.Now()
	matches := make(chan *made, 64)
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		defer close(matches)
		makers, ctx := errgroup.WithContext(ctx)
		makers.SetLimit(runtime.GOMAXPROCS(0))
		for i := from; i < b.Matches; i++ {
			makers.Go(func() error {
				m, err := b.make(manyID(i), uint64(i)+1<<20, b.random(), b.Entries)
				if err != nil {
					return err
				}
				select {
				case matches <- m:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			})
		}
		return makers.Wait()
	})
	g.Go(func() error {
		for n := from; ; {
			more, err := b.storeSome(ctx, d, matches)
			if err != nil || more == 0 {
				return err
			}
			if err := drain(ctx, d, nil); err != nil {
				return err
			}
			if n += more; n%1000 < more {
				b.say("%d of %d matches made, %v", n, b.Matches, time.Since(began).Round(time.Second))
			}
		}
	})
	return g.Wait()
}

// storeSome stores matches, those that are there at the same time by one commit. It tells how many
// they were: none when there are no more.
func (b *bench) storeSome(ctx context.Context, d *daemon.Daemon, matches <-chan *made) (n int, err error) {
	stores, ctx := errgroup.WithContext(ctx)
	stores.SetLimit(storesAtOnce)
	for ; n < drainEvery; n++ {
		m, ok := <-matches
		if !ok {
			break
		}
		stores.Go(func() error { return m.store(ctx, d.Adjudicator) })
	}
	return n, stores.Wait()
}

// settle lets the daemon do what it does once after another build has served.
func (b *bench) settle(ctx context.Context, d *daemon.Daemon) error {
	if settled, err := settled(ctx, d); settled || err != nil {
		return err
	}
	b.say("another build has made the matches, or none: they are played again, and summarized")
	return b.served(ctx, d, nil, func(ctx context.Context, start func(), _ inbox) error {
		start()
		return until(ctx, func() (bool, error) {
			if settled, err := settled(ctx, d); !settled || err != nil {
				return false, err
			}
			s, err := d.DB.Stats(ctx)
			if s.Stopped > 0 {
				err = errors.Join(err, fmt.Errorf("%d matches come out otherwise", s.Stopped))
			}
			return err == nil, err
		})
	})
}

// settled reports whether nothing of that is left to be done.
func settled(ctx context.Context, d *daemon.Daemon) (bool, error) {
	unsummed, err := d.DB.Unsummed(ctx, "", 1)
	return len(unsummed) == 0 && d.ToRebuild(ctx) == 0, err
}
