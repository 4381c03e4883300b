package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"samizdat/storage"
)

const (
	// archiveEvery is how often it is looked for matches to be archived.
	archiveEvery = time.Minute
	// archivedAtOnce is how many names of matches are read at once, and how many letters that went out
	// are forgotten in one transaction.
	archivedAtOnce = 100
)

// archiver archives matches that are over, one after the other, and deletes the letters that
// came in to them when they have been kept for long enough. It rests after each for as long as
// that took, so that letters never wait for it. What is killed in between goes on from there.
type archiver struct {
	db *storage.DB
	// keep is for how long letters are kept; 0 for ever.
	keep    time.Duration
	now     func() time.Time
	log     *slog.Logger
	failing backoffs
}

// run archives until the context ends.
func (a *archiver) run(ctx context.Context) {
	t := time.NewTicker(archiveEvery)
	defer t.Stop()
	for {
		if now := a.now(); !a.failing.waits("", now) {
			if err := a.pass(ctx, now); err != nil && ctx.Err() == nil {
				a.log.Error("matches that are over cannot be archived yet", "error", err, "retry_in", a.failing.add("", now))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
	}
}

// pass archives what there is to be archived, and deletes what was kept for long enough.
func (a *archiver) pass(ctx context.Context, now time.Time) error {
	if err := a.archive(ctx, now); err != nil {
		return err
	}
	if a.keep == 0 {
		return nil
	}
	before := now.Add(-a.keep)
	if err := repeat(ctx, func() (bool, error) { return a.db.Clear(ctx, before) }); err != nil {
		return err
	}
	return repeat(ctx, func() (bool, error) { return a.db.ForgetSent(ctx, before, archivedAtOnce) })
}

func (a *archiver) archive(ctx context.Context, now time.Time) error {
	all, err := a.db.CountUnarchived(ctx)
	if err != nil || all == 0 {
		return err
	}
	packer, err := a.db.Archiver()
	if err != nil {
		return err
	}
	done, said, after := 0, now, ""
	kept := map[string]bool{}
	for {
		ids, err := a.db.Unarchived(ctx, after, archivedAtOnce)
		if err != nil || len(ids) == 0 {
			a.failing.keep(func(id string) bool { return kept[id] })
			if done > 0 {
				a.log.Info("matches that are over were archived", "archived", done)
			}
			return err
		}
		after = ids[len(ids)-1]
		for _, id := range ids {
			if a.failing.waits(id, now) {
				kept[id] = true
				continue
			}
			err := repeat(ctx, func() (bool, error) {
				is, err := guardedArchive(ctx, packer, id, now)
				if is {
					done++
				}
				return false, err
			})
			if ctx.Err() != nil {
				return nil
			}
			if err != nil {
				kept[id] = true
				a.fails(id, err, now)
			}
			if at := time.Now(); at.Sub(said) >= progressEvery {
				a.log.Info(fmt.Sprintf("archived %d of %d", done, all))
				said = at
			}
		}
	}
}

// fails tells once that a match cannot be archived: it may stay so. It can be read all the same.
func (a *archiver) fails(id string, err error, now time.Time) {
	level, pause := slog.LevelDebug, a.failing.add(id, now)
	if pause == firstPause {
		level = slog.LevelError
	}
	a.log.Log(context.Background(), level, "a match cannot be archived, and stays as it is", "match", id, "error", err, "retry_in", pause)
}

// guardedArchive makes an error of a panic.
func guardedArchive(ctx context.Context, packer *storage.Archiver, id string, now time.Time) (done bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return packer.Archive(ctx, id, now)
}

// repeat does something as often as it says that there is more to be done, and rests after
// each time for as long as it took.
func repeat(ctx context.Context, do func() (more bool, err error)) error {
	for {
		began := time.Now()
		more, err := do()
		if err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(time.Since(began)):
		}
		if !more {
			return nil
		}
	}
}
