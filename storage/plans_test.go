//go:build integration

package storage

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/internal/test/pgtest"
)

// club10000 fills a database: ten thousand matches, of which one in ten is played, with what has come of them.
var club10000 = []string{
	`INSERT INTO players (id, address, contact) SELECT n, 'p' || n || '@x.test', '\x00' FROM generate_series(1, 4000) n`,
	`INSERT INTO matches (id, game, revision, options, state, secret, head, version, created, tempo, due, since, build, position, summary, archived)
		SELECT 'm' || n, 'game', 1, '{}', CASE n % 10 WHEN 0 THEN 'playing' ELSE 'over' END, '\x00', md5(n::text), 1, n, CASE n % 20
		WHEN 0 THEN '72h' ELSE '' END,
		CASE n % 20 WHEN 0 THEN n * 1000 END, CASE n % 20 WHEN 0 THEN n * 1000 END, 'b', decode(repeat(md5(n::text), 60), 'hex'), decode(repeat(md5(n::text), 8), 'hex'), CASE n % 10 WHEN 0 THEN 0 ELSE 1 END
		FROM generate_series(1, 10000) n`,
	`INSERT INTO seats (match, seat, name, player, key, joined, words, letters, clock, deadline)
		SELECT 'm' || n, s, 'seat' || s, 1 + (n * 7 + s) % 4000, '\x00', 1, '', 9, '{}', CASE n % 20 WHEN 0 THEN n * 1000 END
		FROM generate_series(1, 10000) n, generate_series(0, 1) s`,
	`INSERT INTO entries (match, seq, entry) SELECT 'm' || n, s, decode(repeat(md5(n::text), 8), 'hex')
		FROM generate_series(10, 10000, 10) n, generate_series(0, 39) s`,
	`INSERT INTO sent (match, seat, number, decisions) SELECT 'm' || n, s % 2, s, '\x00'
		FROM generate_series(10, 10000, 10) n, generate_series(0, 39) s`,
	`INSERT INTO received (match, seat, digest, disposition, raw, at) SELECT 'm' || n, s % 2, md5(s::text), 'done', decode(repeat(md5(n::text), 16), 'hex'), n FROM generate_series(10, 10000, 10) n, generate_series(0, 19) s`,
	`INSERT INTO outbox (recipient, due, state, at, urgent, match, seat, number, turn, picture_at, told)
		SELECT 'p' || n % 4000 || '@x.test', n, CASE n % 100 WHEN 0 THEN 'waiting' WHEN 1 THEN CASE n % 1000 WHEN 1 THEN 'failed' ELSE 'sent' END
		ELSE 'sent' END, n, n % 2, 'm' || 1 + n % 10000, n % 2, n,
		CASE n % 300 WHEN 0 THEN n END, CASE n % 700 WHEN 0 THEN 1 ELSE 0 END, 1 FROM generate_series(1, 30000) n`,
	`INSERT INTO bodies (id, raw) SELECT id, decode(repeat(md5(id::text), 100), 'hex') FROM outbox WHERE state IN ('waiting', 'failed')`,
	`INSERT INTO bounces (match, seat, number, hard, recipient, status, reason, at, told) SELECT 'm' || n, 0, 1, 1, 'p', '', '', n, 1
		FROM generate_series(1, 10000, 30) n`,
	`INSERT INTO archives (match, at, cleared, record) SELECT id, created, 1, '\x00' FROM matches WHERE archived = 1`,
	`INSERT INTO members (player, name, skeleton, state, since, settings, serial, letters, version) SELECT n, 'n' || n, 'n' || n, 'member', 1, '{}', 1, 1, 1 FROM generate_series(1, 3000) n`,
	`INSERT INTO results (match, game, ended, result) SELECT id, game, created, '{}' FROM matches WHERE state = 'over'`,
	`INSERT INTO resultplayers (player, ended, match) SELECT s.player, r.ended, r.match FROM results r JOIN seats s ON s.match = r.match
		ON CONFLICT DO NOTHING`,
	`INSERT INTO offers (member, id, state, terms, parties, invited, secret, match, created, expires, version) SELECT 1 + n % 3000, n,
		CASE n % 50 WHEN 0 THEN 'open' ELSE 'begun' END, '{}', '[]', '[]', '', 'm' || n, n, n, 1 FROM generate_series(1, 5000) n`,
	`VACUUM ANALYZE`,
}

// whole are parts of the statements that are meant to read all matches, to list them, or any one.
var whole = []string{
	`SELECT id FROM matches ORDER BY id`,
	"FROM matches m INDEXED BY matches_listed", "SELECT id FROM matches WHERE position IS NOT NULL ORDER BY id", "SELECT id, version FROM matches WHERE state = $1 ORDER BY id",
	"SELECT id, secret FROM matches LIMIT 1",
}

// statementsFile names the file in which a server has noted the statements that it was given.
const statementsFile = "SAMIZDAT_TEST_STATEMENTS"

