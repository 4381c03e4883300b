package adjudicator_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/mail"
)

// withContact is the sample club with an operator who may be asked.
func withContact(t testing.TB) (c *club, id string) {
	t.Helper()
	c, id = sampleAfter(t, 6)
	c.adj.OperatorAddress = address("operator")
	return c, id
}

// TestAsk: a question reaches the operator, with what he has to know of its writer, and his
// mail program answers to the player.
func TestAsk(t *testing.T) {
	t.Parallel()
	c, id := withContact(t)
	for _, tt := range []struct{ text, asked, done string }{
		{"ASK why was my card refused?", "| why was my card refused?\n", ""},
		{"ASK\nMay I play on paper?\nAnd when?\n\nHISTORY", "| May I play on paper?\n| And when?\n", "HISTORY: done"},
		{"ASK\nOne.\n\nPLAY 26 EVENT\nEND ASK\nHAND", "| One.\n|\n| PLAY 26 EVENT\n", "HAND: done"},
		{"Ask: is there a deadline\nHAND", "| is there a deadline\n", "HAND: done"},
	} {
		had := c.got("operator")
		a := c.sends("democrat", tt.text)
		if c.got("operator") != had+1 {
			t.Fatalf("%q: the operator has %d letters more:\n%s", tt.text, c.got("operator")-had, a.Text)
		}
		q := c.last("operator")
		if !strings.Contains(q.Text, tt.asked) || !strings.Contains(a.Text, tt.asked[:5]) || !strings.Contains(a.Text, tt.done) {
			t.Errorf("%q: asked\n%s\nanswered\n%s", tt.text, q.Text, a.Text)
		}
		if len(q.ReplyTo) != 1 || q.ReplyTo[0] != address("democrat") || q.AutoReason == "" || !strings.HasSuffix(q.Subject, " ["+id+"]") {
			t.Errorf("%q: the question is to be answered to %q, subject %q", tt.text, q.ReplyTo, q.Subject)
		}
		if tt.done == "" {
			golden(t, "ask/question.txt", q.Subject+"\n\n"+q.Text)
			golden(t, "ask/passed-on.txt", a.Subject+"\n\n"+a.Text)
		}
	}
}

// TestAskNot: talk that begins with "ask" is none, nobody asks without end, and where no
// operator is named nothing is passed on.
func TestAskNot(t *testing.T) {
	t.Parallel()
	c, _ := withContact(t)
	for _, text := range []string{"Ask me later.", "ASK", "ASK " + strings.Repeat("why ", 1100)} {
		if a := c.sends("democrat", text); c.got("operator") > 0 {
			t.Errorf("%.20q was passed on:\n%s", text, a.Text)
		}
	}
	for range 6 {
		c.sends("democrat", "ASK why?")
	}
	if n := c.got("operator"); n != 5 {
		t.Errorf("%d questions were passed on", n)
	}
	c.adj.OperatorAddress = ""
	if a := c.sends("communist", "ASK why?"); c.got("operator") != 5 || !strings.Contains(a.Text, "ASK why?: refused") {
		t.Errorf("without an operator:\n%s", a.Text)
	}
}

// TestAskFiled: where no address is set and the mailbox has a place for questions, the player's
// letter is put there, with what became of its orders, and letters say that ASK asks.
func TestAskFiled(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 6)
	c.adj.FilesQuestions = true
	var log bytes.Buffer
	c.adj.Log = slog.New(slog.NewTextHandler(&log, nil))
	for text, folder := range map[string]mail.Folder{
		"ASK why was my card refused?":           mail.Questions,
		"PLAY 999 EVENT\n\nASK: is 999 no card?": mail.Questions,
		"PLAY 999 EVENT":                         mail.Refused,
		"HAND":                                   mail.Done,
	} {
		if f := c.receive(c.letter("democrat", text)); f != folder {
			t.Errorf("%q is put in %s, want %s", text, f, folder)
		}
	}
	if text := log.String(); strings.Count(text, "a player asks the operator") != 2 || strings.Contains(text, "@") || strings.Contains(text, "999") {
		t.Errorf("of two questions the log says\n%s", text)
	}
	a := c.sends("democrat", "ASK may I?")
	wants(t, a.Text, "Your letter was put where the operator will find it", "| may I?", "Questions about the referee: reply with ASK and your question.")
	// The day has five questions.
	for range 3 {
		c.sends("democrat", "ASK why?")
	}
	if f := c.receive(c.letter("democrat", "ASK once more?")); f == mail.Questions {
		t.Error("a sixth question is put there too")
	}
}

// TestAskOnce: a letter that is delivered twice, or whose storing fails, asks once.
func TestAskOnce(t *testing.T) {
	t.Parallel()
	c, _ := withContact(t)
	m := c.letter("democrat", "ASK why?")
	c.receive(m)
	c.receive(m)
	if n := c.got("operator"); n != 1 {
		t.Errorf("%d questions were passed on", n)
	}
}

// TestContact: every letter says whom to ask, those of strangers and observers too.
func TestContact(t *testing.T) {
	t.Parallel()
	c, id := watched(t, match.ObserverPolicy{Allowed: true}, taskNone)
	c.adj.OperatorAddress = address("operator")
	had := map[string]int{}
	for _, name := range []string{"democrat", "communist", "ann", "new"} {
		had[name] = c.got(name)
	}
	c.sends("democrat", "STATUS")
	c.sends("communist", "HAND")
	c.receive(c.toReferee("ann", "OBSERVE "+id))
	c.sends("ann", "maybe")
	c.sends("ann", "yes")
	c.sends("ann", "UNOBSERVE")
	c.receive(c.toReferee("democrat", "PLAY 26 EVENT"))
	c.receive(c.letter("communist", "ADDRESS new@players.test"))
	for name, n := range had {
		if c.got(name) == n {
			t.Errorf("%s got nothing", name)
		}
		for _, l := range c.mailbox[address(name)][n:] {
			if !strings.Contains(oneLine(l.Text), "Questions about the referee: ") || !strings.Contains(l.Text, address("operator")+".\n") {
				t.Errorf("%s: %s\n%s", name, l.Subject, l.Text)
			}
		}
	}
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{address("p"), address("q")}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	if l := c.last("p"); !strings.Contains(l.Text, address("operator")) || !strings.Contains(l.Subject, m.ID) {
		t.Errorf("the invitation:\n%s", l.Text)
	}
}
