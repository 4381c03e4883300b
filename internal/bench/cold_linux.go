package bench

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// forget lets the machine forget what it has read of a directory's files, so that they are read
// from the disk again, and of nothing else.
func forget(dir string) (bool, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		if err := forgetFile(filepath.Join(dir, f.Name())); err != nil {
			return false, fmt.Errorf("let %s be read from the disk: %w", f.Name(), err)
		}
	}
	return true, nil
}

func forgetFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED), f.Close())
}
