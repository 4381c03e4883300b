package adjudicator_test

import (
	"strings"
	"testing"
)

// TestSubjects: a subject begins with what the letter wants, or with why it comes.
func TestSubjects(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	const to, from = "communist", "democrat"
	for _, tt := range []struct{ writer, text, reader, want string }{
		{to, "STATUS", to, "Your move: 1989 v. the Democrat, turn 1, set-up"},
		{from, "STATUS", from, "Waiting: 1989 v. the Communist, turn 1, set-up"},
		{to, "HAND", to, "Our reply; your move: 1989 v. the Democrat, turn 1, set-up"},
		{from, "HAND", from, "Our reply: 1989 v. the Communist, turn 1, set-up"},
		{from, "PLAY 26 EVENT", from, "Refused: 1989 v. the Communist, turn 1, set-up"},
		{to, "PLAY 26 EVENT", to, "Refused; your move: 1989 v. the Democrat, turn 1, set-up"},
		{to, "MESSAGE\nHello!\nEND MESSAGE", from, "Message from the Communist: 1989 v. the Communist, turn 1, set-up"},
		{from, "MESSAGE\nHello!\nEND MESSAGE", to, "Message from the Democrat; your move: 1989 v. the Democrat, turn 1, set-up"},
	} {
		c.sends(tt.writer, tt.text)
		if got := c.last(tt.reader).Subject; got != tt.want+" ["+id+"]" {
			t.Errorf("%s: %s", tt.text, got)
		}
	}
	first, rest, _ := strings.Cut(c.mailbox[address(to)][0].Subject, ": ")
	if first != "You are invited" || rest != "1989 ["+id+"]" {
		t.Errorf("the invitation: %s: %s", first, rest)
	}
}
