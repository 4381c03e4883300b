package message

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/internal/test/goldentest"
)

func example() Draft {
	return Draft{
		From: "judge@demo.example", FromName: "Samizdat", To: "ann@example.org",
		ReplyTo: TokenAddress("judge@demo.example", NewToken(seatKey, LetterName{"m1", Seat, 0, 7}).String()),
		Subject: "[m1] Turn 3: your move", MessageID: "m1-7-0@demo.example", InReplyTo: "m1-6-0@demo.example",
		References: []string{"m1-0-0@demo.example", "m1-5-0@demo.example", "m1-6-0@demo.example"},
		ListID:     "m1.demo.example", Date: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC),
		AutoSubmitted: "auto-generated", Text: Mark + "\n\nYour move.\n.\nFrom here on:  EVENT 24\n",
		Extra: map[string]string{"X-Samizdat-Match": "m1", "List-Help": "<mailto:judge@demo.example>"},
	}
}

func TestRenderGolden(t *testing.T) {
	t.Parallel()
	plain := example()
	unicode := example()
	unicode.FromName, unicode.Subject = "Samizdat Łódź", "Łódź "+strings.Repeat("a very long subject ", 6)
	unicode.Text = Mark + "\n\nŁódź, Kraków und Köln\n" + strings.Repeat("x", 78) + "\n"
	rich := example()
	rich.HTML = "<p>Your move.</p><img src=\"cid:map@m1\">"
	rich.Picture = &Attachment{ID: "map@m1", Name: "map.png", Type: "image/png", Data: bytes.Repeat([]byte{1, 2, 3}, 60)}
	attached := rich
	attached.Calendar = "BEGIN:VCALENDAR\nEND:VCALENDAR\n"
	attached.File = &Attachment{Name: "m1\".jsonl", Type: "application/jsonl", Data: bytes.Repeat([]byte("{}\n"), 60)}
	for name, m := range map[string]Draft{"plain": plain, "unicode": unicode, "rich": rich, "attached": attached} {
		raw, err := m.Render()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, _ := m.Render()
		if !bytes.Equal(raw, again) {
			t.Errorf("%s: rendered twice, got two letters", name)
		}
		if bytes.Count(raw, []byte("\n")) != bytes.Count(raw, []byte("\r\n")) {
			t.Errorf("%s: bare line feeds", name)
		}
		for line := range strings.SplitSeq(string(raw), "\r\n") {
			if len(line) > 78 {
				t.Errorf("%s: %d columns: %s", name, len(line), line)
			}
		}
		goldentest.Compare(t, "render-"+name+".eml", strings.ReplaceAll(string(raw), "\r\n", "\n"))

		l := Read(raw)
		if d := cmp.Diff(l.Text, m.Text); d != "" {
			t.Errorf("%s: text read back (-got +want):\n%s", name, d)
		}
		if l.Subject != strings.TrimSpace(m.Subject) || l.MessageID != m.MessageID || l.InReplyTo != m.InReplyTo || len(l.Problems) > 0 && m.File == nil {
			t.Errorf("%s: read back %q %q %q %v", name, l.Subject, l.MessageID, l.InReplyTo, l.Problems)
		}
		if d := cmp.Diff(l.References, m.References); d != "" {
			t.Errorf("%s: references:\n%s", name, d)
		}
		if got, ok := NewestToken(FindTokens(Letter{To: l.ReplyTo}, "judge@demo.example", Seat)); !ok || !got.IsValid(seatKey) {
			t.Errorf("%s: no token in Reply-To %v", name, l.ReplyTo)
		}
		// Our own letter, sent back to us, must not be answered nor obeyed.
		if l.AutoReason == "" || OrderText(l.Text, testReferee) != "" {
			t.Errorf("%s: auto %q, orders %q", name, l.AutoReason, OrderText(l.Text, testReferee))
		}
	}
}

func TestRenderRefuses(t *testing.T) {
	t.Parallel()
	evil := "x\r\nBcc: everybody@example.org"
	for name, change := range map[string]func(*Draft){
		"subject":     func(m *Draft) { m.Subject = evil },
		"from name":   func(m *Draft) { m.FromName = evil },
		"from":        func(m *Draft) { m.From = "a@b" + evil },
		"to":          func(m *Draft) { m.To = "a@b\nBcc: c@d" },
		"two to":      func(m *Draft) { m.To = "a@b, c@d" },
		"named to":    func(m *Draft) { m.To = "Ann <a@b>" },
		"reply-to":    func(m *Draft) { m.ReplyTo = evil },
		"message-id":  func(m *Draft) { m.MessageID = evil },
		"references":  func(m *Draft) { m.References = []string{"a b"} },
		"list-id":     func(m *Draft) { m.ListID = evil },
		"auto":        func(m *Draft) { m.AutoSubmitted = evil },
		"extra value": func(m *Draft) { m.Extra = map[string]string{"X-A": evil} },
		"extra name":  func(m *Draft) { m.Extra = map[string]string{"X-A: 1\r\nBcc": "a@b"} },
		"no from":     func(m *Draft) { m.From = "" },
	} {
		m := example()
		change(&m)
		if raw, err := m.Render(); err == nil {
			t.Errorf("%s: got %s", name, raw)
		}
	}
}

// TestPlainASCII: what travels unencoded is found out eight characters at a time, wherever among them the one stands
// that must not.
func TestPlainASCII(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		want := c == '\t' || c == '\n' || c == '\r' || c >= ' ' && c < 0x7f
		for before := range 17 {
			text := strings.Repeat("a", before) + string([]byte{byte(c)}) + "tail of a line"
			if isPlainASCII(text) != want {
				t.Errorf("%q: plain is not %v", text, want)
			}
		}
	}
	for _, end := range []string{"", "\n", "\r\n", "\r", "\n" + strings.Repeat("b", maxPlainLine)} {
		for first := range 8 {
			head := strings.Repeat("h", first) + "\n"
			if line := strings.Repeat("x", maxPlainLine); !isPlainASCII(head + line + end) {
				t.Errorf("a line of %d characters is too long before %.4q", maxPlainLine, end)
			}
			if line := strings.Repeat("x", maxPlainLine+1); isPlainASCII(head + line + end) {
				t.Errorf("a line of %d characters is not too long before %.4q", maxPlainLine+1, end)
			}
		}
	}
}
