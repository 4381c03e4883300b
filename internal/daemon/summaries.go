package daemon

import (
	"context"
	"time"

	"samizdat/adjudicator"
)

// summedAtOnce is how many summaries are stored in one transaction.
const summedAtOnce = 20

// summarize finds out what lists say of the matches that an older program has stored, while
// letters are taken up. What fails is left for the next start: lists find it out themselves.
func (d *Daemon) summarize(ctx context.Context) {
	done, failed, said := 0, 0, time.Now()
	for after := ""; ; {
		ids, err := d.DB.Unsummed(ctx, after, summedAtOnce)
		if err == nil && len(ids) == 0 {
			break
		}
		var found []*adjudicator.Match
		for _, id := range ids {
			if m, err := d.Adjudicator.Summary(ctx, id); err == nil {
				found = append(found, m)
			} else if ctx.Err() == nil {
				failed++
				d.log.Debug("a match cannot be summarized", "match", id, "error", err)
			}
		}
		if err == nil {
			err = d.DB.Summed(ctx, found)
		}
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			d.log.Error("summaries of matches cannot be stored; the next start tries it again", "error", err)
			return
		}
		done, after = done+len(found), ids[len(ids)-1]
		if now := time.Now(); now.Sub(said) >= progressEvery {
			d.log.Info("matches are summarized for lists", "done", done)
			said = now
		}
	}
	if done+failed > 0 {
		d.log.Info("matches were summarized for lists", "matches", done, "failed", failed)
	}
}
