// Package desk serves the page on which a player clicks an order together. Its files are the same for every reader. Its programs
// are cmd/desk and cmd/desk/matches; "go generate ./internal/desk" builds them.
package desk

//go:generate go run ./build

import (
	"bytes"
	"embed"
	"errors"
	"io/fs"
	"net/http"
	"time"
)

//go:embed page
var embedded embed.FS

// ErrMissing says that the program was built without the page.
var ErrMissing = errors.New(`this program was built without the page of the desk: run "go generate ./internal/desk" and build it again`)

// Page returns the files of the page, or ErrMissing.
func Page() (fs.FS, error) {
	if _, err := fs.Stat(embedded, "page/desk.wasm.gz"); err != nil {
		return nil, ErrMissing
	}
	return fs.Sub(embedded, "page")
}

// Policy is the Content-Security-Policy of the page, which has it in its head as well. The hashes are those of
// the script and the styles of history pages, which it shows.
const Policy = "default-src 'none'; " +
	"script-src 'self' 'wasm-unsafe-eval' 'sha256-yz0Sc3Fe1IFs+apwpywPXde/tplT24iH9UAgcpvKZoc='; " +
	"style-src 'self' 'sha256-bLHdFKjXl1g8qgCF3kZ3XiYphN4E4WL1aKDatPh8xyg='; " +
	"connect-src 'self'; worker-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"

// recordName is the name of the record that Handler serves, without its extension.
const recordName = "record"

// Handler serves the page at "/", and beside it the record of a match unless it is nil.
func Handler(record []byte) http.Handler {
	files, missing := Page()
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[1:]
		if name == "" {
			name = "index.html"
		}
		head := rw.Header()
		head.Set("Content-Security-Policy", Policy+"; frame-ancestors 'none'")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		if record != nil && name == recordName+".jsonl" {
			http.ServeContent(rw, r, name, time.Time{}, bytes.NewReader(record))
			return
		}
		if missing != nil {
			http.Error(rw, missing.Error(), http.StatusNotFound)
			return
		}
		if f, err := fs.Stat(files, name); err != nil || f.IsDir() {
			http.NotFound(rw, r)
			return
		}
		// A new version of the program replaces the page.
		head.Set("Cache-Control", "no-cache")
		http.ServeFileFS(rw, r, files, name)
	})
}
