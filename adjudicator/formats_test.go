package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

// TestFormats: players say what their letters are to be, before the match and in
// it, with orders and without. Nothing of the match changes by it.
func TestFormats(t *testing.T) {
	t.Parallel()
	c, a, id := pageClub(t)
	sampleLetters(t, c, 5)
	was, enemy := c.export(id, true), len(a.letters[address("democrat")])
	for _, tt := range []struct {
		line          string
		page, picture bool
		says          string
	}{
		{"FORMAT TEXT", false, false, "text only"},
		{"format html", true, false, "HTML page"},
		{"Format: picture.", true, true, "picture of the map"},
		{"FORMAT UTF-8", true, true, "Székesfehérvár"},
		{"FORMAT ASCII", true, true, "Szekesfehervar"},
		{"PLAIN", false, false, "plain ASCII"},
		{"> quoted\nFORMAT PICTURE\nThank you!", true, true, "FORMAT PICTURE: done"},
	} {
		c.sends("communist", tt.line)
		outgoing := a.last("communist")
		c.sends("communist", "STATUS")
		whole := a.last("communist")
		if (whole.HTML != "") != tt.page || (whole.Drawing != nil) != tt.picture {
			t.Errorf("%s: page %v, picture %v", tt.line, whole.HTML != "", whole.Drawing != nil)
		}
		if !strings.Contains(outgoing.Body+whole.Body, tt.says) || strings.Contains(outgoing.Body, "refused") {
			t.Errorf("%s: the letter does not say %q:\n%s", tt.line, tt.says, outgoing.Body)
		}
		if !strings.Contains(outgoing.Body, "It is your move.") {
			t.Errorf("%s: the letter does not stand alone:\n%s", tt.line, outgoing.Body)
		}
	}
	if !bytes.Equal(was, c.export(id, true)) {
		t.Error("the match has changed")
	}
	if n := len(a.letters[address("democrat")]) - enemy; n != 0 {
		t.Errorf("the enemy got %d letters of it", n)
	}
	c.sends("communist", "FORMAT TEXT\n"+string(txtar.Parse(testdata.SampleLetters).Files[5].Data))
	if outgoing := a.last("communist"); outgoing.HTML != "" || strings.Contains(outgoing.Body, ": refused") {
		t.Errorf("an order beside a format:\n%s", outgoing.Body)
	}
	c.reopen()
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if m.Seats[1].Format != match.FormatText || m.Seats[1].Script != "" || m.Seats[0].Format != "" {
		t.Errorf("stored: %+v", m.Seats)
	}
}

// TestScripts: plain letters are ASCII to the last byte, whatever players wrote;
// UTF-8 letters have the names as they are printed, in text and page, arrive unbroken
// and keep within the limits; and an order may be written as the letter writes it.
func TestScripts(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game())
	a := pages(c)
	m, err := c.adj.CreateMatch(t.Context(), adjudicator.Invitation{Game: "1989", Players: []string{address("democrat"), address("communist")}})
	if err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.sends("democrat", "FORMAT UTF8\nJOIN łódka na wietrze")
	c.sends("communist", "PLAIN\nJOIN Straße – «ещё»")
	plain := a.last("communist")
	c.sends("communist", "PLACE Miskolc, Debrecen")
	printed := a.last("democrat")
	if !strings.Contains(plain.Body, "dice depend on these words") || strings.ContainsFunc(string(plain.Raw.Bytes), func(r rune) bool { return r > 126 }) {
		t.Errorf("a plain letter:\n%s", plain.Raw.Bytes)
	}
	if !strings.Contains(plain.Body, "lodka na wietrze") || plain.HTML != "" || plain.Drawing != nil {
		t.Errorf("a plain letter:\n%s", plain.Body)
	}
	for _, name := range []string{"Łódź", "Székesfehérvár", "Timişoara"} {
		if !strings.Contains(printed.Body, name) || !strings.Contains(printed.HTML, name) {
			t.Errorf("no %s in\n%s", name, printed.Body)
		}
	}
	checkLetter(t, printed)
	checkMessage(t, printed)
	if l := c.sends("democrat", "PLACE Łódź 2, Székesfehérvár"); strings.Contains(l.Text, ": refused") {
		t.Errorf("an order with accents:\n%s", l.Text)
	}
	if !bytes.Contains(c.position(m.ID), []byte(`"Lodz":{"democrat":2`)) {
		t.Error("the order with accents placed nothing")
	}
}
