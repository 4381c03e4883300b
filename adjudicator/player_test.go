package adjudicator_test

import (
	"fmt"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/mail/message"
	"samizdat/rules"
)

// regular is a club in which the Democrat sits in several matches: two are played, in one
// he is invited on both sides, and one is over.
func regular(t *testing.T) (c *club, played [2]string, invited, over string) {
	t.Helper()
	c, played[0] = sampleClub(t)
	played[1] = c.match("1989", nil, "rival", "democrat")
	over = c.match("1989", nil, "democrat", "loser")
	m := c.stored(over)
	m.State = match.Over
	if err := c.db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
		t.Fatal(err)
	}
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{"DEMOCRAT@players.test", address("democrat")}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	return c, played, m.ID, over
}

// of is the newest letter of a match to an address, at a seat if it has several.
func (c *club) of(id, name string, seat rules.Seat) message.Letter {
	c.t.Helper()
	box := c.mailbox[address(name)]
	for i := len(box) - 1; i >= 0; i-- {
		if len(box[i].ReplyTo) == 1 && strings.HasPrefix(box[i].MessageID, fmt.Sprintf("%s-%d-", id, seat)) {
			return box[i]
		}
	}
	c.t.Fatalf("%s has no letter of match %s", name, id)
	return message.Letter{}
}

// TestPlayerMoves: one change of address counts for all matches of a player. In each he
// gets a letter that he can answer, where there is something to answer; older ones count
// no more from anywhere, and nobody else is told.
func TestPlayerMoves(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"new, old", "old, new", "three days", "operator"} {
		t.Run(strings.ReplaceAll(way, " ", "-"), func(t *testing.T) {
			t.Parallel()
			c, played, invited, over := regular(t)
			had := map[string]int{"communist": c.letters("communist"), "rival": c.got("rival"), "loser": c.got("loser")}
			old := map[string]message.Letter{played[0]: c.of(played[0], "democrat", 0), played[1]: c.of(played[1], "democrat", 1),
				invited: c.of(invited, "democrat", 1), over: c.of(over, "democrat", 0)}
			last := old[over]
			if way == "operator" {
				if _, err := c.adj.StartAddressChange(t.Context(), played[0], 0, address("new")); err != nil {
					t.Fatal(err)
				}
				c.deliver()
				wants(t, c.last("democrat").Text, "This applies to all your matches.")
				c.due(3 * day)
			} else {
				c.receive(c.reply(old[played[0]], "democrat", "ADDRESS new@players.test"))
				notice, question := c.notice("democrat"), c.last("new")
				wants(t, notice.Text, "This applies to all your matches.")
				wants(t, question.Text, "A player of match "+played[0], "This applies to all matches of the player.")
				c.reopen()
				switch way {
				case "new, old":
					c.receive(c.reply(question, "new", "YES"))
					c.receive(c.reply(notice, "democrat", "YES"))
				case "old, new":
					c.receive(c.reply(notice, "democrat", "YES"))
					c.receive(c.reply(question, "new", "YES"))
				case "three days":
					c.receive(c.reply(question, "new", "YES"))
					if n := c.due(3 * day); n != 1 {
						t.Errorf("%d things were done", n)
					}
				}
			}
			if n := c.due(day); n != 0 {
				t.Errorf("%d things were done twice", n)
			}
			for name, n := range had {
				if c.got(name) != n {
					t.Errorf("%s was told", name)
				}
			}
			wants(t, c.last("democrat").Text, "This is the last letter to this address", "This applies to all your matches.")
			for id, seats := range map[string][]rules.Seat{played[0]: {0}, played[1]: {1}, invited: {0, 1}} {
				for _, seat := range seats {
					l := c.of(id, "new", seat)
					wants(t, l.Text, "From now on your letters come to this address")
					n := c.got("new")
					c.receive(c.reply(l, "new", "STATUS"))
					if c.got("new") != n+1 {
						t.Errorf("seat %d of match %s cannot be answered for", seat, id)
					}
				}
			}
			// What the one before has had is good for nothing, from the old address or the new.
			moved := c.got("new")
			for id, l := range old {
				n := c.total()
				c.receive(c.reply(l, "democrat", "FORMAT TEXT"))
				if id != over {
					c.receive(c.reply(l, "new", "FORMAT TEXT"))
				}
				for _, s := range c.stored(id).Seats {
					if s.Format != "" {
						t.Errorf("a letter of match %s from before still counts", id)
					}
				}
				if c.total() > n+1 { // a registered address is told that it wrote nothing of use
					t.Errorf("letters of match %s from before are answered", id)
				}
			}
			// Of a match that is over the next letter has the new token.
			if c.got("new") > moved+4 { // It is told that it wrote nothing of use, and that another wrote from the old one.
				t.Errorf("the new address has %d letters more", c.got("new")-moved)
			}
			c.receive(c.reply(last, "new", "STATUS"))
			wants(t, c.of(over, "new", 0).Text, "Our reply address for you has changed")
			n := c.got("new")
			c.receive(c.reply(last, "new", "STATUS"))
			if c.got("new") > n+1 || !c.stored(over).Seats[0].Joined {
				t.Error("the old token of a match that is over stays good")
			}
		})
	}
}

