package adjudicator_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
)

// answers writes an answer that quotes the newest letter of a seat, and returns what it is told.
func (c *club) answers(seat, text string) string {
	c.t.Helper()
	quote := "\n\n> " + strings.ReplaceAll(c.last(seat).Text, "\n", "\n> ")
	return inWords(c.sends(seat, text+quote))
}

// inWords is a letter's text in one line.
func inWords(l message.Letter) string { return strings.Join(strings.Fields(l.Text), " ") }

// head is the newest hash of a match.
func (c *club) head(id string) string { return c.stored(id).Head }

// states fails when a text lacks some words.
func states(t *testing.T, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("it does not say %q:\n%s", want, text)
	}
}

// TestWitness: a player signs off what his letter showed, or a hash that he names; the others
// are told by the next letter that asks them, observers learn no hash, and the record counts it.
func TestWitness(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	c.adj.OperatorAddress = address("operator")
	id := c.inviteObserved(openly, "1989", nil, dawnSeats...)
	states(t, c.answers("democrat", "WITNESS"), "The match has not begun")
	c.joinAll(dawnSeats...)
	c.watches("watcher", id)
	dealt := c.head(id)
	watched, asked := c.got("watcher"), c.got("communist")
	states(t, c.answers("democrat", "WITNESS"), "You have confirmed the history up to entry 0.")
	if c.got("watcher") != watched || c.got("communist") != asked {
		t.Error("the others are written to because of it alone")
	}
	states(t, c.answers("democrat", "WITNESS "+strings.ToUpper(dealt)), "You have already confirmed the history up to entry 0.")
	states(t, c.answers("democrat", "WITNESS "+dealt[:20]), "which has 64 characters")
	states(t, c.answers("democrat", "WITNESS "+c.stored(id).Secret.Commitment()), "from before the match began")
	states(t, c.answers("democrat", "Let me witness."), `"Let me witness.": not understood`)
	for want := 1; want <= 2; want++ {
		states(t, c.answers("democrat", "WITNESS"), fmt.Sprintf("up to entry %d.", want))
	}
	states(t, c.answers("democrat", "WITNESS"), "You have confirmed the history 3 times today")
	c.now = c.now.Add(24 * time.Hour)
	// What stands below it is carried out all the same, by who is asked.
	states(t, c.answers("communist", "WITNESS "+dealt+"\nPLACE Miskolc, Debrecen"), "PLACE Miskolc, Debrecen: done")
	text := inWords(c.last("democrat"))
	states(t, text, "The Communist confirmed the history up to entry 0, with the check number "+dealt+".")
	for _, name := range []string{"watcher"} {
		for _, raw := range c.bytes[address(name)] {
			if strings.Contains(raw, dealt) {
				t.Errorf("%s is told a hash", name)
			}
		}
		states(t, inWords(c.sends(name, "HISTORY")), "confirmed what a letter showed.")
	}
	c.now = c.now.Add(time.Hour)
	c.sends("democrat", "WITNESS")
	c.sends("communist", "TAKEBACK")
	states(t, c.answers("democrat", "TAKEBACK YES"), "it has been taken back")
	states(t, c.answers("democrat", "RESIGN "+id), "You have resigned")
	states(t, c.answers("communist", "WITNESS"), "The match is over, and nothing more can be recorded.")
	verified(t, c, dawn1989.Game(), id)
	said, good := checks(t, c.export(id, false), c.maildir("democrat"), c.maildir("communist"))
	if !good {
		t.Errorf("the record:\n%s", said)
	}
	states(t, said, "Witnesses: 5; democrat has confirmed the history up to entry 5, communist has confirmed the history up to entry 0.\n")
}

// TestWitnessOfNothing: a hash that is in no entry enters nothing; its writer and the operator
// are told, the operator not without end.
func TestWitnessOfNothing(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	c.adj.OperatorAddress = address("operator")
	id := c.match("1989", nil, dawnSeats...)
	had, wrong := c.stored(id).EntryCount, strings.Repeat("ab", 32)
	for range 30 {
		c.now = c.now.Add(time.Hour / 2)
		states(t, c.answers("democrat", "WITNESS "+wrong), "No entry of this history has the check number "+wrong+". Nothing was entered.")
	}
	told := c.mailbox[address("operator")]
	if n := len(told); n == 0 || n > 25 {
		t.Errorf("the operator is told %d times", n)
	}
	states(t, inWords(told[0]), "the player of the seat democrat of match "+id+" wanted to confirm the history with this hash, which belongs to no entry: "+wrong)
	if got := c.stored(id).EntryCount; got != had {
		t.Errorf("%d entries, want %d", got, had)
	}
	backup := c.backup()
	c.now = c.now.Add(time.Hour)
	c.sends("communist", "PLACE Miskolc, Debrecen")
	lost := c.letter("communist", "WITNESS\n\n> "+strings.ReplaceAll(c.last("communist").Text, "\n", "\n> "))
	c.restore(backup, "")
	c.adj.OperatorAddress = address("operator")
	c.receive(lost)
	states(t, inWords(c.last("communist")), "A backup was restored on")
}

