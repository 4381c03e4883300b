package embedded

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// lockDir keeps two processes from writing the same journals. The lock goes
// away with the process.
func lockDir(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%s is in use by another process: %w", path, err)
	}
	return f, nil
}
