package adjudicator_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"samizdat/adjudicator/match/record"
)

// TestOwnPlaysAreNoSurprise: a card that its owner plays himself has not left his
// hand by surprise, and drops nothing that he keeps.
func TestOwnPlaysAreNoSurprise(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 12)
	wants(t, c.sends("communist", "ANSWER 45 REMOVE Praha").Text, "ANSWER 45 REMOVE Praha: saved")
	c.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST")
	c.sends("communist", "PLACE Brasov 2, Ploiesti 2")
	c.sends("communist", "PLAY 19 OPS PLACE Gdansk, Debrecen EVENT FIRST")
	c.sends("democrat", "CHOOSE Czech Catholic Church")
	wants(t, c.sends("communist", "SHOW ORDERS").Text, "ANSWER 45 REMOVE Praha")
}

// TestLastWord: what was written last is what is carried out, whether it has taken
// the place of what was written before or not.
func TestLastWord(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 32)
	wants(t, c.sends("democrat", "ANSWER STAKES RAISE Rally, Rally, March-3").Text, "saved")
	wants(t, c.sends("democrat", "ANSWER STAKES PASS").Text, "It replaces your earlier saved order.")
	wants(t, c.sends("democrat", "SHOW ORDERS").Text, "SHOW ORDERS: done ANSWER STAKES PASS")
	c.sends("democrat", "ANSWER 90 PLACE Czech Writers 2, Brno 2\nANSWER 90 IF VP 9: CHECK Praha\nANSWER 90 CHECK Brno")
	wants(t, c.sends("democrat", "ANSWER 90 PLACE Brno 4").Text, "It replaces")
	wants(t, c.sends("democrat", "ANSWER 76 CHECK Polish Writers").Text, "saved")
	c.sends("democrat", "ANSWER 76 PLACE Lublin 3")
	wants(t, c.sends("democrat", "SHOW ORDERS").Text,
		"SHOW ORDERS: done ANSWER 76 PLACE Lublin 3 ANSWER 76 CHECK Polish Writers ANSWER 90 PLACE Brno 4 ANSWER 90 IF VP 9: CHECK Praha ANSWER 90 CHECK Brno ANSWER STAKES PASS")
}

// TestShownIsWritten: what SHOW ORDERS shows may be written again, and what was
// guessed at is shown as it was understood.
func TestShownIsWritten(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 12)
	for text, shown := range map[string]string{
		"ANSWER 45 take away 2 from Prha, 1 from Brno":       "ANSWER 45 REMOVE Praha 2, Brno",
		"DEFEND March-3, CONCEDE ALWAYS":                     "DEFEND March-3, CONCEDE ALWAYS",
		"attack with March-6, elite leader as rally, anyway": "ATTACK March-6, Elite Leader AS Rally ANYWAY",
		"IF VP 3: ATTACK Rally":                              "IF VP 3: ATTACK Rally",
		"next if gda mine: play 19 event anyway":             "NEXT IF Gdansk MINE: PLAY 19 EVENT ANYWAY",
	} {
		if a := c.sends("communist", text).Text; text == shown {
			wants(t, a, text+": saved It is saved")
		} else {
			wants(t, a, text+": saved It was read as "+shown+". It is saved")
		}
		wants(t, c.sends("communist", "SHOW ORDERS").Text, "SHOW ORDERS: done "+shown)
		wants(t, c.sends("communist", shown).Text, shown+": saved It is saved")
		c.sends("communist", "CANCEL ORDERS")
	}
}

// TestOddLines: lines that nobody would write stop nothing.
func TestOddLines(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 12)
	for text, want := range map[string]string{
		"IF: PLAY 14 EVENT":                  "There is no condition after IF",
		"NEXT IF: PLAY 14 EVENT":             "There is no condition after IF",
		"IF:: PLAY 14 EVENT":                 "There is no condition after IF",
		"ANSWER 45 IF:":                      "ANSWER 45 IF:: refused",
		"NEXT PLAY 14 EVENT FOR SURE":        "FOR SURE is for an order that is carried out now",
		"PLAY 14 EVENT ANYWAY":               "If you mean one, write: NEXT PLAY 14 EVENT ANYWAY",
		"I will be here always":              `"I will be here always": not understood`,
		"NEXT PLAY 14 EVENT AND 15 EVENT":    "refused",
		"ANSWER 45 REMOVE Praha; Brno":       `Please confirm it: ANSWER 45 REMOVE Praha YES carries it out; NO drops it. Until you answer, nothing is done. YES NO YOUR LETTER ----------- - "Brno": not understood`,
		"ANSWER LOSS REMOVE Wroclav, Tirana": "refused",
	} {
		wants(t, c.sends("communist", text).Text, want)
	}
}

