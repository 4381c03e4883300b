package adjudicator_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
)

// seat reads a seat by its name or its player.
func (c *club) seat(id, name string) *match.Seat {
	c.t.Helper()
	m, err := c.db.Match(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	for i := range m.Seats {
		if m.Seats[i].Player.Address == address(name) || m.Seats[i].Name == name {
			return &m.Seats[i]
		}
	}
	c.t.Fatalf("no seat of %s", name)
	return nil
}

// TestAddressChange: a new address is asked, says YES, and gets everything from then
// on, also what waited to be sent; the old one gets a last word. The other player
// gets what he would have got anyway.
func TestAddressChange(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	plain, _ := sampleClub(t)
	before := c.export(id, true)
	a, n := c.asks("democrat", "address New@Players.test.")
	golden(t, "addresses/asked.txt", cutMap(a.Text))
	narrow(t, n.Text)
	golden(t, "addresses/notice.txt", n.Subject+"\n\n"+n.Text)
	if c.got("new") != 1 {
		t.Fatalf("the new address got %d letters", c.got("new"))
	}
	q := c.last("new")
	narrow(t, q.Text)
	golden(t, "addresses/question.txt", q.Subject+"\n\n"+q.Text)
	if strings.Contains(q.Text, address("democrat")) {
		t.Error("the question names the old address")
	}
	wants(t, c.sends("democrat", "ADDRESS").Text, "We have asked new@players.test and are waiting for an answer, and you have not said YES in reply to the letter to democrat@players.test;")
	c.reopen()
	c.receive(c.reply(n, "democrat", "Me? STATUS")) // neither YES nor KEEP
	golden(t, "addresses/notice-reminder.txt", c.take("democrat").Text)
	c.receive(c.reply(n, "democrat", "YES"))
	wants(t, c.last("democrat").Text, "- YES: done As soon as new@players.test says YES too, your letters go to new@players.test.")
	if seatState := c.seat(id, "democrat"); seatState.Player.Address != address("democrat") {
		t.Fatalf("the seat is %+v", seatState)
	}
	old := c.letter("democrat", "STATUS")
	c.receive(c.letter("new", "Gladly!")) // no YES
	golden(t, "addresses/reminder.txt", c.last("new").Text)
	// The other player writes at the same time in both clubs.
	plain.now, plain.uid = c.now, c.uid
	plain.sends("communist", "MESSAGE\nHello there.\nEND MESSAGE")
	if _, err := c.try(c.letter("communist", "MESSAGE\nHello there.\nEND MESSAGE")); err != nil {
		t.Fatal(err)
	}
	had, key := c.letters("democrat"), c.seat(id, "democrat").Key
	yes := c.letter("new", "Yes.")
	c.receive(yes)
	if seatState := c.seat(id, "democrat"); seatState.Player.Address != "new@players.test" || bytes.Equal(seatState.Key, key) || seatState.Player.Request != nil {
		t.Errorf("the seat is %+v", seatState)
	}
	var sentences []string
	for _, l := range c.mailbox[address("new")] {
		sentences = append(sentences, l.Text)
	}
	wants(t, strings.Join(sentences, "\n"), "Hello there.")
	answer := c.last("new")
	golden(t, "addresses/moved.txt", cutMap(answer.Text))
	if c.letters("democrat") != had+1 {
		t.Errorf("the old address got %d letters", c.letters("democrat")-had)
	}
	golden(t, "addresses/last-word.txt", c.last("democrat").Subject+"\n\n"+c.last("democrat").Text)
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("the record knows of it")
	}
	// A replay does nothing, nor does the old token from anywhere.
	had, now := c.total(), c.export(id, true)
	if f := c.receive(yes); f != mail.Done || c.total() != had {
		t.Errorf("the replay is filed in %s and got %d letters", f, c.total()-had)
	}
	c.receive(old)
	stolen := old
	stolen.From, stolen.MessageID = address("new"), "stolen@x"
	c.receive(stolen)
	again := yes
	again.MessageID = "again@x"
	c.receive(again)
	if c.total() != had+2 || !bytes.Equal(now, c.export(id, true)) {
		t.Errorf("old tokens got %d letters", c.total()-had)
	}
	c.mailbox[address("new")] = append(c.mailbox[address("new")], answer)
	wants(t, c.sends("new", "STATUS").Text, "STATUS: done")
	// What the other player is sent is the same without all that.
	sameLetters(t, plain, c, "communist")
}

