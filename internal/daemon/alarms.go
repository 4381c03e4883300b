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

// alarms tells the operator by letter of what is wrong: once a day for each cause while it lasts, and once
// when it is over. Its letters go past the outbox, straight to the mail server: that way is good also when
// the database cannot be written, and a letter that was taken shows that the way is good.
type alarms struct {
	cfg      config.Config
	health   *health
	reported alarmLog
	// send hands a letter to the operator over.
	send func(ctx context.Context, raw []byte) error
	// metSince is since when a condition is met, last when it was met last, and gone since when one that the operator is to
	// be told of is not met.
	metSince, lastMet, clearSince map[string]time.Time
	// failing is how long nothing is sent after the mail server took no letter. noSMTP tells whether it took
	// none of others either when that was looked at last.
	failing backoffs
	noSMTP  bool
}

const (
	// defaultAlarmInterval is how often it is looked for what is wrong.
	defaultAlarmInterval = 30 * time.Second
	// alarmRepeat is when a letter about the same cause may follow.
	alarmRepeat = 24 * time.Hour
)

// rootCauses are the conditions that have others for their reason, of which the operator is told then.
var rootCauses = map[string][]string{
	causeIMAP: {causeDatabase}, causeLetters: {causeDisk, causeDatabase}, causeMatches: {causeDisk, causeDatabase}, causeDatabase: {causeDisk}, causeOutbox: {causeSMTP},
}

func (d *Daemon) newAlarms(h *health, out mail.SMTPConfig) *alarms {
	return &alarms{cfg: d.Config, health: h, reported: newAlarmLog(d.DB, d.Config.Data), metSince: map[string]time.Time{},
		lastMet: map[string]time.Time{}, clearSince: map[string]time.Time{},
		send: func(ctx context.Context, raw []byte) error { return sendToOperator(ctx, d.Config, out, raw) }}
}

// check tells of what has begun and of what is over.
func (a *alarms) check(ctx context.Context, now time.Time) error {
	list, unknown := a.health.conditions(ctx, now)
	bad := map[string]condition{}
	for _, c := range list {
		if _, reported := causes[c.cause]; reported && bad[c.cause].cause == "" {
			bad[c.cause] = c
		}
	}
	for cause := range bad {
		a.lastMet[cause] = now
	}
	reported, err := a.reported.read(ctx)
	failed := []error{err}
	noSMTP := bad[causeSMTP].loginRefused
	if is := bad[causeSMTP].cause != ""; is != a.noSMTP {
		a.noSMTP = is
		a.failing.retain(func(string) bool { return false }) // What has changed is worth a try.
	}
	for _, cause := range slices.Sorted(maps.Keys(bad)) {
		if a.isLasting(bad[cause], now) {
			failed = append(failed, a.reportBegun(ctx, now, bad[cause], reported[cause], noSMTP))
		}
	}
	maps.DeleteFunc(a.metSince, func(cause string, _ time.Time) bool { return bad[cause].cause == "" })
	for _, cause := range slices.Sorted(maps.Keys(reported)) {
		switch is := reported[cause]; {
		case is.What == "":
		case bad[cause].cause != "" || noSMTP:
			delete(a.clearSince, cause)
		case unknown[cause] && cause != causeSMTP:
		default:
			failed = append(failed, a.reportEnded(ctx, now, is))
		}
	}
	return errors.Join(failed...)
}

// isLasting reports whether a condition has been met for a while, and has no other for its reason. When the other
// is over it has some time to end as well: letters that waited go out one after the other.
func (a *alarms) isLasting(c condition, now time.Time) bool {
	since, met := a.metSince[c.cause]
	if !c.since.IsZero() {
		since = c.since
	} else if !met {
		since = now
	}
	a.metSince[c.cause] = since
	return now.Sub(since) >= a.health.alarmDelay && !slices.ContainsFunc(rootCauses[c.cause], func(reason string) bool {
		last, met := a.lastMet[reason]
		return met && now.Sub(last) < a.health.transientDelay
	})
}

