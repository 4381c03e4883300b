package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestDocumented: docs/record.md names every member of a position's JSON.
func TestDocumented(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "record.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(doc), "\n## A position of 1989\n")
	if !ok {
		t.Fatal("docs/record.md has no part on positions of 1989")
	}
	for _, v := range []any{positionJSON{}, effectsJSON{}, struggleJSON{}, trackJSON{}, powerJSON{}, resultJSON{}, pendingJSON{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if !strings.Contains(section, "`"+name+"`") && !strings.Contains(section, "\""+name+"\"") {
				t.Errorf("docs/record.md does not name %s of %s", name, typ.Name())
			}
		}
	}
}

// TestNamesStandInJSON: what names members in positions needs no escaping.
func TestNamesStandInJSON(t *testing.T) {
	t.Parallel()
	var names []string
	for _, s := range spacesByName() {
		names = append(names, s.String())
	}
	for _, c := range countryByName() {
		names = append(names, c.String())
	}
	for _, name := range names {
		if data, err := json.Marshal(name); err != nil || string(data) != `"`+name+`"` {
			t.Errorf("%q is written %s, %v", name, data, err)
		}
	}
}
