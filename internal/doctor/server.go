package doctor

import (
	"context"
	"strconv"

	"samizdat/internal/config"
	"samizdat/storage"
)

const (
	// minVersion is the server_version_num of PostgreSQL 14, the oldest version that closes the connections of hanging
	// daemons.
	minVersion = 140_000
	minTimeout = 5_000 // the shortest useful statement_timeout, in milliseconds
)

func (d *doctor) checkServer(ctx context.Context, cfg config.Config, db *storage.Inspection) {
	if !cfg.UsesPostgres() {
		return
	}
	s, err := db.Server(ctx)
	if err != nil {
		d.reportProblem("try again", "database: %v", err)
		return
	}
	if version, err := strconv.Atoi(s.Settings["server_version_num"]); err == nil && version < minVersion {
		d.reportProblem("use PostgreSQL 14 or newer", "database: the server is PostgreSQL %s", s.Settings["server_version"])
	}
	d.checkEncryption(cfg, db, s)
	d.checkDurability(s)
	d.checkBackups(s)
	d.checkRole(s)
	if ms, err := strconv.Atoi(s.Settings["statement_timeout"]); err == nil && ms > 0 && ms < minTimeout {
		d.reportProblem("leave it out of the URL", "database: statement_timeout is %d ms, "+
			"after which PostgreSQL also cancels statements that only wait for a lock", ms)
	}
	d.checkConnections(s)
	d.reportNote("database: PostgreSQL %s; psql shows times in %s, but the tables store times as numbers", s.Settings["server_version"],
		s.Settings["TimeZone"])
}

func (d *doctor) checkEncryption(cfg config.Config, db *storage.Inspection, s *storage.Server) {
	switch {
	case !db.IsUnverified():
	case !s.IsEncrypted:
		d.reportProblem("let the server use TLS, and add sslmode=verify-full to the URL",
			"database: the connection to %s is not encrypted: other machines on the way can read it", cfg.RedactedDSN())
	default:
		d.reportProblem("add sslmode=verify-full to the URL, and sslrootcert=FILE if this machine does not know the certificate",
			"database: the connection to %s does not verify the server: another machine may take its place", cfg.RedactedDSN())
	}
}

// checkDurability checks that a commit survives a power cut.
func (d *doctor) checkDurability(s *storage.Server) {
	hasFault := false
	for _, name := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		if s.Settings[name] == "off" {
			hasFault = true
			d.reportProblem("set "+name+" = on in postgresql.conf, and restart the server",
				"database: %s is off: a power cut can lose letters, or the database", name)
		}
	}
	if !hasFault {
		d.reportOK("database: commits survive a power cut")
	}
}

// checkBackups checks that the server archives its log. It cannot see other backups.
func (d *doctor) checkBackups(s *storage.Server) {
	switch {
	case s.Settings["archive_mode"] == "off":
		d.reportNote("database: the server does not archive its log, so only the state of a backup can be restored; " +
			"docs/scale.md, \"Backups\"")
	case s.HasArchiveFailure:
		d.reportProblem("read the server's log, and fix archive_command", "database: the server cannot archive its log")
	default:
		d.reportOK("database: the server archives its log")
	}
}

func (d *doctor) checkRole(s *storage.Server) {
	switch {
	case !s.IsOwner:
		d.reportProblem("make it the owner of the tables (ALTER TABLE ... OWNER TO), or connect as their owner",
			"database: the role %s does not own the tables, and cannot change the schema", s.Role)
	case s.IsSuperuser:
		d.reportNote("database: the role %s may do everything on the server; a role that owns this database is enough", s.Role)
	}
}

// checkConnections prints for how many daemons the allowed connections are enough.
func (d *doctor) checkConnections(s *storage.Server) {
	daemons := (s.MaxConnections - storage.ConnectionsPerCommand) / storage.ConnectionsPerDaemon
	if daemons < 1 {
		d.reportProblem("raise max_connections, or the limit of the role or the database",
			"database: %d connections are allowed; a daemon takes %d and a command %d", s.MaxConnections,
			storage.ConnectionsPerDaemon, storage.ConnectionsPerCommand)
		return
	}
	d.reportOK("database: %d connections are allowed and %d in use, which is enough for %d daemons and a command",
		s.MaxConnections, s.UsedConnections, daemons)
}
