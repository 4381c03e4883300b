package daemon

import (
	"cmp"
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

// overlap is how much further back than the newest letter of a backup letters are
// read again: they are not taken up in the order in which they came. Those that
// the backup knows are recognised, and change nothing.
const overlap = 24 * time.Hour

// Restore puts a backup in the place of the database, and asks the next daemon to read
// again the letters that the backup does not know: those since the time that it returns,
// none when that is zero. Players are told why. No daemon may serve meanwhile. The database of
// a server was put back before, by the server's own programs: then there is no backup.
func Restore(ctx context.Context, cfg config.Config, backup string, how storage.Restoring) (r storage.Restored, err error) {
	if _, err := os.Stat(cfg.KeyFile()); errors.Is(err, fs.ErrNotExist) {
		return r, fmt.Errorf("restore %s: %s is not there: put the copy of the key there first, without which no backup is of use", cmp.Or(backup, cfg.ShownDatabase()), cfg.KeyFile())
	}
	release, err := Lock(cfg.Data)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, release()) }()
	// Whoever interrupts it must not leave a restored database whose letters nobody reads again.
	how.Ready = func(r storage.Restored) error {
		if r.Since.IsZero() {
			return nil
		}
		return askReread(cfg.Data, r.Since.Add(-overlap))
	}
	if cfg.OnServer() {
		r, err = storage.PutBack(ctx, cfg.Database(), cfg.KeyFile(), how, time.Now())
	} else {
		r, err = storage.Restore(ctx, backup, cfg.Database(), cfg.KeyFile(), how, time.Now())
	}
	if err != nil || r.Since.IsZero() {
		return r, err
	}
	r.Since = r.Since.Add(-overlap)
	return r, nil
}

// rereadFile says since when handled letters are to be read again. It is a file,
// so that it outlasts a daemon that is stopped before it has done so.
func rereadFile(dir string) string { return filepath.Join(dir, "reread-since") }

func askReread(dir string, since time.Time) error {
	if err := os.WriteFile(rereadFile(dir), []byte(since.UTC().Format(time.RFC3339)+"\n"), 0o600); err != nil {
		return fmt.Errorf("note which letters to read again: %w", err)
	}
	return nil
}

// askedReread returns since when letters are to be read again; false when they are
// not.
func askedReread(dir string) (since time.Time, asked bool, err error) {
	b, err := os.ReadFile(rereadFile(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return time.Time{}, false, nil
	}
	if err == nil {
		since, err = time.Parse(time.RFC3339+"\n", string(b))
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("which letters to read again: %w", err)
	}
	return since, true, nil
}

// reread brings back the letters that a restore has made unknown.
func (d *Daemon) reread(ctx context.Context, in mail.IMAPConfig, missed func(error)) error {
	since, asked, err := askedReread(d.Config.Data)
	if err != nil || !asked {
		return err
	}
	n, err := mail.RereadUntilDone(ctx, in, since, func(err error, pause time.Duration) {
		missed(err)
		d.log.Warn("letters cannot be read again yet", "error", err, "hint", mail.Hint(err), "retry_in", pause.Round(time.Millisecond))
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil // The next start goes on with it.
		}
		return err
	}
	d.log.Info("letters are read again", "since", since, "letters", n)
	return os.Remove(rereadFile(d.Config.Data))
}
