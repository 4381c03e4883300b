package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/mail/message"
	"samizdat/rules/revolution1789"
)

// talkers is a match of seven that has just begun.
func talkers(t *testing.T, talk bool) (*club, string, []string) {
	t.Helper()
	c, seats := newClub(t, revolution1789.Game()), citizensOf(7)
	inv := adjudicator.Invitation{Game: "1789", TalkOff: !talk}
	for _, s := range seats {
		inv.Players = append(inv.Players, address(s))
	}
	m, err := c.adj.CreateMatch(t.Context(), inv)
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.joinAll(seats...)
	return c, m.ID, seats
}

// TestTalkOfSeven: what is written to some goes to them and to nobody else, under the citizen's
// name and without an address, and stands in no record, not even in the hidden one.
func TestTalkOfSeven(t *testing.T) {
	t.Parallel()
	c, id, seats := talkers(t, true)
	before := c.export(id, true)
	for _, tt := range []struct {
		text string
		to   []string
	}{
		{"MESSAGE TO Grape: I am with you.\nEND MESSAGE", []string{"grape"}},
		{"MESSAGE Grape, Lamp and Cheese: let us sit together.\nEND MESSAGE", []string{"grape", "lamp", "cheese"}},
		{"MESSAGE TO ALL: citizens!\nEND MESSAGE", seats[1:]},
	} {
		had := map[string]int{}
		for _, s := range seats {
			had[s] = c.got(s)
		}
		c.sends("arch", tt.text)
		for _, s := range seats[1:] {
			wants := 0
			for _, to := range tt.to {
				if to == s {
					wants = 1
				}
			}
			if n := c.got(s) - had[s]; n != wants {
				t.Errorf("%q: %s has %d letters more, want %d", tt.text, s, n, wants)
			}
			if l := c.last(s); wants == 1 && (!strings.Contains(l.Text, "Message from Arch") && !strings.Contains(l.Text, "MESSAGE FROM ARCH") || strings.Contains(l.Text, address("arch"))) {
				t.Errorf("%q: %s reads\n%s", tt.text, s, l.Text)
			}
		}
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("messages stand in the record")
	}
}

// TestTalkLimits: five a day for each of the others, and as many again when several are asked
// something new together.
func TestTalkLimits(t *testing.T) {
	t.Parallel()
	c, _, seats := talkers(t, true)
	some := func(n int) (carried int) {
		for range n {
			if strings.Contains(c.sends("arch", "MESSAGE TO Grape and Lamp: more.\nEND MESSAGE").Text, "was sent to") {
				carried++
			}
		}
		return carried
	}
	if n := some(17); n != 15 {
		t.Errorf("%d messages to two were carried, not 15", n)
	}
	c.adj.OperatorAddress = address("operator")
	if c.sends("arch", "ASK may I write more?"); c.got("operator") != 1 {
		t.Error("who has written much cannot ask the operator")
	}
	all(t, c, seats, "NAME arch")
	c.sends("arch", "SEAT 1-2")
	if n := some(17); n != 15 {
		t.Errorf("%d messages were carried when nobody was asked with others, not 15", n)
	}
	if n := some(1); n != 0 {
		t.Error("there is no limit")
	}
}

// TestTalkOff: a match that was made without talk carries no message, and says so when it
// invites.
func TestTalkOff(t *testing.T) {
	t.Parallel()
	c, _, seats := talkers(t, false)
	invited := func(l message.Letter) string { return oneLine(l.Text) }
	if text := invited(c.mailbox[address("arch")][0]); !strings.Contains(text, "played without talk") || strings.Contains(text, "END MESSAGE") {
		t.Errorf("the invitation:\n%s", text)
	}
	had := c.got("grape")
	if text := c.sends("arch", "MESSAGE TO Grape: psst.\nEND MESSAGE").Text; !strings.Contains(text, "without talk") || c.got("grape") != had {
		t.Errorf("a message was carried:\n%s", text)
	}
	if text := c.sends("arch", "CALL ME Vote M").Text; !strings.Contains(text, "without talk") {
		t.Errorf("a name was changed:\n%s", text)
	}
	c.reopen()
	if text := c.sends(seats[2], "MESSAGE\nHello.\nEND MESSAGE").Text; !strings.Contains(text, "without talk") {
		t.Errorf("it is forgotten:\n%s", text)
	}
}
