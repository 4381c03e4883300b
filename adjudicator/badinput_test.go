package adjudicator_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"samizdat/mail"
	"samizdat/mail/message"
)

// TestBadInput: every letter that cannot be carried out gets a clear answer,
// loses nothing and changes nothing.
func TestBadInput(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		// after is how many letters of the sample turn come first, seat who
		// writes the bad one.
		after  int
		seat   string
		text   string
		folder mail.Folder
	}{
		{"wrong-seat", 5, "democrat", "PLAY 26 EVENT", mail.Refused},
		{"illegal-space", 5, "communist", "PLAY 14 OPS PLACE Rostock, Sliven", mail.Refused},
		{"enemy-space-in-setup", 0, "communist", "PLACE Gdansk, Debrecen", mail.Refused},
		{"too-few", 0, "communist", "PLACE Debrecen", mail.Refused},
		{"too-many", 0, "communist", "PLACE Debrecen 2, Miskolc", mail.Refused},
		{"card-not-in-hand", 5, "communist", "PLAY 40 EVENT", mail.Refused},
		{"no-event-clause", 5, "communist", "PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa", mail.Refused},
		{"unknown-word", 5, "communist", "PLAY 14 OPS PLACE Sleven 2, Warszawa 2", mail.Refused},
		{"unknown-space", 5, "communist", "PLAY 14 OPS PLACE Wien 4", mail.Refused},
		{"unknown-card", 5, "communist", "PLAY 300 EVENT", mail.Refused},
		{"ambiguous", 0, "communist", "PLACE Sof U, Catholic", mail.Refused},
		{"only-talk", 5, "communist", "Well played!\nSee you on Sunday.", mail.Refused},
		{"empty", 5, "communist", "", mail.Refused},
		{"one-line-of-two", 5, "communist", "PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa EVENT AFTER\nCHECK Gdansk", mail.Refused},
		{"further-play", 5, "communist", "PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa EVENT AFTER\nTHEN PLAY 14 EVENT", mail.Done},
		{"one-unclear-line", 5, "communist", "PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa EVENT AFTER\nPLAY 400 EVENT", mail.Refused},
		{"greeted", 5, "communist", "Hi, PLAY 36 EVENT, thanks, Ben", mail.Refused},
		{"illegal-and-doubted", 5, "communist", "Good morning!\nPLAY 36 EVENT\nsorry, I meant 15", mail.Refused},
		{"help", 5, "communist", "HELP", mail.Done},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := sampleAfter(t, tt.after)
			before := c.export(id, true)
			had := len(c.mailbox[address(tt.seat)])
			if f := c.receive(c.letter(tt.seat, tt.text)); f != tt.folder {
				t.Errorf("filed in %s, want %s", f, tt.folder)
			}
			if n := len(c.mailbox[address(tt.seat)]) - had; n != 1 {
				t.Fatalf("%d answers, want 1", n)
			}
			if moves := tt.name == "one-line-of-two" || tt.name == "further-play"; !moves && !bytes.Equal(before, c.export(id, true)) {
				t.Error("the letter changed the match")
			}
			text := c.last(tt.seat).Text
			narrow(t, text)
			golden(t, "bad/"+tt.name+".txt", cutMap(text))
		})
	}
}

// cutMap leaves out the standing parts of a letter, which other tests show.
func cutMap(text string) string {
	head, rest, ok := strings.Cut(text, "\nYOUR HAND\n")
	if !ok {
		return text
	}
	_, tail, _ := strings.Cut(rest, "\nReply to this letter and write your orders")
	return head + "\n(hand, what is known, map)\n\nReply to this letter and write your orders" + tail
}

// TestClosedDecision: an order in reply to an old letter, whose question is
// closed, is recognised as such.
func TestClosedDecision(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	old := c.letter("communist", "PLACE Miskolc, Debrecen")
	sampleLetters(t, c, 2)
	before := c.export(id, true)
	old.Text = "PLACE Bydgoszcz 3"
	c.receive(old)
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letter changed the match")
	}
	golden(t, "bad/closed.txt", cutMap(c.last("communist").Text))
}

// TestOldLetterOpenDecision: a reply to an older letter is good as long as its
// question is open.
func TestOldLetterOpenDecision(t *testing.T) {
	t.Parallel()
	c, _ := sampleClub(t)
	old := c.letter("communist", "PLACE Miskolc, Debrecen")
	c.sends("communist", "STATUS")
	c.receive(old)
	if a := c.last("communist").Text; strings.Contains(a, "refused") || !strings.Contains(a, "Miskolc") {
		t.Errorf("the order was not carried out:\n%s", a)
	}
}

// TestTooBig: of a letter of 5 MB only the beginning is read; it is refused and
// answered.
func TestTooBig(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	before := c.export(id, true)
	m := c.letter("communist", "PLACE Miskolc, Debrecen\n"+strings.Repeat("A long story, and it goes on and on and on.\n", 5<<20/44))
	raw, err := m.Render()
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) < 5_000_000 {
		t.Fatalf("the letter has %d bytes only", len(raw))
	}
	f, err := c.handler().Handle(t.Context(), mail.Received{UID: 9, Size: int64(len(raw)), Raw: raw[:1<<20], Truncated: true})
	if err != nil || f != mail.Refused {
		t.Fatalf("filed in %s, %v; want %s", f, err, mail.Refused)
	}
	c.deliver()
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letter changed the match")
	}
	golden(t, "bad/too-big.txt", cutMap(c.last("communist").Text))
}

