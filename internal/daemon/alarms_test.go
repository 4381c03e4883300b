package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/mail/message"
)

// watched is a daemon whose alarms are looked at by hand. Its disk is not looked at.
type watched struct {
	t      *testing.T
	cfg    config.Config
	now    time.Time
	d      *Daemon
	alarms *alarms
	// letters are the subjects of those that the mail server took. It takes none where refuses is set.
	letters []string
	refuses error
	last    string
}

func watch(t *testing.T) *watched {
	t.Helper()
	cfg := config.Default()
	cfg.Data, cfg.Operator = t.TempDir(), "op@club.example"
	w := &watched{t: t, cfg: housed(t, cfg), now: time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)}
	w.start()
	return w
}

// start starts the daemon, in the place of the one before.
func (w *watched) start() {
	w.t.Helper()
	if w.d != nil {
		if err := w.d.Close(); err != nil {
			w.t.Fatal(err)
		}
	}
	var err error
	if w.d, err = Open(w.t.Context(), w.cfg, games, slog.New(slog.DiscardHandler)); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = w.d.Close() })
	h := newHealth(w.d.DB, w.d.scheduler, w.cfg.Data, 20*time.Minute, defaultAlarmDelay, w.d.log)
	h.startedAt = w.now
	h.sender = mail.NewSender(mail.SMTPConfig{}, nil, nil)
	w.alarms = w.d.newAlarms(h, mail.SMTPConfig{})
	w.alarms.send = func(_ context.Context, raw []byte) error {
		if w.refuses == nil {
			l := message.Read(raw)
			w.letters, w.last = append(w.letters, l.Subject), strings.Join(strings.Fields(l.Text), " ")
		}
		return w.refuses
	}
}

// lives lets time pass, with a look every minute.
func (w *watched) lives(d time.Duration) {
	w.t.Helper()
	for end := w.now.Add(d); w.now.Before(end); w.now = w.now.Add(time.Minute) {
		w.alarms.health.startedAt = w.now // The inbox is not what these tests are about.
		if err := w.alarms.check(w.t.Context(), w.now); (err != nil) != (w.refuses != nil && err != nil) {
			w.t.Fatal(err)
		}
	}
}

// got compares the letters since the last call.
func (w *watched) got(want ...string) {
	w.t.Helper()
	if fmt.Sprint(w.letters) != fmt.Sprint(want) {
		w.t.Errorf("at %s the operator got %q, want %q", w.now.Format(time.DateTime), w.letters, want)
	}
	w.letters = nil
}

// refused lets letters to two readers fail, taken lets one be taken.
func (w *watched) refused() {
	r := &w.alarms.health.refusals
	r.recordSending([]mail.Outgoing{{ID: 1, To: "ada@x.test"}, {ID: 2, To: "ben@x.test"}})
	r.recordFailed(1, w.now, "RCPT refused: 451 4.3.0 <ada@x.test> try later")
	r.recordFailed(2, w.now, "RCPT refused: 451 4.3.0 <ben@x.test> try later")
}

func (w *watched) taken() { w.alarms.health.refusals.recordAccepted([]int64{1}) }

const outboxTitle, outboxOver = "Letters do not get through", "Over: letters do not get through"

// TestAlarmLetters: one letter a day while something is wrong, one when it is over, none twice after a
// restart, and no address in any.
func TestAlarmLetters(t *testing.T) {
	t.Parallel()
	w := watch(t)
	w.lives(time.Hour)
	w.got()
	w.refused()
	w.lives(2 * time.Minute)
	w.got()
	w.lives(20 * time.Hour)
	w.got(outboxTitle)
	if !strings.Contains(w.last, "since 26 November 2026, 11:00 UTC") || !strings.Contains(w.last, "451 4.3.0") || strings.Contains(w.last, "@x.test") {
		t.Errorf("the letter says\n%s", w.last)
	}
	w.start()
	w.lives(3 * time.Hour)
	w.got() // It is not known whether letters are taken again.
	w.refused()
	w.lives(8 * time.Hour)
	w.got(outboxTitle)
	w.taken()
	w.lives(time.Minute)
	w.got()
	w.lives(time.Hour)
	w.got(outboxOver)
	if !strings.Contains(w.last, "It began at 26 November 2026, 11:00 UTC and ended at 27 November 2026, 18:02 UTC") {
		t.Errorf("the letter says\n%s", w.last)
	}
	w.start()
	w.lives(time.Hour)
	w.got()
}

