package storage

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
	"samizdat/rules"
)

// TestFailureAtEveryStep lets each statement of a letter's transaction fail in
// turn, by a trigger in the database: nothing of the letter is left, and without
// the trigger the same letter goes through.
func TestFailureAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, step := range []string{
		"INSERT ON received", "UPDATE ON matches", "UPDATE ON seats", "UPDATE ON players",
		"INSERT ON entries", "INSERT ON outbox", "INSERT ON sent",
	} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			db := open(t, t.TempDir())
			m := aMatch(t, db)
			m.State, m.Position, m.EntryCount = match.Playing, []byte(`{}`), 1
			m.Pending = []match.PendingAnswer{{Seat: 1, Answer: rules.Answer{Atoms: []rules.Atom{9}}}}
			c := exchange.Change{Match: m, Player: m.Seats[0].Player, Receipt: receipt(), Entries: []record.Entry{{Seq: 0}},
				Letters: []exchange.OutgoingLetter{dispatch(m, 0, 2)}}
			// AFTER, so that the step itself has been made when it fails.
			begin, end := "CREATE TRIGGER fault AFTER "+step+" BEGIN SELECT RAISE(ABORT, 'fault'); END", "DROP TRIGGER fault"
			if _, table, _ := strings.Cut(step, " ON "); pgtest.Used() {
				_, err := db.writer.ExecContext(t.Context(),
					"CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'fault'; END $$")
				must(t, err)
				begin, end = "CREATE TRIGGER fault AFTER "+step+" FOR EACH ROW EXECUTE FUNCTION fault()", end+" ON "+table
			}
			_, err := db.writer.ExecContext(t.Context(), begin)
			must(t, err)
			if err := db.Apply(t.Context(), c); err == nil || errors.Is(err, exchange.ErrDuplicate) || errors.Is(err, match.ErrConflict) {
				t.Fatalf("error %v, want the fault", err)
			}
			untouched(t, db, m)
			if got, err := db.Match(t.Context(), m.ID); err != nil || got.State != match.Inviting || len(got.Pending) != 0 ||
				got.Seats[0].LastLetter != 0 {
				t.Errorf("the match is %+v, %v", got, err)
			}
			if _, err := db.writer.ExecContext(t.Context(), end); err != nil {
				t.Fatal(err)
			}
			if err := db.Apply(t.Context(), c); err != nil {
				t.Errorf("without the fault: %v", err)
			}
		})
	}
}

// TestReceipt: a receipt says where the letter lies.
func TestReceipt(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	aMatch(t, db)
	r := receipt()
	r.UIDValidity, r.UID, r.MessageID = 7, 4000000000, "1@x.test"
	if err := db.Apply(t.Context(), exchange.Change{Receipt: r}); err != nil {
		t.Fatal(err)
	}
	var got exchange.Receipt
	if err := db.reader.QueryRowContext(t.Context(), "SELECT uid_validity, uid, message_id FROM received").Scan(&got.UIDValidity, &got.UID,
		&got.MessageID); err != nil {
		t.Fatal(err)
	}
	if got.UIDValidity != 7 || got.UID != r.UID || got.MessageID != r.MessageID {
		t.Errorf("the receipt is %+v", got)
	}
}

// TestPathWithOddSigns: a path may hold signs that mean something in a URI.
func TestPathWithOddSigns(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "the name is that of a file")
	dir := t.TempDir()
	for _, name := range []string{"a b.db", "100%.db", "what?.db", "a#b.db"} {
		db, err := Open(t.Context(), filepath.Join(dir, name), filepath.Join(dir, name+".key"))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if m, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(m) == 0 {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
}

// noImports imports nothing: constants of the package are all that is wanted.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is not looked at", path)
}

// statements are those of the package, or of its tests: each constant text that begins as one, with where it stands.
func statements(t *testing.T, ofTests bool) map[string]string {
	t.Helper()
	set := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	must(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") != ofTests {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		must(t, err)
		files = append(files, f)
	}
	info := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: noImports{}, Error: func(error) {}, FakeImportC: true}
	_, _ = config.Check("storage", set, files, &info)
	out := map[string]string{}
	begins := regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE)\b`)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok || info.Types[e].Value == nil || info.Types[e].Value.Kind() != constant.String {
				return true
			}
			if text := constant.StringVal(info.Types[e].Value); begins.MatchString(text) {
				out[text] = set.Position(e.Pos()).String()
			}
			return false // Its parts are no statements.
		})
	}
	return out
}

// TestParameters: the parameters of each statement appear in the order of their numbers for the first
// time. SQLite numbers them so, whatever they are called.
func TestParameters(t *testing.T) {
	t.Parallel()
	all := statements(t, false)
	if len(all) < 150 {
		t.Fatalf("only %d statements are found", len(all))
	}
	for text, where := range all {
		if err := numbered(text); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
}

// numbered looks at the order of a statement's parameters.
func numbered(text string) error {
	var seen []string
	for _, p := range regexp.MustCompile(`[?$]\d*`).FindAllString(text, -1) {
		if !slices.Contains(seen, p) {
			seen = append(seen, p)
		}
	}
	for i, p := range seen {
		if want := fmt.Sprintf("$%d", i+1); p != want {
			return fmt.Errorf("%s comes where %s should:\n%s", p, want, text)
		}
	}
	return nil
}
