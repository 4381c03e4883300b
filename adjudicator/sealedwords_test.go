package adjudicator_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// secretWords are words that nobody could guess.
var secretWords = map[string]string{"north": "a kettle sings in an empty house", "east": "grey geese over the depot", "west": "eleven umbrellas", "nora": "the lamp was never lit"}

// joinsSealed lets players join with the seals of their words.
func (c *club) joinsSealed(names ...string) {
	c.t.Helper()
	for _, w := range names {
		c.sends(w, "JOIN SEALED "+record.SealWords(secretWords[w]))
	}
}

// TestReplacedWhileOpening: when another player is invited after some have opened their words,
// those have to seal others, and not the same again. Nobody else's seal changes.
func TestReplacedWhileOpening(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	id := c.invites(adjudicator.Invitation{Game: "orchards", SealedWords: true}, orchards)
	c.joinsSealed(orchards...)
	c.sends("north", "OPEN "+secretWords["north"])
	had := c.letters("west")
	if err := c.adj.Replace(t.Context(), id, 1, address("nora")); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	golden(t, "begin/sealed-again.txt", c.last("north").Text)
	if text := c.last("west").Text; c.letters("west") != had+1 || !strings.Contains(oneLine(text), "Do not reveal your") || strings.Contains(text, "DECISION") {
		t.Errorf("who has not opened his words is told\n%s", text)
	}
	if text := c.last("nora").Text; !strings.Contains(text, "JOIN SEALED") {
		t.Errorf("the new player is invited\n%s", text)
	}
	for _, try := range []struct{ who, says, answer string }{
		{"west", "OPEN " + secretWords["west"], "It is too early to reveal your words"},
		{"north", "OPEN " + secretWords["north"], "It is too early to reveal your words"},
		{"north", "JOIN SEALED " + record.SealWords(secretWords["north"]+"\n"), "You have already revealed the words of this fingerprint."},
		{"nora", "JOIN SEALED " + record.SealWords(secretWords["nora"]), "You have joined"},
		{"north", "JOIN SEALED " + record.SealWords("other words"), "All players have joined"},
		{"nora", "OPEN " + secretWords["nora"], "You have revealed your words"},
		{"north", "OPEN " + secretWords["north"], "These are not your secret words"},
		{"west", "OPEN " + secretWords["west"], "You have revealed your words"},
		{"north", "OPEN other words", "The match has begun"},
	} {
		c.sends(try.who, try.says)
		if text := c.last(try.who).Text; !strings.Contains(strings.Join(strings.Fields(text), " "), try.answer) {
			t.Errorf("%s writes %q and is told\n%s", try.who, try.says, text)
		}
	}
	verified(t, c, rulestest.Game(), id)
	rec, err := record.Read(bytes.NewReader(c.export(id, false)))
	if err != nil {
		t.Fatal(err)
	}
	if err := record.VerifySeals(rec); err != nil || len(rec.Header.Seals) != 3 || rec.Header.Words[0] != "other words" {
		t.Errorf("%v: the header is %+v", err, rec.Header)
	}
}

// TestSealedWordsStaySealed: before all words are open, nobody's stand in a letter to another,
// in the record, in the open part of the database or in the log.
func TestSealedWordsStaySealed(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	var log bytes.Buffer
	c.adj.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	id := c.invites(adjudicator.Invitation{Game: "orchards", SealedWords: true}, orchards)
	c.sends("east", "OPEN "+secretWords["east"])
	c.sends("west", "JOIN "+secretWords["west"])
	c.joinsSealed(orchards...)
	c.sends("north", "OPEN "+secretWords["north"])
	c.sends("east", "OPEN "+secretWords["east"])
	if m := c.stored(id); m.State != match.Inviting {
		t.Fatal("the match has begun")
	}
	if err := c.adj.Replace(t.Context(), id, 2, address("nora")); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	rec, err := c.adj.Export(t.Context(), id, false)
	if err != nil {
		t.Fatal(err)
	}
	var public bytes.Buffer
	if err := rec.Write(&public); err != nil {
		t.Fatal(err)
	}
	for name, words := range secretWords {
		for _, in := range []struct{ what, text string }{{"the log", log.String()}, {"the record", public.String()}} {
			if strings.Contains(in.text, words) {
				t.Errorf("the words of %s are in %s:\n%s", name, in.what, in.text)
			}
		}
		for reader := range secretWords {
			for _, l := range c.mailbox[address(reader)] {
				if strings.Contains(l.Text+l.Subject, words) {
					t.Errorf("%s is sent the words of %s:\n%s", reader, name, l.Text)
				}
			}
		}
	}
	m := c.stored(id)
	for i := range m.Seats {
		open, err := json.Marshal(m.Seats[i].SeedWords)
		if err != nil || string(open) != `""` {
			t.Errorf("the open words of seat %d are %s, %v", i, open, err)
		}
	}
	if m.Seats[rules.Seat(0)].Joined || m.Seats[1].Joined || m.Seats[2].Joined {
		t.Error("who has opened his words needs no others")
	}
}
