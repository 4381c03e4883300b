package docs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// testSupport is the folder of the packages that only tests import. They may import anything.
const testSupport = "internal/test/"

// packages lists ours but those, with what each imports of ours outside its tests.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string][]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		name, own := ours(p.ImportPath)
		if !own || strings.HasPrefix(name, testSupport) {
			continue
		}
		all[name] = nil
		for _, i := range p.Imports {
			if i, own := ours(i); own {
				all[name] = append(all[name], i)
			}
		}
	}
}

func ours(importPath string) (name string, own bool) {
	return strings.CutPrefix(importPath, "samizdat/")
}

// importRow is a line of the table in docs/architecture.md: packages, and what they may
// import of ours.
var importRow = regexp.MustCompile("^\\| (`[^|]*) \\| ([^|]*) \\|$")

// allowed reads the table.
func allowed(t *testing.T) (rows []string, may map[string][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	may = map[string][]string{}
	name := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(string(text)) {
		m := importRow.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		for _, p := range name.FindAllStringSubmatch(m[1], -1) {
			rows = append(rows, p[1])
			for _, i := range name.FindAllStringSubmatch(m[2], -1) {
				may[p[1]] = append(may[p[1]], i[1])
			}
		}
	}
	return rows, may
}

// TestImports: imports point one way, as the table of docs/architecture.md says. The
// first row that a package matches is its own.
func TestImports(t *testing.T) {
	t.Parallel()
	rows, may := allowed(t)
	if len(rows) < 10 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	used := map[string]bool{}
	for p, imports := range packages(t) {
		i := slices.IndexFunc(rows, func(r string) bool { return matches(r, p) })
		if i < 0 {
			t.Errorf("docs/architecture.md has no row for %s", p)
			continue
		}
		used[rows[i]] = true
		for _, im := range imports {
			if !slices.ContainsFunc(may[rows[i]], func(r string) bool { return matches(r, im) }) {
				t.Errorf("%s imports %s, which docs/architecture.md does not allow", p, im)
			}
		}
	}
	for _, r := range rows {
		if !used[r] {
			t.Errorf("docs/architecture.md has a row for %s, and there is no such package", r)
		}
	}
}

// matches reports whether a package is meant by a name; NAME/* means all below NAME.
func matches(name, p string) bool {
	if below, ok := strings.CutSuffix(name, "/*"); ok {
		return strings.HasPrefix(p, below+"/")
	}
	return name == p
}

// TestRooms: nothing stands at the top but the rooms, and what a repository needs.
func TestRooms(t *testing.T) {
	t.Parallel()
	want := []string{"adjudicator", "cmd", "docs", "internal", "mail", "rules", "storage", "templates", "testdata"}
	top, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range top {
		if !e.IsDir() && path.Ext(e.Name()) == ".go" {
			t.Errorf("%s stands at the top", e.Name())
		}
		if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || slices.Contains(want, e.Name()) {
			continue
		}
		// What the program makes when it runs here, such as its data, is no room.
		err := filepath.WalkDir(e.Name(), func(file string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && path.Ext(file) == ".go" {
				t.Errorf("%s stands in no room", file)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// maxLines is how long a function may be. What is longer has two ideas.
const maxLines = 60

// TestFunctions: no function of the program is longer than that. Tables are not
// functions.
func TestFunctions(t *testing.T) {
	t.Parallel()
	files := token.NewFileSet()
	n := 0
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if d.IsDir() && file+"/" == testSupport {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(files, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range parsed.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n++
			if long := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1; long > maxLines {
				t.Errorf("%s: %s has %d lines", files.Position(f.Pos()), f.Name.Name, long)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if n < 1000 {
		t.Errorf("only %d functions were looked at", n)
	}
}