// TestPlans: no statement reads through all matches, entries or letters to find some: not even with a plan that knows
// nothing of its arguments. Called behind suites whose statements a server has noted, it looks at those too: they have what
// is put together at run time.
//
//	tools/postgres --statements sh -c 'go test ./adjudicator && go test -tags integration -run TestPlans ./storage'
func TestPlans(t *testing.T) {
	t.Parallel()
	p := newPlanner(t)
	for text, where := range statements(t, false) {
		if file, _, _ := strings.Cut(where, ":"); slices.Contains([]string{"sqlite.go", "tables.go", "copy.go"}, file) || ofFiles.MatchString(text) {
			continue // Those are for files, or a copy reads all there is.
		}
		if last := strings.TrimSpace(text); strings.HasSuffix(last, "AND") || strings.HasSuffix(last, "WHERE") || strings.HasSuffix(last, "BY") {
			continue // It is the beginning of others.
		}
		p.look(where, postgres{}.adaptStatement(text))
	}
	file := os.Getenv(statementsFile)
	if file == "" {
		return
	}
	all, ours := ran(t, file), statements(t, true)
	if len(all) < 50 {
		t.Fatalf("only %d statements were noted", len(all))
	}
	for text := range all {
		// Tests look at what there is in their own way, and a copy reads all there is.
		if _, ok := ours[text]; ok || allRows.MatchString(text) || strings.Contains(text, "goose_db_version") ||
			strings.Contains(text, unfinishedTable) {
			continue
		}
		if err := numbered(text); err != nil {
			t.Error(err)
		}
		p.look("ran", text)
	}
	t.Logf("%d statements, with those that ran", p.looked)
}

// ofFiles are statements of SQLite alone: a restore reads another file beside the database.
var ofFiles = regexp.MustCompile(`rowid|sqlite_|pragma_|previous\.|main\.`)

// allRows are statements that ask for all there is in a table, and nothing else.
var allRows = regexp.MustCompile(`^SELECT (\*|"\w+"(, "\w+")*) FROM "?\w+"?( ORDER BY at, uid)?$`)

// ran are the statements that connections of the program have given to a server, by what it has noted: a line of JSON for
// each time.
func ran(t *testing.T, file string) map[string]bool {
	t.Helper()
	f, err := os.Open(file)
	must(t, err)
	defer f.Close()
	begins := regexp.MustCompile(`^(?:execute \S+: |statement: )\s*((?:SELECT|INSERT|UPDATE|DELETE|WITH)\b(?s:.*))$`)
	seen, out := map[string]bool{}, map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Buffer(nil, 64<<20); lines.Scan(); {
		_, message, ok := strings.Cut(lines.Text(), `,"message":`)
		if !ok || seen[message] {
			continue
		}
		seen[message] = true
		var said struct {
			Program string `json:"application_name"`
			Message string `json:"message"`
		}
		must(t, json.Unmarshal([]byte(`{"message":`+message), &said))
		if is := begins.FindStringSubmatch(said.Message); is != nil && said.Program == sessionSettings["application_name"] {
			out[is[1]] = true
		}
	}
	must(t, lines.Err())
	return out
}

// planner shows how statements are carried out in a club of ten thousand matches.
type planner struct {
	t      *testing.T
	c      *sql.Conn
	looked int
}

func newPlanner(t *testing.T) *planner {
	t.Helper()
	db := openAt(t, pgtest.Start(t).URL("postgres"), filepath.Join(t.TempDir(), "s.key"))
	c, err := db.writer.Conn(t.Context())
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	p := &planner{t: t, c: c}
	for _, s := range club10000 {
		p.exec(s)
	}
	p.exec("SET plan_cache_mode = force_generic_plan")
	return p
}

func (p *planner) exec(statement string) {
	p.t.Helper()
	if _, err := p.c.ExecContext(p.t.Context(), statement); err != nil {
		p.t.Fatalf("%s: %v", statement, err)
	}
}

// longTables finds a table with many rows, read from its beginning to its end.
var longTables = regexp.MustCompile(`Seq Scan on (matches|entries|outbox|received|sent|bodies)\b`)

// look looks at the plan of a statement.
func (p *planner) look(where, text string) {
	p.t.Helper()
	p.looked++
	n := 0
	for strings.Contains(text, fmt.Sprintf("$%d", n+1)) {
		n++
	}
	if _, err := p.c.ExecContext(p.t.Context(), "PREPARE p AS "+text); err != nil {
		p.t.Errorf("%s: %v\n%s", where, err, text)
		return
	}
	execute := "EXPLAIN EXECUTE p"
	if n > 0 {
		execute += "(NULL" + strings.Repeat(", NULL", n-1) + ")"
	}
	rows, err := p.c.QueryContext(p.t.Context(), execute)
	must(p.t, err)
	var plan []string
	for rows.Next() {
		var line string
		must(p.t, rows.Scan(&line))
		plan = append(plan, line)
	}
	must(p.t, rows.Err())
	p.exec("DEALLOCATE p")
	if found := longTables.FindString(strings.Join(plan, "\n")); found != "" &&
		!slices.ContainsFunc(whole, func(w string) bool { return strings.Contains(text, postgres{}.adaptStatement(w)) }) {
		p.t.Errorf("%s: %s\n%s\n%s", where, found, text, strings.Join(plan, "\n"))
	}
}
