package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNoDatabase: the configuration names a place where no database is. A command that
// made one there would write where nobody serves.
var ErrNoDatabase = errors.New("there is no database")

// FindDatabase returns the whole path of the database, or where it was looked for in vain.
func (c *Config) FindDatabase() (string, error) {
	path, err := filepath.Abs(c.Database())
	if err != nil {
		return "", fmt.Errorf("find the database: %w", err)
	}
	if _, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return path, fmt.Errorf("%w %s: call this where \"samizdat serve\" is called, with the same --config or SAMIZDAT_DATA", ErrNoDatabase, path)
	}
	if errors.Is(err, fs.ErrPermission) {
		return path, fmt.Errorf("find the database: %w: call this as the user that \"samizdat serve\" runs as", err)
	}
	if err != nil {
		return path, fmt.Errorf("find the database: %w", err)
	}
	return path, nil
}
