package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"samizdat/mail"
	"samizdat/storage"
)

// watch tells programs on this machine how the daemon does: /healthz in words,
// /metrics in Prometheus' form. Nothing in it names a player or a match.
type watch struct {
	db     *storage.DB
	poller *mail.Poller
	// overdue is nil where nothing is due.
	overdue *overdue
	// late is how old the last look into the inbox may be.
	late     time.Duration
	started  time.Time
	counters counters
	log      *slog.Logger
}

func newWatch(db *storage.DB, late time.Duration, log *slog.Logger) *watch {
	return &watch{db: db, late: late, started: time.Now(), log: log, counters: newCounters()}
}

// trouble says what is wrong, or nothing.
func (w *watch) trouble(ctx context.Context, now time.Time) []string {
	var out []string
	if age := now.Sub(w.lastPoll()); age > w.late {
		out = append(out, fmt.Sprintf("the inbox was last looked through %s ago", age.Round(time.Second)))
	}
	if n := w.poller.Failing(); n > 0 {
		out = append(out, fmt.Sprintf("letters in the inbox that could not be handled: %d", n))
	}
	if n := w.stuck(); n > 0 {
		out = append(out, fmt.Sprintf("matches in which something is due that could not be carried out: %d", n))
	}
	s, err := w.db.Stats(ctx)
	switch {
	case err != nil:
		out = append(out, "the database cannot be read: "+err.Error())
	case !s.OldestDue.IsZero() && now.Sub(s.OldestDue) > w.late:
		out = append(out, fmt.Sprintf("letters have waited to go out for %s", now.Sub(s.OldestDue).Round(time.Second)))
	}
	return out
}

// stuck is how many matches have something due that fails.
func (w *watch) stuck() int {
	if w.overdue == nil {
		return 0
	}
	return w.overdue.count()
}

// scrapeTime bounds what one look at the database may take.
const scrapeTime = 5 * time.Second

func (w *watch) handler() (http.Handler, error) {
	reg := prometheus.NewRegistry()
	for _, c := range append(w.collectors(), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})) {
		if err := reg.Register(c); err != nil {
			return nil, fmt.Errorf("metrics: %w", err)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /healthz", func(rw http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), scrapeTime)
		defer cancel()
		text := "well"
		if bad := w.trouble(ctx, time.Now()); len(bad) > 0 {
			rw.WriteHeader(http.StatusServiceUnavailable)
			text = strings.Join(bad, "\n")
		}
		if _, err := fmt.Fprintln(rw, text); err != nil {
			w.log.Debug("whoever asked after our health has gone", "error", err)
		}
	})
	return mux, nil
}

// run serves until the context ends. The address must be one of this machine's
// own: there is no login.
func (w *watch) run(ctx context.Context, address string) error {
	h, err := w.handler()
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	w.log.Info("metrics", "address", l.Addr().String())
	server := &http.Server{Handler: h, ReadHeaderTimeout: scrapeTime, WriteTimeout: 2 * scrapeTime}
	stop := context.AfterFunc(ctx, func() {
		if err := server.Close(); err != nil {
			w.log.Warn("the metrics server does not stop", "error", err)
		}
	})
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}
