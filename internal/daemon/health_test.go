package daemon

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/mail"
)

// TestHealth asks a daemon how it does while it serves, and after its inbox has
// not been looked at for long.
func TestHealth(t *testing.T) {
	t.Parallel()
	cfg := local(t)
	d, err := Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	inv := adjudicator.Invitation{Game: games[0].Name(), Players: []string{"ada@samizdat.local", "ben@samizdat.local"}}
	if _, err := d.Adjudicator.CreateMatch(t.Context(), inv); err != nil {
		t.Fatal(err)
	}
	log := NewLog(io.Discard, slog.LevelInfo)
	h := newHealth(d.DB, d.scheduler, cfg.Data, time.Minute, defaultAlarmDelay, log)
	log.Warn("mailbox connection failed", "hint", "the server refuses the login")
	log.With("a", "b").Error("a fault", "hint", "")
	h.poller.Store(mail.NewPoller(cfg.IMAP, nil, nil))
	counting := h.countHandled(mail.HandlerFunc(func(_ context.Context, r mail.Received) (mail.Folder, error) {
		if r.UID == 2 {
			return "", errors.New("a fault")
		}
		return mail.Done, nil
	}))
	for uid := range uint32(3) {
		// What becomes of the letters is counted, not looked at.
		_, _ = counting.Handle(t.Context(), mail.Received{UID: uid})
	}
	handler, err := h.newHandler()
	if err != nil {
		t.Fatal(err)
	}
	if code, text := ask(handler, "/healthz"); code != http.StatusOK || text != "well\n" {
		t.Errorf("at the start: %d %s", code, text)
	}
	_, text := ask(handler, "/metrics")
	for _, want := range []string{`samizdat_letters_handled_total{folder="done"} 2`, `samizdat_letters_handled_total{folder="error"} 1`,
		`samizdat_matches{state="inviting"} 1`, `samizdat_outbox_letters{state="failed"} 0`, "samizdat_letters_sent_total 0",
		"samizdat_outbox_oldest_age_seconds ", "samizdat_inbox_last_poll_age_seconds ", "samizdat_build_info{revision=", `samizdat_letters_handled_total{folder="refused"} 0`,
		`samizdat_log_records_total{hint="yes",level="warn"} 1`, `samizdat_log_records_total{hint="no",level="error"} 1`, "go_goroutines"} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics do not have %q", want)
		}
	}
	if strings.Contains(regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(text, ""), "@") {
		t.Errorf("the metrics name somebody:\n%s", text)
	}
	h.startedAt = time.Now().Add(-time.Hour)
	if code, text := ask(handler, "/healthz"); code != http.StatusServiceUnavailable || !strings.Contains(text, "the inbox was last scanned 1h0m0s ago") {
		t.Errorf("after an hour: %d %s", code, text)
	}
}

func ask(h http.Handler, path string) (int, string) {
	r := httptest.NewRecorder()
	h.ServeHTTP(r, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:9189"+path, nil))
	b, _ := io.ReadAll(r.Body) // it is in memory
	return r.Code, string(b)
}

// TestMetricsEnd: the server of metrics ends with its context, and an address
// that others could reach is no good.
func TestMetricsEnd(t *testing.T) {
	t.Parallel()
	cfg := local(t)
	d, err := Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	h := newHealth(d.DB, d.scheduler, cfg.Data, time.Minute, defaultAlarmDelay, d.log)
	h.poller.Store(mail.NewPoller(cfg.IMAP, nil, nil))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.run(ctx, "127.0.0.1:0") }()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestLoopbackOnly: whoever asks by another name than those of the loopback is told nothing: a page in a browser that
// lets its own name lead to 127.0.0.1.
func TestLoopbackOnly(t *testing.T) {
	t.Parallel()
	h := requireLoopback(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, "well") }))
	for host, want := range map[string]bool{
		"127.0.0.1:9189": true, "127.0.0.1": true, "[::1]:9189": true, "[::1]": true, "localhost:9189": true, "LocalHost": true, "127.8.8.8:1": true,
		"evil.example:9189": false, "evil.example": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false, "192.0.2.1:9189": false, "": false,
		"0.0.0.0:9189": false, "localhost:9189:evil.example": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "http://x/metrics", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if ok := w.Body.String() == "well"; ok != want || !ok && w.Code != http.StatusForbidden {
			t.Errorf("%q: %d %s", host, w.Code, w.Body)
		}
	}
}
