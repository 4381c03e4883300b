package adjudicator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"samizdat/adjudicator/record"
	"samizdat/rules"
)

// rebuild plays the history of a match again when another build of the program
// has stored its position: the history is the truth, the position a cache. A
// position that comes out otherwise stops the match, for the operator to look
// at: this build would play another game than the one that was begun.
func (a *Adjudicator) rebuild(ctx context.Context, g rules.Game, m *Match) error {
	if a.Build == "" || m.Build == a.Build {
		return nil
	}
	entries, err := a.Store.History(ctx, m.ID)
	if err != nil {
		return fmt.Errorf("rebuild match %s: %w", m.ID, err)
	}
	if len(entries) != m.Entries {
		return ErrConflict // another letter was taken up meanwhile
	}
	final, err := record.Replay(a.record(g, m, entries), g, nil)
	if err != nil {
		return fmt.Errorf("match %s was played by build %q and cannot be played again by %q: %w", m.ID, m.Build, a.Build, err)
	}
	data, err := json.Marshal(final.Position)
	if err != nil {
		return fmt.Errorf("rebuild match %s: %w", m.ID, err)
	}
	if !bytes.Equal(data, m.Position) {
		return fmt.Errorf("match %s: build %q comes to another position than build %q has stored", m.ID, a.Build, m.Build)
	}
	a.Log.InfoContext(ctx, "position rebuilt", "match", m.ID, "build", a.Build, "was", m.Build, "entries", len(entries))
	return nil
}
