package adjudicator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	smail "samizdat/mail"
)

// TestObserverBounces: an observer whose address does not work observes no longer;
// who does not have his letter cannot say so.
func TestObserverBounces(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	c.watches("ann", id)
	watching := func() int {
		m, err := c.db.Match(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return len(m.Observers)
	}
	report := func(replyTo, status string) {
		raw := strings.ReplaceAll("From: MAILER-DAEMON@mx.test\nTo: referee@club.test\nSubject: Undelivered\nAuto-Submitted: auto-replied\nMIME-Version: 1.0\n"+
			"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\nContent-Type: text/plain\n\nNo.\n--b\n"+
			"Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; ann@players.test\nAction: failed\nStatus: "+status+"\n\n--b\n"+
			"Content-Type: text/rfc822-headers\n\nReply-To: "+replyTo+"\nMessage-ID: <"+id+"-o1-1@club.test>\n\n--b--\n", "\n", "\r\n")
		if f, err := c.handler().Handle(t.Context(), smail.Received{Raw: []byte(raw), Arrived: c.now}); err != nil || f != smail.Ignored {
			t.Errorf("a report is filed in %s, %v", f, err)
		}
	}
	good := c.last("ann").ReplyTo[0]
	at := strings.LastIndexByte(good, '@')
	for name, r := range map[string][2]string{
		"a full mailbox": {good, "4.2.2"}, "no token": {"referee@club.test", "5.1.1"}, "a guess": {good[:at-16] + "aaaaaaaaaaaaaaaa" + good[at:], "5.1.1"},
	} {
		if report(r[0], r[1]); watching() != 1 {
			t.Fatalf("%s ends it", name)
		}
	}
	if report(good, "5.1.1"); watching() != 0 {
		t.Error("who cannot be reached is still written to")
	}
	report(good, "5.1.1")
}

// TestObserveNeedsYes: nobody is made to observe by a forged letter, and a forger
// learns nothing.
func TestObserveNeedsYes(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	closed := c.inviteObserved(match.ObserverPolicy{}, "1989", []record.Outcome{}, "iris", "jan")
	if text := c.last("iris").Text; strings.Contains(text, "watch") || strings.Contains(text, "OBSERVE") {
		t.Errorf("an invitation to a closed match speaks of observers:\n%s", text)
	}
	// The first letter is the same for every match, real or not.
	var texts []string
	for i, m := range []string{id, closed, "mnosuch2"} {
		name := fmt.Sprintf("who%d", i)
		c.receive(c.toReferee(name, "OBSERVE "+m))
		texts = append(texts, strings.ReplaceAll(c.last(name).Text, m, "(match)"))
	}
	if texts[0] != texts[1] || texts[1] != texts[2] {
		t.Errorf("the first letters differ:\n%q", texts)
	}
	// So is the answer where nothing can be observed.
	one := strings.ReplaceAll(c.sends("who1", "YES").Text, closed, "(match)")
	two := strings.ReplaceAll(c.sends("who2", "YES").Text, "mnosuch2", "(match)")
	if one != two {
		t.Errorf("the answers differ:\n%s\n%s", one, two)
	}
	golden(t, "observe/unwatchable.txt", two)
	// An address is asked once a day, whatever match.
	had := c.got("who0")
	for _, m := range []string{id, "mother22", id} {
		c.receive(c.toReferee("who0", "OBSERVE "+m))
	}
	if c.got("who0") != had {
		t.Error("an address is asked twice a day")
	}
	// The answer has to come from the address that was asked, and has to say yes.
	forged := c.letter("who0", "YES")
	forged.From = address("mallory")
	if f := c.receive(forged); f != smail.Ignored || c.got("mallory") != 0 {
		t.Errorf("a forged YES is filed in %s", f)
	}
	golden(t, "observe/no-yes.txt", c.sends("who0", "I am on holiday until Monday.").Text)
	c.receive(c.letter("who0", "Still on holiday."))
	if m, err := c.db.Match(t.Context(), id); err != nil || len(m.Observers) != 0 || c.got("who0") != had+1 {
		t.Errorf("%v watch, %v; %d letters", m.Observers, err, c.got("who0")-had)
	}
	yes, again := c.letter("who0", "YES"), c.letter("who0", "YES")
	c.receive(yes)
	c.reopen()
	c.receive(yes)
	c.receive(again)
	m, err := c.db.Match(t.Context(), id)
	if err != nil || len(m.Observers) != 1 || c.got("who0") != had+2 {
		t.Errorf("%v watch, %v; %d letters", m.Observers, err, c.got("who0")-had)
	}
	// Whoever was mistaken in the name need not wait for tomorrow.
	if c.sends("who1", "OBSERVE "+id); !strings.Contains(c.last("who1").Subject, id) {
		t.Errorf("not told of the match: %s", c.last("who1").Subject)
	}
	c.now = c.now.Add(24 * time.Hour)
	c.receive(c.toReferee("who0", "OBSERVE "+id))
	if text := c.sends("who0", "YES").Text; !strings.Contains(text, "already") {
		t.Errorf("who watches is let in again:\n%s", text)
	}
	c.receive(c.toReferee("who3", "OBSERVE "+id))
	late := c.letter("who3", "YES")
	c.now = c.now.Add(10 * 24 * time.Hour)
	if f := c.receive(late); f != smail.Ignored {
		t.Errorf("an old question is answered, and filed in %s", f)
	}
	// A player knows everything already.
	c.receive(c.toReferee("democrat", "OBSERVE "+id))
	if text := c.sends("democrat", "YES").Text; !strings.Contains(text, "You play in match") {
		t.Errorf("a player is let in:\n%s", text)
	}
}

// TestObserversAreMany: as many as may observe do, and all get the same.
func TestObserversAreMany(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	id := c.inviteObserved(openly, "orchards", nil, orchards...)
	for i := range 50 {
		c.watches(fmt.Sprintf("w%d", i), id)
	}
	c.receive(c.toReferee("late", "OBSERVE "+id))
	if text := c.sends("late", "YES").Text; !strings.Contains(text, "too many observers") {
		t.Errorf("one too many is let in:\n%s", text)
	}
	c.joinAll(orchards...)
	for i := range 50 {
		if a, b := c.last("w0").Text, c.last(fmt.Sprintf("w%d", i)).Text; a != b {
			t.Fatalf("observer %d got another letter:\n%s", i, cmp.Diff(a, b))
		}
	}
	// Whoever forges senders does not make us write to the world.
	for i := range 151 {
		c.receive(c.toReferee(fmt.Sprintf("x%d", i), "OBSERVE "+id))
	}
	if c.got("x148") != 1 || c.got("x149") != 0 {
		t.Errorf("x148 is asked %d times, x149 %d times", c.got("x148"), c.got("x149"))
	}
	c.sends("w7", "UNOBSERVE")
	c.now = c.now.Add(24 * time.Hour)
	c.watches("late", id)
	if !strings.Contains(c.last("late").MessageID, "-o51-1-") {
		t.Errorf("a number was given twice: %s", c.last("late").MessageID)
	}
}

// TestObserverCrash: a letter to subscribe or to leave is taken up whole or not at
// all.
func TestObserverCrash(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	f := &failing{}
	c.store = func(s exchange.Store) exchange.Store { f.Store = s; return f }
	c.reopen()
	c.receive(c.toReferee("ann", "OBSERVE "+id))
	for i, text := range []string{"YES", "UNOBSERVE"} {
		for _, after := range []bool{false, true} {
			m := c.letter("ann", text)
			had := c.got("ann")
			f.before, f.after = !after, after
			if _, err := c.try(m); err == nil {
				t.Fatal("the store did not fail")
			}
			f.before, f.after = false, false
			c.reopen()
			if !after {
				if c.deliver(); c.got("ann") != had {
					t.Error("a letter came of what was not stored")
				}
				continue
			}
			c.receive(m)
			if n := c.got("ann") - had; n != 1 {
				t.Errorf("%s: %d letters, want 1", text, n)
			}
			if got, err := c.db.Match(t.Context(), id); err != nil || len(got.Observers) != 1-i {
				t.Errorf("%s: %d watch, %v", text, len(got.Observers), err)
			}
		}
	}
}

// TestObserverOddAddress: a sender whom nothing can be addressed to stops nothing.
func TestObserverOddAddress(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	incoming := exchange.Letter{Sender: exchange.Sender{From: "a..b@players.test"}, Header: exchange.Header{MessageID: "1@x"}, DecodedText: exchange.DecodedText{Text: "OBSERVE " + id}, Delivery: exchange.Delivery{Raw: []byte("x"), ArrivedAt: c.now}}
	if disposition, err := c.adj.Receive(t.Context(), incoming); err != nil || disposition != exchange.DispositionIgnored {
		t.Errorf("%s, %v", disposition, err)
	}
}

// TestObserveOneMailbox: addresses that differ behind a plus are one: they are asked once a day, watch a match once,
// and not where their reader plays.
func TestObserveOneMailbox(t *testing.T) {
	t.Parallel()
	c, id := watched(t, openly, taskNone)
	had := c.total()
	for i := range 5 {
		c.receive(c.toReferee(fmt.Sprint("ann+", i), "OBSERVE "+id))
	}
	if n := c.total() - had; n != 1 {
		t.Errorf("a mailbox was asked %d times on a day", n)
	}
	c.sends("ann+0", "YES")
	c.now = c.now.Add(24 * time.Hour)
	c.receive(c.toReferee("ann+7", "OBSERVE "+id))
	wants(t, c.sends("ann+7", "YES").Text, "already")
	c.receive(c.toReferee("democrat+x", "OBSERVE "+id))
	wants(t, c.sends("democrat+x", "YES").Text, "You play")
	if m := c.stored(id); len(m.Observers) != 1 {
		t.Errorf("they watch: %v", m.Observers)
	}
}
