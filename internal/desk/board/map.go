package board

import (
	"fmt"
	"slices"

	"samizdat/rules"
)

// Map is the map, with buttons, as the reader's seat would see it after some of the typed orders. It contains only the
// changes since the last map, because a browser needs ten times as long to draw the whole map. The page (desk.js) reads the
// exported fields of this package by name.
type Map struct {
	// SVG is the start tag of the drawing, "<svg ...>".
	SVG           string
	Width, Height int
	// New is set if the page must begin with an empty drawing.
	New     bool
	Changes []Change
	// Places are the buttons; nil if the page already has them.
	Places []Button
}

// Change changes the elements of the drawing at index At: it removes as many elements as Remove says and inserts Add.
type Change struct {
	At, Remove int
	Add        []string
}

// Button is a button on the map.
type Button struct {
	ID, Name   string
	X, Y, W, H float64
}

// placeKey identifies a space or another named part of the map that can be clicked. Its ID consists of kind and code, for
// example "space:12".
type placeKey struct {
	kind rules.NameKind
	code int
}

func (p placeKey) id() string { return fmt.Sprintf("%s:%d", p.kind, p.code) }

// Map draws the map as it is after the first lineCount of the lines that State last got. It returns nil if the game has no
// map.
func (b *Board) Map(lineCount int) *Map {
	if b.game.Map == nil {
		return nil
	}
	v := b.view
	if n := min(lineCount, len(b.playedLines)); n > 0 {
		v = b.playedLines[n-1].after[0].View(b.link.Seat)
	}
	p := b.game.Map.Draw(v, nil)
	start, elements := b.elements.SVG(p)
	m := &Map{SVG: start, Width: p.Width, Height: p.Height, New: b.shownMap == nil, Changes: diffElements(b.shownMap, elements)}
	b.shownMap = elements
	if b.game.Desk.Places != nil {
		buttons := []Button{}
		for _, place := range b.game.Desk.Places(v) {
			key := placeKey{place.Kind, place.Code}
			buttons = append(buttons, Button{key.id(), b.names[key], place.Box.X, place.Box.Y, place.Box.W, place.Box.H})
		}
		if !slices.Equal(buttons, b.buttons) {
			b.buttons, m.Places = buttons, buttons
		}
	}
	return m
}

// diffElements returns the changes that convert an old list of elements to a new list, in the order of their application.
func diffElements(old, new []string) (out []Change) {
	indexes := map[string][]int{}
	for i, element := range old {
		indexes[element] = append(indexes[element], i)
	}
	for i, j := 0, 0; i < len(old) || j < len(new); {
		if i < len(old) && j < len(new) && old[i] == new[j] {
			i, j = i+1, j+1
			continue
		}
		c, next := Change{At: j}, len(old)
		for ; j < len(new); j++ {
			if k := slices.IndexFunc(indexes[new[j]], func(k int) bool { return k >= i }); k >= 0 {
				next = indexes[new[j]][k]
				break
			}
			c.Add = append(c.Add, new[j])
		}
		c.Remove, i = next-i, next
		out = append(out, c)
	}
	return out
}