// TestAddressForged: nothing but YES from the new address, with the token of the
// question, changes anything.
func TestAddressForged(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		does func(t *testing.T, c *club, seat, rival string)
	}{
		{"asked from the new address", func(t *testing.T, c *club, seat, _ string) {
			m := c.letter(seat, "ADDRESS other@players.test")
			m.From = address("new")
			c.receive(m)
		}},
		{"without confirmation", func(*testing.T, *club, string, string) {}},
		{"confirmed by the old address", func(t *testing.T, c *club, seat, _ string) {
			m := c.letter("new", "YES")
			m.From = address(seat)
			c.receive(m)
		}},
		{"confirmed by another", func(_ *testing.T, c *club, _, rival string) {
			m := c.letter("new", "YES")
			m.From = address(rival)
			c.receive(m)
			m.From, m.MessageID = "mallory@elsewhere.test", "2@x"
			c.receive(m)
		}},
		{"confirmed with the seat's token", func(t *testing.T, c *club, seat, _ string) {
			m := c.letter(seat, "YES")
			m.From = address("new")
			c.receive(m)
		}},
		{"confirmed with the rival's token", func(_ *testing.T, c *club, _, rival string) {
			m := c.letter(rival, "YES")
			m.From = address("new")
			c.receive(m)
		}},
		{"a changed token", func(_ *testing.T, c *club, _, _ string) {
			m := c.letter("new", "YES")
			m.To = changeMAC(m.To, 3)
			c.receive(m)
		}},
		{"too late", func(_ *testing.T, c *club, _, _ string) {
			c.now = c.now.Add(8 * 24 * time.Hour)
			c.receive(c.letter("new", "YES"))
		}},
		{"after an objection", func(t *testing.T, c *club, seat, _ string) {
			wants(t, c.sends(seat, "ADDRESS KEEP").Text, "is cancelled. Your letters go to "+address(seat))
			c.receive(c.letter("new", "YES"))
		}},
		{"the question of a request before", func(t *testing.T, c *club, seat, _ string) {
			m := c.letter("new", "YES")
			c.sends(seat, "ADDRESS KEEP")
			c.asks(seat, "ADDRESS new@players.test")
			c.receive(m)
		}},
		{"orders from the new address", func(_ *testing.T, c *club, _, _ string) {
			c.receive(c.letter("new", "STATUS\nNEW TOKEN\nADDRESS KEEP"))
		}},
		{"a machine", func(_ *testing.T, c *club, _, _ string) {
			m := c.letter("new", "YES")
			m.AutoSubmitted = "auto-replied"
			c.receive(m)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id, seat, line := inTurn(t, rulestest.Game())
			rival := orchards[0]
			if rival == seat {
				rival = orchards[1]
			}
			c.asks(seat, "ADDRESS new@players.test")
			before, key := c.export(id, true), c.seat(id, seat).Key
			tt.does(t, c, seat, rival)
			if seatState := c.seat(id, seat); seatState.Player.Address != address(seat) || !bytes.Equal(seatState.Key, key) {
				t.Errorf("the seat is %+v", seatState)
			}
			if !bytes.Equal(before, c.export(id, true)) {
				t.Error("the match has changed")
			}
			for _, l := range c.mailbox[address("new")] {
				if strings.Contains(l.Text, "STATUS: done") || strings.Contains(l.Text, "your letters come to this address") {
					t.Errorf("the new address was told:\n%s", l.Text)
				}
			}
			// The fixed answer to a letter that failed has no address to answer to.
			c.mailbox[address(seat)] = slicesWith(c.mailbox[address(seat)], func(l message.Letter) bool { return strings.Contains(l.Subject, id) })
			c.sends(seat, line)
			if bytes.Equal(before, c.export(id, true)) {
				t.Error("the player cannot play any more")
			}
		})
	}
}

func slicesWith(list []message.Letter, keep func(message.Letter) bool) []message.Letter {
	var out []message.Letter
	for _, l := range list {
		if keep(l) {
			out = append(out, l)
		}
	}
	return out
}

