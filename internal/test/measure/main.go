// Command measure prints a table of counts of a source tree. The packages below internal/test
// count as tests:
//
//	go run ./internal/test/measure DIRECTORY
//
// tools/measure calls it for a revision.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// longLine is the limit of characters in a line outside tables.
	longLine = 140
	// top is the number of largest packages and types that are listed.
	top = 8
)

// tree holds the counts of a source tree. The files of a package and the methods of a type are
// counted by name, e.g. "storage" and "storage.DB".
type tree struct {
	lines, files, testLines, testFiles int
	functions, exported                int
	long, longInTables                 int
	packageFiles, methods              map[string]int
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: measure DIRECTORY")
		os.Exit(2)
	}
	t := tree{packageFiles: map[string]int{}, methods: map[string]int{}}
	root := os.DirFS(os.Args[1])
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		source, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		return t.add(name, source)
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
	t.print()
}

// add counts one file.
func (t *tree) add(name string, source []byte) error {
	lines := bytes.Count(source, []byte("\n"))
	if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "internal/test/") {
		t.testLines += lines
		t.testFiles++
		return nil
	}
	t.lines += lines
	t.files++
	folder := filepath.Dir(name)
	t.packageFiles[folder]++
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	inTable := map[int]bool{} // by line
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			t.addFunction(folder, d)
		case *ast.GenDecl:
			t.addNames(d)
			if d.Tok != token.VAR {
				continue
			}
			for l := positions.Position(d.Pos()).Line; l <= positions.Position(d.End()).Line; l++ {
				inTable[l] = true
			}
		}
	}
	n := 0
	for line := range bytes.Lines(source) {
		if n++; utf8.RuneCount(bytes.TrimSuffix(line, []byte("\n"))) <= longLine {
			continue
		}
		if t.long++; inTable[n] {
			t.longInTables++
		}
	}
	return nil
}

// addFunction counts a function. A method's type is named by the folder and its name.
func (t *tree) addFunction(folder string, f *ast.FuncDecl) {
	t.functions++
	public := f.Name.IsExported()
	if f.Recv != nil {
		of := f.Recv.List[0].Type
		if p, ok := of.(*ast.StarExpr); ok {
			of = p.X
		}
		if g, ok := of.(*ast.IndexExpr); ok {
			of = g.X
		}
		if id, ok := of.(*ast.Ident); ok {
			t.methods[folder+"."+id.Name]++
			public = public && id.IsExported()
		}
	}
	if public {
		t.exported++
	}
}

// addNames counts the exported types, variables and constants of a declaration.
func (t *tree) addNames(d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				t.exported++
			}
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if n.IsExported() {
					t.exported++
				}
			}
		}
	}
}

func (t *tree) print() {
	for _, row := range []struct {
		name  string
		count int
	}{
		{"product lines", t.lines},
		{"product files", t.files},
		{"product packages", len(t.packageFiles)},
		{"test lines", t.testLines},
		{"test files", t.testFiles},
		{"functions", t.functions},
		{"exported names", t.exported},
		{fmt.Sprintf("lines over %d characters", longLine), t.long},
		{"  of them in tables", t.longInTables},
	} {
		fmt.Printf("%7d  %s\n", row.count, row.name)
	}
	printLargest("files a package", t.packageFiles)
	printLargest("methods a type", t.methods)
}

// printLargest lists the names with the greatest counts.
func printLargest(title string, counts map[string]int) {
	fmt.Printf("%s:\n", title)
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, n := range names[:min(top, len(names))] {
		fmt.Printf("%7d  %s\n", counts[n], n)
	}
}
