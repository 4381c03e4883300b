package webhook_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/webhook"
	"samizdat/storage"
)

// bench is a database, a sender with a clock of its own, and a real HTTP server that counts requests.
type bench struct {
	t      *testing.T
	db     *storage.DB
	now    time.Time
	mu     sync.Mutex
	bodies []string
}

func newBench(t *testing.T) *bench {
	dir := t.TempDir()
	where, key := filepath.Join(dir, "club.db"), filepath.Join(dir, "secret.key")
	db, err := storage.Open(t.Context(), pgtest.Where(t, where, key, storage.Open), key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &bench{t: t, db: db, now: time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC)}
}

func (b *bench) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bodies = append(b.bodies, string(body))
}

func (b *bench) taken() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bodies
}

// hooks sets the operator's hooks.
func (b *bench) hooks(hooks ...club.HookConfig) {
	b.t.Helper()
	var all []club.Hook
	for i, c := range hooks {
		h, err := c.Hook(i)
		if err != nil {
			b.t.Fatal(err)
		}
		all = append(all, h)
	}
	if err := b.db.Club.SetOperatorHooks(b.t.Context(), all); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) announce(texts ...string) {
	b.t.Helper()
	c := &club.Change{}
	for _, text := range texts {
		c.Announcements = append(c.Announcements, club.Announcement{At: b.now, Text: text})
	}
	if err := b.db.Apply(b.t.Context(), exchange.Change{Club: c}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) sender(isPrivate bool) *webhook.Sender {
	return webhook.NewSender(webhook.Sender{Store: b.db.Hooks, Now: func() time.Time { return b.now }, Log: slog.New(slog.DiscardHandler),
		Link: func(club.Notice) string { return "https://club.test/" },
		ComposeDropLetter: func(_ context.Context, h club.Hook) (string, []byte, error) {
			return "operator@club.test", []byte("Subject: hook " + h.Host()), nil
		}}, isPrivate)
}

func (b *bench) send(s *webhook.Sender) {
	b.t.Helper()
	if err := s.Send(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
}

// queued returns the number of queued notices of a hook.
func (b *bench) queued(hook int64) int {
	b.t.Helper()
	notices, err := b.db.Hooks.Notices(b.t.Context(), hook, 1<<20)
	if err != nil {
		b.t.Fatal(err)
	}
	return len(notices)
}

// TestFormats posts a notice in each format, and tells a text with marks of Discord and Slack from such marks.
func TestFormats(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	for format, want := range map[string]string{
		"json":    `{"kind":"announcement","text":"@everyone \u003c!here\u003e","at":"2026-11-26T09:00:00Z","link":"https://club.test/"}`,
		"discord": `{"allowed_mentions":{"parse":[]},"content":"@everyone \u003c!here\u003e https://club.test/"}`,
		"slack":   `{"text":"@everyone \u0026lt;!here\u0026gt; https://club.test/"}`,
		"matrix":  `{"text":"@everyone \u003c!here\u003e https://club.test/","username":"Samizdat"}`,
		"ntfy":    "@everyone <!here> https://club.test/",
		"text":    "@everyone <!here> https://club.test/",
	} {
		b.hooks(club.HookConfig{URL: server.URL, Format: format}, club.HookConfig{URL: server.URL, On: "over"},
			club.HookConfig{URL: server.URL, Match: "mabcdefg"})
		b.announce("@everyone <!here>")
		b.send(b.sender(true))
		if got := b.taken(); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", format, got, want)
		}
		b.bodies = nil
	}
}

// TestPrivate: without the operator's leave no request reaches a private address, by number, by name or by a redirect, nor a
// server whose certificate is not trusted. With it redirects are not followed either.
func TestPrivate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	server, secure := httptest.NewServer(b), httptest.NewTLSServer(b)
	redirecting := httptest.NewServer(http.RedirectHandler(server.URL, http.StatusTemporaryRedirect))
	for _, s := range []*httptest.Server{server, secure, redirecting} {
		t.Cleanup(s.Close)
		s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
	}
	_, port, _ := net.SplitHostPort(server.Listener.Addr().String())
	for _, tt := range []struct {
		url     string
		private bool
	}{{server.URL, false}, {"http://localhost:" + port, false}, {"http://[::ffff:127.0.0.1]:" + port, false}, {"http://0.0.0.0:" + port, false},
		{"http://169.254.169.254/latest/meta-data", false}, {redirecting.URL, true}, {secure.URL, true}} {
		b.hooks(club.HookConfig{URL: tt.url})
		b.announce("news")
		b.send(b.sender(tt.private))
		if got := b.taken(); len(got) > 0 || b.queued(-1) == 0 {
			t.Fatalf("%+v: %q was taken, %d are queued", tt, got, b.queued(-1))
		}
	}
	b.hooks(club.HookConfig{URL: server.URL})
	b.send(b.sender(true))
	if n := len(b.taken()); n == 0 || b.queued(-1) > 0 {
		t.Errorf("with leave %d notices come, %d are queued", n, b.queued(-1))
	}
}

