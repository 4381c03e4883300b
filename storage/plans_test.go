//go:build integration

package storage

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/internal/pgtest"
)

// club10000 fills a database: ten thousand matches, of which one in ten is played, with what has come of them.
var club10000 = []string{
	`INSERT INTO players (id, address, contact) SELECT n, 'p' || n || '@x.test', '\x00' FROM generate_series(1, 4000) n`,
	`INSERT INTO matches (id, game, revision, options, state, secret, head, version, created, tempo, due, since, build, position, summary, archived)
		SELECT 'm' || n, 'game', 1, '{}', CASE n % 10 WHEN 0 THEN 'playing' ELSE 'over' END, '\x00', md5(n::text), 1, n, CASE n % 20 WHEN 0 THEN '72h' ELSE '' END,
		CASE n % 20 WHEN 0 THEN n * 1000 END, CASE n % 20 WHEN 0 THEN n * 1000 END, 'b', decode(repeat(md5(n::text), 60), 'hex'), decode(repeat(md5(n::text), 8), 'hex'), CASE n % 10 WHEN 0 THEN 0 ELSE 1 END
		FROM generate_series(1, 10000) n`,
	`INSERT INTO seats (match, seat, name, player, key, joined, words, letters, clock, deadline)
		SELECT 'm' || n, s, 'seat' || s, 1 + (n * 7 + s) % 4000, '\x00', 1, '', 9, '{}', CASE n % 20 WHEN 0 THEN n * 1000 END FROM generate_series(1, 10000) n, generate_series(0, 1) s`,
	`INSERT INTO entries (match, seq, entry) SELECT 'm' || n, s, decode(repeat(md5(n::text), 8), 'hex') FROM generate_series(10, 10000, 10) n, generate_series(0, 39) s`,
	`INSERT INTO sent (match, seat, number, decisions) SELECT 'm' || n, s % 2, s, '\x00' FROM generate_series(10, 10000, 10) n, generate_series(0, 39) s`,
	`INSERT INTO received (match, seat, digest, disposition, raw, at) SELECT 'm' || n, s % 2, md5(s::text), 'done', decode(repeat(md5(n::text), 16), 'hex'), n FROM generate_series(10, 10000, 10) n, generate_series(0, 19) s`,
	`INSERT INTO outbox (recipient, due, state, at, urgent, match, seat, number, turn, picture_at, told)
		SELECT 'p' || n % 4000 || '@x.test', n, CASE n % 100 WHEN 0 THEN 'waiting' WHEN 1 THEN CASE n % 1000 WHEN 1 THEN 'failed' ELSE 'sent' END ELSE 'sent' END, n, n % 2, 'm' || 1 + n % 10000, n % 2, n,
		CASE n % 300 WHEN 0 THEN n END, CASE n % 700 WHEN 0 THEN 1 ELSE 0 END, 1 FROM generate_series(1, 30000) n`,
	`INSERT INTO bodies (id, raw) SELECT id, decode(repeat(md5(id::text), 100), 'hex') FROM outbox WHERE state IN ('waiting', 'failed')`,
	`INSERT INTO bounces (match, seat, number, hard, recipient, status, reason, at, told) SELECT 'm' || n, 0, 1, 1, 'p', '', '', n, 1 FROM generate_series(1, 10000, 30) n`,
	`INSERT INTO archives (match, at, cleared, record) SELECT id, created, 1, '\x00' FROM matches WHERE archived = 1`,
	`INSERT INTO members (player, name, skeleton, state, since, settings, serial, letters, version) SELECT n, 'n' || n, 'n' || n, 'member', 1, '{}', 1, 1, 1 FROM generate_series(1, 3000) n`,
	`INSERT INTO results (match, game, ended, result) SELECT id, game, created, '{}' FROM matches WHERE state = 'over'`,
	`INSERT INTO resultplayers (player, ended, match) SELECT s.player, r.ended, r.match FROM results r JOIN seats s ON s.match = r.match ON CONFLICT DO NOTHING`,
	`INSERT INTO offers (member, id, state, terms, parties, invited, secret, match, created, expires, version) SELECT 1 + n % 3000, n, CASE n % 50 WHEN 0 THEN 'open' ELSE 'begun' END, '{}', '[]', '[]', '', 'm' || n, n, n, 1 FROM generate_series(1, 5000) n`,
	`VACUUM ANALYZE`,
}

// whole are parts of the statements that are meant to read all matches, to list them, or any one.
var whole = []string{
	`SELECT id FROM matches ORDER BY id`,
	"FROM matches m INDEXED BY matches_listed", "SELECT id FROM matches WHERE position IS NOT NULL ORDER BY id", "SELECT id, version FROM matches WHERE state = $1 ORDER BY id",
	"SELECT id, secret FROM matches LIMIT 1",
}

// TestPlans: no statement reads through all matches, entries or letters to find some: not even with a plan that knows
// nothing of its arguments.
func TestPlans(t *testing.T) {
	t.Parallel()
	db := openAt(t, pgtest.Start(t).URL("postgres"), filepath.Join(t.TempDir(), "s.key"))
	c, err := db.writer.Conn(t.Context())
	must(t, err)
	defer c.Close()
	exec := func(statement string) {
		t.Helper()
		if _, err := c.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, s := range club10000 {
		exec(s)
	}
	exec("SET plan_cache_mode = force_generic_plan")
	scan := regexp.MustCompile(`Seq Scan on (matches|entries|outbox|received|sent|bodies)\b`)
	for text, where := range statements(t) {
		if strings.HasPrefix(where, "sqlite.go") || strings.HasPrefix(where, "ended.go") || strings.HasPrefix(where, "tables.go") || strings.HasPrefix(where, "restore.go") || strings.Contains(text, "rowid") || strings.Contains(text, "sqlite_") || strings.HasPrefix(where, "copy") {
			continue // Those are for files, and for whole databases.
		}
		if strings.HasPrefix(where, "copy.go") || strings.HasPrefix(where, "tables.go") {
			continue // A copy reads all there is.
		}
		if last := strings.TrimSpace(text); strings.HasSuffix(last, "AND") || strings.HasSuffix(last, "WHERE") || strings.HasSuffix(last, "BY") {
			continue // It is the beginning of others.
		}
		n := 0
		for strings.Contains(text, fmt.Sprintf("$%d", n+1)) {
			n++
		}
		if _, err := c.ExecContext(t.Context(), "PREPARE p AS "+postgres{}.text(text)); err != nil {
			t.Errorf("%s: %v\n%s", where, err, text)
			continue
		}
		execute := "EXPLAIN EXECUTE p"
		if n > 0 {
			execute += "(NULL" + strings.Repeat(", NULL", n-1) + ")"
		}
		rows, err := c.QueryContext(t.Context(), execute)
		must(t, err)
		var plan []string
		for rows.Next() {
			var line string
			must(t, rows.Scan(&line))
			plan = append(plan, line)
		}
		must(t, rows.Err())
		exec("DEALLOCATE p")
		if found := scan.FindString(strings.Join(plan, "\n")); found != "" && !slices.ContainsFunc(whole, func(w string) bool { return strings.Contains(text, w) }) {
			t.Errorf("%s: %s\n%s\n%s", where, found, text, strings.Join(plan, "\n"))
		}
	}
}
