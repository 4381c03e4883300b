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
	// late is how old the last look into the inbox may be.
	late    time.Duration
	started time.Time
	handled *prometheus.CounterVec
	log     *slog.Logger
}

func newWatch(db *storage.DB, late time.Duration, log *slog.Logger) *watch {
	return &watch{db: db, late: late, started: time.Now(), log: log, handled: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "samizdat_letters_handled_total", Help: "Letters taken up since the start, by the folder that they were filed in.",
	}, []string{"folder"})}
}

// counting counts the letters that a handler takes up.
func (w *watch) counting(h mail.Handler) mail.Handler {
	return mail.HandlerFunc(func(ctx context.Context, r mail.Received) (mail.Folder, error) {
		f, err := h.Handle(ctx, r)
		label := strings.ToLower(strings.TrimPrefix(string(f), "Samizdat/"))
		if err != nil {
			label = "error"
		}
		w.handled.WithLabelValues(label).Inc()
		return f, err
	})
}

// trouble says what is wrong, or nothing.
func (w *watch) trouble(ctx context.Context, now time.Time) []string {
	var out []string
	last := w.poller.LastPoll()
	if last.IsZero() {
		last = w.started
	}
	if age := now.Sub(last); age > w.late {
		out = append(out, fmt.Sprintf("the inbox was last looked through %s ago", age.Round(time.Second)))
	}
	if n := w.poller.Failing(); n > 0 {
		out = append(out, fmt.Sprintf("letters in the inbox that could not be handled: %d", n))
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

// gauges are the numbers that are read when they are asked for.
func (w *watch) gauges(ctx context.Context) (map[string]float64, error) {
	s, err := w.db.Stats(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{
		"samizdat_outbox_waiting": float64(s.Outbox["waiting"]), "samizdat_outbox_failed": float64(s.Outbox["failed"]),
		"samizdat_inbox_failing": float64(w.poller.Failing()),
	}
	for _, state := range []string{"inviting", "playing", "over"} {
		out["samizdat_matches_"+state] = float64(s.Matches[state])
	}
	if !s.OldestDue.IsZero() {
		out["samizdat_outbox_oldest_seconds"] = max(0, time.Since(s.OldestDue).Seconds())
	}
	if last := w.poller.LastPoll(); !last.IsZero() {
		out["samizdat_inbox_last_poll_seconds"] = time.Since(last).Seconds()
	}
	return out, nil
}

// Describe and Collect make the watch a prometheus.Collector whose metrics are
// not known beforehand.
func (w *watch) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (w *watch) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	values, err := w.gauges(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(prometheus.NewDesc("samizdat_database", "Whether the database can be read.", nil, nil), err)
		return
	}
	for name, v := range values {
		help := strings.ReplaceAll(strings.TrimPrefix(name, "samizdat_"), "_", " ")
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, "How it stands now: "+help+".", nil, nil), prometheus.GaugeValue, v)
	}
}

// scrapeTime bounds what one look at the database may take.
const scrapeTime = 5 * time.Second

func (w *watch) handler() (http.Handler, error) {
	reg := prometheus.NewRegistry()
	for _, c := range []prometheus.Collector{w, w.handled, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})} {
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

// loopback reports whether an address can be reached from this machine only.
func loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
