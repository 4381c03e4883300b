package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"samizdat/internal/history"
)

const (
	// webConns is how many connections the web server has at most, so that readers who never
	// end leave files and memory to the letters.
	webConns = 256
	// webTime is how long a page may take on its way, and webStop how long it may take when the
	// daemon stops.
	webTime, webStop = time.Minute, 2 * time.Second
)

// webTypes are the files that are served, by their ends: those that are written here.
var webTypes = map[string]string{
	pageEnd: "text/html; charset=utf-8", recordEnd: "application/x-ndjson; charset=utf-8", ".atom": "application/atom+xml; charset=utf-8",
}

// pagesHandler serves the pages, records and the feed of a directory, and nothing else of it:
// no list, no other files, nothing below it and nothing outside that a link leads to.
func pagesHandler(dir string) http.Handler {
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '" + history.ScriptHash() +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{name...}", func(rw http.ResponseWriter, r *http.Request) {
		head := rw.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("Referrer-Policy", "no-referrer")
		name := r.PathValue("name")
		if name == "" {
			name = "index.html"
		}
		kind := webTypes[path.Ext(name)]
		if kind == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
			http.NotFound(rw, r)
			return
		}
		f, err := os.OpenInRoot(dir, name)
		if err != nil {
			http.NotFound(rw, r)
			return
		}
		defer f.Close()
		is, err := f.Stat()
		if err != nil || !is.Mode().IsRegular() {
			http.NotFound(rw, r)
			return
		}
		head.Set("Content-Type", kind)
		// Pages change: a reader asks whether his is the newest.
		head.Set("Cache-Control", "no-cache")
		http.ServeContent(rw, r, name, is.ModTime(), f)
	})
	return mux
}

// servePages serves the pages of the site until the context ends; nothing where no address is
// set.
func (d *Daemon) servePages(ctx context.Context) error {
	if d.Config.Listen == "" {
		return nil
	}
	server := &http.Server{Handler: pagesHandler(d.Config.Site), ReadTimeout: scrapeTime, WriteTimeout: webTime, IdleTimeout: webTime, MaxHeaderBytes: 16 << 10}
	return serveHTTP(ctx, "listen", d.Config.Listen, server, d.log)
}

// serveHTTP serves at the address of a setting until the context ends.
func serveHTTP(ctx context.Context, setting, address string, server *http.Server, log *slog.Logger) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	return serveAt(ctx, setting, l, server, log)
}

// serveAt serves until the context ends. What is on its way then has a moment to arrive.
func serveAt(ctx context.Context, setting string, l net.Listener, server *http.Server, log *slog.Logger) error {
	log.Info("serves HTTP", "setting", setting, "address", l.Addr().String())
	server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		late, cancel := context.WithTimeout(context.WithoutCancel(ctx), webStop)
		defer cancel()
		err := server.Shutdown(late)
		if errors.Is(err, context.DeadlineExceeded) {
			err = server.Close()
		}
		if err != nil {
			log.Warn("an HTTP server does not stop", "setting", setting, "error", err)
		}
	})
	if err := server.Serve(netutil.LimitListener(l, webConns)); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return fmt.Errorf("%s: %w", setting, err)
	}
	<-stopped
	return nil
}
