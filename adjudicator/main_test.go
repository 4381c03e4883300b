package adjudicator_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/storage"
)

func TestMain(m *testing.M) {
	long.Waiting(4) // A letter goes from hand to hand while it is stored, and each waits for the other.
	defer long.InMemory()()
	m.Run()
}

// emptyClub is a database without a match: to copy it is quicker than to make the
// schema for each test.
var emptyClub = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "empty")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "club.db")
	db, err := storage.Open(context.Background(), file, filepath.Join(dir, "club.key"))
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// where is the database in a directory: the file, or the one on a server that has its name.
func where(dir string) string { return pgtest.At(filepath.Join(dir, "club.db")) }

// newSeatKey is a key of its own for a club, as its file has it.
func newSeatKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // it never fails
	return []byte(hex.EncodeToString(key) + "\n")
}

// furnish puts files into a directory that only we can read.
func furnish(dir string, files map[string][]byte) error {
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return fmt.Errorf("furnish a club: %w", err)
		}
	}
	return nil
}
