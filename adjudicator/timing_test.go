package adjudicator_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match/record"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
)

// due lets some time pass, lets everything happen that is due by then, and delivers
// the letters. It returns how much was done. More than a hundred days are a leap of the
// clock, less are looked through.
func (c *club) due(pass time.Duration) int {
	c.t.Helper()
	n := 0
	for {
		step := pass
		if pass < 100*24*time.Hour {
			step = min(pass, 12*time.Hour)
		}
		c.now, pass = c.now.Add(step), pass-step
		did, failed, err := c.adj.RunDueTasks(c.t.Context(), c.now, nil)
		if err != nil || len(failed) > 0 {
			c.t.Fatal(failed, err)
		}
		if n += did; pass <= 0 {
			break
		}
	}
	c.deliver()
	return n
}

// letters counts what a seat has got.
func (c *club) letters(seat string) int { return len(c.mailbox[address(seat)]) }

// TestGrace: orders are held back, told to nobody, shown, replaced, dropped, and
// carried out once when they are due, also by a daemon that was started since.
func TestGrace(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	wants(t, c.sends("communist", "GRACE").Text, "GRACE: done Your orders are carried out as soon as they arrive.")
	wants(t, c.sends("communist", "grace: 2 hours.").Text, "Your orders wait for 2 hours before they are carried out.")
	had, was := c.letters("democrat"), c.export(id, true)
	a := c.sends("communist", "Good luck!\nplace misk, debr\nHAND")
	wants(t, a.Text, "place misk, debr: saved It was read as PLACE Miskolc, Debrecen.", `"Good luck!": ignored`, "HAND: done",
		"Your orders wait until 4 June 1989, 11:05 UTC.")
	golden(t, "thoughts/held-back.txt", cutMap(c.sends("communist", "STATUS").Text))
	wants(t, c.sends("communist", "SHOW ORDERS").Text, "PLACE Miskolc, Debrecen (waiting until")
	wants(t, c.sends("communist", "PLACE Gdansk, Debrecen").Text, "PLACE Gdansk, Debrecen: refused")
	wants(t, c.sends("communist", "PLACE Pecs, Debrecen").Text, "Your earlier waiting orders are dropped", "PLACE Pecs, Debrecen: saved")
	if c.letters("democrat") != had || !bytes.Equal(was, c.export(id, true)) {
		t.Fatal("orders that are held back can be seen")
	}
	if n := c.due(time.Hour); n != 0 {
		t.Errorf("%d things were done an hour early", n)
	}
	c.reopen()
	if n := c.due(2 * time.Hour); n != 1 {
		t.Errorf("%d things were done, want 1", n)
	}
	if n := c.due(2 * time.Hour); n != 0 {
		t.Errorf("%d things were done once more", n)
	}
	if d := cmp.Diff([]string{"communist PLACE Pecs, Debrecen"}, entriesOf(t, c, id)); d != "" {
		t.Errorf("the history:\n%s", d)
	}
	wants(t, c.last("communist").Text, "PLACE Pecs, Debrecen: done")
	if c.letters("democrat") != had+1 || c.last("communist").InReplyTo == "" {
		t.Errorf("the Democrat got %d letters; the answer replies to %q", c.letters("democrat")-had, c.last("communist").InReplyTo)
	}
}

// TestGraceEnds: NOW carries out what is held back, CANCEL ORDERS drops it, and
// GRACE OFF lets orders pass.
func TestGraceEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, letter, answer string
		done                 bool
	}{
		{"now", "NOW", "NOW: done", true},
		{"now with other orders", "NOW\nPLACE Pecs, Debrecen", "PLACE Pecs, Debrecen: done", true},
		{"off with other orders", "GRACE OFF\nPLACE Pecs, Debrecen", "PLACE Pecs, Debrecen: done", true},
		{"cancel", "CANCEL ORDERS", "Your saved orders are dropped.", false},
		{"drop", "DROP", "Your saved orders are dropped.", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := sampleClub(t)
			wants(t, c.sends("communist", "GRACE 30 min\nPLACE Miskolc, Debrecen").Text, "PLACE Miskolc, Debrecen: saved", "09:33 UTC")
			wants(t, c.sends("communist", tt.letter).Text, tt.answer)
			if got := len(entriesOf(t, c, id)) == 1; got != tt.done {
				t.Errorf("carried out: %v", got)
			}
			c.due(time.Hour)
			if got := len(entriesOf(t, c, id)) == 1; got != tt.done {
				t.Errorf("carried out after an hour: %v", got)
			}
		})
	}
	c, _ := sampleClub(t)
	wants(t, c.sends("communist", "NOW").Text, "NOW: refused You have no orders waiting.")
	wants(t, c.sends("communist", "GRACE 25 hours").Text, "GRACE 25 hours: refused Write a time from 1 minute to 24 hours, or OFF.")
	wants(t, c.sends("communist", "DELAY 49 hours").Text, "refused Write a time from 1 minute to 48 hours, or OFF.")
}

