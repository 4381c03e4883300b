package storage

import (
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
)

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
