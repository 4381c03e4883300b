package adjudicator_test

import (
	"bytes"
	"strings"
	"testing"
)

// TestNote: a player's letters show the player's notes until NOTE CLEAR. No other letter and no record holds them.
func TestNote(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	a := c.sends("communist", "Hello,\nNOTE She holds Rally.\nNOTE: defend Gdansk\nSHOW ORDERS")
	wants(t, a.Text, "NOTE She holds Rally.: done Saved.", "NOTE: defend Gdansk: done", "SHOW ORDERS: done", "YOUR NOTES")
	golden(t, "thoughts/notes.txt", cutMap(a.Text))
	c.sends("communist", "PLACE Miskolc, Debrecen")
	wants(t, c.sends("communist", "STATUS").Text, "| defend Gdansk")
	c.sends("democrat", "STATUS\nRECORD\nHISTORY\nMESSAGE Hello.\nEND MESSAGE")
	wants(t, c.last("communist").Text, "| defend Gdansk")
	for _, l := range c.mailbox[address("democrat")] {
		if strings.Contains(l.Text, "Rally.") || strings.Contains(strings.ToLower(l.Text), "notes") {
			t.Errorf("a letter to the other player holds a note:\n%s", l.Text)
		}
	}
	if bytes.Contains(c.export(id, true), []byte("Rally.")) {
		t.Error("the record holds a note")
	}
	wants(t, c.sends("communist", "NOTE").Text, "Your notes are below", "| She holds Rally.")
	if text := c.sends("communist", "NOTE clear.").Text; strings.Contains(text, "YOUR NOTES") || !strings.Contains(text, "NOTE clear.: done\n  Your notes are deleted.") {
		t.Error(text)
	}
}

// TestNoteMisuse: talk and messages make no notes, an order in a note is not carried out, and long notes are refused.
func TestNoteMisuse(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	was := c.export(id, true)
	for _, tt := range [][2]string{
		{"Note that I am away.", `"Note that I am away.": not understood`},
		{"MESSAGE\nNOTE She holds Rally.\nEND MESSAGE", "MESSAGE: done"},
		{"NOTE \u202e\x07", "Write your note after NOTE."},
		{"NOTE PLACE Miskolc, Debrecen", "NOTE PLACE Miskolc, Debrecen: done Saved."},
		{"NOTE " + strings.Repeat("long ", 100), "The note was not saved: your notes may have 500 characters in all."},
	} {
		wants(t, c.sends("communist", tt[0]).Text, tt[1])
	}
	if !bytes.Equal(was, c.export(id, true)) {
		t.Error("a note has moved the match")
	}
	if text := c.sends("communist", "STATUS").Text; strings.Contains(text, "| She") || !strings.Contains(text, "| PLACE Miskolc, Debrecen") {
		t.Error(text)
	}
}
