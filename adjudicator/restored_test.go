package adjudicator_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// backup copies the database of a club.
func (c *club) backup() (file string) {
	c.t.Helper()
	file = filepath.Join(c.dir, "backup.db")
	if pgtest.Used() {
		pgtest.Copy(c.t, filepath.Join(c.dir, "club.db"), file, false)
		return file
	}
	if err := storage.Backup(c.t.Context(), filepath.Join(c.dir, "club.db"), file); err != nil {
		c.t.Fatal(err)
	}
	return file
}

// copyTo makes the database in another directory a copy of that of a club.
func (c *club) copyTo(dir string) {
	c.t.Helper()
	path, to := filepath.Join(c.dir, "club.db"), filepath.Join(dir, "club.db")
	if pgtest.Used() {
		pgtest.Copy(c.t, path, to, false)
		return
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.RemoveAll(to + suffix); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := storage.Backup(c.t.Context(), path, to); err != nil {
		c.t.Fatal(err)
	}
}

// restore puts a backup in the place of the database.
func (c *club) restore(backup, reason string) {
	c.restores(backup, storage.RestoreOptions{Reason: reason})
}

func (c *club) restores(backup string, options storage.RestoreOptions) storage.Restored {
	c.t.Helper()
	if err := c.db.Close(); err != nil {
		c.t.Fatal(err)
	}
	path, key := filepath.Join(c.dir, "club.db"), filepath.Join(c.dir, "club.key")
	put := func() (storage.Restored, error) {
		return storage.Restore(c.t.Context(), backup, path, key, options, c.now)
	}
	if pgtest.Used() {
		pgtest.Copy(c.t, backup, path, false)
		put = func() (storage.Restored, error) {
			return storage.AdoptRestored(c.t.Context(), where(c.dir), key, options, c.now)
		}
	}
	r, err := put()
	if err != nil {
		c.t.Fatal(err)
	}
	c.open()
	return r
}

// TestRestoredEnded: a match that has ended since the backup stays as it ended, since its last
// letters tell its secret, and its letters that are read again change nothing. One whose end
// the director may still undo goes on, and so does any where the operator wants it.
func TestRestoredEnded(t *testing.T) {
	t.Parallel()
	for _, archived := range []bool{false, true} {
		for _, packed := range []bool{false, true} {
			t.Run(fmt.Sprintf("archived %t, packed %t", archived, packed), func(t *testing.T) {
				t.Parallel()
				restoredEnded(t, archived, packed)
			})
		}
	}
}

// restoredEnded has the match that ends archived before the restore, or its entries packed in the backup, or neither.
func restoredEnded(t *testing.T, archived, packed bool) {
	t.Helper()
	pgtest.OnFile(t, "where a server's backup is put back, nobody knows what has ended since")
	c, id := begun(t, dawn1989.Game(), dawnSeats...)
	running := c.match("1989", nil, "ada", "ben")
	annulled := c.match("1989", nil, "cid", "dan")
	c.sends("communist", "PLACE Miskolc, Debrecen")
	for _, m := range []string{id, running, annulled} {
		if packed && !c.packs(m) {
			t.Fatalf("the entries of %s are not packed", m)
		}
	}
	backup := c.backup()
	early := c.letter("communist", "STATUS")
	c.receive(early)
	c.sends("democrat", "RESIGN "+id)
	a, err := letter.ParseDirective("annul", "a trial")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.adj.ExecuteDirective(t.Context(), annulled, a, true); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	over := c.export(id, false)
	if !bytes.Contains(over, []byte(`"secret"`)) || c.stored(annulled).State != match.Over {
		t.Fatal("the end is not published, or the other match is not annulled")
	}
	if archived && !c.archive(id) {
		t.Fatal("it is not archived")
	}

	if r := c.restores(backup, storage.RestoreOptions{}); r.Matches != 2 || !slices.Equal(r.Ended, []string{id}) || r.EndedErr != nil {
		t.Errorf("restored: %+v", r)
	}
	if again := c.export(id, false); !bytes.Equal(again, over) {
		t.Errorf("the record was\n%s\nand is\n%s", over, again)
	}
	verified(t, c, dawn1989.Game(), id)
	for _, m := range []string{running, annulled} {
		if s := c.stored(m).State; s != match.Playing {
			t.Errorf("match %s is %s", m, s)
		}
		verified(t, c, dawn1989.Game(), m)
		if packed && !c.packs(m) {
			t.Errorf("the entries of %s are not packed again", m)
		}
		verified(t, c, dawn1989.Game(), m)
	}
	had := len(c.mailbox[address("communist")])
	c.receive(early)
	if n := len(c.mailbox[address("communist")]) - had; n != 0 {
		t.Errorf("a letter that is read again gets %d answers", n)
	}
	if l := c.sends("communist", "STATUS"); !strings.Contains(l.Text, " resigned.") {
		t.Errorf("whoever asks is not told of the end:\n%s", l.Text)
	}

	c.now = c.now.Add(time.Minute) // the database that is set aside has the time in its name
	if r := c.restores(backup, storage.RestoreOptions{ContinueEnded: true}); r.Matches != 3 || !slices.Equal(r.Ended, []string{id}) {
		t.Errorf("restored, to go on: %+v", r)
	}
	if s := c.stored(id).State; s != match.Playing {
		t.Errorf("the match is %s, and not to go on", s)
	}
	verified(t, c, dawn1989.Game(), id)
}

// TestRestoredOverDamage: a database that cannot be read hinders no restore, which says so.
func TestRestoredOverDamage(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "it spoils the file")
	for name, spoil := range map[string]func(path string) error{
		"missing": os.Remove,
		"damaged": func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("x"), 4096), 0o600) },
	} {
		c := newClub(t, dawn1989.Game())
		c.match("1989", nil, dawnSeats...)
		backup := c.backup()
		if err := errors.Join(c.db.Close(), spoil(filepath.Join(c.dir, "club.db"))); err != nil {
			t.Fatal(err)
		}
		if r := c.restores(backup, storage.RestoreOptions{}); r.EndedErr == nil || r.Matches != 1 || r.Ended != nil {
			t.Errorf("%s: restored: %+v", name, r)
		}
		c.sends("communist", "PLACE Miskolc, Debrecen")
	}
}

