package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/storage"
	"samizdat/templates"
)

// alarms sends the operator a letter about each condition that needs attention: once a day for each cause while the
// condition lasts, and once at its end. The letters are sent directly, not through the outbox, so that they are sent
// even if the database cannot be written.
type alarms struct {
	cfg      config.Config
	health   *health
	alarmLog alarmLog
	send     func(ctx context.Context, raw []byte) error
	// The keys of these maps are causes, e.g. causeIMAP. metSince has the time since which a current condition holds,
	// lastMet the last time at which a condition held, and clearSince the time since which a reported condition no longer
	// holds.
	metSince, lastMet, clearSince map[string]time.Time
	// sendBackoffs delays the next letter after the mail server refused a letter. isSMTPDown reports whether causeSMTP
	// held at the last check.
	sendBackoffs backoffs
	isSMTPDown   bool
}

const (
	defaultAlarmInterval = 30 * time.Second
	// alarmRepeat is the time before another letter about the same cause.
	alarmRepeat = 24 * time.Hour
)

// rootCauses contains for each cause the causes that explain it. For example, letters cannot be handled while the
// disk is full; then only the disk is reported.
var rootCauses = map[string][]string{
	causeIMAP: {causeDatabase}, causeOutbox: {causeSMTP}, causeDatabase: {causeDisk},
	causeLetters: {causeDisk, causeDatabase}, causeMatches: {causeDisk, causeDatabase},
}

func (d *Daemon) newAlarms(h *health, out mail.SMTPConfig) *alarms {
	return &alarms{cfg: d.Config, health: h, alarmLog: newAlarmLog(d.DB, d.Config.Data), metSince: map[string]time.Time{},
		lastMet: map[string]time.Time{}, clearSince: map[string]time.Time{},
		send: func(ctx context.Context, raw []byte) error { return sendToOperator(ctx, d.Config, out, raw) }}
}

func (a *alarms) check(ctx context.Context, now time.Time) error {
	list, untriedCauses := a.health.conditions(ctx, now)
	current := map[string]condition{}
	for _, c := range list {
		if _, hasAlarm := causes[c.cause]; hasAlarm && current[c.cause].cause == "" {
			current[c.cause] = c
		}
	}
	for cause := range current {
		a.lastMet[cause] = now
	}
	reported, err := a.alarmLog.read(ctx)
	errs := []error{err}
	loginRefused := current[causeSMTP].loginRefused
	if isSMTPDown := current[causeSMTP].cause != ""; isSMTPDown != a.isSMTPDown {
		a.isSMTPDown = isSMTPDown
		a.sendBackoffs.dropFinished(func(string) bool { return false }) // The server may accept letters again.
	}
	for _, cause := range slices.Sorted(maps.Keys(current)) {
		if a.isReportable(current[cause], now) {
			errs = append(errs, a.reportStart(ctx, now, current[cause], reported[cause], loginRefused))
		}
	}
	maps.DeleteFunc(a.metSince, func(cause string, _ time.Time) bool { return current[cause].cause == "" })
	for _, cause := range slices.Sorted(maps.Keys(reported)) {
		switch alarm := reported[cause]; {
		case alarm.Fault == "":
		case current[cause].cause != "" || loginRefused:
			delete(a.clearSince, cause)
		case untriedCauses[cause] && cause != causeSMTP:
		default:
			errs = append(errs, a.reportEnd(ctx, now, alarm))
		}
	}
	return errors.Join(errs...)
}

// isReportable reports whether a condition has held for alarmDelay and no root cause explains it. A root cause still
// counts for transientDelay after its end, because the delayed work, e.g. waiting letters, takes time.
func (a *alarms) isReportable(c condition, now time.Time) bool {
	since, met := a.metSince[c.cause]
	if !c.since.IsZero() {
		since = c.since
	} else if !met {
		since = now
	}
	a.metSince[c.cause] = since
	return now.Sub(since) >= a.health.alarmDelay && !slices.ContainsFunc(rootCauses[c.cause], func(reason string) bool {
		lastMet, met := a.lastMet[reason]
		return met && now.Sub(lastMet) < a.health.transientDelay
	})
}

