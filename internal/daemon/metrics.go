package daemon

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"samizdat/adjudicator"
	"samizdat/mail"
	"samizdat/storage"
)

// counters count since the start of the daemon. The other metrics are gauges, which are read for each scrape.
type counters struct {
	handled           *prometheus.CounterVec
	sent, quarantined prometheus.Counter
	failures, givenUp prometheus.Counter
}

func newCounters() counters {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	c := counters{
		handled: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "samizdat_letters_handled_total", Help: "Handled letters by folder; error for letters that failed.",
		}, []string{"folder"}),
		sent:        counter("samizdat_letters_sent_total", "Letters that the mail server has accepted."),
		failures:    counter("samizdat_letter_send_failures_total", "Failed attempts to send a letter."),
		givenUp:     counter("samizdat_letters_given_up_total", "Letters that failed permanently."),
		quarantined: counter("samizdat_letters_quarantined_total", "Letters that were put in quarantine."),
	}
	// Counters start at 0, so that rate() sees the first increment.
	for _, f := range []mail.Folder{mail.Done, mail.Refused, mail.Ignored, mail.Questions} {
		c.handled.WithLabelValues(folderLabel(f))
	}
	c.handled.WithLabelValues("error")
	return c
}

func (c counters) collectors() []prometheus.Collector {
	return []prometheus.Collector{c.handled, c.sent, c.failures, c.givenUp, c.quarantined}
}

func folderLabel(f mail.Folder) string {
	return strings.ToLower(strings.TrimPrefix(string(f), "Samizdat/"))
}

func (h *health) countHandled(to mail.Handler) mail.Handler {
	return mail.HandlerFunc(func(ctx context.Context, r mail.Received) (mail.Folder, error) {
		f, err := to.Handle(ctx, r)
		label := folderLabel(f)
		if err != nil {
			label = "error"
		}
		h.counters.handled.WithLabelValues(label).Inc()
		return f, err
	})
}

func (h *health) countQuarantined(next func(context.Context, mail.BadLetter) error) func(context.Context, mail.BadLetter) error {
	return func(ctx context.Context, b mail.BadLetter) error {
		err := next(ctx, b)
		if err == nil {
			h.counters.quarantined.Inc()
		}
		return err
	}
}

func (h *health) countSent(o mail.Queue) mail.Queue {
	return countedOutbox{o, h.counters, &h.refusals, h.log}
}

type countedOutbox struct {
	mail.Queue
	counters counters
	refusals *refusalTracker
	log      *slog.Logger
}

func (o countedOutbox) Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]mail.Outgoing, error) {
	due, err := o.Queue.Due(ctx, now, limit, except...)
	o.refusals.recordSending(due)
	return due, err
}

func (o countedOutbox) MarkSent(ctx context.Context, ids []int64, now time.Time) error {
	err := o.Queue.MarkSent(ctx, ids, now)
	if err == nil {
		o.refusals.recordAccepted(ids)
		o.counters.sent.Add(float64(len(ids)))
		o.log.InfoContext(ctx, "letters sent", "ids", ids)
	}
	return err
}

func (o countedOutbox) MarkFailed(ctx context.Context, id int64, now, next time.Time, isPermanent bool, reason string) error {
	err := o.Queue.MarkFailed(ctx, id, now, next, isPermanent, reason)
	if err == nil {
		o.refusals.recordFailed(id, now, reason)
		o.counters.failures.Inc()
		if isPermanent {
			o.counters.givenUp.Inc()
		}
	}
	return err
}

// gauge is a value that is read for each scrape, e.g. samizdat_outbox_letters{state="waiting"} 3.
type gauge struct {
	name, help        string
	label, labelValue string
	value             float64
}

