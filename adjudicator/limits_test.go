package adjudicator_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
)

// inTurn is a match of Three Orchards in which a seat is asked to play a card,
// and an order for it.
func inTurn(t *testing.T, game *rules.Game) (c *club, id, seat, line string) {
	t.Helper()
	begin := func() (*club, string) {
		c := newClub(t, game)
		return c, c.match("orchards", nil, orchards...)
	}
	if _, fails := game.Language.(exploding); !fails {
		c, id = copyOf(t, "orchards", begin)
	} else {
		c, id = begin()
	}
	pos, err := game.Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	d := pos.OpenDecisions(nil)[0]
	return c, id, orchards[d.Seat], game.FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 }))
}

// TestLongLetter: a long letter does not get a long answer, and one that is
// longer than any letter of orders is refused as a whole.
func TestLongLetter(t *testing.T) {
	t.Parallel()
	c, _, seat, line := inTurn(t, rulestest.Game())
	golden(t, "limits/talk.txt", c.sends(seat, strings.Repeat("So it goes on, and on.\n", 300)).Text)
	golden(t, "limits/long-line.txt", c.sends(seat, strings.Repeat("blah ", 3000)).Text)
	a := c.sends(seat, line+"\n"+strings.Repeat("So it goes on, and on.\n", 20000))
	if !strings.Contains(a.Text, "too long") || strings.Contains(a.Text, ": done") {
		t.Errorf("the letter of 20000 lines is answered with:\n%s", a.Text)
	}
}

// TestTruncatedLetter: of a letter that is longer than what is read of one nothing
// counts, though its orders may be there whole, and the answer says what to do.
func TestTruncatedLetter(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	before := c.export(id, true)
	raw, err := c.letter(seat, line).Render()
	if err != nil {
		t.Fatal(err)
	}
	f, err := c.handler().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: c.uid, Arrived: c.now, Size: 30 << 20, Raw: raw, Truncated: true})
	if err != nil || f != mail.Refused {
		t.Fatalf("the letter is filed in %q: %v", f, err)
	}
	c.deliver()
	if a := c.last(seat).Text; !strings.Contains(a, "too long") || !strings.Contains(a, "without attachments") {
		t.Errorf("the letter is answered with:\n%s", a)
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letter changed the match")
	}
}

// TestProofTooLong: where a proof is demanded, a letter of which only the beginning was
// read has none. Its writer is told why, three times a day, at his registered address.
func TestProofTooLong(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	c.codec.Proof = func(context.Context, []byte, message.Letter) (bool, error) { return true, nil }
	before, total := c.export(id, true), c.total()
	m := c.letter(seat, line)
	for i, want := range []mail.Folder{mail.Refused, mail.Refused, mail.Refused, mail.Ignored} {
		m.MessageID = strings.Repeat("x", i+1) + "@players.test"
		raw, err := m.Render()
		if err != nil {
			t.Fatal(err)
		}
		f, err := c.handler().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: c.uid, Arrived: c.now, Size: 30 << 20, Raw: raw, Truncated: true})
		if err != nil || f != want {
			t.Fatalf("letter %d is filed in %q: %v", i+1, f, err)
		}
		c.deliver()
	}
	a := c.last(seat)
	if c.total() != total+3 || !strings.Contains(a.Subject, "too long") || strings.Contains(a.Subject+a.Text, "not signed") || strings.Contains(a.Text, id) || len(a.ReplyTo) > 0 {
		t.Errorf("%d answers, the last one:\n%s\n%s", c.total()-total, a.Subject, a.Text)
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letter changed the match")
	}
}

// TestNotYet: what cannot be done yet is said, and nothing is done.
func TestNotYet(t *testing.T) {
	t.Parallel()
	c, id, seat, _ := inTurn(t, rulestest.Game())
	before := c.export(id, true)
	golden(t, "limits/message.txt", c.sends(seat, "message Well played!\nSTATUS").Text)
	golden(t, "limits/resign.txt", c.sends(seat, "RESIGN\nSTATUS").Text)
	golden(t, "limits/join.txt", c.sends(seat, "Join me!\nSTATUS").Text)
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letter changed the match")
	}
}

// TestOtherSubject: a letter whose subject names another match is refused.
func TestOtherSubject(t *testing.T) {
	t.Parallel()
	c, id, seat, line := inTurn(t, rulestest.Game())
	before := c.export(id, true)
	m := c.letter(seat, line)
	m.Subject = "Fwd: Your move: Orchards [mother22]"
	if f := c.receive(m); f != mail.Refused {
		t.Errorf("filed in %s", f)
	}
	golden(t, "limits/other-subject.txt", c.last(seat).Text)
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letter changed the match")
	}
	m = c.letter(seat, line)
	m.Subject = "What I wanted to say"
	if f := c.receive(m); f != mail.Done {
		t.Errorf("a letter whose subject names no match is filed in %s", f)
	}
}

// exploding is a game with a fault.
type exploding struct{ rules.Language }

func (exploding) Answers(rules.Order, []rules.Decision) ([]rules.Answer, error) { panic("a fault") }

// TestFault: a fault in a game is an error of one letter, and leaves nothing
// behind.
func TestFault(t *testing.T) {
	t.Parallel()
	g := rulestest.Game()
	g.Language = exploding{g.Language}
	c, id, seat, line := inTurn(t, g)
	before := c.export(id, true)
	if _, err := c.try(c.letter(seat, line)); err == nil || !strings.Contains(err.Error(), "a fault") {
		t.Errorf("error %v", err)
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the letter changed the match")
	}
	if a := c.sends(seat, "STATUS"); !strings.Contains(a.Text, "It is your move.") {
		t.Errorf("afterwards STATUS says:\n%s", a.Text)
	}
}
