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

// Differences compares a position with a part of a position. Only members of objects that the part
// has are compared; other values are compared whole. The member "kind" of the part is ignored.
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
