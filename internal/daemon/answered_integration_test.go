//go:build integration

package daemon

import (
	"bytes"
	"testing"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/test/pgtest"
)

// TestAnsweredTogether: what one daemon has answered counts for the other on the same server.
func TestAnsweredTogether(t *testing.T) {
	t.Parallel()
	cfg := config.Local(t.TempDir(), nil)
	cfg.Letters, cfg.Answers.Burst = adjudicator.Letters{}, 1
	cfg.DatabaseAt = pgtest.Start(t).URL("postgres")
	one, _ := otherDaemon(t, cfg, "", new(bytes.Buffer))
	two, _ := otherDaemon(t, cfg, "", new(bytes.Buffer))
	if !one.Adjudicator.MayAnswer(t.Context(), "ann") || two.Adjudicator.MayAnswer(t.Context(), "ann") || !two.Adjudicator.MayAnswer(t.Context(), "bob") {
		t.Error("each daemon counts for itself")
	}
}
