//go:build !unix

package embedded

import (
	"io"
	"os"
)

// lockDir does not keep a second process away on this system.
func lockDir(path string) (io.Closer, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
}
