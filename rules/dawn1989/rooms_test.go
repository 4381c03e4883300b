package dawn1989

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestRooms: each room imports the engine and none another, and the engine none.
func TestRooms(t *testing.T) {
	t.Parallel()
	const house = "samizdat/rules/dawn1989"
	for _, room := range []string{"engine", "words", "chart", "robot"} {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no files: %v", room, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range f.Imports {
				path := strings.Trim(i.Path.Value, `"`)
				if path == house+"/engine" && room != "engine" {
					continue
				}
				if strings.HasPrefix(path, house) {
					t.Errorf("%s imports %s", name, path)
				}
			}
		}
	}
}
