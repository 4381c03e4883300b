package adjudicator_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/mail/message"
)

const day = 24 * time.Hour

// take takes the newest letter out of a mailbox.
func (c *club) take(name string) message.Letter {
	c.t.Helper()
	l := c.last(name)
	box := c.mailbox[address(name)]
	c.mailbox[address(name)] = box[:len(box)-1]
	return l
}

// notice takes the letter that asks an address of a player out of its mailbox.
func (c *club) notice(name string) message.Letter {
	c.t.Helper()
	box := c.mailbox[address(name)]
	i := slices.IndexFunc(box, func(l message.Letter) bool {
		return strings.HasPrefix(l.Subject, "Did you ask for a change of address?")
	})
	if i < 0 {
		c.t.Fatalf("%s was not asked", name)
	}
	l := box[i]
	c.mailbox[address(name)] = slices.Delete(slices.Clone(box), i, i+1)
	return l
}

// asks lets a player ask for a change of address without a proof: he gets an answer,
// and is asked in a letter of its own, which is taken out of his mailbox.
func (c *club) asks(seat, text string) (answer, notice message.Letter) {
	c.t.Helper()
	had := c.got(seat)
	c.receive(c.letter(seat, text))
	if got := c.got(seat) - had; got != 2 {
		c.t.Fatalf("%s wrote %q and got %d letters, want 2; the last is\n%s", seat, text, got, c.last(seat).Text)
	}
	notice = c.notice(seat)
	return c.last(seat), notice
}

// reply is an answer to a letter from an address.
func (c *club) reply(l message.Letter, from, text string) message.Draft {
	c.uid++
	return message.Draft{From: address(from), To: l.ReplyTo[0], Subject: "Re: " + l.Subject, MessageID: fmt.Sprintf("%d.%s", c.uid, address(from)),
		InReplyTo: l.MessageID, Date: c.now, Text: text}
}