// TestGraceIsNobodysBusiness: the other seat gets the same letters as if the order
// had come when it was carried out.
func TestGraceIsNobodysBusiness(t *testing.T) {
	t.Parallel()
	c, _ := sampleClub(t)
	plain, _ := sampleClub(t)
	c.sends("communist", "GRACE 1 hour")
	c.sends("communist", "PLACE Miskolc, Debrecen")
	c.due(time.Hour)
	plain.now = c.now.Add(-time.Minute)
	plain.sends("communist", "PLACE Miskolc, Debrecen")
	sameLetters(t, plain, c, "democrat")
}

// sameLetters compares all letters of a seat in two clubs, but for the hash of the history,
// which binds the times of entries and the letters that ordered them.
func sameLetters(t *testing.T, a, b *club, seat string) {
	t.Helper()
	one, other := a.mailbox[address(seat)], b.mailbox[address(seat)]
	if len(one) != len(other) {
		t.Fatalf("%d letters and %d letters", len(one), len(other))
	}
	for i := range one {
		if d := cmp.Diff(unhashed(one[i]), unhashed(other[i])); d != "" {
			t.Errorf("letter %d:\n%s", i, d)
		}
	}
}

// TestDelay: what is kept answers at some time within the delay, and until then the
// other seat's letters are those that it gets when a person is asked.
func TestDelay(t *testing.T) {
	t.Parallel()
	const event = "PLAY 10 OPS EVENT FIRST"
	c, id := sampleAfter(t, 12)
	plain, _ := sampleAfter(t, 12)
	c.sends("communist", "DELAY 6 hours\nANSWER 10 PLACE Sliven 9, Brasov 2, Ploiesti 2, Gdansk")
	plain.now, plain.uid = c.now, c.uid
	c.sends("democrat", event)
	plain.sends("democrat", event)
	sameLetters(t, plain, c, "democrat")
	wants(t, c.last("communist").Text, "It is your move.", "Your saved orders answer within 6 hours, unless you write first.")
	had := len(entriesOf(t, c, id))
	c.reopen()
	if n := c.due(6 * time.Hour); n != 1 || len(entriesOf(t, c, id)) != had+1 {
		t.Fatalf("%d things were due, %d entries more", n, len(entriesOf(t, c, id))-had)
	}
	wants(t, c.last("communist").Text, "ANSWER 10 PLACE Sliven 9, Brasov 2, Ploiesti 2, Gdansk: done Carried out: PLACE Brasov 2, Ploiesti 2")
	wants(t, c.last("democrat").Text, "It is your move.")
	if n := c.due(6 * time.Hour); n != 0 {
		t.Errorf("%d things were done once more", n)
	}
}

// TestDelayAndOwnLetter: a question changes nothing of it, and who answers himself has
// answered.
func TestDelayAndOwnLetter(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 12)
	c.sends("communist", "DELAY 6 hours\nANSWER 10 PLACE Brasov 2, Ploiesti 2")
	c.sends("democrat", "PLAY 10 OPS EVENT FIRST")
	had := len(entriesOf(t, c, id))
	wants(t, c.sends("communist", "STATUS").Text, "within 6 hours, unless you write first")
	if n := len(entriesOf(t, c, id)) - had; n != 0 {
		t.Errorf("a question has answered %d times", n)
	}
	wants(t, c.sends("communist", "PLACE Craiova 2, Brasov 2").Text, "PLACE Craiova 2, Brasov 2: done")
	if n := c.due(12 * time.Hour); n != 0 || len(entriesOf(t, c, id))-had != 1 {
		t.Errorf("%d things were due, %d answers", n, len(entriesOf(t, c, id))-had)
	}
}

