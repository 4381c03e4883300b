package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"net"
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
	poller atomic.Pointer[mail.Poller]
	// sender is nil where nothing is sent.
	sender    *mail.Sender
	refusals  refusals
	scheduler *scheduler
	// dir is the data directory, whose disk may be full.
	dir string
	// late is how old the last look into the inbox may be, and how long other troubles may last that may end by
	// themselves; soon is that of troubles for which waiting will not help.
	late, soon time.Duration
	started    time.Time
	counters   counters
	log        *slog.Logger
}

func newHealth(db *storage.DB, s *scheduler, dir string, late, soon time.Duration, log *slog.Logger) *health {
	return &health{db: db, scheduler: s, dir: dir, late: late, soon: soon, started: time.Now(), log: log, counters: newCounters()}
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
		bad, _ := h.conditions(ctx, time.Now())
		text := []string{"well"}
		if len(bad) > 0 {
			rw.WriteHeader(http.StatusServiceUnavailable)
			text = nil
		}
		for _, c := range bad {
			text = append(text, c.text())
		}
		if _, err := fmt.Fprintln(rw, strings.Join(text, "\n")); err != nil {
			h.log.Debug("whoever asked after our health has gone", "error", err)
		}
	})
	return loopbackOnly(mux), nil
}

// loopbackOnly serves those who ask by a name of this machine's loopback. A page in a browser can reach a loopback
// address too, by a name of its own that it lets lead there; it then asks by that name.
func loopbackOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(host); err == nil {
			host = name
		}
		host = strings.ToLower(strings.Trim(host, "[]"))
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			http.Error(rw, "ask by the name localhost, or by a loopback address", http.StatusForbidden)
			return
		}
		next.ServeHTTP(rw, r)
	})
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
