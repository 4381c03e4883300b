package adjudicator_test

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/rulestest"
)

// limitedClub is a match of Three Orchards whose answers are bounded, and a seat that is
// to move.
func limitedClub(t *testing.T) (c *club, seat, line string) {
	t.Helper()
	c, _, seat, line = inTurn(t, rulestest.Game())
	c.limited()
	return c, seat, line
}

// writes takes in a letter as it came, and counts the answers to its writer.
func (c *club) writes(t *testing.T, from, to string, n int, more, text string) int {
	t.Helper()
	had := len(c.mailbox[from])
	raw := fmt.Sprintf("From: %s\nTo: %s\n%sSubject: x\nMessage-ID: <%d@elsewhere.test>\n\n%s\n", from, to, more, n, text)
	c.handleRaw(t, []byte(strings.ReplaceAll(raw, "\n", "\r\n")))
	c.deliver()
	return len(c.mailbox[from]) - had
}

// TestRobotThatChangesThings: a robot is no less a robot when each of its letters also
// changes what is the player's own affair: it copies somebody in, so that the token is
// renewed, or it repeats what the player once wrote.
func TestRobotThatChangesThings(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]struct {
		more string
		text func(i int) string
	}{
		"copies a list in":   {more: "Cc: tickets@players.test\n", text: func(int) string { return "We have received your request." }},
		"asks for new token": {text: func(int) string { return "NEW TOKEN" }},
		"changes its format": {text: func(i int) string { return []string{"FORMAT TEXT", "FORMAT HTML"}[i%2] }},
		"changes its grace":  {text: func(i int) string { return fmt.Sprintf("GRACE %d minutes", i+1) }},
		"changes its delay":  {text: func(i int) string { return fmt.Sprintf("DELAY %d minutes", i+1) }},
		"asks for addresses": {text: func(i int) string { return fmt.Sprintf("ADDRESS other%d@players.test\nADDRESS KEEP", i) }},
		"writes messages":    {text: func(int) string { return "MESSAGE\nhello\nEND MESSAGE" }},
		"asks to take back":  {text: func(i int) string { return []string{"TAKEBACK", "TAKEBACK OFF"}[i%2] }},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			c, id, seat, line := inTurn(t, rulestest.Game())
			c.limited()
			answers, others := 0, 0
			for i := range 100 {
				n := c.writes(t, address(seat), c.lastOfMatch(seat).ReplyTo[0], i, r.more, r.text(i))
				if n == 0 {
					break
				}
				answers += n
			}
			// 20 of each sort and what came back meanwhile; the address that is asked writes itself.
			if answers == 0 || answers > 50 {
				t.Errorf("it is answered %d times", answers)
			}
			for _, s := range orchards {
				if s != seat {
					others += len(c.mailbox[address(s)])
				}
			}
			if others > 30 {
				t.Errorf("others got %d letters", others)
			}
			c.answerable(t, id, seat)
			n := c.writes(t, address(seat), c.lastOfMatch(seat).ReplyTo[0], 100, "", line)
			if a := c.last(seat).Text; n != 1 || !strings.Contains(a, ": done") && !strings.Contains(a, ": saved") && !strings.Contains(a, "are held back until") {
				t.Errorf("an order is answered %d times, last with\n%s", n, a)
			}
		})
	}
}

// TestGuessingMatches: whose address was confirmed once cannot try out the names of
// matches without end.
func TestGuessingMatches(t *testing.T) {
	t.Parallel()
	c, _, _ := limitedClub(t)
	const who = "watcher@elsewhere.test"
	if c.writes(t, who, c.codec.Address, 0, "", "OBSERVE mnosuch2") != 1 {
		t.Fatal("the address is not asked")
	}
	token, answers := c.mailbox[who][0].ReplyTo[0], 0
	for i := range 100 {
		answers += c.writes(t, who, token, i+1, "", fmt.Sprintf("OBSERVE mguess%d", i))
	}
	if answers < 10 || answers > 30 {
		t.Errorf("%d guesses are answered", answers)
	}
}

// TestOneObserverForAnother: an observer who asks too much silences nobody else, and
// does not begin anew with each letter that he has got.
func TestOneObserverForAnother(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	c.watches("ann", id)
	c.watches("bob", id)
	c.limited()
	asks := func(name string, i int) int {
		return c.writes(t, address(name), c.last(name).ReplyTo[0], i, "", "STATUS")
	}
	answers := 0
	for i := range 50 {
		answers += asks("ann", i)
	}
	if answers < 10 || answers > 30 {
		t.Errorf("the first is answered %d times", answers)
	}
	if asks("bob", 100) != 1 {
		t.Error("the second is not answered")
	}
}

// TestForgersFillNoDisk: long letters of those whom nobody knows, or who say that they
// are somebody else, are not kept.
func TestForgersFillNoDisk(t *testing.T) {
	t.Parallel()
	c, seat, _ := limitedClub(t)
	// Closed and opened again, the database is one file without a log beside it.
	size := func() (n int64) {
		t.Helper()
		c.reopen()
		c.limited()
		files, err := filepath.Glob(filepath.Join(c.dir, "club.db*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			s, err := os.Stat(f)
			if err != nil {
				t.Fatal(err)
			}
			n += s.Size()
		}
		return n
	}
	before, random := size(), rand.NewChaCha8([32]byte{1})
	noise := make([]byte, 24<<10)
	for i := range 30 {
		_, _ = random.Read(noise)
		from, text := address(seat), ""
		switch i % 3 {
		case 0:
			from = fmt.Sprintf("stranger%d@elsewhere.test", i)
		case 1:
			from, text = fmt.Sprintf("watcher%d@elsewhere.test", i), "OBSERVE mabcdefg\n=== Write above this line. Samizdat reads nothing below it. ===\n"
		}
		c.now = c.now.Add(8 * time.Hour)
		c.writes(t, from, c.codec.Address, i, "", text+hex.EncodeToString(noise))
	}
	if grown := size() - before; grown > 6*int64(len(noise)) {
		t.Errorf("the database has grown by %d bytes", grown)
	}
}

// TestTwoWays: a letter without a Message-ID that comes twice by different ways is one
// letter; the same words at another time are another.
func TestTwoWays(t *testing.T) {
	t.Parallel()
	c, seat, _ := limitedClub(t)
	other, to := orchards[0], c.last(seat).ReplyTo[0]
	if other == seat {
		other = orchards[1]
	}
	got := func(date string, way int) int {
		had := len(c.mailbox[address(other)])
		c.handleRaw(t, []byte(strings.ReplaceAll(fmt.Sprintf("Received: from mx%d.players.test\nFrom: %s\nTo: %s\nDate: %s\nSubject: x\n\n"+
			"MESSAGE\nhello\nEND MESSAGE\n", way, address(seat), to, date), "\n", "\r\n")))
		c.deliver()
		return len(c.mailbox[address(other)]) - had
	}
	const noon = "Sun, 4 Jun 1989 12:00:00 +0000"
	if a, b, d := got(noon, 1), got(noon, 2), got("Sun, 4 Jun 1989 12:00:01 +0000", 1); a != 1 || b != 0 || d != 1 {
		t.Errorf("the message reaches the other %d, %d and %d times; want 1, 0 and 1", a, b, d)
	}
}
