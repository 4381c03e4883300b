package daemon

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"

	"github.com/prometheus/client_golang/prometheus"

	"samizdat/adjudicator"
	"samizdat/storage"
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

// Handle implements slog.Handler. An error that comes without a hint gets the one for errors of its kind:
// none is without. It is not counted as one with a hint, since it may end by itself.
func (c recordCounter) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn {
		return c.Handler.Handle(ctx, r)
	}
	label, attrs := "no", []slog.Attr{}
	var err error
	r.Attrs(func(a slog.Attr) bool {
		switch e, isError := a.Value.Any().(error); {
		case a.Key == "hint" && a.Value.String() == "":
			return true
		case a.Key == "hint":
			label = "yes"
		case isError:
			err = e
		}
		attrs = append(attrs, a)
		return true
	})
	c.records.WithLabelValues(strings.ToLower(r.Level.String()), label).Inc()
	if label == "no" && r.Level >= slog.LevelError {
		attrs = append(attrs, slog.String("hint", errorHint(err)))
	}
	hinted := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	hinted.AddAttrs(attrs...)
	return c.Handler.Handle(ctx, hinted)
}

// errorHint says what to do about an error, by its kind.
func errorHint(err error) string {
	var panicked *adjudicator.Panic
	var file *fs.PathError
	switch {
	case err == nil || errors.As(err, &panicked):
		return "this is a fault of the program: report this line to those who wrote it"
	case errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "disk is full"):
		return "the disk is full: make room"
	case storage.Away(err):
		return "look whether the database server runs, and can be reached from here"
	case errors.Is(err, storage.ErrDamaged):
		return "restore a backup: docs/running.md, \"Backups\""
	case errors.As(err, &file):
		return "look whether " + file.Path + " can be used by the user of the daemon"
	}
	return "if it comes again, ask \"samizdat doctor\", and report this line to those who wrote the program"
}

// WithAttrs implements slog.Handler.
func (c recordCounter) WithAttrs(a []slog.Attr) slog.Handler {
	return recordCounter{c.Handler.WithAttrs(a), c.records}
}

// WithGroup implements slog.Handler.
func (c recordCounter) WithGroup(name string) slog.Handler {
	return recordCounter{c.Handler.WithGroup(name), c.records}
}