// TestPartlySent: a hook that takes a notice and fails with the next keeps the pause of that failure. The notice that it took is
// not sent again.
func TestPartlySent(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b.ServeHTTP(w, r); len(b.taken()) > 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(server.Close)
	b.hooks(club.HookConfig{URL: server.URL, Format: "text"})
	b.announce("one", "two")
	b.send(b.sender(true))
	if n := b.queued(-1); n != 1 {
		t.Errorf("%d notices are queued, want the second", n)
	}
	due, err := b.db.Hooks.Due(t.Context(), b.now, 10)
	if err != nil || len(due) > 0 {
		t.Errorf("hooks %v are due at once, %v", due, err)
	}
	if due, err = b.db.Hooks.Due(t.Context(), b.now.Add(time.Hour), 10); err != nil || len(due) != 1 || due[0].Attempts != 1 {
		t.Errorf("hooks %v are due after an hour, %v", due, err)
	}
}

// TestDeadHost: 10,000 notices to a host that takes connections and never answers leave 100 in the queue, delay no change of the
// database, and another host. After a week the hook is dropped with a letter, and old notices were never sent.
func TestDeadHost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	asked := make(chan struct{}, 8)
	done := make(chan struct{})
	dead := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked <- struct{}{}; <-done }))
	t.Cleanup(dead.Close)
	var once sync.Once
	release := func() { once.Do(func() { close(done) }) }
	t.Cleanup(release)
	b.hooks(club.HookConfig{URL: dead.URL}, club.HookConfig{URL: server.URL, Format: "text"}, club.HookConfig{URL: dead.URL + "/again"})
	texts := make([]string, 10_000)
	for i := range texts {
		texts[i] = fmt.Sprint("news ", i)
	}
	b.announce(texts...)
	s := b.sender(true)
	ctx, stop := context.WithCancel(t.Context())
	var sending sync.WaitGroup
	sending.Go(func() { _ = s.Send(ctx) }) // The end of the context is its error.
	<-asked
	b.announce("while the host is silent") // This returns although the request hangs.
	stop()
	sending.Wait()
	release()
	dead.Close()
	b.send(s)
	if n, again := b.queued(-1), b.queued(-3); n != 100 || again != 100 {
		t.Errorf("%d and %d notices are queued", n, again)
	}
	for range 10 { // 20 a round
		b.send(s)
	}
	if n := len(b.taken()); n < 100 || !strings.HasPrefix(b.taken()[0], "news 0 ") {
		t.Errorf("the other host got %d notices", n)
	}
	taken := len(b.taken())
	for range 8 {
		b.now = b.now.AddDate(0, 0, 1).Add(time.Hour)
		b.announce("news of the day")
		b.send(s)
	}
	if n := len(b.taken()) - taken; n != 8 {
		t.Errorf("the other host got %d notices in eight days", n)
	}
	if due, err := b.db.Hooks.Due(t.Context(), b.now.AddDate(1, 0, 0), 10); err != nil || len(due) > 0 || b.queued(-1) > 0 {
		t.Errorf("hooks %v are left, %v", due, err)
	}
	letters, err := b.db.Outbox("referee@club.test").Due(t.Context(), b.now, 10)
	if err != nil || len(letters) != 2 || letters[0].To != "operator@club.test" {
		t.Errorf("letters %v, %v", letters, err)
	}
}
