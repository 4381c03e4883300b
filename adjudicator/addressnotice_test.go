package adjudicator_test

import (
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/contact"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// TestAddressAskedBefore: a request that was stored when nobody was told of it goes on
// with three days of notice.
func TestAddressAskedBefore(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.asks("democrat", "ADDRESS new@players.test")
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r := *m.Seats[0].Player.Request
	m.Seats[0].Player.Request = &contact.Request{To: r.To, Origin: r.Origin, Serial: r.Serial, RequestedAt: r.RequestedAt}
	if err := c.db.Apply(t.Context(), exchange.Change{Player: m.Seats[0].Player}); err != nil {
		t.Fatal(err)
	}
	c.due(5 * day)
	wants(t, c.sends("democrat", "ADDRESS").Text, "We have asked new@players.test and are waiting for an answer; ADDRESS KEEP cancels this.")
	c.receive(c.letter("new", "YES"))
	notice := c.notice("democrat")
	wants(t, notice.Text, "but not before 12 June 1989")
	c.due(3*day - time.Hour)
	if c.at(id) != "democrat@players.test" {
		t.Error("it has happened without notice")
	}
	c.due(time.Hour)
	if c.at(id) != "new@players.test" {
		t.Error("it has not happened")
	}
}

// TestNoticeNotSent: three days count from when the notice went out; one that comes back
// makes nothing quicker.
func TestNoticeNotSent(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.uid++
	if _, err := c.try(c.letter("democrat", "ADDRESS new@players.test")); err != nil {
		t.Fatal(err)
	}
	// The server of the old address takes nothing for two days.
	c.only(address("new"))
	c.receiveOnly(c.letter("new", "YES"), address("new"))
	c.now = c.now.Add(2 * day)
	c.deliver()
	c.due(day)
	if c.at(id) != "democrat@players.test" {
		t.Fatal("the notice was there for a day only")
	}
	c.returns(t, c.notice("democrat"), true)
	c.due(day)
	if c.at(id) != "democrat@players.test" {
		t.Fatal("a notice that came back makes it quicker")
	}
	c.due(day)
	if c.at(id) != "new@players.test" {
		t.Error("it has not happened")
	}
}

// only delivers the letters to an address.
func (c *club) only(to string) {
	c.t.Helper()
	box := c.box()
	out, err := box.Due(c.t.Context(), c.now.Add(time.Hour), 1000)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, o := range out {
		if o.To != to {
			continue
		}
		c.mailbox[o.To] = append(c.mailbox[o.To], message.Read(o.Raw))
		if err := box.MarkSent(c.t.Context(), []int64{o.ID}, c.now); err != nil {
			c.t.Fatal(err)
		}
	}
}

// receiveOnly takes a message in and delivers what it leads to for one address.
func (c *club) receiveOnly(m message.Draft, to string) {
	c.t.Helper()
	if _, err := c.try(m); err != nil {
		c.t.Fatal(err)
	}
	c.only(to)
}

// TestOperatorNotified: the operator's request counts from its notice as well.
func TestOperatorNotified(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	if _, err := c.adj.StartAddressChange(t.Context(), id, rules.Seat(0), "new@players.test"); err != nil {
		t.Fatal(err)
	}
	c.now = c.now.Add(2 * day)
	c.deliver()
	notice := c.last("democrat")
	// There is no quicker way.
	wants(t, c.sends("democrat", "ADDRESS YES").Text, "From 7 June 1989, 09:02 UTC, your letters go to new@players.test; ADDRESS KEEP prevents that.")
	c.due(2 * day)
	if c.at(id) != "democrat@players.test" {
		t.Error("it has happened too early")
	}
	c.due(day)
	if c.at(id) != "new@players.test" {
		t.Errorf("it has not happened; the notice was\n%s", notice.Text)
	}
}

// TestNoticeLate: a new address that was told when it counts hears of it when that is
// later, since the notice went out late.
func TestNoticeLate(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.uid++
	if _, err := c.try(c.letter("democrat", "ADDRESS new@players.test")); err != nil {
		t.Fatal(err)
	}
	c.only(address("new"))
	c.receiveOnly(c.letter("new", "YES"), address("new"))
	wants(t, c.last("new").Text, "Letters about match "+id+" will come to this address from 7 June 1989, 09:04 UTC")
	c.now = c.now.Add(2 * day)
	c.deliver()
	had := c.got("new")
	c.due(2 * day)
	if c.got("new") != had+1 {
		t.Fatalf("it got %d letters", c.got("new")-had)
	}
	l := c.last("new")
	narrow(t, l.Text)
	golden(t, "addresses/later.txt", l.Subject+"\n\n"+l.Text)
	c.due(day - time.Minute)
	if c.at(id) != "democrat@players.test" || c.got("new") != had+1 {
		t.Errorf("the letters go to %s", c.at(id))
	}
	c.due(time.Minute)
	if c.at(id) != "new@players.test" {
		t.Error("it has not happened")
	}
}

// unmailable is a post that can make no short letter for an address.
type unmailable struct {
	exchange.Codec
	to string
}

func (p unmailable) Render(outgoing exchange.OutgoingLetter) (exchange.RenderedMessage, error) {
	if outgoing.To == p.to && outgoing.Seat == rules.NoSeat {
		return exchange.RenderedMessage{}, errors.New("no letter can be made")
	}
	return p.Codec.Render(outgoing)
}

// without lets no letter be made for an address, as from a restart on.
func (c *club) without(to string) {
	c.adj = adjudicator.New(adjudicator.Config{
		ReplyConfig: conversation.ReplyConfig{Store: c.db, Codec: unmailable{c.codec, to}, Now: func() time.Time { return c.now }, Log: slog.New(slog.DiscardHandler)},
		Games:       c.games, Random: c.rand})
}

// TestNoticeNotMade: three days of notice do not begin when no notice can be made.
func TestNoticeNotMade(t *testing.T) {
	t.Parallel()
	t.Run("asked", func(t *testing.T) {
		t.Parallel()
		c, id := sampleClub(t)
		c.without(address("democrat"))
		c.receive(c.letter("democrat", "ADDRESS new@players.test"))
		wants(t, c.last("democrat").Text, ": refused", "No letter can be sent to your present address")
		if x := c.seat(id, "democrat").Player; x.Request != nil || c.got("new") != 0 {
			t.Errorf("the request is %+v", x.Request)
		}
	})
	t.Run("asked before", func(t *testing.T) {
		t.Parallel()
		c, id := sampleClub(t)
		c.asks("democrat", "ADDRESS new@players.test")
		m, err := c.db.Match(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		r := *m.Seats[0].Player.Request
		m.Seats[0].Player.Request = &contact.Request{To: r.To, Origin: r.Origin, Serial: r.Serial, RequestedAt: r.RequestedAt}
		if err := c.db.Apply(t.Context(), exchange.Change{Player: m.Seats[0].Player}); err != nil {
			t.Fatal(err)
		}
		c.without(address("democrat"))
		c.receive(c.letter("new", "YES"))
		c.due(4 * day)
		if request := c.seat(id, "democrat").Player.Request; c.at(id) != "democrat@players.test" || request == nil || request.NewAddressAgreed || !request.NoticeTime.IsZero() {
			t.Errorf("the letters go to %s, the request is %+v", c.at(id), request)
		}
	})
}

// TestAddressNames: what goes into the Message-IDs of short letters cannot be found by
// trial: with another key of ours they are others.
func TestAddressNames(t *testing.T) {
	t.Parallel()
	var got [2][]string
	for i := range got {
		c := newClub(t, dawn1989.Game()) // with a key of its own
		c.match("1989", sampleChance(t, taskNone), dawnSeats...)
		_, notice := c.asks("democrat", "ADDRESS new@players.test")
		c.receive(c.letter("new", "What?"))
		got[i] = append(got[i], notice.MessageID, c.mailbox[address("new")][0].MessageID, c.last("new").MessageID)
		c.receive(message.Draft{From: address("democrat"), To: c.codec.Address, Subject: "Hello", MessageID: "hello@x", Date: c.now, Text: "Hello"})
		got[i] = append(got[i], c.last("democrat").MessageID)
	}
	for i, id := range got[0] {
		if id == got[1][i] || slices.Index(got[0], id) != i {
			t.Errorf("%d: %s and %s", i, id, got[1][i])
		}
	}
}
