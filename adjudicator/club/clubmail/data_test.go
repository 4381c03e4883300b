package clubmail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"samizdat/adjudicator/match"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
)

// TestGames: a member sees whose move it is and how much time is left, as he may know it, and
// gets the newest letter of each match again.
func TestGames(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	golden(t, "games/none.txt", h.answers("Ada", "GAMES").Text)
	var ids []string
	for i, tempo := range []string{"", " TEMPO fast"} {
		h.answers("Ada", "OFFER 1989 AS DEMOCRAT"+tempo)
		h.answers("Ben", fmt.Sprintf("ACCEPT %d", i+1))
		ids = append(ids, h.match("Ben").ID)
	}
	masked := func(text string) string {
		for i, id := range ids {
			text = strings.ReplaceAll(text, id, fmt.Sprintf("match%d", i))
		}
		return text
	}
	for _, name := range []string{"Ada", "Ben"} {
		got := masked(h.answers(name, "GAMES").Text)
		narrow(t, got)
		for _, want := range []string{"match0: ", "match1: ", "1989 v. "} {
			if !strings.Contains(got, want) {
				t.Errorf("%s is not told %q:\n%s", name, want, got)
			}
		}
	}
	had := len(h.mailbox[at("Ada")])
	h.answers("Ada", "RESEND ALL\nRESEND ALL")
	if n := len(h.mailbox[at("Ada")]) - had; n != 3 {
		t.Errorf("%d letters came", n)
	}
	if got := h.reply("Ada", h.ofMatch("Ada"), "STATUS").Text; strings.Contains(got, "could not") {
		t.Errorf("the letter that was sent again cannot be answered:\n%s", got)
	}
}

// TestSettings: what a member sets is shown, and his new matches follow it.
func TestSettings(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.answers("Ada", "MOST 1\nTIMEZONE Warsaw\nFORMAT TEXT\nNAME Ada Lovelace")
	golden(t, "games/settings.txt", h.answers("Ada", "SETTINGS").Text)
	if raw := h.raw[at("Ada")]; strings.Contains(raw[len(raw)-1], "text/html") {
		t.Error("a page is sent to whoever wants text")
	}
	h.answers("Ben", "OFFER 1989")
	h.answers("Ada", "ACCEPT 1")
	m := h.match("Ada")
	for _, s := range m.Seats {
		if s.Player.Address == at("Ada") && (s.Format != "text" || s.PlayerName != "Ada Lovelace" || s.Player.Zone != "Europe/Warsaw") {
			t.Errorf("her seat is %+v", s)
		}
	}
	h.answers("Ben", "OFFER 1989")
	if got := h.answers("Ada", "ACCEPT 2").Text; !strings.Contains(got, "You play 1 matches, and may play 1") && !strings.Contains(got, "may play 1 at once") {
		t.Errorf("a second match:\n%s", got)
	}
	if strings.Contains(h.last("Ben").Text+h.answers("Ben", "WHO Ada Lovelace").Text, "Warsaw") {
		t.Error("Ben is told where she lives")
	}
}

// TestForgetMe: a member is sent what is stored of him; when he has confirmed it nothing of it
// stays but his pseudonym.
func TestForgetMe(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.answers("Ada", "OFFER 1989 AS DEMOCRAT")
	h.answers("Ben", "ACCEPT 1")
	m := h.match("Ben")
	golden(t, "forget/plays.txt", strings.ReplaceAll(h.answers("Ada", "FORGET ME").Text, m.ID, "MATCH"))
	h.reply("Ada", h.ofMatch("Ada"), "RESIGN")
	if h.match("Ada").State != match.Over {
		h.reply("Ada", h.ofMatch("Ada"), "YES")
	}
	if s := h.match("Ada").State; s != match.Over {
		t.Fatalf("the match is %s:\n%s", s, h.ofMatch("Ada").Text)
	}
	h.answers("Ada", "MY DATA\nOFFER 1989\nPAIR ME 1989\nTIMEZONE Warsaw")
	data := h.raw[at("Ada")][len(h.raw[at("Ada")])-1]
	if !strings.Contains(data, "my-data.json") {
		t.Errorf("no file is attached:\n%s", data)
	}
	asked := h.answers("Ada", "FORGET ME")
	golden(t, "forget/asked.txt", asked.Text)
	h.writes("Ada", "YES")
	if x, err := h.db.Club.MemberByAddress(t.Context(), at("Ada")); err != nil || x == nil {
		t.Fatal("a YES that answers nothing has done it", err)
	}
	before := h.mailbox[at("Ada")]
	golden(t, "forget/forgotten.txt", h.reply("Ada", asked, "YES").Text)
	for _, l := range before {
		if strings.Contains(l.ReplyTo[0], "+club-c1-") {
			sent := h.sent
			h.letter(message.Draft{From: at("Ada"), To: l.ReplyTo[0], Subject: "x", Text: "WHO"})
			if h.sent != sent {
				t.Errorf("a letter to a forgotten member: %s", h.last("Ada").Text)
			}
			break
		}
	}
	h.now = h.now.Add(60 * 24 * time.Hour)
	for hasMore := true; hasMore; {
		var err error
		if hasMore, err = h.db.Upkeep.DeleteSent(t.Context(), h.now, 1000); err != nil {
			t.Fatal(err)
		}
	}
	h.due()
	for _, found := range h.find("ada@players", "Ada", "Warsaw") {
		t.Errorf("still there: %s", found)
	}
	if got := h.answers("Ben", "WHO\nLOG").Text; strings.Contains(got, "Ada") || !strings.Contains(got, "Former member 1") {
		t.Errorf("Ben is told:\n%s", got)
	}
	h.now = h.now.Add(24 * time.Hour)
	h.writes("Ada", "REGISTER Ada")
	if got := h.answers("Ada", "YES").Text; !strings.Contains(got, "Welcome") {
		t.Errorf("she cannot come back:\n%s", got)
	}
}

// find looks for texts in everything that is stored in the open.
func (h *house) find(texts ...string) (found []string) {
	h.t.Helper()
	db, query := pgtest.Look(h.t, h.path()), `SELECT name FROM sqlite_schema WHERE type = 'table'`
	if pgtest.Used() {
		query = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`
	}
	tables, err := db.Query(query)
	if err != nil {
		h.t.Fatal(err)
	}
	defer tables.Close()
	for tables.Next() {
		var table string
		if err := tables.Scan(&table); err != nil {
			h.t.Fatal(err)
		}
		rows, err := db.Query("SELECT * FROM " + table)
		if err != nil {
			h.t.Fatal(err)
		}
		columns, err := rows.Columns()
		if err != nil {
			h.t.Fatal(err)
		}
		for rows.Next() {
			values, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			if err := rows.Scan(to...); err != nil {
				h.t.Fatal(err)
			}
			for i, v := range values {
				for _, text := range texts {
					if is, ok := v.(string); ok && strings.Contains(is, text) {
						found = append(found, fmt.Sprintf("%s.%s: %s", table, columns[i], is))
					}
				}
			}
		}
		rows.Close()
	}
	return found
}
