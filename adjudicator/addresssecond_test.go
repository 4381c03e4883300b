package adjudicator_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/mail"
	"samizdat/mail/message"
)

// returns is a mail server's report that a letter did not arrive.
func (c *club) returns(t *testing.T, l message.Letter, hard bool) {
	t.Helper()
	status, action := "4.4.1", "delayed"
	if hard {
		status, action = "5.1.1", "failed"
	}
	raw := strings.ReplaceAll("Return-Path: <>\nFrom: MAILER-DAEMON@mx.test\nTo: "+c.office.Address+"\nAuto-Submitted: auto-replied\n"+
		"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\n"+
		"Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; x@players.test\nAction: "+action+"\nStatus: "+status+
		"\nDiagnostic-Code: smtp; the reason\n\n--b\nContent-Type: message/rfc822\n\nFrom: "+c.office.Address+"\nReply-To: "+l.ReplyTo[0]+
		"\nMessage-ID: <"+l.MessageID+">\n\nx\n--b--\n", "\n", "\r\n")
	c.uid++
	c.now = c.now.Add(time.Minute)
	if f, err := c.clerk().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: c.uid, Raw: []byte(raw), Arrived: c.now}); f != mail.Ignored || err != nil {
		t.Fatalf("a report is filed in %s, %v", f, err)
	}
	c.deliver()
}

// secondClub is a match whose Democrat has a second address.
func secondClub(t *testing.T) (*club, string) {
	t.Helper()
	c, id := sampleClub(t)
	a, n := c.asks("democrat", "ADDRESS ALSO second@players.test")
	wants(t, a.Text, "your orders count from second@players.test too")
	golden(t, "addresses/second-notice.txt", n.Text)
	c.receive(c.reply(n, "democrat", "YES"))
	golden(t, "addresses/second-question.txt", c.last("second").Text)
	c.receive(c.letter("second", "YES"))
	golden(t, "addresses/second.txt", cutMap(c.last("democrat").Text))
	golden(t, "addresses/second-told.txt", c.last("second").Subject+"\n\n"+c.last("second").Text)
	return c, id
}

// fromSecond is a letter of the Democrat, written at the second address in reply to
// a letter of the first.
func (c *club) fromSecond(text string) message.Draft {
	m := c.letter("democrat", text)
	m.From = address("second")
	return m
}

// TestSecondAddress: orders count from both addresses, letters go to the first, and
// to the second when they come back.
func TestSecondAddress(t *testing.T) {
	t.Parallel()
	c, id := secondClub(t)
	rival := c.letters("communist")
	key := c.seat(id, "democrat").Key
	had, second := c.letters("democrat"), c.got("second")
	c.receive(c.fromSecond("STATUS"))
	if c.letters("democrat") != had+1 || c.got("second") != second {
		t.Fatal("the answer did not go to the first address, or not alone")
	}
	lost := c.last("democrat")
	c.reopen()
	c.returns(t, lost, true)
	if !c.seat(id, "democrat").Addresses.Astray || c.got("second") != second+1 {
		t.Fatalf("a letter came back; the second address got %d letters", c.got("second")-second)
	}
	golden(t, "addresses/astray.txt", cutMap(c.last("second").Text))
	had = c.letters("democrat")
	c.returns(t, lost, true) // once more
	c.returns(t, c.mailbox[address("democrat")][0], true)
	wants(t, c.sends("second", "STATUS").Text, "STATUS: done")
	wants(t, c.sends("second", "ADDRESS").Text, "Letters to democrat@players.test did not arrive")
	if c.letters("democrat") != had {
		t.Error("the first address is told more")
	}
	// The first address is heard of again.
	wants(t, c.sends("democrat", "STATUS").Text, "You have written from democrat@players.test, so your letters go there again.")
	c.returns(t, lost, true)
	if s := c.seat(id, "democrat"); s.Addresses.Astray || !bytes.Equal(s.Key, key) {
		t.Errorf("an old report counts: %+v", s.Addresses)
	}
	second = c.got("second")
	wants(t, c.sends("democrat", "ADDRESS ONLY").Text, "second@players.test is dropped. Your letters go to democrat@players.test.")
	if c.got("second") != second+1 {
		t.Error("the second address is not told that it is dropped")
	}
	golden(t, "addresses/dropped.txt", c.last("second").Text)
	before := c.export(id, true)
	had = c.total()
	if f := c.receive(c.fromSecond("STATUS")); f == mail.Done || c.total() != had || !bytes.Equal(before, c.export(id, true)) {
		t.Errorf("a letter from an address that was dropped is filed in %s", f)
	}
	if c.letters("communist") != rival {
		t.Error("the other player was told")
	}
}

// TestSoftBounces: five letters that may still arrive within a week make the second
// address the one; four do not, nor do five in two weeks.
func TestSoftBounces(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		n      int
		apart  time.Duration
		astray bool
	}{{4, time.Hour, false}, {5, time.Hour, true}, {5, 3 * 24 * time.Hour, false}} {
		t.Run(fmt.Sprint(tt.n, tt.apart), func(t *testing.T) {
			t.Parallel()
			c, id := secondClub(t)
			for range tt.n {
				c.returns(t, c.sends("democrat", "STATUS"), false)
				c.now = c.now.Add(tt.apart)
			}
			if got := c.seat(id, "democrat").Addresses.Astray; got != tt.astray {
				t.Errorf("astray %v, want %v", got, tt.astray)
			}
		})
	}
}

// TestMoveWithSecond: whoever moves keeps the second address, and moving to it leaves
// one.
func TestMoveWithSecond(t *testing.T) {
	t.Parallel()
	for to, second := range map[string]string{"new": "second@players.test", "second": ""} {
		c, id := secondClub(t)
		c.receive(c.fromSecond("ADDRESS " + address(to)))
		if to == "new" {
			// Both of his addresses are asked, and either may say so.
			c.notice("democrat")
			n := c.notice("second")
			golden(t, "addresses/second-asked.txt", cutMap(c.last("democrat").Text)+n.Text)
			c.receive(c.reply(n, "second", "YES"))
		}
		c.receive(c.letter(to, "YES"))
		m, err := c.db.Match(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if s := m.Seats[0]; s.Address != address(to) || s.Addresses.Second != second {
			t.Errorf("to %s: %s, %q", to, s.Address, s.Addresses.Second)
		}
		wants(t, c.sends(to, "STATUS").Text, "STATUS: done")
	}
}
