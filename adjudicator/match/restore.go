package match

import (
	"fmt"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// UntoldRestore is a restore that not every reader has been told of. The letters from after
// the backup, which would have told it, are lost, so each reader's next letter does.
type UntoldRestore struct {
	Act record.Act `json:"act"`
	// Untold are those who have had no letter since.
	Untold rules.Seats `json:"untold"`
}

// everyObserver is the bit of a set of seats that stands for those who observe.
const everyObserver = rules.Everyone &^ (rules.Everyone >> 1)

// Restored puts a match under way back from a backup and returns the entry to store with it: the match is in
// another epoch, so that no die or card that was known before is used again, and the entry
// says why. The next letter to each player tells it, and so does the next that asks him
// something. Last is when the newest entry of the backup was made, why the operator's reason.
func (m *Match) Restored(last time.Time, why string, at time.Time) (record.Entry, error) {
	state, err := record.StateOfJSON(m.Position)
	if err != nil {
		return record.Entry{}, fmt.Errorf("match %s: its position: %w", m.ID, err)
	}
	act := record.Act{Kind: record.Restore, By: record.ByOperator, Why: why, Until: last}
	e := record.Entry{Seq: m.Entries, At: at.UTC().Truncate(time.Second), Epoch: m.Epoch + 1, State: state, Act: &act}
	if err := m.Secret.Seal(m.ID, m.Head, &e); err != nil {
		return record.Entry{}, fmt.Errorf("match %s: %w", m.ID, err)
	}
	m.Epoch, m.Head = e.Epoch, e.Hash
	m.Entries++
	m.Acts.Restores = append(m.Acts.Restores, UntoldRestore{Act: act, Untold: m.readers()})
	return e, nil
}

// readers are the seats of a match, and its observers if it has any.
func (m *Match) readers() (out rules.Seats) {
	for i := range m.Seats {
		out |= rules.Only(rules.Seat(i))
	}
	if len(m.Observers) > 0 {
		out |= everyObserver
	}
	return out
}

// NoteRestoresTold notes that a reader has had a letter, and forgets what nobody is to be told
// any more.
func (m *Match) NoteRestoresTold(reader rules.Seat) {
	told := rules.Only(reader)
	if reader == rules.Nobody {
		told = everyObserver
	}
	var left []UntoldRestore
	for _, r := range m.Acts.Restores {
		if r.Untold &^= told; r.Untold != 0 {
			left = append(left, r)
		}
	}
	m.Acts.Restores = left
}
