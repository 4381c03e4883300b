package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/storage"
	"samizdat/templates"
)

const (
	// rebuiltAtOnce is how many matches are noted in one transaction: so many are played
	// again once more after a crash.
	rebuiltAtOnce = 100
	// progressEvery is how often the log says how far it is.
	progressEvery = 10 * time.Second
	// noteTime bounds how long a stop waits for what was compared to be noted.
	noteTime = 5 * time.Second
	// mostNamed is how many matches a letter to the operator names.
	mostNamed = 20
)

// rebuilder plays the running matches again that another build has stored, one after the
// other, while letters are taken up. A match whose letter comes before its turn is played
// again with the letter, so none is moved before it was compared. What was compared is
// noted in the database: who is stopped or killed goes on from there. A match that comes
// out otherwise is stopped until another build serves.
type rebuilder struct {
	db          *storage.DB
	adjudicator *adjudicator.Adjudicator
	cfg         config.Config
	log         *slog.Logger
	// queued is called after a letter was put into the outbox.
	queued func()
}

// run works until all are through, or the context ends.
func (r *rebuilder) run(ctx context.Context) {
	var tries backoffs
	for {
		err := r.pass(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		now := time.Now()
		pause := tries.add("", now)
		r.log.Error("matches of another build cannot be played again yet", "error", err, "retry_in", pause)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// pass plays each match once. Its error is that of the first that could not be read or
// noted; the others are through.
func (r *rebuilder) pass(ctx context.Context) error {
	build := r.adjudicator.Build
	if build == "" {
		return nil
	}
	all, err := r.db.OtherBuilds(ctx, build)
	if err != nil {
		return err
	}
	if all > 0 {
		r.log.Info("running matches that another build has stored are played again", "matches", all, "build", build)
	}
	var failed error
	done, stopped, said := 0, 0, time.Now()
	for after := ""; ; {
		ids, err := r.db.OtherBuild(ctx, build, after, rebuiltAtOnce)
		if err != nil {
			return err
		}
		n, err := r.some(ctx, ids)
		if failed == nil {
			failed = err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if len(ids) == 0 {
			break
		}
		done, stopped, after = done+len(ids), stopped+n, ids[len(ids)-1]
		if now := time.Now(); now.Sub(said) >= progressEvery {
			r.log.Info("matches are played again", "done", done, "of", all)
			said = now
		}
	}
	if all > 0 {
		r.log.Info("running matches were played again", "matches", done, "stopped", stopped)
	}
	return errors.Join(failed, r.tell(ctx, time.Now()))
}

// some plays some matches again, and counts those that are stopped.
func (r *rebuilder) some(ctx context.Context, ids []string) (stopped int, failed error) {
	var same []*adjudicator.Match
	for _, id := range ids {
		m, err := r.adjudicator.Rebuild(ctx, id)
		var differs *adjudicator.Differs
		switch {
		case ctx.Err() != nil:
		case errors.As(err, &differs):
			stopped++
			r.log.Error("a match is stopped: this build comes to another position than the one that stored it",
				"match", id, "build", differs.Is, "was", differs.Was, "entry", differs.Entry,
				"hint", "go back to the program that stored it, or on to one that mends it: docs/operator.md, \"A match that is stopped\"")
			err = r.db.Stop(ctx, differs, time.Now())
		case err == nil:
			same = append(same, m)
		}
		if err != nil && failed == nil {
			failed = err
		}
	}
	// What was compared counts, also when the process is being stopped.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTime)
	defer cancel()
	if err := r.db.Rebuilt(ctx, r.adjudicator.Build, same); err != nil && failed == nil {
		failed = err
	}
	return stopped, failed
}

// tell queues one letter to the operator on the matches that are stopped.
func (r *rebuilder) tell(ctx context.Context, now time.Time) error {
	told, err := r.db.TellStopped(ctx, r.cfg.Operator, now, func(list []storage.Stopped) ([]byte, error) { return stoppedLetter(r.cfg, now, list) })
	if told {
		r.queued()
	}
	return err
}

// stoppedLetter names the matches and where each comes out otherwise, and nothing of what
// was played: the operator may be a player.
func stoppedLetter(cfg config.Config, now time.Time, list []storage.Stopped) ([]byte, error) {
	var b strings.Builder
	b.WriteString(templates.Wrap("This program is another than the one that stored these matches. It has played their histories again, and comes to other positions: "+
		"it would go on with other matches than those that were begun. So they are stopped. All other matches go on.") + "\n\n")
	for i, s := range list {
		if i == mostNamed {
			fmt.Fprintf(&b, "  and %d more, which \"samizdat matches\" lists\n", len(list)-i)
			break
		}
		where := "the last position"
		if s.Entry.Valid {
			where = fmt.Sprintf("entry %d", s.Entry.V)
		}
		fmt.Fprintf(&b, "  %s  differs at %s\n", s.Match, where)
	}
	fmt.Fprintf(&b, "\n  stored by     %s\n  this program  %s\n\n", list[0].Was, list[0].Is)
	b.WriteString(templates.Wrap("Letters to these matches stay in the inbox, unanswered and in order. Nothing is lost: they are taken up when a program serves that plays the matches as they were played. "+
		"That is the program of before, with the database or with a backup from before the change, or a newer one in which this is mended. "+
		"\"A match that is stopped\" in docs/operator.md has the commands.") + "\n")
	return notice(cfg, cfg.Operator, "Matches are stopped", fmt.Sprintf("stopped-%d", now.UnixMicro()), now, b.String())
}