// reportStart reports a condition, unless a letter about its cause was sent within a day. If no letter can be sent, the
// condition is recorded, and the letter about its end mentions it.
func (a *alarms) reportStart(ctx context.Context, now time.Time, c condition, alarm storage.Alarm, loginRefused bool) error {
	if now.Sub(alarm.ReportedAt) < alarmRepeat {
		return nil
	}
	isNew := alarm.Fault == ""
	if isNew {
		alarm = storage.Alarm{Cause: c.cause, Since: a.metSince[c.cause], ReportedAt: alarm.ReportedAt}
	}
	alarm.Fault, alarm.Hint = c.fault, c.advice()
	sent := false
	var err error
	if !loginRefused && a.cfg.Operator != "" {
		sent, err = a.trySend(ctx, now, func() ([]byte, error) { return newStartLetter(a.cfg, now, alarm, c) })
	}
	if sent {
		alarm.ReportedAt = now
	}
	if isNew || sent {
		err = errors.Join(err, a.alarmLog.record(ctx, alarm, now))
	}
	return err
}

// reportEnd reports that a condition has ended, as soon as it has been absent for alarmDelay. So a connection that works
// only for a moment does not end the condition.
func (a *alarms) reportEnd(ctx context.Context, now time.Time, alarm storage.Alarm) error {
	since, isKnown := a.clearSince[alarm.Cause]
	if !isKnown {
		since, a.clearSince[alarm.Cause] = now, now
	}
	if now.Sub(since) < a.health.alarmDelay {
		return nil
	}
	if a.cfg.Operator != "" {
		if sent, err := a.trySend(ctx, now, func() ([]byte, error) { return newEndLetter(a.cfg, now, alarm, since) }); !sent {
			return err
		}
	}
	delete(a.clearSince, alarm.Cause)
	if alarm.Fault, alarm.Hint = "", ""; alarm.ReportedAt.Before(alarm.Since) {
		alarm.ReportedAt = now // The start was not reported.
	}
	return a.alarmLog.record(ctx, alarm, now)
}

// trySend sends a letter, unless sending has failed recently.
func (a *alarms) trySend(ctx context.Context, now time.Time, write func() ([]byte, error)) (sent bool, err error) {
	const backoffKey = "smtp"
	if a.sendBackoffs.isWaiting(backoffKey, now) {
		return false, nil
	}
	raw, err := write()
	if err == nil {
		err = a.send(ctx, raw)
	}
	if err != nil {
		return false, fmt.Errorf("send to the operator, next try in %v: %w", a.sendBackoffs.add(backoffKey, now), err)
	}
	a.sendBackoffs.dropFinished(func(string) bool { return false })
	return true, nil
}

func (a *alarms) recordFreeSpace(now time.Time) error {
	disk, err := MeasureDisk(a.cfg.Data, now)
	if err != nil {
		return err
	}
	return recordSample(a.cfg.Data, now, disk.Free)
}

// watchConditions regularly records the free space of the disk, and checks the conditions. If several daemons share the
// database, only the poller sends letters to the operator.
func (s *service) watchConditions(ctx context.Context, a *alarms) error {
	return runEvery(ctx, s.alarmInterval, func() {
		now := s.clock.Now()
		err := a.recordFreeSpace(now)
		if s.isPoller.Load() {
			err = errors.Join(err, a.check(ctx, now))
		}
		if err != nil && ctx.Err() == nil {
			s.log.Warn("conditions cannot be checked or reported to the operator", "error", err)
		}
	})
}

// alarmLog records the reported alarms in the database, so that this daemon after a restart, and other daemons, do not
// report them again. While the database cannot be written, it keeps alarms in memory and in unsavedFile.
type alarmLog struct {
	db      *storage.DB
	dir     string
	unsaved map[string]storage.Alarm
	stored  map[string]storage.Alarm
}

// unsavedFile returns the path of the file with alarms that are not in the database, a JSON object by cause.
func unsavedFile(dir string) string { return filepath.Join(dir, "operator-told") }

func newAlarmLog(db *storage.DB, dir string) alarmLog {
	l := alarmLog{db: db, dir: dir, unsaved: map[string]storage.Alarm{}, stored: map[string]storage.Alarm{}}
	if text, err := os.ReadFile(unsavedFile(dir)); err == nil {
		_ = json.Unmarshal(text, &l.unsaved) // A full disk may have truncated the file: then the letter is repeated.
	}
	return l
}

