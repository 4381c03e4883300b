package storage

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
)

// Inspection is a database opened for reading while other processes may use it.
type Inspection struct {
	pool     *pool
	location string
}

// Inspect opens the existing database at a location, which is a file or a URL.
func Inspect(ctx context.Context, location string) (*Inspection, error) {
	p, err := openForReading(ctx, location, &key{})
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", redactURL(location), err)
	}
	return &Inspection{p, location}, nil
}

// Close closes the connections.
func (i *Inspection) Close() error { return i.pool.Close() }

// Check checks the database for damage, and its schema for a known version.
func (i *Inspection) Check(ctx context.Context) error { return checkDatabase(ctx, i.pool) }

// CheckKey checks that a key file belongs to the database.
func (i *Inspection) CheckKey(ctx context.Context, keyPath string) error {
	k, err := readKey(keyPath, false)
	if err != nil {
		return err
	}
	return k.checkKey(ctx, i.pool)
}

// Stopped lists the matches that are stopped, because two builds compute different positions.
func (i *Inspection) Stopped(ctx context.Context) (found []StoppedMatch, err error) {
	defer wrapError(&err, "list the stopped matches")
	return readStopped(ctx, i.pool, allStopped)
}

// IsUnfinished reports whether a copy into the database is unfinished.
func (i *Inspection) IsUnfinished(ctx context.Context) (bool, error) {
	return i.pool.engine.hasTable(ctx, i.pool, unfinishedTable)
}

// IsUnverified reports whether connections to a remote server do not verify its certificate, so that the traffic can be
// intercepted.
func (i *Inspection) IsUnverified() bool {
	u, err := url.Parse(i.location)
	if !isURL(i.location) || err != nil || u.Query().Get("sslmode") == "verify-full" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	isLocal := u.Hostname() == "" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	return !isLocal
}

// Exists reports whether a database exists.
func Exists(ctx context.Context, location string) (found bool, err error) {
	if !isURL(location) {
		if err := CheckRestoreFinished(location); err != nil {
			return false, err
		}
		return fileExists(location)
	}
	defer wrapError(&err, "find the database %s", redactURL(location))
	p, err := openReaders(ctx, location, &key{})
	if err != nil {
		return false, err
	}
	err = p.QueryRowContext(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL`).Scan(&found)
	return found, errors.Join(err, p.Close())
}

// Server describes a PostgreSQL server and the role of this connection.
type Server struct {
	// Settings are the server's settings as our connections see them.
	Settings map[string]string
	// IsOwner reports whether the role owns the tables and can change the schema.
	Role                 string
	IsSuperuser, IsOwner bool
	IsEncrypted          bool
	// MaxConnections is the number of connections that we may open, UsedConnections the number of all open connections.
	MaxConnections, UsedConnections int
	// HasArchiveFailure reports whether archiving the newest WAL segment failed.
	HasArchiveFailure bool
}

// ConnectionsPerDaemon and ConnectionsPerCommand are the numbers of connections that a daemon and a command open.
const (
	ConnectionsPerDaemon  = ConnectionsPerCommand + 1
	ConnectionsPerCommand = writerConnections + readerConnections
)

// Server returns a description of the PostgreSQL server, or nil for a file.
func (i *Inspection) Server(ctx context.Context) (s *Server, err error) {
	if !isURL(i.location) {
		return nil, nil
	}
	defer wrapError(&err, "read the settings of the server")
	s = &Server{}
	s.Settings, err = queryMap[string, string](ctx, i.pool, `SELECT name, setting FROM pg_settings WHERE name IN
		('server_version', 'server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit',
		'archive_mode', 'TimeZone', 'statement_timeout')`)
	if err != nil {
		return nil, err
	}
	// In both columns, -1 means no limit.
	err = i.pool.QueryRowContext(ctx, `SELECT rolname, rolsuper, least(
			(SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END) FROM pg_settings
				WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')),
			nullif(rolconnlimit, -1), (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())),
			(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
			(SELECT coalesce(bool_or(ssl), false) FROM pg_stat_ssl WHERE pid = pg_backend_pid()),
			(SELECT coalesce(bool_and(pg_has_role(relowner, 'USAGE')), false) FROM pg_class WHERE oid = to_regclass('matches')),
			(SELECT coalesce(bool_or(last_failed_time > coalesce(last_archived_time, '-infinity')), false) FROM pg_stat_archiver)
		FROM pg_roles WHERE rolname = current_user`).Scan(&s.Role, &s.IsSuperuser, &s.MaxConnections, &s.UsedConnections,
		&s.IsEncrypted, &s.IsOwner, &s.HasArchiveFailure)
	return s, err
}

// ErrOnServer means that the database is on a PostgreSQL server, and must be backed up with PostgreSQL's tools.
var ErrOnServer = errors.New("the database is on a PostgreSQL server: back it up with pg_dump, or with pg_basebackup and an " +
	"archive of its log (docs/scale.md). " +
	"The key file is not in the database: keep a copy of it apart from the backups, because both together reveal future dice")

// Backup writes a checked copy of the database to a new file. A daemon may use the database at the same time. The key
// file is not included, because database and key together reveal future dice. Existing files are not overwritten.
func Backup(ctx context.Context, path, target string) (err error) {
	if isURL(path) {
		return ErrOnServer
	}
	// Only the owner may read the backup, because it contains players' addresses.
	f, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(target))
		}
	}()
	if err := f.Close(); err != nil {
		return fmt.Errorf("back up: %w", err)
	}
	db, err := openReadOnly(ctx, path, nil)
	if err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO $1", target)
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	if err := syncFile(target); err != nil {
		return fmt.Errorf("back up %s: %w", path, err)
	}
	backup, err := openReadOnly(ctx, target, nil)
	if err != nil {
		return fmt.Errorf("check the backup: %w", err)
	}
	if err := errors.Join(checkDatabase(ctx, backup), backup.Close()); err != nil {
		return fmt.Errorf("check the backup: %w", err)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
