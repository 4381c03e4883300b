package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/internal/config"
	"samizdat/storage"
	"samizdat/templates"
)

const (
	archiveInterval = time.Minute
	// archiveBatch is the number of match IDs per query, and of sent letters deleted per transaction.
	archiveBatch = 100
)

// archiver archives finished matches one by one, packs long histories of running matches, and deletes old letters of
// finished matches. After each step it pauses for as long as the step took, so that letters are not delayed. After a
// crash it continues with the remaining matches.
type archiver struct {
	db *storage.DB
	// keepDuration is the time for which letters are kept; 0 means forever.
	keepDuration time.Duration
	now          func() time.Time
	log          *slog.Logger
	packBackoffs backoffs
}

func (a *archiver) run(ctx context.Context) error {
	runPass := func() {
		if now := a.now(); !a.packBackoffs.isWaiting("", now) {
			if err := a.archiveAll(ctx, now); err != nil && ctx.Err() == nil {
				a.log.Error("finished matches cannot be archived yet", "error", err, "retry_in", a.packBackoffs.add("", now))
			}
		}
	}
	runPass()
	return runEvery(ctx, archiveInterval, runPass)
}

func (a *archiver) archiveAll(ctx context.Context, now time.Time) error {
	if err := a.packAll(ctx, now); err != nil || a.keepDuration == 0 {
		return err
	}
	before := now.Add(-a.keepDuration)
	if err := repeatWithPauses(ctx, func() (bool, error) { return a.db.Upkeep.DeleteReceived(ctx, before) }); err != nil {
		return err
	}
	return repeatWithPauses(ctx, func() (bool, error) { return a.db.Upkeep.DeleteSent(ctx, before, archiveBatch) })
}

func (a *archiver) packAll(ctx context.Context, now time.Time) error {
	total, err := a.db.Upkeep.CountUnarchived(ctx)
	if err != nil {
		return err
	}
	running, err := a.db.Upkeep.LongHistories(ctx, "", 1)
	if err != nil || total == 0 && len(running) == 0 {
		return err
	}
	packer, err := a.db.Upkeep.Archiver()
	if err != nil {
		return err
	}
	p := packing{a, now, map[string]bool{}}
	done, err := p.packEach(ctx, a.db.Upkeep.Unarchived, packer.Archive, total)
	if done > 0 {
		a.log.Info("finished matches archived", "archived", done)
	}
	if err != nil {
		return err
	}
	done, err = p.packEach(ctx, a.db.Upkeep.LongHistories, packer.PackHistory, 0)
	if done > 0 {
		a.log.Info("histories of running matches packed", "packed", done)
	}
	if err == nil {
		a.packBackoffs.dropFinished(func(id string) bool { return p.failed[id] })
	}
	return err
}

// packing is a call of packAll.
type packing struct {
	*archiver
	now time.Time
	// failed contains the matches that failed, in this call or before.
	failed map[string]bool
}

// packEach packs the matches that list returns, and returns how many it has packed. If total is not 0, it logs progress.
func (p packing) packEach(ctx context.Context, list func(context.Context, string, int) ([]string, error),
	pack func(context.Context, string, time.Time) (bool, error), total int) (done int, err error) {
	lastProgress, after := p.now, ""
	for {
		ids, err := list(ctx, after, archiveBatch)
		if err != nil || len(ids) == 0 {
			return done, err
		}
		after = ids[len(ids)-1]
		for _, id := range ids {
			if p.packBackoffs.isWaiting(id, p.now) {
				p.failed[id] = true
				continue
			}
			err := repeatWithPauses(ctx, func() (bool, error) {
				ok, err := recoverPanic(func() (bool, error) { return pack(ctx, id, p.now) })
				if ok {
					done++
				}
				return false, err
			})
			if ctx.Err() != nil {
				return done, context.Cause(ctx)
			}
			if err != nil {
				p.failed[id] = true
				p.packBackoffs.logFailure(p.log, "a match cannot be archived, and stays as it is", id, err, p.now)
			}
			if at := time.Now(); total > 0 && at.Sub(lastProgress) >= progressInterval {
				p.log.Info(fmt.Sprintf("archived %d of %d", done, total))
				lastProgress = at
			}
		}
	}
}

func recoverPanic(run func() (bool, error)) (isDone bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return run()
}

// repeatWithPauses calls run until there is no more work, and pauses after each call for as long as the call took.
func repeatWithPauses(ctx context.Context, run func() (hasMore bool, err error)) error {
	for {
		startTime := time.Now()
		hasMore, err := run()
		if err != nil {
			return err
		}
		if !sleep(ctx, time.Since(startTime)) {
			return context.Cause(ctx)
		}
		if !hasMore {
			return nil
		}
	}
}

const (
	// rebuildBatch is the number of matches recorded in one transaction. A crash loses the replays of one transaction.
	rebuildBatch     = 100
	progressInterval = 10 * time.Second
	// recordTimeout limits how long a stop waits until finished work is recorded.
	recordTimeout = 5 * time.Second
	maxNamed      = 20 // limits the matches that a letter names
)

