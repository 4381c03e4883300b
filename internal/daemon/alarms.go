package daemon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/storage"
)

// alarms tells the operator by letter of what is wrong: once a day for each cause while it lasts, and once
// when it is over. Its letters go past the outbox, straight to the mail server: that way is good also when
// the database cannot be written, and a letter that was taken shows that the way is good.
type alarms struct {
	cfg    config.Config
	health *health
	books  alarmBooks
	// send hands a letter to the operator over.
	send func(ctx context.Context, raw []byte) error
	// met is since when a condition is met, last when it was met last, and gone since when one that the operator is to
	// be told of is not met.
	met, last, gone map[string]time.Time
	// failing is how long nothing is sent after the mail server took no letter. noSMTP tells whether it took
	// none of others either when that was looked at last.
	failing backoffs
	noSMTP  bool
}

const (
	// alarmEvery is how often it is looked for what is wrong.
	alarmEvery = 30 * time.Second
	// tellAgain is when a letter about the same cause may follow.
	tellAgain = 24 * time.Hour
)

// follows are the conditions that have others for their reason, of which the operator is told then.
var follows = map[string][]string{
	causeIMAP: {causeDatabase}, causeLetters: {causeDisk, causeDatabase}, causeMatches: {causeDisk, causeDatabase}, causeDatabase: {causeDisk}, causeOutbox: {causeSMTP},
}

func (d *Daemon) newAlarms(h *health, out mail.SMTPConfig) *alarms {
	return &alarms{cfg: d.Config, health: h, books: newAlarmBooks(d.DB, d.Config.Data), met: map[string]time.Time{}, last: map[string]time.Time{}, gone: map[string]time.Time{},
		send: func(ctx context.Context, raw []byte) error { return sendToOperator(ctx, d.Config, out, raw) }}
}

// look tells of what has begun and of what is over.
func (a *alarms) look(ctx context.Context, now time.Time) error {
	list, unknown := a.health.conditions(ctx, now)
	bad := map[string]condition{}
	for _, c := range list {
		if _, told := causes[c.cause]; told && bad[c.cause].cause == "" {
			bad[c.cause] = c
		}
	}
	for cause := range bad {
		a.last[cause] = now
	}
	told, err := a.books.read(ctx)
	failed := []error{err}
	noSMTP := bad[causeSMTP].loginRefused
	if is := bad[causeSMTP].cause != ""; is != a.noSMTP {
		a.noSMTP = is
		a.failing.keep(func(string) bool { return false }) // What has changed is worth a try.
	}
	for _, cause := range slices.Sorted(maps.Keys(bad)) {
		if a.lasts(bad[cause], now) {
			failed = append(failed, a.begun(ctx, now, bad[cause], told[cause], noSMTP))
		}
	}
	maps.DeleteFunc(a.met, func(cause string, _ time.Time) bool { return bad[cause].cause == "" })
	for _, cause := range slices.Sorted(maps.Keys(told)) {
		switch is := told[cause]; {
		case is.What == "":
		case bad[cause].cause != "" || noSMTP:
			delete(a.gone, cause)
		case unknown[cause] && cause != causeSMTP:
		default:
			failed = append(failed, a.ended(ctx, now, is))
		}
	}
	return errors.Join(failed...)
}

// lasts reports whether a condition has been met for a while, and has no other for its reason. When the other
// is over it has some time to end as well: letters that waited go out one after the other.
func (a *alarms) lasts(c condition, now time.Time) bool {
	since, met := a.met[c.cause]
	if !c.since.IsZero() {
		since = c.since
	} else if !met {
		since = now
	}
	a.met[c.cause] = since
	return now.Sub(since) >= a.health.soon && !slices.ContainsFunc(follows[c.cause], func(reason string) bool {
		last, met := a.last[reason]
		return met && now.Sub(last) < a.health.late
	})
}

// begun tells of a condition, unless the operator had a letter about the cause within a day. While no letter
// can be sent it is noted, so that he reads of it at its end.
func (a *alarms) begun(ctx context.Context, now time.Time, c condition, is storage.Alarm, noSMTP bool) error {
	if now.Sub(is.Told) < tellAgain {
		return nil // He knows, or it comes and goes.
	}
	fresh := is.What == ""
	if fresh {
		is = storage.Alarm{Cause: c.cause, Since: a.met[c.cause], Told: is.Told}
	}
	is.What, is.Hint = c.what, c.advice()
	sent := false
	var err error
	if !noSMTP && a.cfg.Operator != "" {
		sent, err = a.tell(ctx, now, func() ([]byte, error) { return begunLetter(a.cfg, now, is, c) })
	}
	if sent {
		is.Told = now
	}
	if fresh || sent {
		err = errors.Join(err, a.books.write(ctx, is, now))
	}
	return err
}

// ended tells that a condition is over, when that has been so for a while: a connection that comes back for
// moments is not mended.
func (a *alarms) ended(ctx context.Context, now time.Time, is storage.Alarm) error {
	since, noted := a.gone[is.Cause]
	if !noted {
		since, a.gone[is.Cause] = now, now
	}
	if now.Sub(since) < a.health.soon {
		return nil
	}
	if a.cfg.Operator != "" {
		if sent, err := a.tell(ctx, now, func() ([]byte, error) { return endedLetter(a.cfg, now, is, since) }); !sent {
			return err
		}
	}
	delete(a.gone, is.Cause)
	if is.What, is.Hint = "", ""; is.Told.Before(is.Since) {
		is.Told = now // That was the first that he read of it.
	}
	return a.books.write(ctx, is, now)
}

// tell sends a letter, unless the mail server took none a short while ago.
func (a *alarms) tell(ctx context.Context, now time.Time, write func() ([]byte, error)) (sent bool, err error) {
	const way = "smtp"
	if a.failing.waits(way, now) {
		return false, nil
	}
	raw, err := write()
	if err == nil {
		err = a.send(ctx, raw)
	}
	if err != nil {
		return false, fmt.Errorf("write to the operator, tried again in %v: %w", a.failing.add(way, now), err)
	}
	a.failing.keep(func(string) bool { return false })
	return true, nil
}

// watchDisk notes how the free space is.
func (a *alarms) watchDisk(now time.Time) error {
	disk, err := LookAtDisk(a.cfg.Data, now)
	if err != nil {
		return err
	}
	return noteDisk(a.cfg.Data, now, disk.Free)
}

// watch looks for what is wrong, until the context ends. Of several daemons only the poller tells the operator.
func (s *service) watch(ctx context.Context, a *alarms) error {
	t := time.NewTicker(s.alarmEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
		now := s.clock.Now()
		err := a.watchDisk(now)
		if s.leads.Load() {
			err = errors.Join(err, a.look(ctx, now))
		}
		if err != nil && ctx.Err() == nil {
			s.log.Warn("what is wrong cannot be watched, or the operator not be told", "error", err)
		}
	}
}
