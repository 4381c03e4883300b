package words

import (
	"slices"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Inform answers every query but the one for a map that is drawn.
func (g Words) Inform(rv rules.View, q rules.Query) []rules.Section {
	v := rv.(*engine.View)
	switch q {
	case rules.QueryDiscards:
		return []rules.Section{{Title: "The open cards", Lines: openLines(v)}}
	case rules.QueryHand:
		parts := g.section(rv, "Your hand")
		if c := v.Seen.Struggle.Country; c != engine.NoCountry && parts != nil {
			// Whoever asks for his hand there means these cards first of all.
			parts = append(slices.Clone(parts), g.section(rv, struggleTitle(c))...)
		}
		return parts
	case rules.QueryMap:
		return g.section(rv, "The map")
	}
	return nil
}

// section is one of the standing parts of a letter.
func (g Words) section(rv rules.View, title string) []rules.Section {
	all := g.Sections(rv)
	i := slices.IndexFunc(all, func(s rules.Section) bool { return s.Title == title })
	if i < 0 {
		return nil
	}
	return all[i : i+1]
}

// openLines are the piles that everybody sees, with titles.
func openLines(v *engine.View) []string {
	var out []string
	for _, pile := range [...]struct {
		name string
		pile engine.Pile
	}{{"Played now", engine.PileTable}, {"In play", engine.PileInPlay}, {"Discard pile", engine.PileDiscard}, {"Out of the game", engine.PileRemoved}} {
		out = append(out, item(pile.name, cardList(v.Seen.Piles[pile.pile]))...)
	}
	return out
}

// Turn numbers the turn of a view.
func (Words) Turn(rv rules.View) int { return max(1, int(rv.(*engine.View).Seen.Turn)) }
