package board

import (
	"fmt"
	"slices"

	"samizdat/rules"
)

// Map is the map as the reader's seat would see it after some lines, with places to click. Only the changes since the last
// map are written: drawing all of a map takes a browser ten times as long.
type Map struct {
	// SVG is the start tag of the drawing.
	SVG           string
	Width, Height int
	// New tells the page to begin with an empty drawing.
	New     bool
	Changes []Change
	// Places are nil if the page has them.
	Places []Place
}

// Change replaces elements of the drawing: from index At on, Remove elements by Add.
type Change struct {
	At, Remove int
	Add        []string
}

// Place is a button on the map.
type Place struct {
	ID, Name   string
	X, Y, W, H float64
}

// place is a space or another named part of the map that can be clicked. Its id is, for example, "space:12": kind
// and code.
type place struct {
	kind rules.NameKind
	code int
}

func (p place) id() string { return fmt.Sprintf("%s:%d", p.kind, p.code) }

// Map draws the map after the first lines of the last State. It returns nil if the game has no map.
func (b *Board) Map(lines int) *Map {
	if b.game.Map == nil {
		return nil
	}
	v := b.view
	if n := min(lines, len(b.steps)); n > 0 {
		v = b.steps[n-1].after[0].View(b.link.Seat)
	}
	p := b.game.Map.Draw(v, nil)
	start, elements := b.elements.SVG(p)
	m := &Map{SVG: start, Width: p.Width, Height: p.Height, New: b.shownMap == nil, Changes: compare(b.shownMap, elements)}
	b.shownMap = elements
	if b.game.Desk.Places != nil {
		places := []Place{}
		for _, pl := range b.game.Desk.Places(v) {
			at := place{pl.Kind, pl.Code}
			places = append(places, Place{at.id(), b.names[at], pl.Box.X, pl.Box.Y, pl.Box.W, pl.Box.H})
		}
		if !slices.Equal(places, b.places) {
			b.places, m.Places = places, places
		}
	}
	return m
}

// compare returns the changes, to be made in order, that turn an old list of elements into a new one.
func compare(old, new []string) (out []Change) {
	at := map[string][]int{}
	for i, element := range old {
		at[element] = append(at[element], i)
	}
	for i, j := 0, 0; i < len(old) || j < len(new); {
		if i < len(old) && j < len(new) && old[i] == new[j] {
			i, j = i+1, j+1
			continue
		}
		c, next := Change{At: j}, len(old)
		for ; j < len(new); j++ {
			if k := slices.IndexFunc(at[new[j]], func(k int) bool { return k >= i }); k >= 0 {
				next = at[new[j]][k]
				break
			}
			c.Add = append(c.Add, new[j])
		}
		c.Remove, i = next-i, next
		out = append(out, c)
	}
	return out
}
