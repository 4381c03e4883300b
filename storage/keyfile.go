package storage

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrOtherKey: the key file belongs to another database.
var ErrOtherKey = errors.New("the key file is not the one that the database was made with")

// readKey reads the key file, or makes it for a new database. A database whose
// key file is gone is of no use, so a missing file is never made anew then.
func readKey(path string, fresh bool) (key, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && fresh {
		b, err = makeKey(path)
	}
	if err != nil {
		return key{}, fmt.Errorf("the key file: %w", err)
	}
	raw, err := hex.DecodeString(strings.TrimSpace(string(b)))
	if err != nil || len(raw) != 32 {
		return key{}, fmt.Errorf("the key file %s does not hold 64 hexadecimal digits", path)
	}
	return newKey(raw)
}

func makeKey(path string) ([]byte, error) {
	raw := make([]byte, 32)
	if _, err := rand.Read(raw); err != nil {
		return nil, err
	}
	text := []byte(hex.EncodeToString(raw) + "\n")
	f, err := os.CreateTemp(filepath.Dir(path), ".key-") // for its owner only
	if err != nil {
		return nil, err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		// A link is there whole or not at all, and never takes the place of another.
		err = os.Link(f.Name(), path)
	}
	if errors.Is(err, fs.ErrExist) {
		// Another process has made it meanwhile.
		text, err = os.ReadFile(path)
	}
	return text, errors.Join(err, os.Remove(f.Name()))
}
