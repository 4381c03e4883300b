package doctor

import (
	"context"
	"strconv"

	"samizdat/internal/config"
	"samizdat/storage"
)

const (
	// leastVersion is the oldest PostgreSQL that ends connections of daemons that hang.
	leastVersion = 140_000
	// leastTimeout is what statements are given at least, in milliseconds.
	leastTimeout = 5_000
)

// server looks how a PostgreSQL server is set up.
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
			"after which a statement is given up that others only hold up", ms)
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
			"database: the connection to %s is not encrypted: all on the way can read what passes", cfg.ShownDatabase())
	default:
		d.wrong("add sslmode=verify-full to the URL, and sslrootcert=FILE where the certificate is none that this machine knows",
			"database: whoever sits on the way to %s may read what passes", cfg.ShownDatabase())
	}
}

// durability looks whether what is committed outlives a power cut.
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
		d.ok("database: what is committed there outlives a power cut")
	}
}

// backups looks whether the server archives its log. Whether somebody makes backups it cannot tell.
func (d *doctor) backups(s *storage.Server) {
	switch {
	case s.Settings["archive_mode"] == "off":
		d.note("database: the server does not archive its log, so a backup can bring back only how things stood when it was made; " +
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

// connections looks how many daemons fit.
func (d *doctor) connections(s *storage.Server) {
	daemons := (s.Connections - storage.ConnectionsPerCommand) / storage.ConnectionsPerDaemon
	if daemons < 1 {
		d.wrong("raise max_connections, or the limit of the role or the database",
			"database: %d connections are allowed; a daemon takes %d and a command %d", s.Connections, storage.ConnectionsPerDaemon, storage.ConnectionsPerCommand)
		return
	}
	d.ok("database: %d connections are allowed and %d in use, which is enough for %d daemons and a command", s.Connections, s.Used, daemons)
}
