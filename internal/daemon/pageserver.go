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

	"samizdat/internal/config"
	deskpage "samizdat/internal/desk"
	"samizdat/internal/history"
)

const (
	// maxWebConns limits the connections of the web server, so that slow clients do not use up the file descriptors and
	// memory that the mail needs.
	maxWebConns = 256
	// webTimeout limits the transfer of a page. webStopTimeout limits the transfers in progress when the daemon stops.
	webTimeout, webStopTimeout = time.Minute, 2 * time.Second
)

var webTypes = map[string]string{
	pageExt: "text/html; charset=utf-8", recordExt: "application/x-ndjson; charset=utf-8", ".atom": "application/atom+xml; charset=utf-8",
	dataExt: "application/json", pictureExt: "image/png", ".ics": "text/calendar; charset=utf-8",
}

// newPagesHandler returns a handler that serves the pages, data, pictures, records and feeds of a directory. It serves no
// listing, no other files and no subdirectory except the desk's, and follows no symbolic link out of the directory.
func newPagesHandler(dir string) http.Handler {
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '" + history.ScriptHash() +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	mux := http.NewServeMux()
	mux.Handle("GET /"+config.DeskDir+"/", http.StripPrefix("/"+config.DeskDir, deskpage.Handler(nil)))
	mux.HandleFunc("GET /{name...}", func(rw http.ResponseWriter, r *http.Request) {
		header := rw.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		name := r.PathValue("name")
		if name == "" {
			name = "index.html"
		}
		contentType := webTypes[path.Ext(name)]
		if contentType == "" || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\`) {
			http.NotFound(rw, r)
			return
		}
		f, err := os.OpenInRoot(dir, name)
		if err != nil {
			http.NotFound(rw, r)
			return
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || !info.Mode().IsRegular() {
			http.NotFound(rw, r)
			return
		}
		header.Set("Content-Type", contentType)
		// Pages change: a browser must ask whether its copy is current.
		header.Set("Cache-Control", "no-cache")
		http.ServeContent(rw, r, name, info.ModTime(), f)
	})
	return mux
}

func (d *Daemon) servePages(ctx context.Context) error {
	if d.Config.Listen == "" {
		return nil
	}
	handler := newPagesHandler(d.Config.Site)
	if d.Club != nil {
		handler = unsubscribeHandler(handler, d.Club.Unsubscribe, d.log)
	}
	server := &http.Server{Handler: handler, ReadTimeout: scrapeTimeout, WriteTimeout: webTimeout, IdleTimeout: webTimeout,
		MaxHeaderBytes: 16 << 10}
	return serveHTTP(ctx, "listen", d.Config.Listen, server, d.log)
}

// serveHTTP serves HTTP at an address until the context ends. setting is the key of the address in the configuration,
// e.g. "metrics".
func serveHTTP(ctx context.Context, setting, address string, server *http.Server, log *slog.Logger) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("%s: %w", setting, err)
	}
	return serveAt(ctx, setting, l, server, log)
}

// serveAt serves HTTP at a listener until the context ends. Then responses in progress may take webStopTimeout longer.
func serveAt(ctx context.Context, setting string, l net.Listener, server *http.Server, log *slog.Logger) error {
	log.Info("serves HTTP", "setting", setting, "address", l.Addr().String())
	server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		shutdownCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), webStopTimeout)
		defer cancel()
		err := server.Shutdown(shutdownCtx)
		if errors.Is(err, context.DeadlineExceeded) {
			err = server.Close()
		}
		if err != nil {
			log.Warn("stopping an HTTP server failed", "setting", setting, "error", err)
		}
	})
	if err := server.Serve(netutil.LimitListener(l, maxWebConns)); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return fmt.Errorf("%s: %w", setting, err)
	}
	<-stopped
	return nil
}
