package storage

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
)

// asOf holds, for each version of the schema, the statements that give a match
// what this version can keep and the one before could not. A new migration
// needs an entry, if only an empty one.
var asOf = map[int64][]string{
	1: {
		`INSERT INTO entries (match, seq, entry) VALUES ('mold', 0, '{"seq":0,"hash":"h0"}'), ('mold', 1, '{"seq":1,"hash":"h1"}')`,
		`INSERT INTO received (match, seat, digest, disposition, raw, at) VALUES ('mold', 0, 'd', 'done', x'01', 627300000000000), ('', -1, 'e', 'ignored', x'', 0)`,
		`INSERT INTO sent (match, seat, number, message_id, decisions) VALUES ('mold', 0, 1, 'id1', '[7]'), ('mold', 1, 1, 'id2', '[]')`,
		`INSERT INTO outbox (id, recipient, raw, due, at) VALUES (1, 'n@x.test', x'6c657474657231', 5, 5), (2, 's@x.test', x'6c657474657232', 6, 6)`,
		`INSERT INTO outbox (id, recipient, raw, attempts, due, state, reason, at) VALUES (3, 'n@x.test', x'', 1, 7, 'sent', '', 7), (4, 's@x.test', x'33', 9, 8, 'failed', '550 no', 8)`,
	},
	2: {
		`UPDATE received SET uid_validity = 7, uid = 4000000000, message_id = '1@x.test', sha256 = 'ab' WHERE match = 'mold'`,
		`UPDATE matches SET build = 'b2'`,
	},
	3: {
		`UPDATE seats SET format = 'html', script = 'plain' WHERE seat = 0`,
		`UPDATE outbox SET drawing = x'0102' WHERE id = 1`,
	},
	4: {
		`UPDATE sent SET entries = 2 WHERE seat = 0`,
		`UPDATE seats SET said_day = '1989-11-09', said = 3 WHERE seat = 1`,
	},
	5: {
		`UPDATE matches SET due = 627307200000000, takeback = '{"seat":1}'`,
		`UPDATE seats SET since = 627300000000000, floor = 1, thoughts = '{"grace":60000000000,"waiting":{"orders":"PASS","number":1,"due":"1989-11-17T12:00:00Z"}}' WHERE seat = 0`,
	},
	6: {
		`UPDATE matches SET observe = 'open'`,
		`INSERT INTO observers (match, number, address, letters, since) VALUES ('mold', 1, 'ann@x.test', 2, 627300000000000)`,
		`INSERT INTO outbox (id, recipient, raw, due, at, watched, observer) VALUES (5, 'ann@x.test', x'35', 9, 9, 'mold', 1)`,
	},
	7: {`UPDATE outbox SET urgent = 1 WHERE id = 2`},
	8: {`INSERT INTO bounces (match, seat, number, hard, recipient, status, reason, at) VALUES ('mold', 1, 1, 1, 's@x.test', '5.1.1', 'no such user', 10)`},
	9: {},
	10: {
		`UPDATE seats SET second = 'n2@x.test' WHERE seat = 0`,
		`UPDATE outbox SET match = 'mold', seat = 0 WHERE id = 1`,
	},
	11: {`UPDATE matches SET since = 627300000000000`},
	12: {},
	13: {`UPDATE outbox SET match = 'mold', note = 'address-1@x.test' WHERE id = 3`, `UPDATE bounces SET final = 1`},
	14: {`UPDATE outbox SET number = 1, letter = 'mold-0-1-abcdefghijklmnop', final = 1 WHERE id = 1`, `UPDATE outbox SET picture_at = 5 WHERE id = 2`},
	15: {},
	16: {`UPDATE players SET contact = '{"serial":1}' WHERE id = 1`},
	17: {},
	18: {},
	19: {`UPDATE seats SET called = 'Ben' WHERE seat = 1`},
	20: {`UPDATE outbox SET spare = 1 WHERE id = 2`},
	21: {`UPDATE players SET zone = 'Europe/Warsaw' WHERE id = 1`},
	22: {
		`UPDATE matches SET tempo = '72h+12h<=120h', zero = 'forfeit'`,
		`UPDATE seats SET clock = '{"left":3600000000000,"owes":true,"asks":[{"n":1,"at":"1989-11-09T09:00:00Z"}]}', deadline = 626608800000000 WHERE seat = 0`,
		`INSERT INTO deaf (since, until) VALUES (626604000000000, 626604600000000)`,
		`INSERT INTO looked (id, at) VALUES (1, 626604600000000)`,
	},
	23: {`UPDATE matches SET directing = seal('{"letters":2}', 'matches.directing', id)`},
	24: {`UPDATE matches SET acts = seal('{"resigned":1}', 'matches.acts', id)`},
	25: {`UPDATE players SET away = '{"told":{"Day":"1989-11-17","Count":1}}' WHERE id = 1`},
	26: {`UPDATE players SET calendar = 1 WHERE id = 1`},
	27: {`INSERT INTO stopped (match, build, entry, at) VALUES ('mold', 'b3', 1, 10)`},
	28: {`UPDATE matches SET words = 'sealed'`, `UPDATE seats SET seal = 'a seal' WHERE seat = 1`},
	29: {`UPDATE outbox SET file = seal('zip', 'outbox.file', id), file_at = 7 WHERE id = 2`},
	30: {`UPDATE matches SET beacon = '{"chain":"quicknet","round":1000}'`},
	31: {},
	32: {`UPDATE matches SET summary = seal('{"began":"1989-11-09T09:00:00Z","turn":3}', 'matches.summary', id)`},
	33: {`UPDATE outbox SET turn = 1 WHERE id = 2`},
	34: {},
	40: {
		`INSERT INTO members (player, name, skeleton, state, since, settings, proposed, serial, letters, version)
			VALUES (1, 'Ada', 'ada', 'active', 627300000000000, '{"most":3}', NULL, 0, 4, 2), (2, 'Former member 2', NULL, 'forgotten', 1, '{}', NULL, 0, 0, 3)`,
		`INSERT INTO applicants (address, name, asked) VALUES ('eve@x.test', 'Eve', 627300000000000)`,
		`INSERT INTO clublog (id, at, member, by, act, why) VALUES (1, 627300000000000, 1, 'director', 'was admitted', 'welcome')`,
	},
	41: {
		`INSERT INTO offers (id, member, state, terms, parties, invited, secret, match, created, expires, version)
			VALUES (1, 1, 'open', '{"game":"1989"}', '[{"member":1,"words":"w"}]', '[2]', seal('s', 'offers.secret', 1), '', 627300000000000, 627400000000000, 1)`,
		`INSERT INTO queue (member, game, terms, most, since, words) VALUES (1, '1989', '{"game":"1989"}', 2, 627300000000000, 'w')`,
	},
	54: {},
	55: {
		`INSERT INTO arrivals (uid_validity, uid, arrived, size, truncated, raw) VALUES (1, 2, 627300000000000, 3, 0, seal('raw', 'arrivals.raw', 1, 2))`,
		`UPDATE outbox SET claim = 7 WHERE id = 2`,
	},
	56: {`INSERT INTO answered (who, full_at) VALUES ('who', 627300000000000)`},
	57: {`UPDATE arrivals SET keys = 'key'`},
	58: {},
	59: {},
	60: {},
	61: {},
	53: {`INSERT INTO former (match, seat, player, until) VALUES ('mold', 0, 1, 627300000000000)`},
	52: {
		`UPDATE members SET digest = 627300000000000 WHERE player = 1`,
		`INSERT INTO announcements (id, at, text) VALUES (1, 627300000000000, 'The cup begins.')`,
	},
	51: {
		`INSERT INTO tournaments (name, title, terms, starts, words, untold, stage, due, life, version) VALUES ('cup', 'The cup', '{"game":"1989"}', 627300000000000, '{"1":"w"}', '[1]', 'round', NULL, '{"terms":{"kind":"swiss"},"state":"running","entrants":[],"rounds":[]}', 3)`,
		`INSERT INTO tournamentmatches (match, tournament) VALUES ('mold', 'cup')`,
	},
	42: {`INSERT INTO clubdesk (id, letters, proposed, asked, version) VALUES (1, 3, '{"verb":"ADMIT","name":"Ada"}', 627300000000000, 2)`},
	50: {
		`INSERT INTO results (match, game, ended, result) VALUES ('mold', '1989', 627300000000000, '{"seats":[],"how":"resignation"}')`,
		`INSERT INTO resultplayers (player, ended, match) SELECT id, 627300000000000, 'mold' FROM players LIMIT 1`,
		`INSERT INTO ladders (game, made, stale, ladder) VALUES ('1989', 627300000000000, 0, '{"lines":[]}')`,
	},
	62: {`UPDATE outbox SET since = 4 WHERE id = 1`},
}

