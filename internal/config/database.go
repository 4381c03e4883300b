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

// UsesPostgres reports whether the database is on a PostgreSQL server.
func (c *Config) UsesPostgres() bool {
	return strings.HasPrefix(c.DatabaseLocation, "postgres://") || strings.HasPrefix(c.DatabaseLocation, "postgresql://")
}

// DSN returns the data source name: the path of the database file, or the URL with its password. For output use
// RedactedDSN.
func (c *Config) DSN() string {
	switch {
	case !c.UsesPostgres() && filepath.IsAbs(c.DatabaseLocation):
		return c.DatabaseLocation
	case !c.UsesPostgres():
		return filepath.Join(c.Data, c.DatabaseLocation)
	}
	u, err := url.Parse(c.DatabaseLocation)
	if err != nil || c.DatabasePassword == "" {
		return c.DatabaseLocation
	}
	u.User = url.UserPassword(u.User.Username(), c.DatabasePassword)
	return u.String()
}

// DSNFor returns the data source name for the location in an argument of a command. It adds the configured password
// (SAMIZDAT_DATABASE_PASSWORD) to a URL without a password. If the configured database is on a server, the password is
// only for that database.
func (c *Config) DSNFor(location string) string {
	target := Config{DatabaseLocation: location, DatabasePassword: c.DatabasePassword}
	if !target.UsesPostgres() || c.UsesPostgres() && location != c.DatabaseLocation {
		return location
	}
	if u, err := url.Parse(location); err == nil && location != c.DatabaseLocation {
		if _, hasPassword := u.User.Password(); hasPassword {
			return location
		}
	}
	return target.DSN()
}

// RedactedDSN returns the path or the URL of the database, without passwords.
func (c *Config) RedactedDSN() string {
	u, err := url.Parse(c.DatabaseLocation)
	if err != nil || !c.UsesPostgres() {
		return c.DSN() // validateDatabase refuses an invalid URL.
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
	_, err := url.Parse(c.DatabaseLocation)
	switch {
	case c.DatabaseLocation == "":
		return errors.New("database: missing: name a file in the data directory, or the URL of a PostgreSQL database")
	case !c.UsesPostgres() && strings.Contains(c.DatabaseLocation, "://"):
		return errors.New("database: the URL must begin with postgres://")
	case c.UsesPostgres() && err != nil:
		// The text of err would show the password.
		return errors.New("database: invalid URL: percent-encode special characters in names and passwords, for example %40 for @")
	}
	return validateSource("", c.databaseSources())
}

// ErrNoDatabase means that the configured database file does not exist. Most commands do not create it, because a wrong
// working directory is the likely cause.
var ErrNoDatabase = errors.New("there is no database")

// FindDatabase returns the absolute path of the database, even if the error is ErrNoDatabase. For a database on a
// server it returns the URL without passwords, and does not connect.
func (c *Config) FindDatabase() (string, error) {
	if c.UsesPostgres() {
		return c.RedactedDSN(), nil
	}
	path, err := filepath.Abs(c.DSN())
	if err != nil {
		return "", fmt.Errorf("find the database: %w", err)
	}
	if _, err = os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return path, fmt.Errorf("%w %s: run this command in the directory of \"samizdat serve\", with the same --config or SAMIZDAT_DATA",
			ErrNoDatabase, path)
	}
	if errors.Is(err, fs.ErrPermission) {
		return path, fmt.Errorf("find the database: %w: run this command as the user of \"samizdat serve\"", err)
	}
	if err != nil {
		return path, fmt.Errorf("find the database: %w", err)
	}
	return path, nil
}
