package daemon

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestUnsubscribeHandler: only a POST of a mail program or of the page unsubscribes; other requests go to the pages.
func TestUnsubscribeHandler(t *testing.T) {
	t.Parallel()
	var tokens []string
	server := httptest.NewServer(unsubscribeHandler(http.NotFoundHandler(), func(_ context.Context, token string) (bool, error) {
		tokens = append(tokens, token)
		return true, nil
	}, slog.New(slog.DiscardHandler)))
	t.Cleanup(server.Close)
	for _, tt := range []struct {
		method, path, body string
		status             int
		done               bool
	}{
		{"GET", "/unsubscribe/7-ab", "", 200, false},
		{"POST", "/unsubscribe/7-ab", "", 400, false},
		{"POST", "/unsubscribe/7-ab?List-Unsubscribe=One-Click", "", 400, false},
		{"POST", "/unsubscribe/7-ab", "x=" + strings.Repeat("y", 1<<20), 400, false},
		{"POST", "/unsubscribe/7-ab", "List-Unsubscribe=One-Click", 200, true},
		{"POST", "/unsubscribe/", "List-Unsubscribe=One-Click", 404, false},
		{"GET", "/index.html", "", 404, false},
	} {
		tokens = nil
		r, err := http.NewRequestWithContext(t.Context(), tt.method, server.URL+tt.path, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if isDone := slices.Equal(tokens, []string{"7-ab"}); res.StatusCode != tt.status || isDone != tt.done {
			t.Errorf("%s %s: %s, tokens %v", tt.method, tt.path, res.Status, tokens)
		}
	}
}
