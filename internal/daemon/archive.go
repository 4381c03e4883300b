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

// archiver archives matches that are over, one after the other, packs long histories of those that run, and deletes
// the letters that came in to the former when they have been kept for long enough. It rests after each for as long as
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

// pass archives what there is to be archived, packs histories that have become long, and deletes what was
// kept for long enough.
func (a *archiver) pass(ctx context.Context, now time.Time) error {
	if err := a.packAll(ctx, now); err != nil || a.keep == 0 {
		return err
	}
	before := now.Add(-a.keep)
	if err := repeat(ctx, func() (bool, error) { return a.db.Clear(ctx, before) }); err != nil {
		return err
	}
	return repeat(ctx, func() (bool, error) { return a.db.ForgetSent(ctx, before, archivedAtOnce) })
}

// packAll packs the matches that are over, and the histories of those that run.
func (a *archiver) packAll(ctx context.Context, now time.Time) error {
	all, err := a.db.CountUnarchived(ctx)
	if err != nil {
		return err
	}
	running, err := a.db.LongHistories(ctx, "", 1)
	if err != nil || all == 0 && len(running) == 0 {
		return err
	}
	packer, err := a.db.Archiver()
	if err != nil {
		return err
	}
	p := packing{a, now, map[string]bool{}}
	done, err := p.each(ctx, a.db.Unarchived, packer.Archive, all)
	if done > 0 {
		a.log.Info("matches that are over were archived", "archived", done)
	}
	if err != nil {
		return err
	}
	done, err = p.each(ctx, a.db.LongHistories, packer.PackHistory, 0)
	if done > 0 {
		a.log.Info("histories of matches that run were packed", "packed", done)
	}
	if err == nil {
		a.failing.keep(func(id string) bool { return p.kept[id] })
	}
	return err
}

// packing is a pass over matches.
type packing struct {
	*archiver
	now time.Time
	// kept are the matches that failed, now or before.
	kept map[string]bool
}

// each packs the matches that are listed, and counts those that it has packed. All is how many
// they are, where progress is told.
func (p packing) each(ctx context.Context, list func(context.Context, string, int) ([]string, error),
	pack func(context.Context, string, time.Time) (bool, error), all int) (done int, err error) {
	said, after := p.now, ""
	for {
		ids, err := list(ctx, after, archivedAtOnce)
		if err != nil || len(ids) == 0 {
			return done, err
		}
		after = ids[len(ids)-1]
		for _, id := range ids {
			if p.failing.waits(id, p.now) {
				p.kept[id] = true
				continue
			}
			err := repeat(ctx, func() (bool, error) {
				is, err := guarded(func() (bool, error) { return pack(ctx, id, p.now) })
				if is {
					done++
				}
				return false, err
			})
			if ctx.Err() != nil {
				return done, context.Cause(ctx)
			}
			if err != nil {
				p.kept[id] = true
				p.fails(id, err, p.now)
			}
			if at := time.Now(); all > 0 && at.Sub(said) >= progressEvery {
				p.log.Info(fmt.Sprintf("archived %d of %d", done, all))
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

// guarded makes an error of a panic.
func guarded(do func() (bool, error)) (done bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return do()
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
