package storage

import (
	"testing"

	"samizdat/adjudicator"
)

// TestPackHistorySpare: a letter that was dropped in favour of the next is not known of, whether or not the
// entries were to be packed while it waited. They are packed when it is gone.
func TestPackHistorySpare(t *testing.T) {
	t.Parallel()
	for name, packs := range map[string]bool{"in rows": false, "packed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, t.TempDir())
			m := aMatch(t, db)
			m.Summary = &adjudicator.Summary{Began: noon}
			play(t, db, m, 64, false)
			spare := m.Seats[0].Letters + 2
			send := func(n int64, change func(*adjudicator.Dispatch)) {
				t.Helper()
				d := dispatch(m, 0, n)
				d.Entries = m.Entries
				change(&d)
				m.Seats[0].Letters = n - 1
				must(t, db.Apply(t.Context(), adjudicator.Change{Match: m, Letters: []adjudicator.Dispatch{d}}))
				m.Version++
			}
			send(spare, func(d *adjudicator.Dispatch) { d.Spare, d.Decisions = true, nil })
			if packs {
				packHistory(t, db, m.ID)
			}
			send(spare+1, func(d *adjudicator.Dispatch) { d.TellsAll = true })
			var state string
			must(t, db.writer.QueryRowContext(t.Context(), `SELECT state FROM outbox WHERE match = $1 AND number = $2`, m.ID, spare).Scan(&state))
			if state != "dropped" {
				t.Fatalf("letter %d is %s, and was to be dropped", spare, state)
			}
			_, ok, err := db.Sent(t.Context(), m.ID, 0, spare)
			must(t, err)
			if ok {
				t.Errorf("letter %d was never sent, and is known of", spare)
			}
			letters, err := db.Letters(t.Context(), m.ID, 0)
			must(t, err)
			for _, l := range letters {
				if l.Number == spare {
					t.Errorf("letter %d is listed among the letters: %+v", spare, l)
				}
			}
			if !packHistory(t, db, m.ID) {
				t.Error("it is not packed when nothing can be dropped any more")
			}
		})
	}
}
