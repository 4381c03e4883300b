package clubmail_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/club"
	"samizdat/internal/webhook"
	"samizdat/mail/message"
)

// hookCode finds the code of a hook in a notice.
var hookCode = regexp.MustCompile(`NOTIFY CODE ([A-Z2-7]{12})`)

// TestHooks lets members set web hooks by letter, and holds the letters and what a real HTTP server gets against the script
// testdata/hooks.txtar. "-- Ada --" is a letter of Ada to the club, "-- Ada plays --" to her match, "-- announce --" an act of the
// operator. CODE stands for the code of the newest hook. A "-- to Ada --" is the answer, a "-- hook --" a request.
func TestHooks(t *testing.T) {
	t.Parallel()
	var posted []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		posted = append(posted, r.Method+" "+r.URL.Path+" "+r.Header.Get("Content-Type")+"\n"+string(body)+"\n")
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	h := newHouse(t, func(c *club.Config) { c.PrivateHooks = true })
	h.joins("Ada", "Ben")
	sender := webhook.NewSender(webhook.Sender{Store: h.db.Hooks, Now: func() time.Time { return h.now }, Log: slog.New(slog.DiscardHandler),
		Link: func(club.Notice) string { return "https://club.test/" }}, true)
	script, err := txtar.ParseFile("testdata/hooks.txtar")
	if err != nil {
		t.Fatal(err)
	}
	out, code := &txtar.Archive{Comment: script.Comment}, ""
	mask := func(text string) string {
		text = strings.ReplaceAll(text, server.Listener.Addr().String(), "HOST")
		if code != "" {
			text = strings.ReplaceAll(text, code, "CODE")
		}
		return regexp.MustCompile(`\bm[a-z2-7]{7}\b`).ReplaceAllString(text, "MATCH")
	}
	for _, f := range script.Files {
		if f.Name == "hook" || strings.HasPrefix(f.Name, "to ") {
			continue
		}
		out.Files = append(out.Files, f)
		text := strings.TrimSpace(strings.NewReplacer("HOST", server.Listener.Addr().String(), "CODE CODE", "CODE "+code).
			Replace(string(f.Data)))
		switch name, plays := strings.CutSuffix(f.Name, " plays"); {
		case f.Name == "announce":
			if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Announce, Text: text}, "the operator"); err != nil {
				t.Fatal(err)
			}
		case plays:
			text = strings.ReplaceAll(text, "MATCH", h.match(name).ID)
			h.letter(message.Draft{From: at(name), To: h.ofMatch(name).ReplyTo[0], Subject: "Re", Text: text})
		default:
			_, answer, _ := strings.Cut(h.answers(name, text).Text, "\n\n")
			out.Files = append(out.Files, txtar.File{Name: "to " + name, Data: []byte(mask(strings.TrimSpace(answer)) + "\n")})
		}
		if posted = nil; sender.Send(t.Context()) != nil {
			t.Fatal("notices cannot be sent")
		}
		for _, p := range posted {
			if m := hookCode.FindStringSubmatch(p); m != nil {
				code = m[1]
			}
			out.Files = append(out.Files, txtar.File{Name: "hook", Data: []byte(mask(p))})
		}
	}
	golden(t, "hooks.txtar", string(txtar.Format(out)))
	if data, err := h.db.Club.PersonalData(t.Context(), 1); err != nil || len(data["hooks"]) != 1 {
		t.Errorf("MY DATA has the hooks %v, %v", data["hooks"], err)
	}
	h.answers("Ada", "LEAVE")
	h.answers("Ada", "YES")
	if hook, err := h.db.Club.Hook(t.Context(), 1); err != nil || hook != nil {
		t.Errorf("a former member has the hook %v, %v", hook, err)
	}
}
