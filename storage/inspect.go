package storage

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
)

// Inspection is a database that is looked at while others use it. It is not changed.
type Inspection struct {
	pool  *pool
	where string
}

// Inspect opens a database that is there, a file or a URL, to look at it.
func Inspect(ctx context.Context, where string) (*Inspection, error) {
	p, err := openThere(ctx, where, &key{})
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", shown(where), err)
	}
	return &Inspection{p, where}, nil
}

// Close closes it.
func (i *Inspection) Close() error { return i.pool.Close() }

// Check looks for damage where the database is a file, and whether this program knows the schema.
func (i *Inspection) Check(ctx context.Context) error { return check(ctx, i.pool) }

// CheckKey looks whether a key file is the one that the database was made with.
func (i *Inspection) CheckKey(ctx context.Context, keyPath string) error {
	k, err := readKey(keyPath, false)
	if err != nil {
		return err
	}
	return k.opens(ctx, i.pool)
}

// Stopped lists the matches that stand still.
func (i *Inspection) Stopped(ctx context.Context) (found []Stopped, err error) {
	defer wrap(&err, "look for matches that are stopped")
	return stopped(ctx, i.pool, allStopped)
}

// Unfinished tells whether a copy into the database was not finished.
func (i *Inspection) Unfinished(ctx context.Context) (bool, error) {
	return i.pool.engine.has(ctx, i.pool, unfinished)
}

// Unverified tells of a server on another machine whether its certificate is not looked at: then whoever sits on the
// way may read what passes.
func (i *Inspection) Unverified() bool {
	u, err := url.Parse(i.where)
	if !isURL(i.where) || err != nil || u.Query().Get("sslmode") == "verify-full" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return !local
}

// Exists tells whether a database was made, as a file or on a server.
func Exists(ctx context.Context, where string) (there bool, err error) {
	if !isURL(where) {
		if err := Restorable(where); err != nil {
			return false, err
		}
		return exists(where)
	}
	defer wrap(&err, "look for the database %s", shown(where))
	p, err := openReaders(ctx, where, &key{})
	if err != nil {
		return false, err
	}
	err = p.QueryRowContext(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL`).Scan(&there)
	return there, errors.Join(err, p.Close())
}