// TestAddressRefused: what cannot be asked for, and how often it can.
func TestAddressRefused(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	for text, want := range map[string]string{
		"ADDRESS democrat@players.test":                     "registered already",
		"ADDRESS referee@club.test":                         "That is the referee's address.",
		"ADDRESS referee+x-1@club.test":                     "That is the referee's address.",
		"ADDRESS a@b@c":                                     "That is not a mail address.",
		"ADDRESS <ann@players.test>,b@c.de":                 "That is not a mail address.",
		"ADDRESS \u0430nn@players.test":                     "That is not a mail address.",
		"ADDRESS ann@" + strings.Repeat("x", 260) + ".test": "That is not a mail address.",
	} {
		wants(t, c.sends("democrat", text).Text, ": refused", want)
	}
	if c.seat(id, "democrat").Player.Serial != 0 {
		t.Error("a refused request counts")
	}
	for i := range 3 {
		c.asks("democrat", fmt.Sprintf("ADDRESS n%d@players.test", i))
		wants(t, c.sends("democrat", "ADDRESS other@players.test").Text, ": refused", "is asked for already")
		wants(t, c.sends("democrat", "ADDRESS KEEP").Text, "is cancelled")
	}
	wants(t, c.sends("democrat", "ADDRESS n4@players.test").Text, "can be asked for 3 times in a week")
	c.now = c.now.Add(8 * 24 * time.Hour)
	c.asks("democrat", "ADDRESS n4@players.test")
	// The address of another player is no other answer than anybody's.
	a, _ := c.asks("communist", "ADDRESS democrat@players.test")
	wants(t, a.Text, "We have written to democrat@players.test and to communist@players.test. When both answer YES,")
	wants(t, c.sends("communist", "ADDRESS ALSO second@players.test").Text, "ADDRESS ALSO second@players.test: refused", "is asked for already")
	wants(t, c.sends("communist", "ADDRESS ALSO communist@players.test").Text, "That address is registered already.")
	wants(t, c.sends("communist", "ADDRESS ONLY").Text, "ADDRESS ONLY: done You have one address. Your letters go to communist@players.test.")
	// Talk is no order.
	wants(t, c.sends("communist", "ADDRESS the problem").Text, `"ADDRESS the problem": `)
}

// TestAddressKilled: a restart between any two steps, and a store that fails, neither
// lose the change nor make it twice.
func TestAddressKilled(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		c, id := sampleClub(t)
		_, n := c.asks("democrat", "ADDRESS new@players.test")
		c.receive(c.reply(n, "democrat", "YES"))
		yes := c.letter("new", "YES")
		plain := c.store
		c.store = func(s exchange.Store) exchange.Store { return &dying{s, !after, after} }
		c.reopen()
		if _, err := c.try(yes); err == nil {
			t.Fatal("the store did not fail")
		}
		c.store = plain
		c.reopen()
		if moved := c.seat(id, "democrat").Player.Address == "new@players.test"; moved != after {
			t.Errorf("moved %v", moved)
		}
		c.receive(yes)
		if c.seat(id, "democrat").Player.Address != "new@players.test" || c.got("new") != 2 {
			t.Errorf("after %v: the new address has %d letters", after, c.got("new"))
		}
	}
}

// TestMoveSeat: the operator moves a seat whose player has lost his mailbox, three
// days after the old address was told, unless it objects.
func TestMoveSeat(t *testing.T) {
	t.Parallel()
	for _, objects := range []bool{false, true} {
		c, id := sampleClub(t)
		had := c.letters("communist")
		if _, err := c.adj.StartAddressChange(t.Context(), id, 0, "new@players.test"); err != nil {
			t.Fatal(err)
		}
		if _, err := c.adj.StartAddressChange(t.Context(), id, 0, "new@players.test"); err == nil {
			t.Error("the same request twice")
		}
		c.deliver()
		notice := c.last("democrat")
		golden(t, "addresses/operator.txt", notice.Subject+"\n\n"+notice.Text)
		c.reopen()
		if n := c.due(2 * 24 * time.Hour); n != 0 || c.got("new") != 0 {
			t.Errorf("%d things were done a day early; %d letters", n, c.got("new"))
		}
		if objects {
			wants(t, c.sends("democrat", "ADDRESS KEEP").Text, "is cancelled")
		}
		c.reopen()
		c.due(2 * 24 * time.Hour)
		want := address("new")
		if objects {
			want = address("democrat")
		}
		if seatState := c.seat(id, "democrat"); seatState.Player.Address != want || seatState.Player.Request != nil {
			t.Errorf("objects %v: the seat is %+v", objects, seatState)
		}
		if n := c.due(time.Hour); n != 0 {
			t.Errorf("%d things were done twice", n)
		}
		if c.letters("communist") != had {
			t.Error("the other player was told")
		}
		if objects {
			continue
		}
		golden(t, "addresses/operator-moved.txt", cutMap(c.last("new").Text))
		wants(t, c.last("democrat").Text, "This is the last letter to this address")
		wants(t, c.sends("new", "STATUS").Text, "STATUS: done")
	}
	c, id := sampleClub(t)
	if _, err := c.adj.StartAddressChange(t.Context(), id, 7, "new@players.test"); err == nil {
		t.Error("there is a seat 7")
	}
	if _, err := c.adj.StartAddressChange(t.Context(), "mnothere", 0, "new@players.test"); !errors.Is(err, exchange.ErrNoMatch) {
		t.Errorf("no match: %v", err)
	}
}
