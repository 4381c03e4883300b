package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/storage"
)

// uncheckedFile is there from before a database is made until its mailbox was looked at: a
// new database takes no mailbox in which it would file away letters of others. Databases
// from before this was looked at have none, and go on.
func uncheckedFile(dir string) string { return filepath.Join(dir, "mailbox-unchecked") }

// noteNew notes that the mailbox is to be looked at, if there is no database yet.
func noteNew(ctx context.Context, cfg config.Config) error {
	if _, err := os.Stat(uncheckedFile(cfg.Data)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if there, err := storage.Exists(ctx, cfg.Database()); there || err != nil {
		return err
	}
	const text = "The mailbox of this database was not looked at yet. Without this file whatever\n" +
		"lies in it is filed away.\n"
	if err := os.WriteFile(uncheckedFile(cfg.Data), []byte(text), 0o600); err != nil {
		return fmt.Errorf("note that the database is new: %w", err)
	}
	return nil
}

// Fresh tells whether the daemon has still to look at its mailbox before it reads letters.
func Fresh(ctx context.Context, cfg config.Config) (bool, error) {
	if _, err := os.Stat(uncheckedFile(cfg.Data)); !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	there, err := storage.Exists(ctx, cfg.Database())
	return !there, err
}

// checkMailbox refuses a mailbox in which a new database would file away letters of
// others. The embedded server's has none. While it cannot be reached missed is told why.
func (d *Daemon) checkMailbox(ctx context.Context, in mail.IMAPConfig, missed func(error)) error {
	if d.DB.Shared() {
		// Any of the daemons may have looked.
		if at, err := d.DB.LastLook(ctx); err != nil || !at.IsZero() {
			return err
		}
		if !d.Config.UsesEmbedded() {
			if err := d.lookForForeign(ctx, in, missed); err != nil || ctx.Err() != nil {
				return err
			}
		}
		return d.DB.Looked(ctx, d.clock.Now())
	}
	path := uncheckedFile(d.Config.Data)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || d.Config.UsesEmbedded() {
		return nil
	}
	err := d.lookForForeign(ctx, in, missed)
	switch {
	case err == nil && ctx.Err() == nil:
		return os.Remove(path)
	case errors.Is(err, errForeign):
		return fmt.Errorf("%w. To have all of it filed away, remove %s", err, path)
	}
	return err // Who was stopped looks at it at the next start.
}

// errForeign: a mailbox has letters of others.
var errForeign = errors.New("is not touched")

// lookForForeign returns an error when there are letters of others, or nobody can tell.
func (d *Daemon) lookForForeign(ctx context.Context, in mail.IMAPConfig, missed func(error)) error {
	found, err := mail.LookForForeign(ctx, in, func(err error, pause time.Duration) {
		missed(err)
		d.log.Warn("the mailbox cannot be looked at yet", "server", in.Address, "error", err, "hint", mail.Hint(err), "retry_in", pause.Round(time.Millisecond))
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	if what, do := found.Words(); what != "" {
		return fmt.Errorf("the mailbox of %s at %s %w: %s. What to do: %s", in.User, in.Address, errForeign, what, do)
	}
	return nil
}
