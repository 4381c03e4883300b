package engine

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"samizdat/rules"
)

// Differences implements rules.Game.Differences: it compares pos with part, a JSON object with some members of a
// position. A member that is an object must be complete: if "support" has no Gdansk, a support point in Gdansk is a
// difference. Some members have a special meaning:
//
//   - "kind" and "how" are not compared;
//   - "active" is the side that activeSide returns;
//   - "deck_count" is the size of the draw deck, "result" the winner;
//   - "removed" and "in_play" are compared as one set if both exist;
//   - of "struggle" only the given members are compared;
//   - if "kind" is "struggle", part describes a power struggle after the deal. Nothing is compared if the struggle is
//     already over.
func (Rules) Differences(pos rules.Position, part []byte) ([]string, error) {
	p, ok := pos.(*Position)
	if !ok {
		return nil, fmt.Errorf("compare positions: got a %T, not a position of 1989", pos)
	}
	var expected, actual map[string]any
	if err := json.Unmarshal(part, &expected); err != nil {
		return nil, fmt.Errorf("decode expected part of a position: %w", err)
	}
	data, err := p.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &actual); err != nil {
		return nil, err
	}
	if struggle := &p.Struggle; expected["kind"] == "struggle" && (struggle.Country == NoCountry || struggle.Winner != Neutral) {
		return nil, nil
	}
	actual["active"], actual["deck_count"] = p.activeSide().String(), float64(p.Piles[PileDeck].Len())
	if s, ok := expected["result"].(string); ok {
		expected["result"] = strings.ToLower(s)
		if r, ok := actual["result"].(map[string]any); ok {
			actual["result"] = r["winner"]
		}
	}
	delete(expected, "kind")
	delete(expected, "how")
	if expected["removed"] != nil && expected["in_play"] != nil {
		for _, m := range []map[string]any{expected, actual} {
			m["removed"] = mergeJSON(m["removed"], m["in_play"])
			delete(m, "in_play")
		}
	}
	if struggle, ok := expected["struggle"].(map[string]any); ok {
		delete(expected, "struggle")
		actualStruggle, _ := actual["struggle"].(map[string]any)
		for k, v := range struggle {
			expected["struggle."+k], actual["struggle."+k] = v, actualStruggle[k]
		}
	}
	var out []string
	for k, w := range expected {
		out = append(out, listDifferences(k, w, actual[k])...)
	}
	slices.Sort(out)
	return out, nil
}

// activeSide returns the side for the member "active". Outside power struggles this is the phasing side. In a power
// struggle it is the side that started it, or the Democrat while a question about the Operations of card 54 is open.
func (p *Position) activeSide() Side {
	switch {
	case p.Struggle.Country == NoCountry:
		return p.Phasing
	case p.Question.Source == Source(CrowdTurns):
		return p.Question.Side
	}
	return p.Struggle.StartedBy
}

// listDifferences compares two JSON values. Each difference begins with the path of a member, for example
// "support.Gdansk: expected 2, got 3".
func listDifferences(path string, expected, actual any) []string {
	expectedMembers, isObject := expected.(map[string]any)
	actualMembers, isActualObject := actual.(map[string]any)
	if !isObject || !isActualObject {
		if reflect.DeepEqual(expected, actual) {
			return nil
		}
		return []string{fmt.Sprintf("%s: expected %s, got %s", path, compactJSON(expected), compactJSON(actual))}
	}
	var out []string
	for k, v := range expectedMembers {
		out = append(out, listDifferences(path+"."+k, v, actualMembers[k])...)
	}
	for k, v := range actualMembers {
		if _, isNamed := expectedMembers[k]; !isNamed {
			out = append(out, fmt.Sprintf("%s.%s: expected nothing, got %s", path, k, compactJSON(v)))
		}
	}
	return out
}

func compactJSON(v any) string {
	if v == nil {
		return "nothing"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func mergeJSON(a, b any) any {
	var out []any
	for _, v := range []any{a, b} {
		list, _ := v.([]any)
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b any) int { return int(numberOf(a) - numberOf(b)) })
	return out
}

func numberOf(v any) float64 { f, _ := v.(float64); return f }
