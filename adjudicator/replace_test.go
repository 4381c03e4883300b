package adjudicator_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest/council"
)

// TestReplace: another player takes a seat. He gets its view and all that it was
// told, the letters of the one before do nothing, what was kept for him is dropped,
// and the record tells of it.
func TestReplace(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	says(t, c, "smith VOTE YES", "smith GRACE 10 minutes", "smith HOLD ALWAYS")
	old := c.letter("smith", "VOTE NO")
	had, before := mails(c), c.export(id, false)
	if err := c.adj.Replace(t.Context(), id, 2, "new@players.test"); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	golden(t, "council/welcome.txt", c.last("new").Text)
	golden(t, "council/farewell.txt", c.last("smith").Text)
	for seat, want := range map[string]int{"smith": 1, "miller": 1, "tanner": 1, "new": 1} {
		if n := mails(c)[address(seat)] - had[address(seat)]; n != want {
			t.Errorf("%s got %d letters, want %d", seat, n, want)
		}
	}
	if text := c.last("miller").Text; !strings.Contains(text, "A new player has taken the seat of the Smith.") {
		t.Errorf("the others are not told:\n%s", text)
	}
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Pending) != 0 || m.Seats[2].Private.Grace != 0 {
		t.Errorf("kept for the player before: %+v, %+v", m.Pending, m.Seats[2].Private)
	}

	// The old letters are dead, also from the new address, and those to come go to one.
	had = mails(c)
	c.receive(old)
	forged := old
	forged.From, forged.MessageID = address("new"), "forged@players.test"
	c.receive(forged)
	if got := c.last("new"); len(got.ReplyTo) != 0 {
		t.Errorf("a letter with a dead token is answered with more than the fixed text:\n%s", got.Text)
	}
	c.mailbox[address("new")] = c.mailbox[address("new")][:1]
	if m, err = c.db.Match(t.Context(), id); err != nil || len(m.Pending) != 0 {
		t.Errorf("a letter to the player before counts: %+v, %v", m.Pending, err)
	}
	if l := c.last("smith"); mails(c)[address("smith")]-had[address("smith")] > 1 || len(l.ReplyTo) > 0 || strings.Contains(l.Text, "YOUR AIM") {
		t.Errorf("the player before is told more than the fixed text:\n%s", l.Text)
	}
	for _, s := range []string{"miller", "baker", "weaver", "tanner"} {
		says(t, c, s+" VOTE YES")
	}
	c.reopen()
	says(t, c, "new VOTE NO")
	if text := c.sends("new", "HISTORY").Text; !strings.Contains(text, "Your aim:") || !strings.Contains(text, "A new "+
		"player has taken the seat") {
		t.Errorf("what the seat was told is not told:\n%s", text)
	}
	for _, s := range []string{"miller", "baker", "weaver", "tanner", "new"} {
		says(t, c, s+" HOLD")
	}
	verified(t, c, council.Game(), id)
	after := c.export(id, false)
	if !bytes.HasPrefix(after, before) || !bytes.Contains(after, []byte(`"seat":"smith","player":"player 6"`)) {
		t.Errorf("the record:\n%s", after)
	}
	for _, name := range []string{"new@", "smith@"} {
		if bytes.Contains(after, []byte(name)) {
			t.Errorf("the record names %s", name)
		}
	}
	if err := c.adj.Replace(t.Context(), id, 2, "other@players.test"); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	rec := readRecord(t, c, id)
	last := rec.Entries()[len(rec.Entries())-1]
	if last.Player != "player 7" || last.HasOrders() || len(last.Chance) > 0 {
		t.Errorf("the second replacement: %+v", last)
	}
	last.Orders, last.Prev, last.Hash, last.Sealed = []string{"HOLD"}, "", "", ""
	for _, entry := range rec.Entries() {
		entry.Prev, entry.Hash, entry.Sealed = "", "", ""
	}
	if _, err := record.Replay(rec, council.Game(), nil); err == nil {
		t.Error("a replacement with orders is played again")
	}
}

// TestReplaceRefused: a player has one seat, and a match that is not under way keeps
// its players.
func TestReplaceRefused(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	before := c.export(id, true)
	if err := c.adj.Replace(t.Context(), id, 2, address("miller")); !errors.Is(err, adjudicator.ErrAlreadyPlays) {
		t.Errorf("a second seat: %v", err)
	}
	for _, bad := range []string{"", "nobody", "referee@club.test"} {
		if err := c.adj.Replace(t.Context(), id, 2, bad); err == nil {
			t.Errorf("the address %q is taken", bad)
		}
	}
	if err := c.adj.Replace(t.Context(), id, 5, "new@players.test"); err == nil {
		t.Error("a seat that is not there")
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("a refused replacement has changed the match")
	}
}

// TestReplaceInvited: before a match begins another may be invited in a player's place,
// whether that one has joined or not. Nobody plays whose letters are dead.
func TestReplaceInvited(t *testing.T) {
	t.Parallel()
	c := newClub(t, council.Game())
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "council", Players: []string{address("miller"), "Ben <" + address("baker") + ">"}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.sends("baker", "JOIN AS Cora, wind")
	old := c.letter("baker", "JOIN sun")
	if err := c.adj.Replace(t.Context(), m.ID, 1, address("miller")); !errors.Is(err, adjudicator.ErrAlreadyPlays) {
		t.Errorf("a second seat: %v", err)
	}
	if err := c.adj.Replace(t.Context(), m.ID, 1, "Ada <"+address("new")+">"); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	wants(t, c.last("new").Text, "You are invited to a match of", "HOW IT WORKS", " you as Ada")
	wants(t, c.last("baker").Text, "Another player has taken over your seat")
	c.receive(old)
	c.sends("miller", "JOIN rain")
	if m := c.stored(m.ID); m.State != match.Inviting || m.Seats[1].Joined || m.Seats[1].SeedWords != "" || m.Seats[1].PlayerName != "Ada" {
		t.Errorf("after the letters of the player before the seat is %+v", m.Seats[1])
	}
	c.sends("new", "JOIN snow")
	if m := c.stored(m.ID); m.State != match.Playing || m.Seats[1].SeedWords != "snow" {
		t.Errorf("the match is %s, with the words %q", m.State, m.Seats[1].SeedWords)
	}
}

// TestReplaceAsked: a change of address that a player has asked for through a seat ends
// when another takes the seat, since his letters of it are good for nothing.
func TestReplaceAsked(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	other, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "council", Players: []string{address("smith"), "b@x.test", "c@x.test", "d@x.test", "e@x.test"}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	smith := c.of(id, "smith", 2)
	c.receive(c.reply(smith, "smith", "ADDRESS mallory@players.test"))
	c.receive(c.reply(c.last("mallory"), "mallory", "YES"))
	had := c.got("mallory")
	if err := c.adj.Replace(t.Context(), id, 2, address("new")); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	if c.got("mallory") != had+1 {
		t.Errorf("the address that said YES got %d letters", c.got("mallory")-had)
	}
	wants(t, c.last("mallory").Text, "is cancelled. Nothing changes.")
	if n := c.due(8 * day); n != 0 || c.stored(other.ID).Seats[0].Player.Address != address("smith") {
		t.Errorf("%d things were done; %+v", n, c.stored(other.ID).Seats[0].Player)
	}
}