// gone are the columns that a later migration has given up.
var gone = map[string]bool{"seats.second": true, "seats.address": true, "outbox.raw": true, "outbox.drawing": true, "outbox.file": true, "received.sha256": true}

// TestOldSchemas: a database of every schema there ever was is brought to the
// newest. Nothing that was in it is lost or changed, but for what a later migration
// has given up, and the match can be read.
func TestOldSchemas(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "databases of old schemas are files")
	versions := oldVersions(t)
	for i, version := range versions {
		if i%long.N(3, 1) > 0 && i < len(versions)-3 {
			continue // What an ordinary run leaves out lies on the way from an older one.
		}
		t.Run(fmt.Sprintf("version %d", version), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			secret, was := oldDatabase(t, dir, version)
			db := open(t, dir)
			now := rowsOf(t, db.writer)
			unsealAll(t, &db.key, now)
			for table, rows := range was {
				if len(now[table]) != len(rows) {
					t.Errorf("%s has %d rows, had %d", table, len(now[table]), len(rows))
					continue
				}
				for i, row := range rows {
					for column, value := range row {
						if gone[table+"."+column] {
							continue
						}
						if table == "received" && column == "digest" {
							value = db.key.keyed(value.(string))
						}
						if d := gocmp.Diff(value, now[table][i][column]); d != "" {
							t.Errorf("%s, row %d, %s (-was +is):\n%s", table, i, column, d)
						}
					}
				}
			}
			readOldMatch(t, db, secret, version)
		})
	}
}

