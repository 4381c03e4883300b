package adjudicator_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/clock"
	"samizdat/adjudicator/record"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// TestRestoredEpoch: whatever a match does first when a backup was put back, under an epoch
// that has risen by that, its record verifies, and the match goes on.
func TestRestoredEpoch(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what string
		do   func(c *club, id string)
	}{
		{"pause", func(c *club, _ string) { c.sends("democrat", "PAUSE 2 days"); c.sends("communist", "PAUSE YES") }},
		{"takeback", func(c *club, _ string) { c.sends("communist", "TAKEBACK"); c.sends("democrat", "TAKEBACK YES") }},
		{"replace", func(c *club, id string) {
			if err := c.adj.Replace(t.Context(), id, 0, address("other")); err != nil {
				t.Fatal(err)
			}
			c.deliver()
		}},
	} {
		c := newClub(t, dawn1989.Game{})
		id := timed(t, c, "1989", "72h+12h<=120h", clock.Claim, "democrat", "communist")
		c.sends("communist", "PLACE Miskolc, Debrecen")
		backup, path := filepath.Join(c.dir, "backup.db"), filepath.Join(c.dir, "club.db")
		if err := storage.Backup(t.Context(), path, backup); err != nil {
			t.Fatal(err)
		}
		if err := c.db.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := storage.Restore(t.Context(), backup, path, filepath.Join(c.dir, "club.key"), c.now); err != nil {
			t.Fatal(err)
		}
		c.open()
		entries := func() int {
			m, err := c.db.Match(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return m.Entries
		}
		had := entries()
		if tt.do(c, id); entries() == had {
			t.Errorf("%s: nothing was done", tt.what)
		}
		if letters := slices.Concat(slices.Collect(maps.Values(c.mailbox))...); !slices.ContainsFunc(letters, func(l message.Letter) bool { return strings.Contains(l.Text, "has put a backup") }) {
			t.Errorf("%s: the next letter that asks does not tell of the restore", tt.what)
		}
		if text := c.sends("communist", "HISTORY").Text; !strings.Contains(strings.Join(strings.Fields(text), " "), "has put a backup back. The match stands again as it did after") {
			t.Errorf("%s: nobody tells of the restore:\n%s", tt.what, text)
		}
		verified(t, c, dawn1989.Game{}, id)
		if explained, err := record.VerifyEpochs(readRecord(t, c, id)); err != nil || len(explained) == 0 {
			t.Errorf("%s: %d new epochs, %v", tt.what, len(explained), err)
		}
	}
}
