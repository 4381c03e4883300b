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

// Database returns the path of the database file, or the URL with its password. For output use RedactedDatabase.
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

// DatabaseOf returns the database that an argument of a command describes, with its password. If the configured
// database is on a server, the configured password (SAMIZDAT_DATABASE_PASSWORD) is for that database only; otherwise
// it is for any server.
func (c *Config) DatabaseOf(location string) string {
	target := Config{DatabaseAt: location, DatabasePassword: c.DatabasePassword}
	if !target.OnServer() || c.OnServer() && location != c.DatabaseAt {
		return location
	}
	if u, err := url.Parse(location); err == nil && location != c.DatabaseAt {
		if _, hasPassword := u.User.Password(); hasPassword {
			return location
		}
	}
	return target.Database()
}

// RedactedDatabase returns the path or the URL of the database, without passwords.
func (c *Config) RedactedDatabase() string {
	u, err := url.Parse(c.DatabaseAt)
	if err != nil || !c.OnServer() {
		return c.Database() // validateDatabase refuses an invalid URL.
	}
	query := u.Query()
	for name := range query {
		if strings.Contains(name, "password") {
			query.Set(name, "xxxxx")
			u.RawQuery = query.Encode()
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

// ErrNoDatabase means that the configured database does not exist. Commands do not create one, because no daemon
// would use it.
var ErrNoDatabase = errors.New("there is no database")

// FindDatabase returns the absolute path of the database, even if it does not exist (ErrNoDatabase). For a database
// on a server it returns the URL without passwords, and does not connect.
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
