package dawn1989

import (
	"slices"

	"samizdat/rules"
)

var (
	_ rules.Informer  = Game{}
	_ rules.Librarian = Game{}
)

// Inform implements rules.Informer.
func (g Game) Inform(rv rules.View, q rules.Query) []rules.Section {
	v := rv.(*View)
	switch q {
	case rules.QueryDiscards:
		return []rules.Section{{Title: "The open cards", Lines: v.openLines()}}
	case rules.QueryHand:
		parts := g.section(rv, "Your hand")
		if c := v.p.struggle.Country; c != NoCountry && parts != nil {
			// Whoever asks for his hand there means these cards first of all.
			parts = append(slices.Clone(parts), g.section(rv, struggleTitle(c))...)
		}
		return parts
	case rules.QueryMap:
		return g.section(rv, "The map")
	case rules.QueryBigMap:
		return []rules.Section{{Title: "The big map", Lines: g.TextMap(rv, nil)}}
	}
	return nil
}

// section is one of the standing parts of a letter.
func (g Game) section(rv rules.View, title string) []rules.Section {
	all := g.Sections(rv)
	i := slices.IndexFunc(all, func(s rules.Section) bool { return s.Title == title })
	if i < 0 {
		return nil
	}
	return all[i : i+1]
}

// openLines are the piles that everybody sees, with titles.
func (v *View) openLines() []string {
	var out []string
	for _, pile := range [...]struct {
		name string
		pile Pile
	}{{"Played now", PileTable}, {"In play", PileInPlay}, {"Discard pile", PileDiscard}, {"Out of the game", PileRemoved}} {
		out = append(out, item(pile.name, cardList(v.p.piles[pile.pile]))...)
	}
	return out
}

// Turn implements rules.Informer.
func (Game) Turn(rv rules.View) int { return max(1, int(rv.(*View).p.turn)) }