func (h *health) gauges(ctx context.Context) ([]gauge, error) {
	s, err := h.db.Operator.Stats(ctx)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	in, _ := h.mailStatus()
	oldest := 0.0
	if !s.OldestDue.IsZero() {
		oldest = max(0, now.Sub(s.OldestDue).Seconds())
	}
	out := []gauge{
		{"samizdat_build_info", "The source revision that the program was built from; the value is always 1.", "revision", buildID(), 1},
		{"samizdat_outbox_oldest_age_seconds", "Time since the oldest waiting letter was due; 0 if none waits.",
			"", "", oldest},
		{"samizdat_inbox_last_poll_age_seconds", "Time since the last complete scan of the inbox, or since the start.", "", "",
			now.Sub(h.lastScan(ctx)).Seconds()},
		{"samizdat_inbox_failing", "Letters in the inbox that could not be handled and are tried again.", "", "", float64(in.Failing)},
		{"samizdat_quarantine_letters", "Letters in quarantine.", "", "", float64(in.InQuarantine)},
		{"samizdat_matches_stuck", "Matches with due work that failed.", "", "",
			float64(h.scheduler.countFailing())},
		{"samizdat_matches_stopped", "Matches stopped because this program computes another position than stored.", "", "", float64(s.Stopped)},
	}
	if d, err := MeasureDisk(h.dir, now); err == nil {
		out = append(out, gauge{"samizdat_disk_free_bytes", "Free space on the disk of the data directory.", "", "", float64(d.Free)},
			gauge{"samizdat_disk_left_hours", "Time until the disk is full at the rate of the last day; +Inf if the free space does not shrink.", "",
				"", d.HoursLeft})
	}
	for _, state := range []string{"waiting", "failed"} {
		out = append(out, gauge{"samizdat_outbox_letters", "Letters that wait to be sent, or were given up.", "state", state,
			float64(s.Outbox[state])})
	}
	for _, state := range []string{"inviting", "playing", "over"} {
		out = append(out, gauge{"samizdat_matches", "Matches by their state.", "state", state, float64(s.Matches[state])})
	}
	return out, nil
}

// lastScan returns the time of the last complete inbox scan by any daemon, or the start of this daemon if that is later.
func (h *health) lastScan(ctx context.Context) time.Time {
	var last time.Time
	if p := h.poller.Load(); p != nil {
		last = p.InboxWatermark()
	} else if at, err := h.db.Inbox.Watermark(ctx); err == nil {
		last = at
	}
	if last.Before(h.startedAt) {
		return h.startedAt
	}
	return last
}

// Describe implements prometheus.Collector. It sends no descriptions, so Prometheus does not check the gauges.
func (h *health) Describe(chan<- *prometheus.Desc) {}

func (h *health) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	gauges, err := h.gauges(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(prometheus.NewDesc("samizdat_matches", "Matches by their state.", nil, nil), err)
		return
	}
	for _, g := range gauges {
		var labels prometheus.Labels
		if g.label != "" {
			labels = prometheus.Labels{g.label: g.labelValue}
		}
		ch <- prometheus.MustNewConstMetric(prometheus.NewDesc(g.name, g.help, nil, labels), prometheus.GaugeValue, g.value)
	}
}

func (h *health) collectors() []prometheus.Collector {
	all := append([]prometheus.Collector{h}, h.counters.collectors()...)
	if c, ok := h.log.Handler().(recordCounter); ok {
		all = append(all, c.records)
	}
	return all
}

// NewLog returns a logger with a minimum level. It counts warnings and errors for the metrics.
func NewLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(newRecordCounter(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level})))
}

// recordCounter is a slog.Handler that counts warnings and errors. A warning or error with a hint needs the operator,
// e.g. a refused login, an invalid certificate or a full mailbox.
type recordCounter struct {
	slog.Handler
	records *prometheus.CounterVec
}

func newRecordCounter(h slog.Handler) recordCounter {
	c := recordCounter{h, prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "samizdat_log_records_total", Help: "Lines in the log, by level. With hint=\"yes\" waiting will not help: a refused login, " +
			"a certificate, a full mailbox.",
	}, []string{"level", "hint"})}
	for _, level := range []slog.Level{slog.LevelWarn, slog.LevelError} {
		for _, hint := range []string{"no", "yes"} {
			c.records.WithLabelValues(strings.ToLower(level.String()), hint)
		}
	}
	return c
}

// Handle implements slog.Handler. An error without a hint gets a general hint in the log. The metric still counts
// it as hint="no", because its cause may go away without the operator's help.
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
	withHint := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	withHint.AddAttrs(attrs...)
	return c.Handler.Handle(ctx, withHint)
}

func errorHint(err error) string {
	var panicked *adjudicator.PanicError
	var file *fs.PathError
	switch {
	case err == nil || errors.As(err, &panicked):
		return "this is a fault of the program: report this line to its developers"
	case errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "disk is full"):
		return "the disk is full: make room"
	case storage.IsTemporary(err):
		return "check whether the database server runs, and whether this machine can reach it"
	case errors.Is(err, storage.ErrDamaged):
		return "restore a backup: docs/running.md, \"Backups\""
	case errors.As(err, &file):
		return "check whether " + file.Path + " can be used by the user of the daemon"
	}
	return "if the error occurs again, run \"samizdat doctor\", and report this line to the developers"
}

func (c recordCounter) WithAttrs(a []slog.Attr) slog.Handler {
	return recordCounter{c.Handler.WithAttrs(a), c.records}
}

func (c recordCounter) WithGroup(name string) slog.Handler {
	return recordCounter{c.Handler.WithGroup(name), c.records}
}