// old is a database of a version of the schema with all that it can hold, and its rows.
type old struct {
	file []byte
	rows map[string][]map[string]any
}

// olds are those of all versions, with their key and the secret of their match: each is made
// out of the one before.
var olds struct {
	sync.Mutex
	key    []byte
	secret record.Secret
	of     map[int64]old
}

// oldVersions are the versions of the schema that there are: some numbers were left out.
func oldVersions(t *testing.T) []int64 {
	t.Helper()
	pgtest.OnFile(t, "databases of old schemas are files")
	olds.Lock()
	defer olds.Unlock()
	if olds.of == nil {
		makeOlds(t)
	}
	return slices.Sorted(maps.Keys(olds.of))
}

// oldDatabase puts a database of a version with all that it can hold into a directory, and
// returns its rows.
func oldDatabase(t *testing.T, dir string, version int64) (record.Secret, map[string][]map[string]any) {
	t.Helper()
	pgtest.OnFile(t, "databases of old schemas are files")
	olds.Lock()
	defer olds.Unlock()
	if olds.of == nil {
		makeOlds(t)
	}
	o := olds.of[version]
	must(t, errors.Join(os.WriteFile(filepath.Join(dir, "s.key"), olds.key, 0o600), os.WriteFile(filepath.Join(dir, "s.db"), o.file, 0o600)))
	return olds.secret, o.rows
}

