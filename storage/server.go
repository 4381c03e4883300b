package storage

import "context"

// Server is what a PostgreSQL server says of itself, and of who asks.
type Server struct {
	// Settings are those that matter, as connections of Samizdat have them.
	Settings map[string]string
	// Role is who asks. Owner: the tables are his, so that he can change the schema.
	Role             string
	Superuser, Owner bool
	// Encrypted: nobody on the way can read what passes.
	Encrypted bool
	// Connections are those that Samizdat may have, Used those that there are, of whomever.
	Connections, Used int
	// Unarchived: the newest piece of the log that was to be archived could not be.
	Unarchived bool
}

// Taken is how many connections a daemon takes, and ByCommand how many a command does.
const (
	Taken     = ByCommand + 1
	ByCommand = writers + readers
)

// Server asks the server; it is nil where the database is a file.
func (i *Inspection) Server(ctx context.Context) (s *Server, err error) {
	if !isURL(i.where) {
		return nil, nil
	}
	defer wrap(&err, "ask the server how it is set up")
	s = &Server{Settings: map[string]string{}}
	err = each(ctx, i.pool, func(scan func(...any) error) error {
		var name, value string
		err := scan(&name, &value)
		s.Settings[name] = value
		return err
	}, `SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit',
		'archive_mode', 'TimeZone', 'statement_timeout')`)
	if err != nil {
		return nil, err
	}
	// -1 is no limit, here and there.
	err = i.pool.QueryRowContext(ctx, `SELECT rolname, rolsuper, least(
			(SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END) FROM pg_settings
				WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')),
			nullif(rolconnlimit, -1), (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())),
			(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
			(SELECT coalesce(bool_or(ssl), false) FROM pg_stat_ssl WHERE pid = pg_backend_pid()),
			(SELECT coalesce(bool_and(pg_has_role(relowner, 'USAGE')), false) FROM pg_class WHERE oid = to_regclass('matches')),
			(SELECT coalesce(bool_or(last_failed_time > coalesce(last_archived_time, '-infinity')), false) FROM pg_stat_archiver)
		FROM pg_roles WHERE rolname = current_user`).Scan(&s.Role, &s.Superuser, &s.Connections, &s.Used, &s.Encrypted, &s.Owner, &s.Unarchived)
	return s, err
}
