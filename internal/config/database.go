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

// OnServer tells whether the database is one of a PostgreSQL server.
func (c *Config) OnServer() bool {
	return strings.HasPrefix(c.DatabaseAt, "postgres://") || strings.HasPrefix(c.DatabaseAt, "postgresql://")
}

// Database is the file of the database, or its URL with the password: ShownDatabase is for people.
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

// DatabaseOf is where a database is that a command names. The password of the configuration, or
// SAMIZDAT_DATABASE_PASSWORD, is that of the configuration's database, if that is one of a server;
// else it opens the server that is named.
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

// ShownDatabase is where the database is, without a password.
func (c *Config) ShownDatabase() string {
	u, err := url.Parse(c.DatabaseAt)
	if err != nil || !c.OnServer() {
		return c.Database() // A URL that is none is refused before.
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

// validateDatabase looks at where the database is.
func (c *Config) validateDatabase() error {
	_, err := url.Parse(c.DatabaseAt)
	switch {
	case c.DatabaseAt == "":
		return errors.New("database: name a file in the data directory, or give the URL of a database of PostgreSQL")
	case !c.OnServer() && strings.Contains(c.DatabaseAt, "://"):
		return errors.New("database: only URLs that begin with postgres:// are known")
	case c.OnServer() && err != nil:
		return errors.New("database: it is no URL; what stands in a name or a password beside letters and digits is written " +
			"as %40 for @") // err shows the password
	}
	return validateSource("", c.databaseSources())
}

// ErrNoDatabase: the configuration names a place where no database is. A command that
// made one there would write where nobody serves.
var ErrNoDatabase = errors.New("there is no database")

// FindDatabase returns the whole path of the database, or where it was looked for in vain. One of a server is
// looked for when it is opened.
func (c *Config) FindDatabase() (string, error) {
	if c.OnServer() {
		return c.ShownDatabase(), nil
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