// TestTakeback: with the consent of the other seat the match goes back; the record
// keeps what was, and plays again; letters from before ask nothing.
func TestTakeback(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	stale := c.letter("communist", "PLACE Pecs, Debrecen")
	before := c.position(id)
	c.sends("communist", "PLACE Miskolc, Debrecen")
	wants(t, c.sends("communist", "Take back").Text, "Take back: done The Democrat has been asked whether you may take back \"PLACE Miskolc, Debrecen\"")
	golden(t, "thoughts/asked.txt", cutMap(c.last("democrat").Text))
	wants(t, c.sends("democrat", "STATUS").Text, "and everything after it. Do you agree? TAKEBACK YES TAKEBACK NO")
	late := c.letter("democrat", "PLACE Gdansk 2, Lodz")
	c.reopen()
	wants(t, c.sends("democrat", "TAKEBACK YES").Text, "TAKEBACK YES: done You agreed, and it has been taken back.")
	golden(t, "thoughts/taken-back.txt", cutMap(c.last("communist").Text))
	if !bytes.Equal(before, c.position(id)) {
		t.Error("the position is not that before the order")
	}
	for _, m := range []message.Draft{stale, late} {
		if f := c.receive(m); f != mail.Refused {
			t.Errorf("a letter that answers what was taken back was filed in %s", f)
		}
	}
	wants(t, c.sends("communist", "PLACE Pecs, Debrecen").Text, "PLACE Pecs, Debrecen: done")
	rec, err := record.Read(bytes.NewReader(c.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	entries := rec.Entries()
	if entry := entries[2]; entry.FirstTakenBack != 1 || entry.Epoch != 1 || entry.HasOrders() || entries[3].Epoch != 1 {
		t.Errorf("the entry is %+v", entry)
	}
	final, err := record.Replay(rec, dawn1989.Game(), nil)
	if err = errors.Join(err, record.VerifyChain(rec)); err != nil {
		t.Fatal(err)
	}
	if data, err := final.Position.MarshalJSON(); err != nil || !bytes.Equal(data, c.position(id)) {
		t.Errorf("played again it comes to another position (%v)", err)
	}
	wants(t, c.sends("democrat", "HISTORY").Text, "the Communist takes back \"PLACE Miskolc, Debrecen\" and everything after it.")
	// A record in which something else is taken back is no record of this match.
	entries[2].FirstTakenBack = 2
	if err := errors.Join(record.VerifyChain(rec)); err == nil {
		t.Error("the chain does not bind what was taken back")
	}
}

// TestTakebackRefused: what cannot be taken back, and who may answer.
func TestTakebackRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		after int
		// letters are "seat: text"; the last one's answer is looked at.
		letters []string
		want    string
	}{
		{"nothing yet", 0, []string{"communist: TAKEBACK"}, "You have no order to take back yet"},
		{"nothing asked", 1, []string{"democrat: TAKEBACK YES"}, "No player has asked to take anything back."},
		{"own consent", 1, []string{"communist: TAKEBACK", "communist: TAKEBACK YES"}, "This is your own request, so only the Democrat can agree to it."},
		{"twice", 1, []string{"communist: TAKEBACK", "communist: TAKEBACK"}, "You have asked already."},
		{"both", 2, []string{"communist: TAKEBACK", "democrat: TAKEBACK"}, "First answer the request of the Communist"},
		{"not his to withdraw", 1, []string{"communist: TAKEBACK", "democrat: TAKEBACK OFF"}, "The Communist asked to take something back"},
		{"withdrawn", 1, []string{"communist: TAKEBACK", "communist: TAKEBACK OFF", "democrat: TAKEBACK YES"}, "No player has asked to take anything back."},
		{"declined", 1, []string{"communist: TAKEBACK", "democrat: TAKEBACK NO", "democrat: TAKEBACK YES"}, "No player has asked to take anything back."},
		{"gone on", 1, []string{"communist: TAKEBACK", "democrat: PLACE Gdansk 2, Lodz", "democrat: TAKEBACK YES"}, "No player has asked to take anything back."},
		{"a die", 6, []string{"communist: TAKEBACK"}, "It cannot be taken back: a"},
		{"in the same letter", 0, []string{"communist: PLACE Miskolc, Debrecen\nTAKEBACK"}, "Send TAKEBACK in a separate letter."},
		{"taken back already", 1, []string{"communist: TAKEBACK", "democrat: TAKEBACK YES", "communist: TAKEBACK"}, "You have no order to take back yet"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, _ := sampleAfter(t, tt.after)
			var a message.Letter
			for _, l := range tt.letters {
				seat, text, _ := strings.Cut(l, ": ")
				a = c.sends(seat, text)
			}
			wants(t, a.Text, tt.want)
		})
	}
}

// TestTakebackDropsWhatIsKept: conditional orders and held-back letters of everybody go with
// what was taken back, and their owners are told.
func TestTakebackDropsWhatIsKept(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 1)
	c.sends("communist", "ANSWER 45 REMOVE Praha ALWAYS")
	c.sends("democrat", "GRACE 1 hour\nPLACE Gdansk 2, Lodz")
	c.sends("communist", "TAKEBACK")
	wants(t, c.sends("democrat", "TAKEBACK YES").Text, "Your waiting orders were dropped")
	wants(t, c.last("communist").Text, "ANSWER 45 REMOVE Praha ALWAYS: lapsed")
	if n := c.due(2 * time.Hour); n != 0 {
		t.Errorf("%d things were due", n)
	}
	wants(t, c.sends("democrat", "SHOW ORDERS").Text, "You have no saved orders.")
}

// TestClock: letters say since when somebody is asked, and questions change nothing
// of it.
func TestClock(t *testing.T) {
	t.Parallel()
	c, _ := sampleClub(t)
	const first = "Waiting since 4 June 1989, 09:02 UTC. This match has no time limit."
	wants(t, c.last("communist").Text, "It is your move.", first)
	wants(t, c.last("democrat").Text, "waiting for the Communist.", first)
	c.now = c.now.Add(time.Hour)
	wants(t, c.sends("communist", "STATUS").Text, first)
	wants(t, c.sends("communist", "PLACE Gdansk, Debrecen").Text, first)
	wants(t, c.sends("communist", "PLACE Miskolc, Debrecen").Text, "Waiting since 4 June 1989, 10:05 UTC.")
	c.reopen()
	wants(t, c.sends("democrat", "STATUS").Text, "Waiting since 4 June 1989, 10:05 UTC.")
}
