package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"samizdat/mail"
	"samizdat/storage"
)

// health tells programs on this machine how the daemon does: /healthz in words,
// /metrics in Prometheus' form. Nothing in it names a player or a match.
type health struct {
	db *storage.DB
	// poller is nil where another daemon reads the inbox.
	poller    atomic.Pointer[mail.Poller]
	scheduler *scheduler
	// late is how old the last look into the inbox may be.
	late     time.Duration
	started  time.Time
	counters counters
	log      *slog.Logger
}

func newHealth(db *storage.DB, s *scheduler, late time.Duration, log *slog.Logger) *health {
	return &health{db: db, scheduler: s, late: late, started: time.Now(), log: log, counters: newCounters()}
}

// trouble says what is wrong, or nothing.
func (h *health) trouble(ctx context.Context, now time.Time) []string {
	var out []string
	if age := now.Sub(h.lastPoll(ctx)); age > h.late {
		out = append(out, fmt.Sprintf("the inbox was last looked through %s ago", age.Round(time.Second)))
	}
	if n := h.failing(); n > 0 {
		out = append(out, fmt.Sprintf("letters in the inbox that could not be handled: %d", n))
	}
	if n := h.scheduler.stuck(); n > 0 {
		out = append(out, fmt.Sprintf("matches in which something is due that could not be carried out: %d", n))
	}
	s, err := h.db.Stats(ctx)
	if s.Stopped > 0 {
		out = append(out, fmt.Sprintf("matches that are stopped, since this program plays them otherwise: %d", s.Stopped))
	}
	switch {
	case err != nil:
		out = append(out, "the database cannot be read: "+err.Error())
	case !s.OldestDue.IsZero() && now.Sub(s.OldestDue) > h.late:
		out = append(out, fmt.Sprintf("letters have waited to go out for %s", now.Sub(s.OldestDue).Round(time.Second)))
	}
	return out
}

// scrapeTime bounds what one look at the database may take.
const scrapeTime = 5 * time.Second

func (h *health) handler() (http.Handler, error) {
	reg := prometheus.NewRegistry()
	for _, c := range append(h.collectors(), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})) {
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
		if bad := h.trouble(ctx, time.Now()); len(bad) > 0 {
			rw.WriteHeader(http.StatusServiceUnavailable)
			text = strings.Join(bad, "\n")
		}
		if _, err := fmt.Fprintln(rw, text); err != nil {
			h.log.Debug("whoever asked after our health has gone", "error", err)
		}
	})
	return mux, nil
}

// run serves until the context ends. The address must be one of this machine's
// own: there is no login.
func (h *health) run(ctx context.Context, address string) error {
	handler, err := h.handler()
	if err != nil {
		return err
	}
	return serveHTTP(ctx, "metrics", address, &http.Server{Handler: handler, ReadHeaderTimeout: scrapeTime, WriteTimeout: 2 * scrapeTime}, h.log)
}
