package rulestest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"samizdat/rules"
)

// Differences compares a position with part of one. Objects are compared by the
// members that the part has, everything else as a whole; the member "kind" of
// the part says what it is for and is not compared.
func (game) Differences(p rules.Position, part []byte) ([]string, error) {
	data, err := p.MarshalJSON()
	if err != nil {
		return nil, fmt.Errorf("compare positions: %w", err)
	}
	got, err := object(data)
	if err != nil {
		return nil, fmt.Errorf("compare positions: %w", err)
	}
	want, err := object(part)
	if err != nil {
		return nil, fmt.Errorf("compare positions: what is expected: %w", err)
	}
	delete(want, "kind")
	return differences(nil, "", got, want), nil
}

func object(data []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var out map[string]any
	return out, d.Decode(&out)
}

func differences(dst []string, path string, got, want map[string]any) []string {
	for _, k := range slices.Sorted(maps.Keys(want)) {
		w := want[k]
		g, ok := got[k]
		wm, wok := w.(map[string]any)
		gm, gok := g.(map[string]any)
		switch {
		case !ok:
			dst = append(dst, fmt.Sprintf("%s%s: nothing, expected %s", path, k, show(w)))
		case wok && gok:
			dst = differences(dst, path+k+".", gm, wm)
		case !reflect.DeepEqual(g, w):
			dst = append(dst, fmt.Sprintf("%s%s: %s, expected %s", path, k, show(g), show(w)))
		}
	}
	return dst
}

func show(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}
