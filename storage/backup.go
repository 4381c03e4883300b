package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// ErrOnServer: what a server holds is not a file.
var ErrOnServer = errors.New("the database is one of a PostgreSQL server, whose own programs back it up: pg_dump, or pg_basebackup with an archive of its log (docs/scale.md). " +
	"The key file is not in the database: keep a copy of it apart from the backups, since both together tell coming dice")

// Backup writes a copy of the database at path to a new file, while a daemon may
// be using it, and checks the copy. The key file is not part of it: who has both
// can compute coming dice. It never overwrites a file.
func Backup(ctx context.Context, path, to string) (err error) {
	if isURL(path) {
		return ErrOnServer
	}
	// Only its owner may read it: it names players and their addresses.
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(to))
		}
	}()
	if err := f.Close(); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	db, err := openReadOnly(ctx, path, nil)
	if err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO $1", to)
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	if err := flush(to); err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	copied, err := openReadOnly(ctx, to, nil)
	if err != nil {
		return fmt.Errorf("check the backup: %w", err)
	}
	if err := errors.Join(check(ctx, copied), copied.Close()); err != nil {
		return fmt.Errorf("check the backup: %w", err)
	}
	return nil
}

// flush waits until a file is on the disk.
func flush(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
