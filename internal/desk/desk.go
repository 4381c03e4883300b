// Package desk serves the page of the desk, on which a player composes an order by clicks. The files of the page are the
// same for all players. Its programs are cmd/desk and cmd/desk/matches; "go generate ./internal/desk" builds them.
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

// ErrMissing means that the program was built without the page.
var ErrMissing = errors.New(`the program was built without the page of the desk: run "go generate ./internal/desk" and rebuild the program`)

// Page returns the files of the page, or ErrMissing.
func Page() (fs.FS, error) {
	if _, err := fs.Stat(embedded, "page/desk.wasm.gz"); err != nil {
		return nil, ErrMissing
	}
	return fs.Sub(embedded, "page")
}

// ContentSecurityPolicy is the Content-Security-Policy of the page. The page repeats the policy in its head. The hashes allow the script
// and the styles of history pages, which the page shows.
const ContentSecurityPolicy = "default-src 'none'; " +
	"script-src 'self' 'wasm-unsafe-eval' 'sha256-yz0Sc3Fe1IFs+apwpywPXde/tplT24iH9UAgcpvKZoc='; " +
	"style-src 'self' 'sha256-bLHdFKjXl1g8qgCF3kZ3XiYphN4E4WL1aKDatPh8xyg='; " +
	"connect-src 'self'; worker-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"

// recordName is the name of the record that Handler serves, without its extension.
const recordName = "record"

// Handler serves the page at "/", and record at "/record.jsonl" unless record is nil.
func Handler(record []byte) http.Handler {
	files, pageErr := Page()
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		name := r.URL.Path[1:]
		if name == "" {
			name = "index.html"
		}
		head := rw.Header()
		head.Set("Content-Security-Policy", ContentSecurityPolicy+"; frame-ancestors 'none'")
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		if record != nil && name == recordName+".jsonl" {
			http.ServeContent(rw, r, name, time.Time{}, bytes.NewReader(record))
			return
		}
		if pageErr != nil {
			http.Error(rw, pageErr.Error(), http.StatusNotFound)
			return
		}
		if f, err := fs.Stat(files, name); err != nil || f.IsDir() {
			http.NotFound(rw, r)
			return
		}
		// The page changes with the version of the program.
		head.Set("Cache-Control", "no-cache")
		http.ServeFileFS(rw, r, files, name)
	})
}