// makeOlds makes the old databases.
func makeOlds(t *testing.T) {
	t.Helper()
	ctx, dir := t.Context(), t.TempDir()
	k, err := readKey(filepath.Join(dir, "s.key"), true)
	must(t, err)
	secret, err := record.NewSecret(rand.Reader)
	must(t, err)
	raw := connect(filepath.Join(dir, "s.db"), &k)
	defer raw.Close()
	sub, err := fs.Sub(migrations, "migrations")
	must(t, err)
	p, err := goose.NewProvider(goose.DialectSQLite3, raw.DB, sub)
	must(t, err)
	_, err = p.UpTo(ctx, 1)
	must(t, err)

	wrapped, err := k.seal(secret.Bytes(), "secret", "mold")
	must(t, err)
	_, err = raw.ExecContext(ctx, `INSERT INTO matches (id, game, revision, options, state, secret, used, epoch, position, entries, ordered, head, held, version, created)
		VALUES ('mold', 'game', 3, '{"a":"b"}', 'playing', $1, 11, 2, '{"x":1}', 2, 1, 'h1', '[]', 5, 627300000000000)`, wrapped)
	must(t, err)
	for i, name := range []string{"north", "south"} {
		wrapped, err := k.seal("key of "+name, "key", "mold", i)
		must(t, err)
		_, err = raw.ExecContext(ctx, `INSERT INTO seats (match, seat, name, address, key, joined, words, letters) VALUES ('mold', $1, $2, $3, $4, 1, 'words', 1)`,
			i, name, name[:1]+"@x.test", wrapped)
		must(t, err)
	}
	newest, err := newestSchema()
	must(t, err)
	of := map[int64]old{}
	for v := int64(1); v <= newest; v++ {
		statements, ok := asOf[v]
		if named, err := fs.Glob(sub, fmt.Sprintf("%05d_*", v)); err == nil && len(named) == 0 {
			continue // There is no such version.
		}
		if !ok {
			t.Fatalf("asOf does not say what version %d of the schema can keep", v)
		}
		_, err := p.UpTo(ctx, v)
		must(t, err)
		for _, s := range statements {
			if _, err := raw.ExecContext(ctx, s); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
		}
		rows := rowsOf(t, raw)
		if v >= 17 {
			unsealAll(t, &k, rows)
		}
		file, err := os.ReadFile(filepath.Join(dir, "s.db"))
		must(t, err)
		of[v] = old{file, rows}
	}
	olds.key, err = os.ReadFile(filepath.Join(dir, "s.key"))
	must(t, err)
	olds.secret, olds.of = secret, of
}

// rowsOf reads every row of every table of ours.
func rowsOf(t *testing.T, db asker) map[string][]map[string]any {
	t.Helper()
	ctx := t.Context()
	out := map[string][]map[string]any{}
	for _, table := range tables(ctx, t, db) {
		rows, err := db.QueryContext(ctx, "SELECT * FROM "+table)
		must(t, err)
		columns, err := rows.Columns()
		must(t, err)
		out[table] = nil
		for rows.Next() {
			values, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			must(t, rows.Scan(to...))
			row := map[string]any{}
			for i, c := range columns {
				if b, ok := values[i].([]byte); ok {
					values[i] = bytes.Clone(b)
				}
				row[c] = values[i]
			}
			out[table] = append(out[table], row)
		}
		must(t, rows.Err())
		must(t, rows.Close())
	}
	return out
}

// sealedColumns are the columns that are sealed, by table, with what names a row there.
var sealedColumns = map[string]struct{ row, columns []string }{
	"matches":  {[]string{"id"}, []string{"recorded", "used", "position", "held", "takeback", "directing"}},
	"seats":    {[]string{"match", "seat"}, []string{"addresses", "thoughts"}},
	"entries":  {[]string{"match", "seq"}, []string{"entry"}},
	"received": {[]string{"match", "seat", "digest"}, []string{"sha256", "raw"}},
	"sent":     {[]string{"match", "seat", "number"}, []string{"message_id", "decisions"}},
	"outbox":   {[]string{"id"}, []string{"raw", "drawing", "file", "letter"}},
	"bodies":   {[]string{"id"}, []string{"raw", "drawing", "file"}},
	"players":  {[]string{"id"}, []string{"contact"}},
}