// TestLongLetters: a long letter is read to its end where it answers one of ours, and only
// its beginning where nobody knows whose it is.
func TestLongLetters(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	long := strings.Repeat("> what was written before, and is quoted once more\n", 3000)
	if f := c.receive(c.letter("communist", long+"\nPLACE Miskolc, Debrecen")); f != mail.Done {
		t.Errorf("a player's letter is filed in %s", f)
	}
	m := message.Draft{From: "eve@strangers.test", To: c.codec.Address, Date: c.now, Subject: "Hello", MessageID: "1@strangers.test"}
	for i, tt := range []struct {
		text string
		want mail.Folder
	}{{long + "\nOBSERVE " + id, mail.Ignored}, {"OBSERVE " + id, mail.Done}} {
		m.MessageID, m.Text = fmt.Sprintf("%d@strangers.test", i), tt.text
		if f := c.receive(m); f != tt.want {
			t.Errorf("a stranger's letter of %d bytes is filed in %s, want %s", len(tt.text), f, tt.want)
		}
	}
}

// TestNoToken: a player's letter without a token gets a fixed text without a word
// of any match; a stranger's gets silence; whose token it bears is told.
func TestNoToken(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	before := c.export(id, true)
	m := c.letter("communist", "PLACE Miskolc, Debrecen")
	token := m.To
	m.To, m.InReplyTo = c.codec.Address, ""
	if f := c.receive(m); f != mail.Refused {
		t.Errorf("filed in %s, want %s", f, mail.Refused)
	}
	text := c.last("communist").Text
	if strings.Contains(text, id) || len(c.last("communist").ReplyTo) > 0 {
		t.Error("the answer names the match or carries a token")
	}
	golden(t, "bad/no-token.txt", text)

	// Somebody may write in the player's name, again and again.
	again := len(c.mailbox[address("communist")])
	for i, want := range []mail.Folder{mail.Refused, mail.Refused, mail.Ignored, mail.Ignored} {
		m.MessageID = fmt.Sprintf("forged%d@elsewhere.test", i)
		if f := c.receive(m); f != want || len(c.mailbox[address("communist")]) != again+min(i+1, 2) {
			t.Errorf("such a letter on the same day is filed in %s, want %s", f, want)
		}
	}

	total := func() (n int) {
		for _, box := range c.mailbox {
			n += len(box)
		}
		return n
	}
	had := total()
	m.From, m.MessageID = "stranger@elsewhere.test", "x@elsewhere.test"
	if f := c.receive(m); f != mail.Ignored {
		t.Errorf("a stranger's letter is filed in %s, want %s", f, mail.Ignored)
	}
	m.To = token
	if f := c.receive(m); f != mail.Refused {
		t.Errorf("a stranger's letter with a player's token is filed in %s, want %s", f, mail.Refused)
	}
	m.From, m.MessageID = address("democrat"), "y@players.test"
	if f := c.receive(m); f != mail.Refused {
		t.Errorf("the other player's letter with this one's token is filed in %s, want %s", f, mail.Refused)
	}
	if n := total() - had; n != 2 {
		t.Errorf("%d answers, want one to each registered player", n)
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letters changed the match")
	}
}

// TestAnotherGame: an order that needs other outcomes than the recorded game has
// is refused without telling which, and the match goes on.
func TestAnotherGame(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 5)
	before := c.export(id, true)
	a := c.sends("communist", "PLAY 22 EVENT")
	if !strings.Contains(a.Text, "recorded game") || !bytes.Equal(before, c.export(id, true)) {
		t.Errorf("the order was not refused:\n%s", a.Text)
	}
	sampleLetter(t, c, 5)
}

// TestMachineMail: automatic mail is never answered.
func TestMachineMail(t *testing.T) {
	t.Parallel()
	c, _ := sampleClub(t)
	m := c.letter("communist", "PLACE Miskolc, Debrecen")
	m.AutoSubmitted = "auto-replied"
	had := len(c.mailbox[address("communist")])
	if f := c.receive(m); f != mail.Ignored {
		t.Errorf("filed in %s, want %s", f, mail.Ignored)
	}
	if n := len(c.mailbox[address("communist")]) - had; n != 0 {
		t.Errorf("%d answers to a machine", n)
	}
}

// TestSharedToken: a letter that went to another address as well counts, and the
// token that was seen there is worth nothing any more.
func TestSharedToken(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	m := c.letter("communist", "PLACE Miskolc, Debrecen")
	m.Extra = map[string]string{"Cc": "friend@elsewhere.test"}
	old := c.letter("communist", "PLACE Debrecen 2, Bydgoszcz")
	c.receive(m)
	a := c.last("communist")
	if !strings.Contains(a.Text, "PLACE Miskolc, Debrecen: done") || !strings.Contains(a.Text, "also went to another address") {
		t.Errorf("the answer is:\n%s", a.Text)
	}
	before, letters := c.export(id, true), len(c.mailbox[address("communist")])
	c.reopen()
	if f := c.receive(m); f != mail.Done || len(c.mailbox[address("communist")]) != letters {
		t.Errorf("delivered again it is filed in %s", f)
	}
	sampleLetter(t, c, 1)
	sampleLetter(t, c, 2)
	if bytes.Equal(before, c.export(id, true)) {
		t.Error("the new token does not count")
	}
	old.MessageID = "another@players.test"
	c.receive(old)
	if got := c.last("communist").Text; !strings.Contains(oneLine(got), "it was not a reply to one of our letters") {
		t.Errorf("the old token still counts:\n%s", got)
	}
}
