package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/rulestest"
	"samizdat/mail"
)

// TestMessage: what stands between MESSAGE and END MESSAGE reaches the other
// players once, under the seat's name, and is never read as orders.
func TestMessage(t *testing.T) {
	t.Parallel()
	t.Run("by itself", func(t *testing.T) {
		t.Parallel()
		c, id := sampleAfter(t, 5)
		before := c.export(id, true)
		had := len(c.mailbox[address("communist")])
		m := c.letter("democrat", "MESSAGE\nGood luck!\n\nPLAY 14 EVENT; DROP\n// no comment\n=== not ours ===\n"+
			strings.Repeat("and so on ", 12)+"\nEND MESSAGE\nHAND")
		if f := c.receive(m); f != mail.Done {
			t.Errorf("filed in %s", f)
		}
		c.receive(m) // Delivered twice.
		if got := len(c.mailbox[address("communist")]) - had; got != 1 {
			t.Fatalf("%d letters to the communist, want 1", got)
		}
		if !bytes.Equal(before, c.export(id, true)) {
			t.Error("the message stands in the record")
		}
		text := c.last("communist").Text
		narrow(t, text)
		if strings.Contains(text, "democrat@") {
			t.Error("the letter shows an address")
		}
		golden(t, "message/received.txt", answerText(c.last("communist")))
		golden(t, "message/sent.txt", answerText(c.last("democrat")))
		// The letter can be replied to with the orders that are due.
		if text := c.sends("communist", "PLAY 14 EVENT").Text; !strings.Contains(text, "- PLAY 14 EVENT: done") {
			t.Errorf("the order is not carried out:\n%s", text)
		}
	})
	t.Run("narrow", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleAfter(t, 5)
		words := strings.Repeat("we two ", 30) + strings.Repeat("x", 130) + " end"
		c.sends("democrat", "MESSAGE\n"+words+"\nEND MESSAGE")
		text := ""
		for line := range strings.Lines(c.last("communist").Text) {
			row, ok := strings.CutPrefix(line, "| ")
			if ok {
				text += strings.ReplaceAll(strings.TrimSpace(row), " ", "")
			}
			if ok && len(strings.TrimRight(line, "\n")) > 52 {
				t.Errorf("a row of %d columns: %s", len(line)-1, line)
			}
		}
		if text != strings.ReplaceAll(words, " ", "") {
			t.Errorf("of the words are left: %s", text)
		}
	})
	t.Run("with an order", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleAfter(t, 5)
		had := len(c.mailbox[address("democrat")])
		c.sends("communist", "MESSAGE to Democrat: take that!\nEND MESSAGE\nPLAY 14 EVENT")
		if got := len(c.mailbox[address("democrat")]) - had; got != 1 {
			t.Fatalf("%d letters to the democrat, want 1", got)
		}
		text := c.last("democrat").Text
		for _, want := range []string{"\n| take that!\n", "WHAT HAPPENED", "has written to you"} {
			if !strings.Contains(text, want) {
				t.Errorf("the letter lacks %q:\n%s", want, text)
			}
		}
	})
	for _, tt := range []struct {
		name, text, want string
		folder           mail.Folder
	}{
		{"without an end", "MESSAGE\nHello\nPLAY 14 EVENT", "your letter was not carried out", mail.Refused},
		{"on one line", "PLAY 14 EVENT; MESSAGE hello", "Put MESSAGE at the start of its own line.", mail.Refused},
		{"empty", "MESSAGE\n\nEND MESSAGE", "The message is empty", mail.Refused},
		{"to oneself", "MESSAGE communist\nHi\nEND MESSAGE", "a message to yourself", mail.Refused},
		{"too long", "MESSAGE\n" + strings.Repeat("long and longer ", 400) + "\nEND MESSAGE", "The message is too long", mail.Refused},
		{"beside an unclear line", "MESSAGE\nHi\nEND MESSAGE\nPLACE Vienna 3", "Not sent, because another line", mail.Refused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := sampleAfter(t, 5)
			before, had := c.export(id, true), len(c.mailbox[address("democrat")])
			if f := c.receive(c.letter("communist", tt.text)); f != tt.folder {
				t.Errorf("filed in %s, want %s", f, tt.folder)
			}
			if len(c.mailbox[address("democrat")]) != had || !bytes.Equal(before, c.export(id, true)) {
				t.Error("the letter did something")
			}
			if text := oneLine(c.last("communist").Text); !strings.Contains(text, tt.want) {
				t.Errorf("the answer lacks %q:\n%s", tt.want, c.last("communist").Text)
			}
		})
	}
	t.Run("to one of two", func(t *testing.T) {
		t.Parallel()
		c := newClub(t, rulestest.Game())
		c.match("orchards", nil, orchards...)
		east, west := len(c.mailbox[address("east")]), len(c.mailbox[address("west")])
		c.sends("north", "MESSAGE east\nLet us share the Swit Meadow.\nEND MESSAGE")
		if len(c.mailbox[address("east")]) != east+1 || len(c.mailbox[address("west")]) != west {
			t.Error("the message went to the wrong seats")
		}
		c.sends("north", "MESSAGE East and West: both of you.\nEND MESSAGE")
		c.sends("north", "MESSAGE\nAll of you.\nEND MESSAGE")
		if len(c.mailbox[address("west")]) != west+2 || len(c.mailbox[address("east")]) != east+3 {
			t.Errorf("west got %d letters, want 2; east %d, want 3", len(c.mailbox[address("west")])-west, len(c.mailbox[address("east")])-east)
		}
		if text := c.last("east").Text; !strings.Contains(text, "\n| All of you.\n") {
			t.Errorf("the message is not shown:\n%s", text)
		}
	})
	t.Run("a handful a day", func(t *testing.T) {
		t.Parallel()
		c, _ := sampleAfter(t, 5)
		had := len(c.mailbox[address("communist")])
		for range 7 {
			c.sends("democrat", "MESSAGE\nHi\nEND MESSAGE")
		}
		if got := len(c.mailbox[address("communist")]) - had; got != 5 {
			t.Errorf("%d messages went through, want 5", got)
		}
		c.reopen()
		if text := c.sends("democrat", "MESSAGE\nHi\nEND MESSAGE").Text; !strings.Contains(text, "which is the limit") {
			t.Error("a restart forgets the count")
		}
		c.now = c.now.Add(24 * time.Hour)
		if text := c.sends("democrat", "MESSAGE\nHi\nEND MESSAGE").Text; !strings.Contains(text, "was sent to the Communist") {
			t.Errorf("the next day brings nothing:\n%s", text)
		}
	})
}
