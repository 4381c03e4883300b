package daemon

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPagesHandler: the pages, records and the feed of a directory are served, with what keeps
// browsers from all else, and nothing else is.
func TestPagesHandler(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "pages")
	for name, text := range map[string]string{
		"secret.html": "no", "pages/index.html": "first", "pages/m1.html": "one", "pages/m1.jsonl": "{}", "pages/results.atom": "<feed/>",
		"pages/m1.json": "[]", "pages/m1.png": "png", "pages/cup.ics": "ics",
		"pages/.draft.html": "no", "pages/.samizdat-club": "no", "pages/notes.txt": "no", "pages/below/x.html": "no", "pages/dir.html/x": "no",
	} {
		path := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.html", filepath.Join(dir, "link.html")); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(newPagesHandler(dir))
	t.Cleanup(server.Close)
	for _, tt := range []struct {
		method, path string
		status       int
		kind, text   string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8", "first"},
		{"GET", "/m1.html", 200, "text/html; charset=utf-8", "one"},
		{"GET", "/m1.jsonl", 200, "application/x-ndjson; charset=utf-8", "{}"},
		{"GET", "/results.atom", 200, "application/atom+xml; charset=utf-8", "<feed/>"},
		{"GET", "/m1.json", 200, "application/json", "[]"}, {"GET", "/m1.png", 200, "image/png", "png"},
		{"GET", "/cup.ics", 200, "text/calendar; charset=utf-8", "ics"},
		{"HEAD", "/m1.html", 200, "text/html; charset=utf-8", ""},
		{"POST", "/m1.html", 405, "", ""}, {"PUT", "/new.html", 405, "", ""},
		{"GET", "/.draft.html", 404, "", ""}, {"GET", "/.samizdat-club", 404, "", ""}, {"GET", "/notes.txt", 404, "", ""},
		{"GET", "/below/x.html", 404, "", ""}, {"GET", "/below/", 404, "", ""}, {"GET", "/dir.html", 404, "", ""}, {"GET", "/link.html", 404, "", ""},
		{"GET", "/..%2fsecret.html", 404, "", ""}, {"GET", "/..%5csecret.html", 404, "", ""}, {"GET", "/m1.html%00", 404, "", ""}, {"GET", "/none.html", 404, "", ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), tt.method, server.URL+tt.path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != tt.status || err != nil {
			t.Errorf("%s %s: %s %q, %v; want %d", tt.method, tt.path, answer.Status, text, err, tt.status)
			continue
		}
		if tt.status != 200 {
			continue
		}
		head := answer.Header
		if string(text) != tt.text || head.Get("Content-Type") != tt.kind || head.Get("X-Content-Type-Options") != "nosniff" ||
			!strings.HasPrefix(head.Get("Content-Security-Policy"), "default-src 'none'; ") {
			t.Errorf("%s %s: %q with %v", tt.method, tt.path, text, head)
		}
	}
}

// TestServeAt: what is being answered when the daemon stops still arrives, and then nobody
// listens any more.
func TestServeAt(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked, answer := make(chan struct{}), make(chan struct{})
	server := &http.Server{ReadHeaderTimeout: scrapeTimeout, Handler: http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-answer
		_, _ = io.WriteString(rw, "late")
	})}
	ctx, cancel := context.WithCancel(t.Context())
	ended, got := make(chan error, 1), make(chan string, 1)
	go func() { ended <- serveAt(ctx, "listen", l, server, slog.New(slog.DiscardHandler)) }()
	ask := func() (string, error) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+l.Addr().String(), http.NoBody)
		if err != nil {
			return "", err
		}
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		a, err := client.Do(r)
		if err != nil {
			return "", err
		}
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		return string(text), err
	}
	go func() {
		text, err := ask()
		if err != nil {
			text = err.Error()
		}
		got <- text
	}()
	<-asked
	cancel()
	close(answer)
	if text := <-got; text != "late" {
		t.Errorf("got %q", text)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if text, err := ask(); err == nil {
		t.Errorf("somebody answers: %q", text)
	}
}