// unsealAll puts what was sealed in the place of what is stored, in the types that the
// columns had before they were sealed.
func unsealAll(t *testing.T, k *key, all map[string][]map[string]any) {
	t.Helper()
	for table, s := range sealedColumns {
		for _, row := range all[table] {
			for _, column := range s.columns {
				what := []any{table + "." + column}
				for _, c := range s.row {
					what = append(what, row[c])
				}
				stored, _ := row[column].([]byte)
				plain, err := k.unseal(stored, what...)
				must(t, err)
				text, is := plain.(string)
				switch {
				case column == "used":
					n, err := strconv.ParseInt(text, 10, 64)
					must(t, err)
					row[column] = n
				case column == "takeback", column != "raw" && column != "drawing" && is:
					row[column] = text
				case is:
					row[column] = []byte(text)
				}
			}
		}
	}
}

func tables(ctx context.Context, t *testing.T, db asker) []string {
	t.Helper()
	query := `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'goose%' AND name NOT LIKE 'sqlite%' ORDER BY name`
	if pgtest.Used() {
		query = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_name NOT LIKE 'goose%' ORDER BY table_name COLLATE "C"`
	}
	rows, err := db.QueryContext(ctx, query)
	must(t, err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var name string
		must(t, rows.Scan(&name))
		out = append(out, name)
	}
	must(t, rows.Err())
	return out
}

// readOldMatch reads the match as the program does, and takes up one more letter
// to it.
func readOldMatch(t *testing.T, db *DB, secret record.Secret, version int64) {
	t.Helper()
	ctx := t.Context()
	m, err := db.Match(ctx, "mold")
	must(t, err)
	if m.Secret.Hex() != secret.Hex() || m.Game != "game" || m.Revision != 3 || m.Options["a"] != "b" || m.State != adjudicator.Playing ||
		m.Used != 11 || m.Epoch != 2 || string(m.Position) != `{"x":1}` || m.Entries != 2 || m.Head != "h1" || m.Version != 5 || len(m.Seats) != 2 {
		t.Errorf("the match is %+v", m)
	}
	since := func(v int64, value string) string {
		if version < v {
			return ""
		}
		return value
	}
	n, s := m.Seats[0], m.Seats[1]
	if n.Player.Address != "n@x.test" || string(n.Key) != "key of north" || string(s.Key) != "key of south" || !n.Joined || n.Words != "words" || n.Letters != 1 {
		t.Errorf("the seats are %+v", m.Seats)
	}
	if string(n.Format) != since(3, "html") || string(n.Script) != since(3, "plain") || s.Said.Day != since(4, "1989-11-09") || m.Build != since(2, "b2") || m.Stopped != since(27, "b3") {
		t.Errorf("the match is %+v", m)
	}
	if (n.Timing.Grace != 0) != (version >= 5) || (m.Takeback != nil) != (version >= 5) || m.ObserverPolicy.Allowed != (version >= 6) {
		t.Errorf("the match is %+v", m)
	}
	if start, runs := n.Clock.Start(); m.Tempo.None() != (version < 22) || runs != (version >= 22) || runs && start.UnixMicro() != 626605200000000 {
		t.Errorf("tempo %v, clock %+v", m.Tempo, n.Clock)
	}
	if (len(m.Observers) == 1) != (version >= 6) {
		t.Errorf("%d observe", len(m.Observers))
	}
	if h, err := db.History(ctx, m.ID); err != nil || len(h) != 2 || h[1].Hash != "h1" {
		t.Errorf("the history is %+v, %v", h, err)
	}
	if l, err := db.Letters(ctx, m.ID, 0); err != nil || len(l) != 1 || len(l[0].Decisions) != 1 || (l[0].Entries == 2) != (version >= 4) {
		t.Errorf("the letters are %+v, %v", l, err)
	}
	if d, seen, err := db.Received(ctx, m.ID, 0, "d", ""); err != nil || !seen || d != adjudicator.Done {
		t.Errorf("the receipt is %v, %v, %v", d, seen, err)
	}
	due, err := db.Outbox("").Due(ctx, noon, 10)
	if want := map[bool]int{false: 2, true: 3}[version >= 6]; err != nil || len(due) != want {
		t.Errorf("%d letters are due, want %d; %v", len(due), want, err)
	}
	m.Entries, m.Head = 3, "h2"
	r := receipt()
	r.Match, r.Digest = m.ID, "new"
	c := adjudicator.Change{Match: m, Receipt: r, Entries: []record.Entry{{Seq: 2, Hash: "h2"}}, Letters: []adjudicator.Dispatch{dispatch(m, 0, 2)}}
	if err := db.Apply(ctx, c); err != nil {
		t.Errorf("no letter can be taken up: %v", err)
	}
}

// TestOneAddress: of two addresses the first stays a player's own, or the second where
// his letters went there; what waits to be sent goes there. A change that was asked for
// goes on unless there is nothing left to change.
func TestOneAddress(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "databases of old schemas are files")
	const request = `"request":{"to":"new@x.test","serial":1,"at":"1989-11-09T09:00:00Z","told":["n@x.test","two@x.test"],"noticed":"1989-11-09T09:00:00Z"}`
	for _, tt := range []struct {
		second, addresses string
		want              contact.Contact
	}{
		{"", `{}`, contact.Contact{Address: "n@x.test"}},
		{"two@x.test", `{"good":4,"seen":true}`, contact.Contact{Address: "n@x.test"}},
		{"two@x.test", `{"astray":true,"good":4,"seen":true}`, contact.Contact{Address: "two@x.test"}},
		{"", `{"dropped":"d@x.test","dropped_at":"1989-11-09T09:00:00Z","serial":1}`, contact.Contact{Address: "n@x.test", Serial: 1}},
		{"two@x.test", `{"serial":1,` + request + `}`, contact.Contact{Address: "n@x.test", Serial: 1,
			Request: &contact.Request{To: "new@x.test", Through: contact.Through{Match: "mold"}, Serial: 1, At: noon.Add(-3 * time.Hour), Noticed: noon.Add(-3 * time.Hour)}}},
		{"", strings.Replace(`{"serial":1,`+request+`}`, `"serial":1,"at"`, `"also":true,"serial":1,"at"`, 1), contact.Contact{Address: "n@x.test", Serial: 1}},
		{"new@x.test", `{"astray":true,"serial":1,` + request + `}`, contact.Contact{Address: "new@x.test", Serial: 1}},
	} {
		dir := t.TempDir()
		_, _ = oldDatabase(t, dir, 14)
		raw, err := sql.Open("sqlite3", filepath.Join(dir, "s.db"))
		must(t, err)
		_, err = raw.ExecContext(t.Context(), `UPDATE seats SET second = $1, addresses = $2 WHERE seat = 0`, tt.second, tt.addresses)
		must(t, err)
		_, err = raw.ExecContext(t.Context(), `UPDATE outbox SET recipient = $1 WHERE id = 1`, cmp.Or(tt.second, "n@x.test"))
		must(t, errors.Join(err, raw.Close()))
		db := open(t, dir)
		m, err := db.Match(t.Context(), "mold")
		must(t, err)
		s := m.Seats[0]
		if d := gocmp.Diff(tt.want, s.Player.Contact); d != "" || s.Seen != strings.Contains(tt.addresses, "seen") {
			t.Errorf("%q, %s: %+v\n%s", tt.second, tt.addresses, s, d)
		}
		due, err := db.Outbox("").Due(t.Context(), noon, 10)
		must(t, err)
		if i := slices.IndexFunc(due, func(o mail.Outgoing) bool { return o.ID == 1 }); i < 0 || due[i].To != tt.want.Address {
			t.Errorf("%q, %s: what waits goes to %+v", tt.second, tt.addresses, due)
		}
	}
}
