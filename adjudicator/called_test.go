package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/rules/dawn1989"
)

// joins lets a seat join, with a name beside its address.
func (c *club) joins(seat, name, text string) string {
	c.t.Helper()
	m := c.letter(seat, text)
	m.FromName = name
	c.receive(m)
	return c.last(seat).Text
}

// TestNames: players are called what the operator, they themselves or their mail programs
// say, in that order from the last, and never by an address.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ invited, fromName, join, want string }{
		{"", "", "JOIN", ""},
		{"", "Ben", "JOIN", "Ben"},
		{"", "Ben Miller", "JOIN wind and rain", "Ben Miller"},
		{"", "Benjamin K.", "JOIN", "Benjamin K."},
		{"", "Łukasz Żak", "JOIN", "Łukasz Żak"},
		{"", "'Miller, Ben' (mobile)", "JOIN", "Miller Ben"},
		{"Ann", "Ben", "JOIN", "Ann"},
		{"Ann", "Ben", "JOIN AS Cora", "Cora"},
		{"", "", "join as Cora, wind and rain", "Cora"},
		{"", "Ben", "join as you like it", "Ben"},
		{"", "communist", "JOIN", ""},
		{"", "communist@players.test", "JOIN", ""},
		{"", "Samizdat Referee", "JOIN", ""},
		{"", "The Democrat", "JOIN", ""},
		{"", "Ada", "JOIN", ""},                // The other one is called that.
		{"", "\u202eneB\u202c", "JOIN", "neB"}, // No control of direction.
		{"", "B\u0435n", "JOIN", ""},           // A Cyrillic letter in between.
		{"", strings.Repeat("Ben ", 20), "JOIN", "Ben Ben Ben Ben Ben Ben"},
	} {
		c := newClub(t, dawn1989.Game())
		invited := address("communist")
		if tt.invited != "" {
			invited = tt.invited + " <" + invited + ">"
		}
		m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{"Ada <" + address("democrat") + ">", invited}})
		if err != nil {
			t.Fatal(err)
		}
		c.deliver()
		c.joins("communist", tt.fromName, tt.join)
		if got := c.seat(m.ID, "communist").PlayerName; got != tt.want {
			t.Errorf("%+v: called %q", tt, got)
		}
	}
}

// TestNoName: whoever asks for a name that cannot be had is told why, and has not joined.
func TestNoName(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{"Ada <" + address("democrat") + ">", address("communist")}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	for _, name := range []string{"ada", "The Communist", "Samizdat", "Ｓａｍｉｚｄａｔ", "you", "ben@players.test", "Ben [mabcdefg]", strings.Repeat("b", 25), "1989"} {
		text := c.sends("communist", "JOIN AS "+name).Text
		if c.seat(m.ID, "communist").Joined || !strings.Contains(oneLine(text), "Please join with another name") {
			t.Errorf("JOIN AS %s:\n%s", name, text)
		}
	}
	for _, p := range []string{"Referee <b@x.test>", "Ada. <b@x.test>"} {
		if _, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{"Ada <a@x.test>", p}}); err == nil {
			t.Errorf("%s was invited", p)
		}
	}
}

