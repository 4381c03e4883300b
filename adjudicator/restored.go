package adjudicator

import (
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// untoldRestore is a restore that not every reader has been told of. The letters from after
// the backup, which would have told it, are lost, so each reader's next letter does.
type untoldRestore struct {
	Act record.Act `json:"act"`
	// Untold are those who have had no letter since.
	Untold rules.Seats `json:"untold"`
}

// everyObserver is the bit of a set of seats that stands for those who observe.
const everyObserver = rules.Everyone &^ (rules.Everyone >> 1)

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

// Restored is what to store of a match under way that was put back from a backup: it is in
// another epoch, so that no die or card that was known before is used again, and the entry
// says why. The next letter to each player tells it, and so does the next that asks him
// something. Last is when the newest entry of the backup was made, why the operator's reason.
func (m *Match) Restored(last time.Time, why string, at time.Time) (Change, error) {
	state, err := record.StateOfJSON(m.Position)
	if err != nil {
		return Change{}, fmt.Errorf("match %s: its position: %w", m.ID, err)
	}
	act := record.Act{Kind: record.Restore, By: record.ByOperator, Why: why, Until: last}
	e := record.Entry{Seq: m.Entries, At: at.UTC().Truncate(time.Second), Epoch: m.Epoch + 1, State: state, Act: &act}
	if err := m.Secret.Seal(m.ID, m.Head, &e); err != nil {
		return Change{}, fmt.Errorf("match %s: %w", m.ID, err)
	}
	m.Epoch, m.Head = e.Epoch, e.Hash
	m.Entries++
	m.Acts.Restores = append(m.Acts.Restores, untoldRestore{Act: act, Untold: m.readers()})
	return Change{Match: m, Entries: []record.Entry{e}}, nil
}

// restores tell a reader of restores since his last letter, unless what else he is told does.
// Observers hear of them with what happens next, and not in an answer to one of them.
func (c *account) restores(reader rules.Seat) (out []string) {
	if reader == rules.Nobody && !c.changed() {
		return nil
	}
	for _, r := range c.m.Acts.Restores {
		said := c.acted(&record.Entry{Act: &r.Act}, reader)
		if r.Untold.Has(reader) && !slices.Contains(c.untold[reader].remarks, said) {
			out = append(out, said)
		}
	}
	return out
}

// toldRestores notes that a reader has had a letter, and forgets what nobody is to be told
// any more.
func (m *Match) toldRestores(reader rules.Seat) {
	told := rules.Only(reader)
	if reader == rules.Nobody {
		told = everyObserver
	}
	var left []untoldRestore
	for _, r := range m.Acts.Restores {
		if r.Untold &^= told; r.Untold != 0 {
			left = append(left, r)
		}
	}
	m.Acts.Restores = left
}
