package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// ErrServed: another process has the data directory's lock.
var ErrServed = errors.New("another samizdat is serving it; stop that one first")

// Lock takes the data directory for one process, until release is called or the
// process ends, however that comes about.
func Lock(dir string) (release func() error, err error) {
	f, err := os.OpenFile(lockFile(dir), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	// Who asks whether it is served has the lock for a moment.
	for range 5 {
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			break
		}
		time.Sleep(20 * time.Millisecond)
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrServed
		}
		return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), f.Close())
	}
	return f.Close, nil
}

// Served tells whether a process serves the data directory. It leaves nothing there.
func Served(dir string) (bool, error) {
	f, err := os.Open(lockFile(dir))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false, nil // Nobody has served it yet.
	}
	if err != nil {
		return false, fmt.Errorf("see whether %s is served: %w", dir, err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if err != nil && !errors.Is(err, syscall.EWOULDBLOCK) {
		return false, fmt.Errorf("see whether %s is served: %w", dir, err)
	}
	return err != nil, nil
}

func lockFile(dir string) string { return filepath.Join(dir, "serve.lock") }