// TestAlarmComesAndGoes: a fault that comes and goes is told once a day, with its end.
func TestAlarmComesAndGoes(t *testing.T) {
	t.Parallel()
	w := watch(t)
	for range 100 {
		w.refused()
		w.lives(20 * time.Minute)
		w.taken()
		w.lives(10 * time.Minute)
	}
	w.got(outboxTitle, outboxOver, outboxTitle, outboxOver, outboxTitle, outboxOver)
	for range 10 {
		w.refused()
		w.lives(time.Minute) // Nobody need know.
		w.taken()
		w.lives(25 * time.Hour)
	}
	w.got()
}

// TestAlarmWithoutAWay: while no letter can be sent nothing is tried again and again, and the operator
// reads at the end what it was.
func TestAlarmWithoutAWay(t *testing.T) {
	t.Parallel()
	w := watch(t)
	w.refuses = errors.New("535 no")
	tries := 0
	send := w.alarms.send
	w.alarms.send = func(ctx context.Context, raw []byte) error { tries++; return send(ctx, raw) }
	w.refused()
	w.lives(10 * time.Hour)
	w.taken()
	w.lives(2 * time.Hour)
	if tries > 12*8 {
		t.Errorf("%d tries in twelve hours", tries)
	}
	w.got()
	w.refuses = nil
	w.lives(time.Hour)
	w.got(outboxOver)
	w.refused()
	w.lives(20 * time.Hour)
	w.got() // One a day.
	w.lives(10 * time.Hour)
	w.got(outboxTitle)
}

// TestAlarmWithoutDatabase: while the database cannot be written, nothing is told twice, not even after a
// restart; and the database learns it when it can be written again.
func TestAlarmWithoutDatabase(t *testing.T) {
	t.Parallel()
	w := watch(t)
	if _, err := w.alarms.alarmLog.read(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := w.d.Close(); err != nil {
		t.Fatal(err)
	}
	list := func() []condition {
		out, _ := w.alarms.health.conditions(t.Context(), w.now)
		return out
	}
	if bad := list(); len(bad) != 1 || bad[0].cause != causeDatabase {
		t.Fatalf("without a database: %+v", bad)
	}
	for range 100 {
		w.now = w.now.Add(time.Minute)
		w.alarms.health.startedAt = w.now
		_ = w.alarms.check(t.Context(), w.now) // It complains of the database.
	}
	w.got("The database cannot be used")
	w.d = nil
	w.start()
	w.lives(time.Hour)
	w.got("Over: the database cannot be used")
	if told, err := w.d.DB.Operator.Alarms(t.Context()); err != nil || len(told) != 1 || told[0].Fault != "" {
		t.Errorf("%+v, %v", told, err)
	}
}

// TestDiskLeft: how long the free space lasts is told by how it shrank since the oldest sample.
func TestDiskLeft(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	for i := range 50 {
		if err := recordSample(dir, now.Add(time.Duration(i)*30*time.Minute), uint64(1000-i)<<20); err != nil {
			t.Fatal(err)
		}
	}
	samples, err := readSamples(dir)
	if err != nil || len(samples) != maxSamples {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	now = now.Add(49 * 30 * time.Minute)
	for free, want := range map[uint64]float64{951 << 20: 475.5, 0: 0, 2000 << 20: -1} {
		got := hoursLeft(samples, now, free)
		if want < 0 && got < 1e300 || want >= 0 && (got < want-1 || got > want+1) {
			t.Errorf("%d MB last for %.1f hours, want %.1f", free>>20, got, want)
		}
	}
	if h := hoursLeft(samples[len(samples)-1:], samples[len(samples)-1].at.Add(time.Minute), 0); h < 1e300 {
		t.Errorf("after a minute: %.1f hours", h)
	}
	if low := (Disk{Free: 1 << 40, HoursLeft: 5}); !low.IsLow() || !strings.Contains(low.String(), "1024 GB are free, enough for 5 hours") {
		t.Error(low)
	}
}
