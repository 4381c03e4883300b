//go:build integration

package daemon

import (
	"bytes"
	"testing"
	"time"

	"samizdat/adjudicator/conversation"
	"samizdat/internal/config"
	"samizdat/internal/test/pgtest"
)

// Games are those of the tests.
var Games = games

// Hurry makes a daemon look often for what is wrong, and wait for no longer than that until somebody is told.
func (d *Daemon) Hurry(every, soon, late time.Duration) {
	d.alarmInterval, d.alarmDelay, d.transientDelay = every, soon, late
}

// TestAnsweredTogether: what one daemon has answered counts for the other on the same server.
func TestAnsweredTogether(t *testing.T) {
	t.Parallel()
	cfg := config.Local(t.TempDir(), nil)
	cfg.Letters, cfg.ReplyLimits.Burst = conversation.LetterOptions{}, 1
	cfg.DatabaseLocation = pgtest.Start(t).URL("postgres")
	one, _ := otherDaemon(t, cfg, "", new(bytes.Buffer))
	two, _ := otherDaemon(t, cfg, "", new(bytes.Buffer))
	if !one.Adjudicator.Replies.AllowAnswer(t.Context(), "ann") || two.Adjudicator.Replies.AllowAnswer(t.Context(), "ann") || !two.Adjudicator.Replies.AllowAnswer(t.Context(), "bob") {
		t.Error("each daemon counts for itself")
	}
}