// TestPlayerObjects: whoever has a letter of one match, and asks in its player's name, is
// stopped by the player with a letter of any other.
func TestPlayerObjects(t *testing.T) {
	t.Parallel()
	c, played, _, _ := regular(t)
	leaked, mine := c.of(played[0], "democrat", 0), c.of(played[1], "democrat", 1)
	c.receive(c.reply(leaked, "democrat", "ADDRESS mallory@players.test"))
	question := c.last("mallory")
	c.receive(c.reply(question, "mallory", "YES"))
	c.due(2 * day)
	// He cannot ask twice by another match, nor answer by it.
	c.receive(c.reply(mine, "democrat", "ADDRESS mallory2@players.test"))
	wants(t, c.last("democrat").Text, "A change of address is asked for already")
	c.receive(c.reply(c.last("democrat"), "democrat", "ADDRESS KEEP"))
	wants(t, c.last("democrat").Text, "is cancelled. Your letters go to democrat@players.test.")
	off := c.last("mallory")
	wants(t, off.Text, "requested in match "+played[0]+" is cancelled")
	if strings.Contains(off.Subject+off.Text, played[1]) {
		t.Error("who was asked through one match is told the name of another")
	}
	c.receive(c.reply(question, "mallory", "YES"))
	if n := c.due(8 * day); n != 0 || c.at(played[0]) != address("democrat") {
		t.Errorf("%d things were done, the letters go to %s", n, c.at(played[0]))
	}
	if due, err := c.db.DueMatches(t.Context(), c.now, 10); err != nil || len(due) > 0 {
		t.Errorf("due are %v, %v", due, err)
	}
}

// TestPlayerTogether: letters of two matches at the same time change the one player one
// after the other, and none of them goes astray.
func TestPlayerTogether(t *testing.T) {
	t.Parallel()
	c, played, _, _ := regular(t)
	together(t, c, []message.Draft{
		c.reply(c.of(played[0], "democrat", 0), "democrat", "ADDRESS new@players.test"),
		c.reply(c.of(played[1], "democrat", 1), "democrat", "ADDRESS new@players.test"),
	})
	if player := c.stored(played[0]).Seats[0].Player; player.Serial != 1 || player.Request == nil || c.got("new") != 1 {
		t.Fatalf("the player is %+v", player)
	}
	id := c.stored(played[0]).Seats[0].Player.Request.Match
	c.receive(c.reply(c.notice("democrat"), "democrat", "YES"))
	yes, seat := c.last("new"), map[string]rules.Seat{played[0]: 0, played[1]: 1}
	var letters []message.Draft
	for at, s := range seat {
		letters = append(letters, c.reply(c.of(at, "democrat", s), "democrat", "STATUS"))
	}
	together(t, c, append(letters, c.reply(yes, "new", "YES")))
	for at, s := range seat {
		m := c.stored(at)
		if m.Seats[s].Player.Address != address("new") {
			t.Errorf("match %s: the letters go to %s", at, m.Seats[s].Player.Address)
		}
		want := c.codec.ReplyTo(c.codec.Token(m.Seats[s].Key, exchange.Token{Match: at, Seat: s, Number: m.Seats[s].LastLetter}))
		if got := c.of(at, "new", s).ReplyTo[0]; got != want {
			t.Errorf("match %s (asked through %s): the newest letter is to be answered to %s, and only %s is good", at, id, got, want)
		}
	}
}

// TestPlayerBroken: a match that cannot be read keeps no other from following its player,
// and its own letters go to the new address when it is mended.
func TestPlayerBroken(t *testing.T) {
	t.Parallel()
	c, played, _, _ := regular(t)
	m := c.stored(played[1])
	whole := m.Position
	m.Position = []byte(`{"broken":true}`)
	if err := c.db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.adj.StartAddressChange(t.Context(), played[0], 0, address("new")); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	if n := c.due(3 * day); n != 1 {
		t.Errorf("%d things were done", n)
	}
	m = c.stored(played[1])
	if s := m.Seats[1]; s.Player.Address != address("new") || !s.KeyExposed {
		t.Errorf("the seat is %+v", s)
	}
	m.Position = whole
	if err := c.db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.adj.Resend(t.Context(), played[1], 1); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.receive(c.reply(c.of(played[1], "new", 1), "new", "STATUS"))
	wants(t, c.last("new").Text, "STATUS: done")
}
