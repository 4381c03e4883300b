package adjudicator_test

import (
	"bytes"
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/report"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// maildir keeps everything that somebody has been sent, with his own answers between.
func (c *club) maildir(name string) (dir string) {
	c.t.Helper()
	dir = c.t.TempDir()
	for i, raw := range c.bytes[address(name)] {
		c.keeps(dir, fmt.Sprintf("%d.a", i), []byte(raw))
		l := c.mailbox[address(name)][i]
		answer := c.letter(name, "YES\n\n> "+strings.ReplaceAll(l.Text, "\n", "\n> "))
		raw, err := answer.Render()
		if err != nil {
			c.t.Fatal(err)
		}
		c.keeps(dir, fmt.Sprintf("%d.b:2,S", i), raw)
	}
	return dir
}

// keeps puts a mail into a maildir, where it has the time of its Date.
func (c *club) keeps(dir, name string, raw []byte) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "cur"), 0o700); err != nil {
		c.t.Fatal(err)
	}
	path := filepath.Join(dir, "cur", name)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		c.t.Fatal(err)
	}
	if at, err := mail.ParseDate(message.ReadHeader(raw).Date); err == nil {
		if err := os.Chtimes(path, at, at); err != nil {
			c.t.Fatal(err)
		}
	}
}

// checks holds a record against mailboxes, and returns what is said.
func checks(t *testing.T, rec []byte, mailboxes ...string) (text string, good bool) {
	t.Helper()
	letters, err := report.ReadLetters(mailboxes)
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Read(bytes.NewReader(rec))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	good, err = report.Verify(&out, rules.Games{dawn1989.Game()}, r, report.Evidence{Letters: letters}, true)
	if err != nil {
		fmt.Fprintln(&out, err)
	}
	return out.String(), good
}

// TestMailboxes: every letter that players and observers have been sent belongs to the record, through a
// take-back and a restore, whether they kept text or pages; what a restore has put aside is named.
func TestMailboxes(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	id := c.inviteObserved(openly, "1989", nil, dawnSeats...)
	c.joinAll(dawnSeats...)
	c.watches("watcher", id)
	c.sends("communist", "PLACE Miskolc, Debrecen")
	c.sends("communist", "TAKEBACK")
	c.sends("democrat", "TAKEBACK YES")
	backup := c.backup()
	c.now = c.now.Add(time.Hour)
	c.sends("communist", "PLACE Gyor, Debrecen")
	c.restore(backup, "The disk was broken.")
	c.now = c.now.Add(time.Hour)
	c.sends("communist", "STATUS")
	c.sends("communist", "PLACE Miskolc, Gyor")
	c.sends("democrat", "RESIGN "+id)
	boxes := []string{c.maildir("democrat"), c.maildir("communist"), c.maildir("watcher")}
	rec := c.export(id, false)
	text, good := checks(t, rec, boxes...)
	if !good || strings.Count(text, "its history was discarded when a backup was restored (entry 3).") != 2 || !strings.Contains(text, "They agree with this history") {
		t.Fatalf("%t:\n%s", good, text)
	}
	if text, good := checks(t, bytes.Replace(rec, []byte(`"`+id+`"`), []byte(`"another"`), 1), boxes...); good {
		t.Errorf("another match's record:\n%s", text)
	}
	lines := bytes.SplitAfter(rec, []byte("\n"))
	if text, good := checks(t, bytes.Join(lines[:len(lines)-2], nil), boxes...); good || !strings.Contains(text, "the record ends before it") {
		t.Errorf("a record without its last entry:\n%s", text)
	}
	forged := strings.Replace(c.bytes[address("democrat")][3], "to you. Check", "to you, epoch 4. Check", 1)
	if forged == c.bytes[address("democrat")][3] {
		t.Fatal("the letter has no such epoch")
	}
	dir := t.TempDir()
	c.keeps(dir, "forged", []byte(forged))
	if text, good := checks(t, rec, dir); good || !strings.Contains(text, "it says epoch 4, but entry 1 is of epoch 0") {
		t.Errorf("a letter with another epoch:\n%s", text)
	}
}
