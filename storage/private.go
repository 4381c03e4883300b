package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Private lets nobody but their owner read or write files and directories; what is not
// there is passed over. A directory that everybody writes to cannot be made so.
func Private(paths ...string) error {
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return err
		case info.Mode().Perm()&0o077 == 0:
			continue
		case info.Mode()&fs.ModeSticky != 0:
			return fmt.Errorf("%s belongs to everybody on this machine: use a directory of your own", path)
		}
		if err := os.Chmod(path, info.Mode().Perm()&0o700); err != nil {
			return fmt.Errorf("others on this machine may read %s, and that cannot be changed: %w", path, err)
		}
	}
	return nil
}

// private makes sure that a database is private before anything is written to it. The
// files that SQLite makes beside it get the permissions that it has.
func private(path, keyPath string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return Private(path, path+"-wal", path+"-shm", path+"-journal", keyPath)
}