// at says where the letters of the Democrat go.
func (c *club) at(id string) string {
	c.t.Helper()
	m, err := c.db.Match(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return m.Seats[0].Player.Address
}

// TestAddressWays: what leads to a change and what does not, in whatever order. After
// each step the daemon is started again.
func TestAddressWays(t *testing.T) {
	t.Parallel()
	const stays, moved = "democrat@players.test", "new@players.test"
	for _, tt := range []struct {
		name, steps, want string
	}{
		{"nobody", "7d", stays},
		{"old, new", "old new", moved},
		{"new, old", "new old", moved},
		{"new, then old with the whole order", "new OLD", moved},
		{"new, old after two days", "new 2d old", moved},
		{"the old alone", "old 10d", stays},
		{"the old alone, new too late", "old 8d new", stays},
		{"new too late", "8d new 10d", stays},
		{"new, silence for less than three days", "new 2d 23h", stays},
		{"new, silence for three days", "new 2d 23h 1h", moved},
		{"new late, silence", "2d new 23h 1h", moved},
		{"new after three days of silence", "4d new", moved},
		{"new twice", "new new 2d new 23h", stays},
		{"old twice", "old old 4d", stays},
		{"kept, new", "keep new 10d", stays},
		{"kept with the seat's token, new", "KEEP new 10d", stays},
		{"new, kept", "new keep 10d", stays},
		{"new, kept with the seat's token", "new 2d KEEP 10d", stays},
		{"new, no", "new no 10d", stays},
		{"old, kept, new", "old keep new old 10d", stays},
		{"old, kept with the seat's token, new", "old KEEP new old 10d", stays},
		{"orders in reply to the question", "orders new 2d", stays},
		{"a question about it, with the other player in copy", "new copy old 10d", stays},
		{"yes in reply to a letter of the match", "new seat 2d", stays},
	} {
		t.Run(strings.ReplaceAll(tt.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			c, id := sampleClub(t)
			before, rival := c.export(id, true), c.letters("communist")
			_, notice := c.asks("democrat", "ADDRESS new@players.test")
			question := c.last("new")
			for step := range strings.FieldsSeq(tt.steps) {
				c.reopen()
				was := c.seat(id, "democrat")
				switch step {
				case "old":
					c.receive(c.reply(notice, "democrat", "YES"))
				case "OLD":
					c.receive(c.reply(notice, "democrat", "address yes."))
				case "new":
					c.receive(c.reply(question, "new", "Yes!"))
				case "keep":
					c.receive(c.reply(notice, "democrat", "ADDRESS KEEP"))
					if bytes.Equal(was.Key, c.seat(id, "democrat").Key) {
						t.Error("the token that somebody else may have is as it was")
					}
				case "no":
					c.receive(c.reply(notice, "democrat", "No!\n\nYES is what I did not say."))
				case "KEEP":
					wants(t, c.sends("democrat", "ADDRESS KEEP").Text, "is cancelled. Your letters go to "+stays)
				case "copy":
					m := c.reply(notice, "democrat", "What is this?")
					m.Extra = map[string]string{"Cc": address("communist")}
					c.receive(m)
					wants(t, c.last("democrat").Text, "is cancelled.", "could have said YES in your name")
				case "orders":
					c.receive(c.reply(notice, "democrat", "STATUS\nNEW TOKEN"))
					wants(t, c.take("democrat").Text, "Your letter was not carried out.")
				case "seat":
					wants(t, c.sends("democrat", "ADDRESS YES").Text, "ADDRESS YES: refused That counts only in reply to the letter with the question")
				default:
					pass, err := time.ParseDuration(strings.NewReplacer("10d", "240h", "8d", "192h", "7d", "168h", "4d", "96h", "3d", "72h", "2d", "48h").Replace(step))
					if err != nil {
						t.Fatal(err)
					}
					c.due(pass)
				}
			}
			if got := c.at(id); got != tt.want {
				t.Errorf("the letters go to %s, want %s", got, tt.want)
			}
			if !bytes.Equal(before, c.export(id, true)) || c.letters("communist") != rival {
				t.Error("the match has changed, or the other player was told")
			}
			for _, l := range c.mailbox[address("new")] {
				if tt.want != moved && strings.Contains(l.Text, "The match is waiting for") {
					t.Errorf("the new address was told of the match:\n%s", l.Text)
				}
			}
			// Whatever was, the player plays on, from where he is.
			from := strings.TrimSuffix(tt.want, "@players.test")
			c.mailbox[address(from)] = slicesWith(c.mailbox[address(from)], func(l message.Letter) bool { return strings.Contains(l.Text, "The match is waiting for") })
			wants(t, c.sends(from, "STATUS").Text, "STATUS: done")
		})
	}
}

// TestAddressWaits: a new address that has said YES is told from when on it counts, and
// is told when that is called off. The player can ask.
func TestAddressWaits(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	_, notice := c.asks("democrat", "ADDRESS new@players.test")
	had := c.letters("democrat")
	yes := c.letter("new", "YES")
	c.receive(yes)
	golden(t, "addresses/waits.txt", c.last("new").Subject+"\n\n"+c.last("new").Text)
	narrow(t, c.last("new").Text)
	due := c.seat(id, "democrat").Player.Request.Due
	wants(t, c.sends("democrat", "ADDRESS").Text, "From 7 June 1989, 09:0", "ADDRESS KEEP prevents that.")
	// Once more says the same, and puts nothing off.
	got := c.got("new")
	c.receive(yes)
	again := yes
	again.MessageID, again.Text = "again@x", "Well?"
	c.receive(again)
	if c.got("new") != got+1 || !c.seat(id, "democrat").Player.Request.Due.Equal(due) {
		t.Errorf("%d letters; it is due at %s, was at %s", c.got("new")-got, c.seat(id, "democrat").Player.Request.Due, due)
	}
	if c.letters("democrat") != had+1 {
		t.Error("the old address was written to")
	}
	c.receive(c.reply(notice, "democrat", "KEEP"))
	golden(t, "addresses/kept.txt", cutMap(c.last("democrat").Text))
	wants(t, c.last("new").Text, "is cancelled. Nothing changes.")
}

// TestAddressByItself: when the old address is silent, all are told at the time.
func TestAddressByItself(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	_, notice := c.asks("democrat", "ADDRESS new@players.test")
	c.receive(c.letter("new", "YES"))
	old := c.letter("democrat", "ADDRESS KEEP")
	if n := c.due(3 * day); n != 1 || c.due(day) != 0 {
		t.Errorf("%d things were done", n)
	}
	golden(t, "addresses/by-itself.txt", cutMap(c.last("new").Text))
	wants(t, c.last("democrat").Text, "This is the last letter to this address")
	had := c.total()
	c.receive(old)
	c.receive(c.reply(notice, "democrat", "ADDRESS KEEP"))
	c.receive(c.reply(notice, "democrat", "YES"))
	if c.total() != had || c.at(id) != "new@players.test" {
		t.Error("the old address still counts")
	}
}

// TestAddressStolen: who has seen a token of the match and forges the sender gets no
// seat within three days, whatever he writes; the player is asked, and one word ends
// it and the token.
func TestAddressStolen(t *testing.T) {
	t.Parallel()
	const order = "ADDRESS mallory@players.test"
	c, id := sampleClub(t)
	leaked := c.last("democrat")
	_, other := c.asks("communist", order)
	_, notice := c.asks("democrat", order)
	question := c.last("mallory")
	has := []message.Letter{leaked, question}
	c.receive(c.reply(question, "mallory", "YES"))
	has = append(has, c.last("mallory"))
	for _, l := range has {
		for _, from := range []string{"democrat", "mallory", "communist"} {
			for _, text := range []string{"YES", "ADDRESS YES", "ADDRESS YES\nYES", order} {
				if len(l.ReplyTo) > 0 {
					c.receive(c.reply(l, from, text))
				}
			}
		}
	}
	// The token of another seat's question does not do.
	c.receive(c.reply(other, "democrat", "YES"))
	c.due(2*day + 20*time.Hour)
	if got := c.at(id); got != "democrat@players.test" {
		t.Fatalf("the letters go to %s", got)
	}
	for _, l := range c.mailbox[address("mallory")] {
		if strings.Contains(l.Text, "The match is waiting for") {
			t.Errorf("he was told of the match:\n%s", l.Text)
		}
	}
	c.receive(c.reply(notice, "democrat", "This was not me!\nADDRESS KEEP"))
	c.due(5 * day)
	if got := c.at(id); got != "democrat@players.test" {
		t.Errorf("after KEEP the letters go to %s", got)
	}
	had := c.got("mallory")
	c.receive(c.reply(leaked, "democrat", order))
	if c.seat(id, "democrat").Player.Request != nil || c.got("mallory") != had {
		t.Error("the token that he has seen is still good")
	}
}

// TestAddressProven: a letter that is proven to be the player's asks nobody twice.
func TestAddressProven(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.codec.Proof = message.ServerProof("mx.club.test")
	c.reopen()
	signed := func(m message.Draft) message.Draft {
		m.Extra = map[string]string{"Authentication-Results": "mx.club.test; dkim=pass header.d=players.test"}
		return m
	}
	had := c.letters("democrat")
	c.receive(c.letter("democrat", "ADDRESS new@players.test")) // not signed
	if c.got("new") != 0 || c.letters("democrat") != had+1 {
		t.Error("a letter that is not signed asks")
	}
	c.take("democrat")
	c.receive(signed(c.letter("democrat", "ADDRESS new@players.test")))
	if c.letters("democrat") != had+1 {
		t.Errorf("%d letters to the old address", c.letters("democrat")-had)
	}
	golden(t, "addresses/proven.txt", cutMap(c.last("democrat").Text))
	c.reopen()
	c.receive(c.letter("new", "YES")) // not signed
	if c.at(id) != "democrat@players.test" {
		t.Fatal("a YES that is not signed counts")
	}
	c.take("new")
	c.receive(signed(c.letter("new", "YES")))
	if c.at(id) == "democrat@players.test" {
		t.Error("nothing has changed")
	}
}

// TestAddressTogether: letters at the same time have their effects one after another.
func TestAddressTogether(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	_, notice := c.asks("democrat", "ADDRESS new@players.test")
	had := c.letters("democrat")
	both := []message.Draft{c.reply(notice, "democrat", "YES"), c.letter("new", "YES")}
	together(t, c, slices.Concat(both, both))
	if c.at(id) != "new@players.test" {
		t.Errorf("the letters go to %s", c.at(id))
	}
	last := slicesWith(c.mailbox[address("democrat")][had:], func(l message.Letter) bool {
		return strings.Contains(l.Subject, "Your letters now go to another address")
	})
	if len(last) != 1 {
		t.Errorf("%d last words", len(last))
	}
	// Either he has moved before the objection, or nothing happens at all.
	c, id = sampleClub(t)
	_, notice = c.asks("democrat", "ADDRESS new@players.test")
	c.receive(c.letter("new", "YES"))
	together(t, c, []message.Draft{c.reply(notice, "democrat", "YES"), c.reply(notice, "democrat", "ADDRESS KEEP")})
	if c.seat(id, "democrat").Player.Request != nil {
		t.Error("the request is still open")
	}
}

// TestAddressStepsKilled: whenever the daemon dies over an answer, it counts once.
func TestAddressStepsKilled(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"old", "new", "keep", "due"} {
		for _, after := range []bool{false, true} {
			c, id := sampleClub(t)
			_, notice := c.asks("democrat", "ADDRESS new@players.test")
			question := c.last("new")
			var m message.Draft
			switch step {
			case "old":
				m = c.reply(notice, "democrat", "YES")
			case "new":
				m = c.reply(question, "new", "YES")
			case "keep":
				m = c.reply(notice, "democrat", "ADDRESS KEEP")
			case "due":
				c.receive(c.reply(question, "new", "YES"))
				c.now = c.now.Add(3 * day)
			}
			had := c.total()
			plain := c.store
			c.store = func(s exchange.Store) exchange.Store { return &dying{s, !after, after} }
			c.reopen()
			if step == "due" {
				if n, failed, err := c.adj.RunDueTasks(t.Context(), c.now, nil); n != 0 || len(failed) != 1 || err != nil {
					t.Errorf("%d done, failed: %v; %v", n, failed, err)
				}
			} else if _, err := c.try(m); err == nil {
				t.Fatal("the store did not fail")
			}
			c.store = plain
			c.reopen()
			if step == "due" {
				c.due(0)
			} else {
				c.receive(m)
				c.receive(m)
			}
			if want := map[string]int{"due": 2}[step]; c.total() != had+max(want, 1) {
				t.Errorf("%s, after %v: %d letters", step, after, c.total()-had)
			}
			request := c.seat(id, "democrat").Player.Request
			if open := step == "old" || step == "new"; open != (request != nil) || open && (request.OldAddressAgreed != (step == "old") || request.NewAddressAgreed != (step == "new")) {
				t.Errorf("%s, after %v: %+v", step, after, request)
			}
		}
	}
}