// TestBrokenLines: a conditional order may be broken by a mail program anywhere, and what
// stands below it stays what it is.
func TestBrokenLines(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 12)
	for _, test := range []struct{ text, want string }{
		{"NEXT IF Gdansk MINE AND NOT HAPPENED 2: PLAY 35 OPS CHECK Berlin,\nHalle EVENT AFTER ELSE ASK", "NEXT IF Gdansk MINE AND NOT HAPPENED 2: PLAY 35 OPS CHECK Berlin, Halle EVENT AFTER"},
		{"NEXT IF Gdansk MINE AND NOT HAPPENED 2 AND Lodz MINE AND Krakow\nMINE: PLAY 35 OPS CHECK Berlin, Halle EVENT AFTER ELSE PLAY 14\nEVENT\nThanks, Ann",
			"NEXT IF Gdansk MINE AND NOT HAPPENED 2 AND Lodz MINE AND Krakow MINE: PLAY 35 OPS CHECK Berlin, Halle EVENT AFTER ELSE PLAY 14 EVENT"},
		{"NEXT IF Gdansk MINE:\nPLAY 14 EVENT", "NEXT IF Gdansk MINE: PLAY 14 EVENT"},
		{"ANSWER 45 REMOVE Praha 2, Brno, Plzen, Charles University, Kosice 2,\nCzech Writers, Ostrava,\nBratislava 2", "REMOVE Praha 2, Brno, Plzen, Charles University, Kosice 2, Czech Writers, Ostrava, Bratislava 2"},
		{"ANSWER 45 REMOVE Praha 2, Brno, Plzen, Charles University, Kosice 2\nGreetings from Ann", "REMOVE Praha 2, Brno, Plzen, Charles University, Kosice 2"},
		{"ANSWER 45 REMOVE Praha\nANSWER 7 REMOVE Lodz", "ANSWER 45 REMOVE Praha ANSWER 7 REMOVE Lodz"},
	} {
		text := strings.Join(strings.Fields(c.sends("communist", test.text).Text), " ")
		if !strings.Contains(text, ": saved") || strings.Contains(text, ": refused") {
			t.Errorf("%s: %.500s", test.text, text)
		}
		wants(t, c.sends("communist", "SHOW ORDERS").Text, test.want)
		c.sends("communist", "CANCEL ORDERS")
	}
}

// TestEntryOfOrderAhead: the entry of a conditional order looks like one of an order by
// letter: the same entries have one letter as by hand. Which letter brought it can be
// told from the secret afterwards.
func TestEntryOfOrderAhead(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	byHand, handID := sampleClub(t)
	for _, c := range []*club{c, byHand} {
		sampleLetters(t, c, 12)
	}
	letter := c.letter("communist", "ANSWER 10 PLACE Brasov 2, Ploiesti 2\nNEXT PLAY 19 OPS PLACE Gdansk, Debrecen EVENT FIRST")
	raw, err := letter.Render()
	if err != nil {
		t.Fatal(err)
	}
	c.receive(letter)
	c.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST\nANSWER 19 CHOOSE Czech Catholic Church")
	byHand.sends("democrat", "PLAY 10 OPS PLACE Poznan 2, Lodz EVENT FIRST")
	byHand.sends("communist", "PLACE Brasov 2, Ploiesti 2")
	byHand.sends("communist", "PLAY 19 OPS PLACE Gdansk, Debrecen EVENT FIRST")
	byHand.sends("democrat", "CHOOSE Czech Catholic Church")
	read := func(c *club, id string) []*record.Entry {
		rec, err := record.Read(bytes.NewReader(c.export(id, true)))
		if err != nil {
			t.Fatal(err)
		}
		return rec.Entries()
	}
	one, two := read(c, id), read(byHand, handID)
	ignore := cmpopts.IgnoreFields(record.Entry{}, "At", "Letter", "Sealed", "Prev", "Hash")
	if d := cmp.Diff(two, one, ignore); d != "" {
		t.Fatalf("by hand - ahead +\n%s", d)
	}
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	// The answer and the action came with one letter; nobody can see it before the end.
	sum := sha256.Sum256(raw)
	n := 0
	for i, entry := range one {
		for j := range i {
			if (one[j].Letter == entry.Letter) != (two[j].Letter == two[i].Letter) {
				t.Errorf("entries %d and %d: one letter %t, by hand %t", one[j].Seq, entry.Seq, one[j].Letter == entry.Letter, two[j].Letter == two[i].Letter)
			}
		}
		want, err := m.Secret.LetterDigest(id, entry.Seq, hex.EncodeToString(sum[:]))
		if err != nil {
			t.Fatal(err)
		}
		if want == entry.Letter {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d entries came with the letter, want 2", n)
	}
}