func (l *alarmLog) read(ctx context.Context) (map[string]storage.Alarm, error) {
	list, err := l.db.Operator.Alarms(ctx)
	if err == nil {
		clear(l.stored)
		for _, a := range list {
			l.stored[a.Cause] = a
		}
	}
	out := map[string]storage.Alarm{}
	for _, from := range []map[string]storage.Alarm{l.stored, l.unsaved} {
		for cause, a := range from {
			out[cause] = a
		}
	}
	return out, err
}

// record records an alarm, and the alarms that could not be recorded before.
func (l *alarmLog) record(ctx context.Context, a storage.Alarm, now time.Time) error {
	unsavedBefore := len(l.unsaved)
	l.unsaved[a.Cause] = a
	var dbErr error
	for cause, a := range l.unsaved {
		if err := l.db.Operator.RecordAlarm(ctx, a, now); err != nil {
			dbErr = err
			break
		}
		delete(l.unsaved, cause)
	}
	if unsavedBefore == 0 && len(l.unsaved) == 0 {
		return nil
	}
	text, err := json.Marshal(l.unsaved)
	if err == nil && len(l.unsaved) > 0 {
		err = os.WriteFile(unsavedFile(l.dir), text, 0o600)
	} else if err == nil {
		err = os.Remove(unsavedFile(l.dir))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(dbErr, fmt.Errorf("record unsaved alarms: %w", err))
	}
	return dbErr
}

const alarmTimeout = 30 * time.Second

// sendToOperator signs a letter and sends it without the outbox.
func sendToOperator(ctx context.Context, cfg config.Config, out mail.SMTPConfig, raw []byte) error {
	ctx, cancel := context.WithTimeout(ctx, alarmTimeout)
	defer cancel()
	signing, err := cfg.SMTP.DKIM.NewSigner()
	if err == nil && signing != nil {
		raw, err = signing.Sign(raw)
	}
	if err != nil {
		return err
	}
	out.Claims = nil // The letter is not in the outbox.
	return mail.SendOnce(ctx, out, mail.Outgoing{EnvelopeFrom: cfg.Address, To: cfg.Operator, Raw: raw})
}

func formatTime(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04 UTC") }

// newStartLetter writes the letter about the start of a condition. It mentions no player and no match.
func newStartLetter(cfg config.Config, now time.Time, alarm storage.Alarm, c condition) ([]byte, error) {
	info := causes[c.cause]
	text := templates.Wrap(info.title+", since "+formatTime(alarm.Since)+".") + "\n\n" +
		templates.Wrap(formatSentence(c.fault)) + "\n\n" +
		templates.Wrap("What to do: "+c.advice()+". \"samizdat doctor\" checks everything, and the log has more.") + "\n\n" +
		templates.Wrap(info.consequence+" You get this notice once a day while the problem lasts, and a last one when it is over.") + "\n"
	return renderNotice(cfg, cfg.Operator, info.title,
		fmt.Sprintf("alarm-%s-%d-%s", c.cause, alarm.Since.Unix(), now.UTC().Format("20060102")), now, text)
}

// newEndLetter writes the letter about the end of a condition. It repeats the condition, because perhaps no letter about
// its start was sent.
func newEndLetter(cfg config.Config, now time.Time, alarm storage.Alarm, until time.Time) ([]byte, error) {
	info := causes[alarm.Cause]
	text := templates.Wrap("This is over: "+lowerFirstLetter(info.title)+". It began at "+formatTime(alarm.Since)+" and ended at "+
		formatTime(until)+".") + "\n\n" +
		templates.Wrap(formatSentence(alarm.Fault)) + "\n\n" +
		templates.Wrap("Waiting work is done now, and you need not do anything.") + "\n"
	return renderNotice(cfg, cfg.Operator, "Over: "+lowerFirstLetter(info.title),
		fmt.Sprintf("alarm-%s-%d-over", alarm.Cause, alarm.Since.Unix()), now, text)
}

func formatSentence(s string) string {
	return strings.ToUpper(s[:1]) + strings.TrimRight(s[1:], ".") + "."
}

func lowerFirstLetter(s string) string { return strings.ToLower(s[:1]) + s[1:] }