// TestWitnessFiled: where no address is set and the mailbox has a place for questions, a letter with
// a hash that no entry has is put there, and with another hash is not.
func TestWitnessFiled(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 6)
	c.adj.FilesQuestions = true
	if f := c.receive(c.letter("democrat", "WITNESS "+strings.Repeat("ab", 32))); f != mail.Questions {
		t.Errorf("it is put in %s", f)
	}
	wants(t, oneLine(c.last("democrat").Text), "No entry of this history has the check number", "Your letter was put where the operator will find it.")
	if f := c.receive(c.letter("democrat", "WITNESS\n\n> "+strings.ReplaceAll(c.last("democrat").Text, "\n", "\n> "))); f == mail.Questions {
		t.Error("a hash of the history is put there too")
	}
}

// fork is a second daemon with a copy of the database and its key, whose operator shows other
// players another history. Letters that players have got so far are theirs.
func (c *club) fork() *club {
	c.t.Helper()
	d := newClub(c.t, c.games...)
	if err := d.db.Close(); err != nil {
		c.t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(c.dir, "club.key"))
	if err != nil {
		c.t.Fatal(err)
	}
	if err := furnish(d.dir, map[string][]byte{"club.key": key}); err != nil {
		c.t.Fatal(err)
	}
	c.copyTo(d.dir)
	d.now = c.now
	for name, letters := range c.mailbox {
		d.mailbox[name], d.bytes[name] = append(d.mailbox[name], letters...), append(d.bytes[name], c.bytes[name]...)
	}
	d.open()
	d.adj.OperatorAddress = address("operator")
	return d
}

// TestForkShows: two players are shown two histories, by two daemons with one key. What one
// of them signs off is in no entry of the other's, and neither record stands up to both
// mailboxes; an operator who enters the foreign hash by force is found out as well.
func TestForkShows(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	c.adj.OperatorAddress = address("operator")
	id := c.match("1989", nil, dawnSeats...)
	d := c.fork()
	c.sends("communist", "PLACE Miskolc, Debrecen")
	d.sends("communist", "PLACE Gyor, Debrecen")
	c.sends("communist", "STATUS")
	d.sends("communist", "STATUS")
	signed := c.letter("communist", "WITNESS\n\n> "+strings.ReplaceAll(c.last("communist").Text, "\n", "\n> "))
	foreign := c.head(id)
	if foreign == d.head(id) {
		t.Fatal("the histories are the same")
	}
	// The letter has the same number in both histories, and shows another hash.
	d.receive(signed)
	states(t, inWords(d.last("communist")), "No entry of this history has the check number "+foreign+". Nothing was entered.")
	if len(d.mailbox[address("operator")]) != 1 {
		t.Error("the operator is not told")
	}
	c.receive(signed)
	states(t, inWords(c.last("communist")), "You have confirmed the history up to entry 1.")
	ours, theirs := c.maildir("communist"), d.maildir("communist")
	if text, good := checks(t, c.export(id, false), ours); !good {
		t.Errorf("the record that the letters are of:\n%s", text)
	}
	for _, rec := range [][]byte{c.export(id, false), d.export(id, false)} {
		if text, good := checks(t, rec, ours, theirs); good {
			t.Errorf("one record stands up to the letters of two histories:\n%s", text)
		}
	}
	// Who writes the foreign hash into his own history writes that no entry has it.
	m := d.stored(id)
	seq := 1
	entry := record.Entry{Seq: m.EntryCount, At: d.now.Truncate(time.Second), Seat: "communist", Act: &record.Act{Kind: record.Witness, Entry: &seq, Hash: foreign}}
	if err := m.Secret.Seal(id, m.Head, &entry); err != nil {
		t.Fatal(err)
	}
	r, err := record.Read(bytes.NewReader(d.export(id, false)))
	if err != nil {
		t.Fatal(err)
	}
	r.Add(entry)
	if _, err := record.VerifyWitnesses(r); err == nil || !strings.Contains(err.Error(), "entry 2: communist confirmed an entry with the hash") {
		t.Errorf("%v", err)
	}
}
