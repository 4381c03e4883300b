package doctor

import (
	"context"
	"strconv"

	"samizdat/internal/config"
	"samizdat/storage"
)

const (
	// leastVersion is the oldest PostgreSQL that closes the connections of hanging daemons
	//.
	leastVersion = 140_000
	leastTimeout = 5_000 // the shortest useful statement_timeout, in milliseconds
)

// server checks the settings of a PostgreSQL server.
func (d *doctor) server(ctx context.Context, cfg config.Config, db *storage.Inspection) {
	if !cfg.OnServer() {
		return
	}
	s, err := db.Server(ctx)
	if err != nil {
		d.wrong("try again", "database: %v", err)
		return
	}
	if version, err := strconv.Atoi(s.Settings["server_version_num"]); err == nil && version < leastVersion {
		d.wrong("use PostgreSQL 14 or newer", "database: the server is PostgreSQL %s", s.Settings["server_version"])
	}
	d.encryption(cfg, db, s)
	d.durability(s)
	d.backups(s)
	d.role(s)
	if ms, err := strconv.Atoi(s.Settings["statement_timeout"]); err == nil && ms > 0 && ms < leastTimeout {
		d.wrong("leave it out of the URL", "database: statement_timeout is %d ms, "+
			"after which PostgreSQL cancels statements that only wait for others", ms)
	}
	d.connections(s)
	d.note("database: PostgreSQL %s; psql shows times there in %s, those of the tables are numbers", s.Settings["server_version"],
		s.Settings["TimeZone"])
}

func (d *doctor) encryption(cfg config.Config, db *storage.Inspection, s *storage.Server) {
	switch {
	case !db.Unverified():
	case !s.Encrypted:
		d.wrong("let the server use TLS, and add sslmode=verify-full to the URL",
			"database: the connection to %s is not encrypted: other machines on the way can read it", cfg.ShownDatabase())
	default:
		d.wrong("add sslmode=verify-full to the URL, and sslrootcert=FILE if this machine does not know the certificate",
			"database: the connection to %s does not verify the server: another machine may take its place", cfg.ShownDatabase())
	}
}

// durability checks that a commit survives a power cut.
func (d *doctor) durability(s *storage.Server) {
	bad := false
	for _, name := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		if s.Settings[name] == "off" {
			bad = true
			d.wrong("set "+name+" = on in postgresql.conf, and restart the server",
				"database: %s is off: a power cut can lose letters, or the database", name)
		}
	}
	if !bad {
		d.ok("database: commits survive a power cut")
	}
}

// backups checks that the server archives its log. It cannot see other backups.
func (d *doctor) backups(s *storage.Server) {
	switch {
	case s.Settings["archive_mode"] == "off":
		d.note("database: the server does not archive its log, so only the state of a backup can be restored; " +
			"docs/scale.md, \"Backups\"")
	case s.Unarchived:
		d.wrong("look into the server's log, and mend archive_command", "database: the server cannot archive its log")
	default:
		d.ok("database: the server archives its log")
	}
}

func (d *doctor) role(s *storage.Server) {
	switch {
	case !s.Owner:
		d.wrong("let it own the tables (ALTER TABLE ... OWNER TO), or use the role that does",
			"database: the role %s does not own the tables, and cannot change the schema", s.Role)
	case s.Superuser:
		d.note("database: the role %s may do everything on the server; one that owns this database is enough", s.Role)
	}
}

// connections checks for how many daemons the connections are enough.
func (d *doctor) connections(s *storage.Server) {
	daemons := (s.Connections - storage.ConnectionsPerCommand) / storage.ConnectionsPerDaemon
	if daemons < 1 {
		d.wrong("raise max_connections, or the limit of the role or the database",
			"database: %d connections are allowed; a daemon takes %d and a command %d", s.Connections, storage.ConnectionsPerDaemon, storage.ConnectionsPerCommand)
		return
	}
	d.ok("database: %d connections are allowed and %d in use, which is enough for %d daemons and a command", s.Connections, s.Used, daemons)
}
