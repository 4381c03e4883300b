package engine

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestDocumented: docs/record.md names every member of a position's JSON, and every phase.
func TestDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "record.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(doc), "\n## A position of 1789\n")
	if !ok {
		t.Fatal("docs/record.md has no part on positions of 1789")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	names := phaseNames[:]
	for _, v := range []any{positionJSON{}, voteJSON{}, revoltJSON{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	for _, name := range names {
		if !strings.Contains(section, "`"+name+"`") {
			t.Errorf("docs/record.md does not name %s", name)
		}
	}
}