// reportBegun tells of a condition, unless the operator had a letter about the cause within a day. While no letter
// can be sent it is noted, so that he reads of it at its end.
func (a *alarms) reportBegun(ctx context.Context, now time.Time, c condition, is storage.Alarm, noSMTP bool) error {
	if now.Sub(is.Told) < alarmRepeat {
		return nil // He knows, or it comes and goes.
	}
	fresh := is.What == ""
	if fresh {
		is = storage.Alarm{Cause: c.cause, Since: a.metSince[c.cause], Told: is.Told}
	}
	is.What, is.Hint = c.what, c.advice()
	sent := false
	var err error
	if !noSMTP && a.cfg.Operator != "" {
		sent, err = a.trySend(ctx, now, func() ([]byte, error) { return begunLetter(a.cfg, now, is, c) })
	}
	if sent {
		is.Told = now
	}
	if fresh || sent {
		err = errors.Join(err, a.reported.record(ctx, is, now))
	}
	return err
}

// reportEnded tells that a condition is over, when that has been so for a while: a connection that comes back for
// moments is not mended.
func (a *alarms) reportEnded(ctx context.Context, now time.Time, is storage.Alarm) error {
	since, noted := a.clearSince[is.Cause]
	if !noted {
		since, a.clearSince[is.Cause] = now, now
	}
	if now.Sub(since) < a.health.alarmDelay {
		return nil
	}
	if a.cfg.Operator != "" {
		if sent, err := a.trySend(ctx, now, func() ([]byte, error) { return endedLetter(a.cfg, now, is, since) }); !sent {
			return err
		}
	}
	delete(a.clearSince, is.Cause)
	if is.What, is.Hint = "", ""; is.Told.Before(is.Since) {
		is.Told = now // That was the first that he read of it.
	}
	return a.reported.record(ctx, is, now)
}

// trySend sends a letter, unless the mail server took none a short while ago.
func (a *alarms) trySend(ctx context.Context, now time.Time, write func() ([]byte, error)) (sent bool, err error) {
	const way = "smtp"
	if a.failing.isWaiting(way, now) {
		return false, nil
	}
	raw, err := write()
	if err == nil {
		err = a.send(ctx, raw)
	}
	if err != nil {
		return false, fmt.Errorf("write to the operator, tried again in %v: %w", a.failing.add(way, now), err)
	}
	a.failing.retain(func(string) bool { return false })
	return true, nil
}

// recordFreeSpace notes how the free space is.
func (a *alarms) recordFreeSpace(now time.Time) error {
	disk, err := MeasureDisk(a.cfg.Data, now)
	if err != nil {
		return err
	}
	return recordSample(a.cfg.Data, now, disk.Free)
}

// watchConditions looks for what is wrong, until the context ends. Of several daemons only the poller tells the operator.
func (s *service) watchConditions(ctx context.Context, a *alarms) error {
	return every(ctx, s.alarmInterval, func() {
		now := s.clock.Now()
		err := a.recordFreeSpace(now)
		if s.isPoller.Load() {
			err = errors.Join(err, a.check(ctx, now))
		}
		if err != nil && ctx.Err() == nil {
			s.log.Warn("what is wrong cannot be watched, or the operator not be told", "error", err)
		}
	})
}

// alarmLog keep what the operator was told: in the database, for the next start and for other daemons.
// What cannot be written there is kept in memory and in a file until it can be.
type alarmLog struct {
	db      *storage.DB
	dir     string
	unsaved map[string]storage.Alarm
	// stored is what the database had when it could be read last.
	stored map[string]storage.Alarm
}

// unsavedFile has what the database does not know yet.
func unsavedFile(dir string) string { return filepath.Join(dir, "operator-told") }

func newAlarmLog(db *storage.DB, dir string) alarmLog {
	b := alarmLog{db: db, dir: dir, unsaved: map[string]storage.Alarm{}, stored: map[string]storage.Alarm{}}
	if text, err := os.ReadFile(unsavedFile(dir)); err == nil {
		_ = json.Unmarshal(text, &b.unsaved) // A full disk may have cut it off: then he is told again.
	}
	return b
}

