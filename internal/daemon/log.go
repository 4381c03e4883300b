package daemon

import (
	"context"
	"io"
	"log/slog"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

// NewLog writes lines from a level on, and counts the warnings and errors among them for
// the metrics.
func NewLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(newRecordCounter(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})))
}

// recordCounter is a slog.Handler that counts warnings and errors. Those with a hint
// are the operator's to mend: a login that is refused, a certificate, a full mailbox.
type recordCounter struct {
	slog.Handler
	records *prometheus.CounterVec
}

func newRecordCounter(h slog.Handler) recordCounter {
	c := recordCounter{h, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "samizdat_log_records_total", Help: "Lines in the log, by level. With hint=\"yes\" waiting will not help: a refused login, a certificate, a full mailbox.",
	}, []string{"level", "hint"})}
	for _, level := range []slog.Level{slog.LevelWarn, slog.LevelError} {
		for _, hint := range []string{"no", "yes"} {
			c.records.WithLabelValues(strings.ToLower(level.String()), hint)
		}
	}
	return c
}

// Handle implements slog.Handler.
func (c recordCounter) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn {
		hint := "no"
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "hint" && a.Value.String() != "" {
				hint = "yes"
			}
			return true
		})
		c.records.WithLabelValues(strings.ToLower(r.Level.String()), hint).Inc()
	}
	return c.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (c recordCounter) WithAttrs(a []slog.Attr) slog.Handler {
	return recordCounter{c.Handler.WithAttrs(a), c.records}
}

// WithGroup implements slog.Handler.
func (c recordCounter) WithGroup(name string) slog.Handler {
	return recordCounter{c.Handler.WithGroup(name), c.records}
}
