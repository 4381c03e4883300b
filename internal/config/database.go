package config

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// OnServer reports whether the database is on a PostgreSQL server.
func (c *Config) OnServer() bool {
	return strings.HasPrefix(c.DatabaseAt, "postgres://") || strings.HasPrefix(c.DatabaseAt, "postgresql://")
}

// Database returns the path of the database file, or the URL of the database with its password. Print
// RedactedDatabase instead.
func (c *Config) Database() string {
	switch {
	case !c.OnServer() && filepath.IsAbs(c.DatabaseAt):
		return c.DatabaseAt
	case !c.OnServer():
		return filepath.Join(c.Data, c.DatabaseAt)
	}
	u, err := url.Parse(c.DatabaseAt)
	if err != nil || c.DatabasePassword == "" {
		return c.DatabaseAt
	}
	u.User = url.UserPassword(u.User.Username(), c.DatabasePassword)
	return u.String()
}

// DatabaseOf returns the database that an argument of a command names, with its password. If the configuration names a
// database on a server, the configured password (SAMIZDAT_DATABASE_PASSWORD) is for that database alone; otherwise it
// is for any server that a command names.
func (c *Config) DatabaseOf(where string) string {
	named := Config{DatabaseAt: where, DatabasePassword: c.DatabasePassword}
	if !named.OnServer() || c.OnServer() && where != c.DatabaseAt {
		return where
	}
	if u, err := url.Parse(where); err == nil && where != c.DatabaseAt {
		if _, has := u.User.Password(); has {
			return where
		}
	}
	return named.Database()
}

// RedactedDatabase returns the path or the URL of the database, without passwords.
func (c *Config) RedactedDatabase() string {
	u, err := url.Parse(c.DatabaseAt)
	if err != nil || !c.OnServer() {
		return c.Database() // A wrong URL is refused before.
	}
	hide := u.Query()
	for name := range hide {
		if strings.Contains(name, "password") {
			hide.Set(name, "xxxxx")
			u.RawQuery = hide.Encode()
		}
	}
	return u.Redacted()
}

func (c *Config) validateDatabase() error {
	_, err := url.Parse(c.DatabaseAt)
	switch {
	case c.DatabaseAt == "":
		return errors.New("database: name a file in the data directory, or the URL of a PostgreSQL database")
	case !c.OnServer() && strings.Contains(c.DatabaseAt, "://"):
		return errors.New("database: only URLs that begin with postgres:// are known")
	case c.OnServer() && err != nil:
		return errors.New("database: this is not a URL; write other characters than letters and digits in a name or a password " +
			"as %40 for @") // err shows the password
	}
	return validateSource("", c.databaseSources())
}

// ErrNoDatabase is the error of a configuration without a database. Commands do not create one, because no daemon
// would serve it.
var ErrNoDatabase = errors.New("there is no database")

// FindDatabase returns the absolute path of the database, also if it does not exist (ErrNoDatabase). For a database on
// a server it returns the URL without passwords, and does not connect.
func (c *Config) FindDatabase() (string, error) {
	if c.OnServer() {
		return c.RedactedDatabase(), nil
	}
	path, err := filepath.Abs(c.Database())
	if err != nil {
		return "", fmt.Errorf("find the database: %w", err)
	}
	if _, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return path, fmt.Errorf("%w %s: call this where \"samizdat serve\" is called, with the same --config or SAMIZDAT_DATA",
			ErrNoDatabase, path)
	}
	if errors.Is(err, fs.ErrPermission) {
		return path, fmt.Errorf("find the database: %w: call this as the user that \"samizdat serve\" runs as", err)
	}
	if err != nil {
		return path, fmt.Errorf("find the database: %w", err)
	}
	return path, nil
}
