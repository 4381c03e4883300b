package storage

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"samizdat/internal/test/pgtest"

	"github.com/google/go-cmp/cmp"
)

// TestEveryColumn: docs/storage.md says of every column what it holds and whether it is
// sealed. What is sealed is in a column for bytes, and nothing else is.
func TestEveryColumn(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "the tables of both are compared elsewhere")
	text, err := os.ReadFile("../docs/storage.md")
	must(t, err)
	said := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| (.*?) \\| .* \\| (open|sealed|keyed) \\|$").FindAllStringSubmatch(string(text), -1) {
		for column := range strings.SplitSeq(row[2], ", ") {
			said[row[1]+"."+strings.Trim(column, "`")] = row[3] == "sealed"
		}
	}
	db := open(t, t.TempDir())
	is := map[string]bool{}
	must(t, each(t.Context(), db.writer, func(scan func(...any) error) error {
		var column string
		var bytes bool
		err := scan(&column, &bytes)
		is[column] = bytes
		return err
	}, `SELECT t.name || '.' || c.name, c.type = 'BLOB' FROM sqlite_schema t, pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.name NOT LIKE 'goose%' AND t.name NOT LIKE 'sqlite%'`))
	if d := cmp.Diff(is, said); d != "" {
		t.Errorf("what is sealed (-is +docs/storage.md):\n%s", d)
	}
}

// TestBound: a sealed value opens in its own column and row only, and with its key only.
// Two values of nearly the same length are stored at the same length.
func TestBound(t *testing.T) {
	t.Parallel()
	k, err := newKey([]byte(strings.Repeat("k", 32)))
	must(t, err)
	other, err := newKey([]byte(strings.Repeat("o", 32)))
	must(t, err)
	stored, err := k.seal(`["PLAY 12 EVENT"]`, "matches.held", "mabc")
	must(t, err)
	if got, err := k.open(stored, "matches.held", "mabc"); err != nil || string(got) != `["PLAY 12 EVENT"]` {
		t.Errorf("unsealed: %s, %v", got, err)
	}
	for name, open := range map[string]func() ([]byte, error){
		"another row":    func() ([]byte, error) { return k.open(stored, "matches.held", "mabd") },
		"another column": func() ([]byte, error) { return k.open(stored, "matches.position", "mabc") },
		"another key":    func() ([]byte, error) { return other.open(stored, "matches.held", "mabc") },
		"text":           func() ([]byte, error) { return k.open(string(stored), "matches.held", "mabc") },
		"cut off":        func() ([]byte, error) { return k.open(stored[:4], "matches.held", "mabc") },
	} {
		if got, err := open(); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	none, err := k.seal("[]", "matches.held", "mabc")
	must(t, err)
	if len(none) != len(stored) {
		t.Errorf("the length tells whether something is held: %d and %d", len(none), len(stored))
	}
	for _, v := range []string{"", "\x80", "x\x80\x00", strings.Repeat("x", 64)} {
		stored, err := k.seal(v, "sent.decisions", "m", 1)
		must(t, err)
		if got, err := k.open(stored, "sent.decisions", "m", 1); err != nil || string(got) != v {
			t.Errorf("%q: %q, %v", v, got, err)
		}
	}
}
