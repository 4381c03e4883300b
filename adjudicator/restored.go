package adjudicator

import (
	"fmt"
	"time"

	"samizdat/adjudicator/record"
)

// Restored is what to store of a match under way that was put back from a backup: it is in
// another epoch, so that no die or card that was known before is used again, and the entry
// says why. The next letter that asks a player something tells it. Last is when the newest entry of the backup was made.
func (m *Match) Restored(last, at time.Time) (Change, error) {
	state, err := record.StateOfJSON(m.Position)
	if err != nil {
		return Change{}, fmt.Errorf("match %s: its position: %w", m.ID, err)
	}
	e := record.Entry{Seq: m.Entries, At: at.UTC().Truncate(time.Second), Epoch: m.Epoch + 1, State: state,
		Act: &record.Act{Kind: record.Restore, By: record.ByOperator, Until: last}}
	if err := m.Secret.Seal(m.ID, m.Head, &e); err != nil {
		return Change{}, fmt.Errorf("match %s: %w", m.ID, err)
	}
	m.Epoch, m.Head = e.Epoch, e.Hash
	m.Entries++
	return Change{Match: m, Entries: []record.Entry{e}}, nil
}
