package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/storage"
	"samizdat/templates"
)

// inspected serves, and looks through a database beside that which was not left in order. If
// it is damaged the daemon stops, and says so wherever it can. A database that is sound is
// left in order.
func (d *Daemon) inspected(ctx context.Context, out mail.SMTPConfig, serve func(context.Context) error) error {
	// Who is stopped at once has stopped in order.
	sound, err := d.DB.Taken(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	g, serving := errgroup.WithContext(ctx)
	if !sound {
		d.log.Info("the database was not left in order: it is looked through for damage")
		g.Go(func() (err error) {
			sound, err = d.inspect(serving)
			return err
		})
	}
	g.Go(func() error { return serve(serving) })
	err = g.Wait()
	if errors.Is(err, storage.ErrDamaged) {
		d.log.Error("the daemon stops: the database is damaged", "database", d.Config.ShownDatabase(), "error", err,
			"hint", "look whether the disk is sound, and restore the newest backup from before: docs/running.md, \"Backups\"")
		d.tellDamage(context.WithoutCancel(ctx), out, time.Now())
		return err
	}
	if sound {
		if err := d.DB.Left(context.WithoutCancel(ctx)); err != nil {
			d.log.Warn("the next start looks through the database", "error", err)
		}
	}
	return err
}

// inspect looks for damage. It is not sound when it was stopped before the end, either.
func (d *Daemon) inspect(ctx context.Context) (sound bool, err error) {
	began := time.Now()
	switch err := d.DB.LookForDamage(ctx); {
	case ctx.Err() != nil:
		return false, nil
	case errors.Is(err, storage.ErrDamaged):
		return false, err
	case err != nil:
		d.log.Error("the database could not be looked through; the next start tries it again", "error", err)
		return false, nil
	}
	d.log.Info("the database is sound", "took", time.Since(began).Round(time.Millisecond))
	return true, nil
}

// damageTold is the file of the day on which the operator was told last: whatever starts the
// daemon again and again must not write to him each time.
func damageTold(dir string) string { return filepath.Join(dir, "damage-told") }

// tellDamage writes to the operator, once a day (UTC), past the outbox, which is in the
// damaged file.
func (d *Daemon) tellDamage(ctx context.Context, out mail.SMTPConfig, now time.Time) {
	today := now.UTC().Format(time.DateOnly)
	told, err := os.ReadFile(damageTold(d.Config.Data))
	if d.Config.Operator == "" || err == nil && string(told) == today {
		return
	}
	raw, err := damageLetter(d.Config, now)
	if err == nil {
		err = sendToOperator(ctx, d.Config, out, raw)
	}
	if err == nil {
		err = os.WriteFile(damageTold(d.Config.Data), []byte(today), 0o600)
	}
	if err != nil {
		d.log.Error("the operator cannot be told that the database is damaged", "error", err)
	}
}

// damageLetter says what to do. What was found stands in the log.
func damageLetter(cfg config.Config, now time.Time) ([]byte, error) {
	text := templates.Wrap("The database is damaged, and the daemon has stopped. Letters stay in the inbox, and nothing is lost there. The log says what was found.") +
		"\n\n  " + cfg.ShownDatabase() + "\n\n" +
		templates.Wrap("Look whether the disk is sound, and restore the newest backup from before: \"samizdat restore FILE\" keeps the damaged file under another name. "+
			"\"Backups\" in docs/running.md says what becomes of the letters since then.") + "\n"
	return notice(cfg, cfg.Operator, "The database is damaged", fmt.Sprintf("damaged-%d", now.UnixMicro()), now, text)
}
