package engine

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
	section, _, _ = strings.Cut(section, "\n## ")
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

// TestWordsStandInJSON: no word that positions and views are written with needs escaping.
func TestWordsStandInJSON(t *testing.T) {
	t.Parallel()
	words := slices.Concat(sideNames[:], phaseNames[:], endingNames[:], questionKindNames[:], sourceNames[:], suitNames[:],
		countryNames[:], USSRNames[:], modeNames[:], procNames[:], slices.Concat(stepLabels[:]...))
	for _, s := range spacesByName() {
		words = append(words, s.String())
	}
	for _, c := range struggleCardsByName() {
		words = append(words, c.String())
	}
	for _, steps := range eventSteps {
		for _, s := range steps {
			words = append(words, s.Label)
		}
	}
	for _, word := range words {
		if data, err := json.Marshal(word); err != nil || string(data) != `"`+word+`"` {
			t.Errorf("%q is written %s, %v", word, data, err)
		}
	}
}
