package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// edited is a stored position after the deal with one member changed.
func edited(t *testing.T, change func(m map[string]any)) []byte {
	t.Helper()
	data, err := json.Marshal(begin(t, newDice(1)))
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	change(m)
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	return data
}

// TestDecode: what is not a position is refused, and says why.
func TestDecode(t *testing.T) {
	t.Parallel()
	in := func(m map[string]any, keys ...string) map[string]any {
		for _, k := range keys {
			m = m[k].(map[string]any)
		}
		return m
	}
	for name, tt := range map[string]struct {
		change func(m map[string]any)
		says   string
	}{
		"an unknown member":          {func(m map[string]any) { m["colour"] = "red" }, "colour"},
		"an unknown space":           {func(m map[string]any) { in(m, "support")["Vienna"] = map[string]any{"democrat": 1} }, "Vienna"},
		"negative support":           {func(m map[string]any) { in(m, "support")["Lodz"] = map[string]any{"democrat": -1} }, "Lodz"},
		"too much support":           {func(m map[string]any) { in(m, "support")["Lodz"] = map[string]any{"communist": 70000} }, "Lodz"},
		"a card twice":               {func(m map[string]any) { m["discard"] = []int{8}; m["removed"] = []int{8} }, "exactly once"},
		"card 111":                   {func(m map[string]any) { m["discard"] = []int{111} }, "111"},
		"an unknown phase":           {func(m map[string]any) { m["phase"] = "tea" }, "tea"},
		"a phase for both":           {func(m map[string]any) { m["phasing"] = "neutral" }, "neutral"},
		"box 9":                      {func(m map[string]any) { in(m, "tiananmen")["democrat"] = 9 }, "box"},
		"box -1":                     {func(m map[string]any) { in(m, "tiananmen")["communist"] = -1 }, "box"},
		"turn 0":                     {func(m map[string]any) { m["turn"] = 0 }, "turn"},
		"turn 11":                    {func(m map[string]any) { m["turn"] = 11 }, "turn"},
		"attempts of nobody":         {func(m map[string]any) { m["attempts"] = map[string]any{"neutral": map[string]any{"failed": true}} }, "neutral"},
		"Stand Fast of nobody":       {func(m map[string]any) { in(m, "effects")["stand_fast"] = "neutral" }, "neutral"},
		"no procedure":               {func(m map[string]any) { m["stack"] = []any{} }, "stack"},
		"an unknown step":            {func(m map[string]any) { m["stack"].([]any)[0].(map[string]any)["step"] = "nap" }, "nap"},
		"two questions":              {func(m map[string]any) { m["pending"] = append(m["pending"].([]any), m["pending"].([]any)...) }, "pending"},
		"a question to nobody":       {func(m map[string]any) { m["pending"].([]any)[0].(map[string]any)["seat"] = "neutral" }, "neutral"},
		"Power of nobody":            {func(m map[string]any) { in(m, "power", "Poland")["held_by"] = "neutral" }, "neutral"},
		"Power in no country":        {func(m map[string]any) { in(m, "power")["Austria"] = map[string]any{"held_by": "democrat"} }, "Austria"},
		"a result that is no end":    {func(m map[string]any) { m["result"] = map[string]any{"winner": "draw", "ending": "boredom"} }, "boredom"},
		"an unknown struggle card":   {func(m map[string]any) { m["struggle"] = structFor("Poland", "Ace of Spades") }, "Ace of Spades"},
		"an unknown box of the USSR": {func(m map[string]any) { m["ussr"] = "Perestroika" }, "Perestroika"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := dawn1989.Game{}.Decode(edited(t, tt.change))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("the error is %v, want one that says %q", err, tt.says)
			}
		})
	}
	t.Run("unchanged it is read", func(t *testing.T) {
		t.Parallel()
		if _, err := (dawn1989.Game{}).Decode(edited(t, func(map[string]any) {})); err != nil {
			t.Error(err)
		}
	})
	t.Run("a question that no procedure asks has no options", func(t *testing.T) {
		t.Parallel()
		for _, card := range []int{1, 22, 5} {
			pos, err := dawn1989.Game{}.Decode(edited(t, func(m map[string]any) {
				m["stack"] = append(m["stack"].([]any), map[string]any{"proc": "event", "step": "end", "card": card, "side": "democrat"})
			}))
			if err != nil {
				continue
			}
			if got := pos.(*engine.Position).Choices(nil); len(got) != 0 {
				t.Errorf("card %d: %x", card, got)
			}
		}
	})
}

// structFor is a struggle with one card in a hand.
func structFor(country, card string) map[string]any {
	return map[string]any{"country": country, "player": "democrat", "attacker": "democrat", "banned": []string{}, "deck": []string{},
		"hands": map[string]any{"democrat": []string{card}, "communist": []string{}}}
}