// TestRestoreIsTold: whatever the first letter to a reader is after a restore, it tells of it,
// with the reason and the new epoch; later letters that ask nothing do not.
func TestRestoreIsTold(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	id := c.inviteObserved(openly, "1989", nil, "democrat", "communist")
	c.joinAll("democrat", "communist")
	c.watches("watcher", id)
	c.restore(c.backup(), "The disk was broken.")
	tells := func(seat string, l message.Letter) bool {
		text := strings.Join(strings.Fields(l.Text), " ")
		if !strings.Contains(text, "The operator of this referee restored a backup.") {
			return false
		}
		if seat != "watcher" && !strings.Contains(text, "to you, epoch 1. Check number of the history so far:") || !strings.Contains(text, `The operator's reason: "The disk was broken."`) {
			t.Errorf("%s is not told the reason and the epoch:\n%s", seat, l.Text)
		}
		return true
	}
	if l := c.sends("democrat", "CARD 5"); !tells("democrat", l) {
		t.Errorf("an answer after the restore does not tell of it:\n%s", l.Text)
	}
	if tells("democrat", c.sends("democrat", "CARD 5")) {
		t.Error("a second answer tells of the restore again")
	}
	had := c.got("watcher")
	c.sends("communist", "PLACE Miskolc, Debrecen")
	if l := c.last("communist"); !tells("communist", l) {
		t.Errorf("who has ordered is not told of the restore:\n%s", l.Text)
	}
	if c.got("watcher") == had || !tells("watcher", c.last("watcher")) {
		t.Errorf("the observer is not told of the restore:\n%s", c.last("watcher").Text)
	}
	if remaining := c.stored(id).UnreportedRestores; len(remaining) > 0 {
		t.Errorf("all have been told, and %+v is kept", remaining)
	}
}

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
		c := newClub(t, dawn1989.Game())
		id := timed(t, c, "1989", "72h+12h<=120h", clock.Claim, "democrat", "communist")
		c.sends("communist", "PLACE Miskolc, Debrecen")
		backup := c.backup()
		c.restore(backup, "")
		entries := func() int {
			m, err := c.db.Match(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			return m.EntryCount
		}
		had := entries()
		if tt.do(c, id); entries() == had {
			t.Errorf("%s: nothing was done", tt.what)
		}
		if letters := slices.Concat(slices.Collect(maps.Values(c.mailbox))...); !slices.ContainsFunc(letters, func(l message.Letter) bool { return strings.Contains(l.Text, "restored a backup") }) {
			t.Errorf("%s: the next letter that asks does not tell of the restore", tt.what)
		}
		if text := c.sends("communist", "HISTORY").Text; !strings.Contains(strings.Join(strings.Fields(text), " "), "restored a backup. The match is back where it was after") {
			t.Errorf("%s: nobody tells of the restore:\n%s", tt.what, text)
		}
		verified(t, c, dawn1989.Game(), id)
		if explained, err := record.VerifyEpochs(readRecord(t, c, id)); err != nil || len(explained) == 0 {
			t.Errorf("%s: %d new epochs, %v", tt.what, len(explained), err)
		}
	}
}