// TestNamesInLetters: names stand beside the sides in letters and subjects; the record has
// none of them, and nobody is shown the address of another.
func TestNamesInLetters(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{"Ada <" + address("democrat") + ">", address("communist")},
		Recorded: sampleChance(t, taskNone), ObserverPolicy: match.ObserverPolicy{Allowed: true}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	golden(t, "names/invitation.txt", c.last("communist").Subject+"\n\n"+c.last("communist").Text)
	if got, want := c.last("democrat").Subject, "You are invited: 1989 ["+m.ID+"]"; got != want {
		t.Errorf("an opponent whose name nobody knows: %s, not %s", got, want)
	}
	c.joins("democrat", "", "JOIN")
	c.joins("communist", "Ben", "JOIN wind and rain")
	c.watches("ann", m.ID)
	c.sends("communist", "MESSAGE Ada\nHello!\nEND MESSAGE")
	golden(t, "names/message.txt", c.last("democrat").Subject+"\n\n"+c.last("democrat").Text)
	sampleLetters(t, c, 8)
	golden(t, "names/history.txt", c.sends("communist", "HISTORY").Text)
	if want := "Your move: 1989 v. Ben, turn 1 round 2 [" + m.ID + "]"; c.last("democrat").Subject != want {
		t.Errorf("subject %q, want %q", c.last("democrat").Subject, want)
	}
	if want := "You are watching: 1989, Ada v. Ben, turn 1 round 2 [" + m.ID + "]"; c.last("ann").Subject != want {
		t.Errorf("subject %q, want %q", c.last("ann").Subject, want)
	}
	if err := c.adj.Replace(t.Context(), m.ID, 1, "Cora <cora@players.test>"); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	golden(t, "names/replaced.txt", c.last("democrat").Text)
	c.sends("democrat", "RESIGN "+m.ID)
	for name, want := range map[string][]string{
		"democrat": {"you lost. Cora (Communist) has won.", "You were Ada (Democrat). You played against Cora (Communist)."},
		"cora":     {"you won.", "You were Cora (Communist). You played against Ada (Democrat)."},
	} {
		for _, w := range want {
			if text := oneLine(c.last(name).Text); !strings.Contains(text, w) {
				t.Errorf("the end is told to %s without %q:\n%s", name, w, text)
			}
		}
	}
	for _, name := range []string{"democrat", "communist", "cora", "ann"} {
		for _, l := range c.mailbox[address(name)] {
			if strings.Contains(l.Subject+l.Text, "@players.test") {
				t.Errorf("%s is shown an address:\n%s\n%s", name, l.Subject, l.Text)
			}
		}
	}
	if rec := c.export(m.ID, true); bytes.Contains(rec, []byte("Ada")) || bytes.Contains(rec, []byte("Cora")) {
		t.Error("the record has a name")
	}
}

// TestRename: a player is called what he says, at any time, and the others read it in their
// next letters; prose names nobody, nor does what somebody else is called.
func TestRename(t *testing.T) {
	t.Parallel()
	c, id := sampleAfter(t, 0)
	for _, tt := range []struct{ text, want string }{
		{"CALL ME Ada", "Ada"},
		{"call me Cora Lee.", "Cora Lee"},
		{"CALL ME eva\n\nSTATUS", "eva"},
		{"call me tomorrow", "eva"},
		{"Well, Ben, we shall see.\nCall me Kadar", "eva"},
		{"CALL ME The Democrat", "eva"},
		{"CALL ME referee", "eva"},
		{"CALL ME ada@example.org", "eva"},
	} {
		c.sends("communist", tt.text)
		if got := c.seat(id, "communist").PlayerName; got != tt.want {
			t.Errorf("%q: called %q, want %q\n%s", tt.text, got, tt.want, c.last("communist").Text)
		}
	}
	if called, err := c.adj.Rename(t.Context(), id, 0, "Éva"); err == nil {
		t.Errorf("two are called alike: %q", called)
	}
	if called, err := c.adj.Rename(t.Context(), id, 0, " Ben   Miller "); err != nil || called != "Ben Miller" {
		t.Errorf("called %q, %v", called, err)
	}
	had := c.got("democrat")
	sampleLetter(t, c, 0)
	if got := c.got("democrat") - had; got != 1 {
		t.Errorf("%d letters", got)
	}
	wants(t, c.last("democrat").Text, "You are Ben Miller (Democrat). You play against eva (Communist).")
}

// TestRenameBeforeBegin: so may who has joined, before the others have.
func TestRenameBeforeBegin(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{address("democrat"), address("communist")}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.joins("communist", "Ben", "JOIN")
	wants(t, c.joins("communist", "Ben", "CALL ME Cora"), "Your name is Cora from now on.")
	if got := c.seat(m.ID, "communist").PlayerName; got != "Cora" {
		t.Errorf("called %q", got)
	}
}
