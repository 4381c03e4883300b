package adjudicator

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// DivergenceError says that two builds of the program compute different positions from the history of a match: this
// build, and the build that stored the match. The match is stopped, because this build would continue from another
// position. The text contains no hidden information.
type DivergenceError struct {
	Match, StoredBuild, ThisBuild string
	// Entry is the number of the first entry with another result. It is -1 if only the position differs, or if the
	// entry is unknown.
	Entry int
	// InPlay is set if the match is not over, or its end is not final.
	InPlay bool
	// Cause is the error of the replay. It may contain hidden information, so it is not part of the text.
	Cause error
}

func (e *DivergenceError) Error() string {
	difference := "another position"
	if e.Entry >= 0 {
		difference = fmt.Sprintf("another result at entry %d", e.Entry)
	}
	return fmt.Sprintf("match %s is stopped: build %q computes %s than build %q has stored", e.Match, e.ThisBuild, difference, e.StoredBuild)
}

func (e *DivergenceError) Unwrap() error { return e.Cause }

// rebuildMatch replays a match if another build has stored its position. If the result differs, the error is a *DivergenceError.
func rebuildMatch(ctx context.Context, a *Adjudicator, g *rules.Game, m *match.Match) error {
	if a.Build == "" || m.Build == a.Build {
		return nil
	}
	entries, err := a.Store.History(ctx, m.ID)
	if err != nil {
		return fmt.Errorf("rebuild match %s: %w", m.ID, err)
	}
	if len(entries) != m.EntryCount {
		return match.ErrConflict // Another letter was handled at the same time.
	}
	// A panic in the replay counts as a difference too.
	err = recoverPanic(func() error {
		final, err := record.Replay(match.RecordOf(g, m, entries), g, func(record.Visit) error { return ctx.Err() })
		if err != nil {
			return err
		}
		data, err := final.Position.MarshalJSON()
		if err == nil && !bytes.Equal(data, m.Position) {
			err = errOtherPosition
		}
		return err
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		at := -1
		if f := (*record.ReplayError)(nil); errors.As(err, &f) {
			at = f.Seq
		}
		return newDivergenceError(a, m, at, err)
	}
	a.Log.DebugContext(ctx, "position rebuilt", "match", m.ID, "build", a.Build, "stored_build", m.Build, "entries", len(entries))
	return nil
}

var errOtherPosition = errors.New("the replayed position differs from the stored one")

func newDivergenceError(a *Adjudicator, m *match.Match, entry int, cause error) *DivergenceError {
	return &DivergenceError{Match: m.ID, StoredBuild: m.Build, ThisBuild: a.Build, Entry: entry, InPlay: !m.IsPublished(), Cause: cause}
}

// Rebuild loads a match, and replays it if another build has stored its position. If the result differs, the error is a
// *DivergenceError.
func (a *Adjudicator) Rebuild(ctx context.Context, id string) (m *match.Match, err error) {
	err = a.retryOnConflict(ctx, "match "+id, func() error {
		if m, err = a.Store.Match(ctx, id); err != nil {
			return err
		}
		g, err := findGame(a.Games, m.Game)
		if err != nil {
			return newDivergenceError(a, m, -1, err)
		}
		return rebuildMatch(ctx, a, g, m)
	})
	return m, err
}