// read returns what he was told, by its cause.
func (b *alarmLog) read(ctx context.Context) (map[string]storage.Alarm, error) {
	list, err := b.db.Operator.Alarms(ctx)
	if err == nil {
		clear(b.stored)
		for _, a := range list {
			b.stored[a.Cause] = a
		}
	}
	out := map[string]storage.Alarm{}
	for _, from := range []map[string]storage.Alarm{b.stored, b.unsaved} {
		for cause, a := range from {
			out[cause] = a
		}
	}
	return out, err
}

// record notes one more, and what could not be noted before.
func (b *alarmLog) record(ctx context.Context, a storage.Alarm, now time.Time) error {
	before := len(b.unsaved)
	b.unsaved[a.Cause] = a
	var failed error
	for cause, a := range b.unsaved {
		if err := b.db.Operator.RecordAlarm(ctx, a, now); err != nil {
			failed = err
			break
		}
		delete(b.unsaved, cause)
	}
	if before == 0 && len(b.unsaved) == 0 {
		return nil
	}
	text, err := json.Marshal(b.unsaved)
	if err == nil && len(b.unsaved) > 0 {
		err = os.WriteFile(unsavedFile(b.dir), text, 0o600)
	} else if err == nil {
		err = os.Remove(unsavedFile(b.dir))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(failed, fmt.Errorf("note what the operator was told: %w", err))
	}
	return failed
}

// alarmTimeout bounds how long a letter to the operator may take.
const alarmTimeout = 30 * time.Second

// sendToOperator hands a letter over to the mail server, past the outbox.
func sendToOperator(ctx context.Context, cfg config.Config, out mail.SMTPConfig, raw []byte) error {
	ctx, cancel := context.WithTimeout(ctx, alarmTimeout)
	defer cancel()
	signing, err := cfg.SMTP.DKIM.Signing()
	if err == nil && signing != nil {
		raw, err = signing.Sign(raw)
	}
	if err != nil {
		return err
	}
	out.Claims = nil // It is no letter of the outbox.
	return mail.SendOnce(ctx, out, mail.Outgoing{EnvelopeFrom: cfg.Address, To: cfg.Operator, Raw: raw})
}

// formatTime is how letters to the operator write a time.
func formatTime(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04 UTC") }

// begunLetter says what is wrong and what to do. It names no player and no match.
func begunLetter(cfg config.Config, now time.Time, is storage.Alarm, c condition) ([]byte, error) {
	about := causes[c.cause]
	text := templates.Wrap(about.title+", since "+formatTime(is.Since)+".") + "\n\n" +
		templates.Wrap(sentence(c.what)) + "\n\n" +
		templates.Wrap("What to do: "+c.advice()+". \"samizdat doctor\" looks at everything, and the log has more.") + "\n\n" +
		templates.Wrap(about.consequence+" You are told of this once a day while it lasts, and once when it is over.") + "\n"
	return renderNotice(cfg, cfg.Operator, about.title,
		fmt.Sprintf("alarm-%s-%d-%s", c.cause, is.Since.Unix(), now.UTC().Format("20060102")), now, text)
}

// endedLetter says that it is over, and what it was: of what kept letters from going out the operator reads
// here for the first time.
func endedLetter(cfg config.Config, now time.Time, is storage.Alarm, until time.Time) ([]byte, error) {
	about := causes[is.Cause]
	text := templates.Wrap("This is over: "+lowerFirst(about.title)+". It began at "+formatTime(is.Since)+" and ended at "+formatTime(until)+
		".") + "\n\n" +
		templates.Wrap(sentence(is.What)) + "\n\n" +
		templates.Wrap("What waited meanwhile is done now, and nothing more is asked of you.") + "\n"
	return renderNotice(cfg, cfg.Operator, "Over: "+lowerFirst(about.title), fmt.Sprintf("alarm-%s-%d-over", is.Cause, is.Since.Unix()), now, text)
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + strings.TrimRight(s[1:], ".") + "." }

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
