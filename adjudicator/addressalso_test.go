package adjudicator_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"samizdat/mail"
	"samizdat/mail/message"
)

// from answers a seat's newest letter of its match from another address, such as eve@work.test.
func (c *club) from(name, seat, text string) message.Draft {
	c.t.Helper()
	m := c.reply(c.lastOfMatch(seat), name, text)
	return m
}

// TestAddressAlso: orders count from a second address when both have said YES, letters go to the first, and ADDRESS
// ONLY ends it.
func TestAddressAlso(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	key := c.seat(id, "communist").Key
	a, n := c.asks("communist", "ADDRESS ALSO Work@players.test")
	wants(t, a.Text, "When both answer YES, you can also send orders from work@players.test at once")
	golden(t, "addresses/also-notice.txt", n.Subject+"\n\n"+n.Text)
	q := c.last("work")
	golden(t, "addresses/also-question.txt", q.Subject+"\n\n"+q.Text)
	counts := func() bool {
		had := c.letters("communist")
		f := c.receive(c.from("work", "communist", "STATUS"))
		return f == mail.Done && c.letters("communist") == had+1 && strings.Contains(c.last("communist").Text, "STATUS: done")
	}
	for i, before := range []message.Draft{c.reply(q, "mallory", "YES"), c.reply(n, "work", "YES"), c.reply(q, "communist", "YES")} {
		if c.receive(before); counts() || len(c.seat(id, "communist").Player.OtherAddresses) > 0 {
			t.Fatalf("after a forged YES %d orders count from there", i)
		}
	}
	c.receive(c.reply(q, "work", "YES"))
	golden(t, "addresses/also-waits.txt", c.last("work").Subject+"\n\n"+c.last("work").Text)
	if counts() {
		t.Fatal("orders count from there before the first address has said YES")
	}
	had := c.got("work")
	c.receive(c.reply(n, "communist", "YES"))
	wants(t, c.last("communist").Text, "YES: done You can now also send orders from work@players.test, in all your matches.")
	golden(t, "addresses/also-added.txt", c.last("work").Subject+"\n\n"+c.last("work").Text)
	if c.got("work") != had+1 || !counts() || c.got("work") != had+1 {
		t.Errorf("%d letters went there; orders count: %v", c.got("work")-had, counts())
	}
	if seatState := c.seat(id, "communist"); seatState.Player.Address != address("communist") || !bytes.Equal(seatState.Key, key) {
		t.Errorf("the seat is %+v", seatState)
	}
	// An order from there is one, and a letter of another's is none.
	before := c.export(id, true)
	c.receive(c.from("mallory", "communist", "place misk, debr"))
	if !bytes.Equal(before, c.export(id, true)) {
		t.Fatal("another's order counts")
	}
	c.now = c.now.Add(24 * time.Hour)
	c.receive(c.from("work", "communist", "place misk, debr"))
	if bytes.Equal(before, c.export(id, true)) {
		t.Fatalf("an order from the second address does not count:\n%s", c.last("communist").Text)
	}
	c.reopen()
	wants(t, c.sends("communist", "ADDRESS").Text, "Your letters go to communist@players.test. You can also send orders from work@players.test; ADDRESS ONLY ends that.")
	wants(t, c.sends("communist", "ADDRESS ALSO work@players.test").Text, "That address is registered already.")
	wants(t, c.sends("communist", "ADDRESS ONLY").Text, "ADDRESS ONLY: done You have one address.")
	if counts() {
		t.Error("orders count from there after ADDRESS ONLY")
	}
}

// TestAddressAlsoProven: where letters prove who wrote them, a second address does not speak for the first: whoever has
// lost one address to a thief loses no seat.
func TestAddressAlsoProven(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.codec.Proof = func(context.Context, []byte, message.Letter) (bool, error) { return true, nil }
	c.receive(c.letter("communist", "ADDRESS ALSO work@players.test"))
	c.receive(c.reply(c.last("work"), "work", "YES"))
	if player := c.seat(id, "communist").Player; len(player.OtherAddresses) != 1 {
		t.Fatalf("the player is %+v", player)
	}
	c.receive(c.from("work", "communist", "ADDRESS mallory@players.test"))
	if player := c.seat(id, "communist").Player; player.Request == nil || player.Request.OldAddressAgreed {
		t.Errorf("the second address speaks for the first: %+v", player.Request)
	}
	c.receive(c.reply(c.last("mallory"), "mallory", "YES"))
	if player := c.seat(id, "communist").Player; player.Address != address("communist") || player.Due().IsZero() {
		t.Errorf("the player is %+v", player)
	}
	// The first objects.
	wants(t, c.sends("communist", "ADDRESS KEEP").Text, "is cancelled")
}

// TestAddressAlsoElapses: the first address that says nothing for three days lets it happen, as with a change; moving to
// the second leaves one.
func TestAddressAlsoElapses(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.asks("communist", "ADDRESS ALSO work@players.test")
	c.receive(c.reply(c.last("work"), "work", "YES"))
	c.due(4 * 24 * time.Hour)
	wants(t, c.last("communist").Text, "You can now also send orders from work@players.test, in all your matches.")
	if player := c.seat(id, "communist").Player; len(player.OtherAddresses) != 1 || player.Address != address("communist") {
		t.Fatalf("the player is %+v", player)
	}
	_, n := c.asks("communist", "ADDRESS work@players.test")
	c.receive(c.reply(n, "communist", "YES"))
	c.receive(c.reply(c.last("work"), "work", "YES"))
	if player := c.seat(id, "work").Player; len(player.OtherAddresses) != 0 || player.Address != address("work") {
		t.Errorf("the player is %+v", player)
	}
}
