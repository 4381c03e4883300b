package order_test

import (
	"slices"
	"testing"

	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// TestGistCounts: a number behind a name is the name's, and never that of all.
func TestGistCounts(t *testing.T) {
	t.Parallel()
	p := order.New(dawn1989.Game{})
	q := p.Ask([]string{"PLACE Miskolc", "PLACE Debrecen", "PLACE Krakow", "PLACE Lodz"}, func(o rules.Order) *order.Trial {
		sum := 0
		for _, it := range o.Clauses[0].Items {
			sum += it.Count
		}
		if sum != 2 {
			return nil
		}
		return &order.Trial{Answer: order.Write(o), Whole: true}
	})
	for text, want := range map[string][]string{
		"Debrecen 2, Miskolc":                     nil,
		"2 in Debrecen, Miskolc":                  nil,
		"Debrecen 2":                              {"PLACE Debrecen 2"},
		"both in Miskolc":                         {"PLACE Miskolc 2"},
		"my two points: Krakow and Lodz":          {"PLACE Krakow, Lodz"},
		"my two points in Krakow, Lodz, one each": {"PLACE Krakow, Lodz"},
		"Krakow or Lodz 2":                        nil,
		"one in Krakow, the rest in Lodz":         {"PLACE Krakow, Lodz"},
	} {
		var got []string
		for _, o := range p.Gist([]string{text}, q).Orders {
			got = append(got, order.Write(o))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
