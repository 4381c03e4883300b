package clubmail_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"samizdat/internal/test/long"
	"samizdat/storage"
)

func TestMain(m *testing.M) {
	defer long.InMemory()()
	m.Run()
}

// empty is a database without a club, by the name of its file, and its key: to copy them is
// quicker than to make the schema for each test.
var empty = sync.OnceValues(func() (files map[string][]byte, err error) {
	dir, err := os.MkdirTemp("", "empty")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	db, err := storage.Open(context.Background(), filepath.Join(dir, "club.db"), filepath.Join(dir, "club.key"))
	if err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	files = map[string][]byte{}
	for _, name := range []string{"club.db", "club.key"} {
		if files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
})
