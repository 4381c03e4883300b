package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
)

// TestForgedTokensBeside: a letter with a good token counts whatever tokens somebody
// has put beside it, and the newest genuine one is the one that counts. Genuine
// tokens of two seats in one letter are none.
func TestForgedTokensBeside(t *testing.T) {
	t.Parallel()
	bogus := func(c *club, match string, seat, number int) string {
		return message.TokenAddress(c.codec.Address, message.NewToken([]byte("nobody's key"), message.LetterName{Match: match, Reader: seat, Number: int64(number)}).String())
	}
	many := func(c *club, id string) string {
		var all []string
		for i := range 12 {
			all = append(all, bogus(c, id, 0, 900+i))
		}
		return strings.Join(all, ", ")
	}
	for _, tt := range []struct {
		name string
		// beside gives the addresses in Cc.
		beside func(c *club, id string, own, other message.Letter) string
		counts bool
	}{
		{"a higher number", func(c *club, id string, _, _ message.Letter) string { return bogus(c, id, 0, 999) }, true},
		{"another seat", func(c *club, id string, _, _ message.Letter) string { return bogus(c, id, 1, 1) }, true},
		{"a seat that is none", func(c *club, id string, _, _ message.Letter) string { return bogus(c, id, 9, 1) }, true},
		{"another match", func(c *club, _ string, _, _ message.Letter) string { return bogus(c, "mzzzzzzz", 0, 999) }, true},
		{"some of them", func(c *club, id string, _, _ message.Letter) string {
			return bogus(c, "mzzzzzzz", 0, 999) + ", " + bogus(c, id, 1, 2) + ", " + bogus(c, id, 0, 3)
		}, true},
		{"too many", func(c *club, id string, _, _ message.Letter) string { return many(c, id) }, false},
		{"genuine of the other seat", func(_ *club, _ string, _, other message.Letter) string { return other.ReplyTo[0] }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id, seat, line := inTurn(t, rulestest.Game())
			other := orchards[0]
			if other == seat {
				other = orchards[1]
			}
			before := c.export(id, true)
			m := c.letter(seat, line)
			m.Extra = map[string]string{"Cc": tt.beside(c, id, c.last(seat), c.last(other))}
			f := c.receive(m)
			if got := !bytes.Equal(before, c.export(id, true)); got != tt.counts || got != (f == mail.Done) {
				t.Fatalf("the letter is filed in %s and changes the match: %v\n%s", f, got, c.last(seat).Text)
			}
			after, total := c.export(id, true), c.total()
			if again := c.receive(m); tt.counts && (again != mail.Done || c.total() != total || !bytes.Equal(after, c.export(id, true))) {
				t.Errorf("a second time it is filed in %s", again)
			}
		})
	}
}
