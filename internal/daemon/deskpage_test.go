package daemon

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"samizdat/internal/config"
	deskpage "samizdat/internal/desk"
)

// TestDeskPage: the page of the desk is written beside the other pages and served, if the program was
// built with it.
func TestDeskPage(t *testing.T) {
	t.Parallel()
	s := newSiteTest(t, "none")
	s.look()
	files, err := deskpage.Page()
	isMissing := errors.Is(err, deskpage.ErrMissing)
	if err != nil && !isMissing {
		t.Fatal(err)
	}
	cfg := config.Config{Site: s.dir, SiteURL: "https://club.example/"}
	if got := deskURL(cfg); isMissing != (got == "") || !isMissing && got != "https://club.example/desk/" {
		t.Errorf("letters link to %q, and the page is missing: %t", got, isMissing)
	}
	written := os.DirFS(filepath.Join(s.dir, config.DeskDir))
	if isMissing {
		if list, err := fs.ReadDir(written, "."); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v are written, and are not there to be written: %v", list, err)
		}
		files = fstest.MapFS{}
	}
	list, err := fs.ReadDir(files, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		got, err := fs.ReadFile(written, f.Name())
		want, failed := fs.ReadFile(files, f.Name())
		if err != nil || failed != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not as it should be: %v, %v", f.Name(), err, failed)
		}
	}
	server := httptest.NewServer(newPagesHandler(s.dir))
	t.Cleanup(server.Close)
	for path, want := range map[string]int{"/desk": 200, "/desk/": 200, "/desk/desk.js": 200, "/desk/desk.go": 404, "/desk/..%2fx": 404} {
		if isMissing && want == 200 {
			want = 404
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want || answer.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("GET %s: %s, want %d", path, answer.Status, want)
		}
	}
}