// rebuilder replays the histories of running matches stored by another build, one by one, while letters are handled. A
// match that was not replayed yet is replayed before a letter to it is handled. Replayed matches are recorded in the
// database, so that a restart continues. If the replay of a match ends in another position than the stored position, the
// match is stopped until another build runs.
type rebuilder struct {
	db          *storage.DB
	adjudicator *adjudicator.Adjudicator
	cfg         config.Config
	log         *slog.Logger
	onQueued    func()
}

func (r *rebuilder) run(ctx context.Context) {
	var tries backoffs
	for {
		err := r.rebuildAll(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		now := time.Now()
		pause := tries.add("", now)
		r.log.Error("matches of another build cannot be replayed yet", "error", err, "retry_in", pause)
		if !sleep(ctx, pause) {
			return
		}
	}
}

// rebuildAll replays each match once. If a match cannot be read or recorded, it continues with the others and returns
// the first error at the end.
func (r *rebuilder) rebuildAll(ctx context.Context) error {
	build := r.adjudicator.Build
	if build == "" {
		return nil
	}
	total, err := r.db.Upkeep.CountOtherBuilds(ctx, build)
	if err != nil {
		return err
	}
	if total > 0 {
		r.log.Info("replaying running matches that another build has stored", "matches", total, "build", build)
	}
	var firstErr error
	done, stopped, lastProgress := 0, 0, time.Now()
	for after := ""; ; {
		ids, err := r.db.Upkeep.ListOtherBuilds(ctx, build, after, rebuildBatch)
		if err != nil {
			return err
		}
		n, err := r.rebuildMatches(ctx, ids)
		if firstErr == nil {
			firstErr = err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(ids) == 0 {
			break
		}
		done, stopped, after = done+len(ids), stopped+n, ids[len(ids)-1]
		if now := time.Now(); now.Sub(lastProgress) >= progressInterval {
			r.log.Info("replaying matches", "done", done, "of", total)
			lastProgress = now
		}
	}
	if total > 0 {
		r.log.Info("running matches replayed", "matches", done, "stopped", stopped)
	}
	return errors.Join(firstErr, r.notifyOperator(ctx, time.Now()))
}

func (r *rebuilder) rebuildMatches(ctx context.Context, ids []string) (stopped int, firstErr error) {
	var rebuilt []*match.Match
	for _, id := range ids {
		m, err := r.adjudicator.Rebuild(ctx, id)
		var divergence *adjudicator.DivergenceError
		switch {
		case ctx.Err() != nil:
		case errors.As(err, &divergence):
			stopped++
			r.log.Error("a match is stopped: this build computes another position than the stored one",
				"match", id, "build", divergence.ThisBuild, "was", divergence.StoredBuild, "entry", divergence.Entry,
				"hint", "use the program that stored it, or a newer program that fixes this: docs/operator.md, \"A match that is stopped\"")
			err = r.db.Upkeep.StopMatch(ctx, divergence, time.Now())
		case err == nil:
			rebuilt = append(rebuilt, m)
		}
		if err != nil && firstErr == nil {
			firstErr = err
		}
	}
	// Finished replays are recorded even if the process is being stopped.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := r.db.Upkeep.RecordRebuilt(ctx, r.adjudicator.Build, rebuilt); err != nil && firstErr == nil {
		firstErr = err
	}
	return stopped, firstErr
}

func (r *rebuilder) notifyOperator(ctx context.Context, now time.Time) error {
	wasNotified, err := r.db.Operator.ReportStopped(ctx, r.cfg.Operator, now,
		func(list []storage.StoppedMatch) ([]byte, error) { return newStoppedLetter(r.cfg, now, list) })
	if wasNotified {
		r.onQueued()
	}
	return err
}

// newStoppedLetter writes the letter to the operator about stopped matches. It names each match and the entry at which
// its replay differs, but no moves, because the operator may be a player.
func newStoppedLetter(cfg config.Config, now time.Time, list []storage.StoppedMatch) ([]byte, error) {
	var b strings.Builder
	b.WriteString(templates.Wrap("Another program has stored these matches. This program has replayed their histories and computes "+
		"other positions, so it has stopped the matches. All other matches continue.") + "\n\n")
	for i, s := range list {
		if i == maxNamed {
			fmt.Fprintf(&b, "  and %d more, which \"samizdat matches\" lists\n", len(list)-i)
			break
		}
		position := "the last position"
		if s.Entry.Valid {
			position = fmt.Sprintf("entry %d", s.Entry.V)
		}
		fmt.Fprintf(&b, "  %s  differs at %s\n", s.Match, position)
	}
	fmt.Fprintf(&b, "\n  stored by     %s\n  this program  %s\n\n", list[0].StoredBuild, list[0].ThisBuild)
	b.WriteString(templates.Wrap("Letters to these matches stay in the inbox, unanswered and in order. Nothing is lost: "+
		"they are handled when a program serves that computes the stored positions. "+
		"That is the previous program, with the database or with a backup from before the change, or a newer program that fixes the fault. "+
		"\"A match that is stopped\" in docs/operator.md has the commands.") + "\n")
	return renderNotice(cfg, cfg.Operator, "Matches are stopped", fmt.Sprintf("stopped-%d", now.UnixMicro()), now, b.String())
}
