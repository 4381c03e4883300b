package clubmail_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestFormerPlayer: what the player of a seat has written is not shown to whoever has the seat
// after him, and is forgotten with him.
func TestFormerPlayer(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo")
	id := h.invites("Ada", "Ben")
	h.plays(id, 4, "Ada", "Ben")
	if err := h.adj.Replace(t.Context(), id, 0, at("Cleo")); err != nil {
		t.Fatal(err)
	}
	h.deliver()
	h.plays(id, 4, "Cleo", "Ben")
	data := func(player int64) (letters int, text string) {
		all, err := h.db.Club.PersonalData(t.Context(), player)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range all["received"] {
			if row["match"] == id {
				letters++
			}
		}
		return letters, fmt.Sprint(all)
	}
	if n, text := data(3); n == 0 || strings.Contains(text, "ada@") {
		t.Errorf("Cleo is shown %d letters, and of Ada's:\n%s", n, text)
	}
	if n, text := data(1); n == 0 || strings.Contains(text, "cleo@") {
		t.Errorf("Ada is shown %d letters, and of Cleo's:\n%s", n, text)
	}
	h.reply("Ada", h.answers("Ada", "FORGET ME"), "YES")
	if n, _ := data(1); n != 0 {
		t.Errorf("%d letters of Ada are kept", n)
	}
	if n, _ := data(3); n == 0 {
		t.Error("Cleo's letters are forgotten with Ada's")
	}
}
