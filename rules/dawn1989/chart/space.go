package chart

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/templates/picture"
)

// Font sizes, and the room for text in the box of a space, in pixels.
const (
	nameSize = 19.5
	// twoLineSize is for names in two lines.
	twoLineSize  = 16.5
	minSize      = 13.5
	maxNameWidth = boxWidth - 8
	nameHeight   = 38 // the height of the upper part of a box
)

// drawSpace draws the box of a space. The upper part has the name. The lower part has, from left to right, the
// Democrat's support, the type with the stability, and the Communist's support.
func (d *drawing) drawSpace(s engine.Space) {
	d.drawBox(s.Info(), cellBox(cells[s]), boxState{
		points:  [2]int{int(d.pos.Support[engine.Democrat][s]), int(d.pos.Support[engine.Communist][s])},
		control: controlOf(d.pos, s), changed: d.changed.Spaces.Has(s), destroyed: s == d.pos.Destroyed,
	})
}

type boxState struct {
	points             [2]int
	control            engine.Side
	changed, destroyed bool
}

func controlOf(p *engine.Position, s engine.Space) engine.Side {
	for side := engine.Democrat; side <= engine.Communist; side++ {
		if s != p.Destroyed && p.Controlled[side].Has(s) {
			return side
		}
	}
	return engine.Neutral
}

func (d *drawing) drawBox(info *engine.SpaceInfo, b picture.Box, state boxState) {
	control := state.control
	if state.changed {
		d.Add(picture.Rect(b.Grow(5), 12, picture.Style{Fill: colourChange}))
	}
	upper, lower := picture.Box{X: b.X, Y: b.Y, W: b.W, H: nameHeight}, picture.Box{X: b.X, Y: b.Y + nameHeight, W: b.W, H: b.H - nameHeight}
	frame, ground, ink := colourMuted, colourWhite, colourInk
	if info.Battleground {
		frame, ground, ink = colourInk, colourInk, colourWhite
	}
	body, middle := colourWhite, colourInk
	if control != engine.Neutral {
		body, middle, frame = colourSide[control], colourWhite, colourInk
	}
	if state.destroyed {
		ground, body, ink, middle = colourDestroyed, colourDestroyed, colourMuted, colourMuted
	}
	d.Add(picture.Rect(b, 8, picture.Style{Fill: frame}))
	const line = 2
	inner := b.Grow(-line)
	d.Add(picture.Rect(inner, 6, picture.Style{Fill: body}))
	if control == engine.Communist {
		d.drawStripes(picture.Box{X: inner.X + 1, Y: lower.Y, W: inner.W - 2, H: inner.Y + inner.H - lower.Y - 1})
	}
	d.Add(picture.Path{Closed: true, Style: picture.Style{Fill: ground},
		Points: cutCorners(picture.Box{X: inner.X, Y: inner.Y, W: inner.W, H: upper.Y + upper.H - inner.Y}, 6)})
	if control == engine.Neutral {
		d.Add(picture.Line(1.5, colourMuted, picture.Point{X: inner.X, Y: lower.Y}, picture.Point{X: inner.X + inner.W, Y: lower.Y}))
	}
	d.drawName(upper, info.Display, ink)
	y := lower.Y + (lower.H-line)/2
	d.drawBadge(engine.Democrat, picture.Point{X: b.X + 23, Y: y}, state.points[engine.Democrat], control == engine.Democrat)
	d.drawBadge(engine.Communist, picture.Point{X: b.X + b.W - 23, Y: y}, state.points[engine.Communist], control == engine.Communist)
	mark := fmt.Sprintf("%c%d", typeLetters[info.Type], info.Stability)
	if control == engine.Communist {
		// Letters on stripes need a plain background.
		w := picture.TextWidth(mark, 21, true) + 8
		d.Add(picture.Rect(picture.Box{X: b.X + b.W/2 - w/2, Y: y - 12, W: w, H: 24}, 5, picture.Style{Fill: colourSide[engine.Communist]}))
	}
	d.drawText(picture.Point{X: b.X + b.W/2, Y: y + 7.5}, mark, 21, true, picture.Middle, middle)
	if state.destroyed {
		in := b.Grow(-5)
		for _, y := range [...][2]float64{{in.Y, in.Y + in.H}, {in.Y + in.H, in.Y}} {
			d.Add(picture.Line(6, colourInk, picture.Point{X: in.X, Y: y[0]}, picture.Point{X: in.X + in.W, Y: y[1]}))
		}
	}
}

// cutCorners returns the outline of a box with its two upper corners cut.
func cutCorners(b picture.Box, cut float64) []picture.Point {
	return []picture.Point{
		{X: b.X + cut, Y: b.Y}, {X: b.X + b.W - cut, Y: b.Y}, {X: b.X + b.W - cut/3, Y: b.Y + cut/3}, {X: b.X + b.W, Y: b.Y + cut},
		{X: b.X + b.W, Y: b.Y + b.H}, {X: b.X, Y: b.Y + b.H}, {X: b.X, Y: b.Y + cut}, {X: b.X + cut/3, Y: b.Y + cut/3},
	}
}

func (d *drawing) drawStripes(b picture.Box) {
	const wide, step = 5, 13
	for x := b.X; x+b.H+wide <= b.X+b.W; x += step {
		d.Add(picture.Path{Closed: true, Style: picture.Style{Fill: colourStripe}, Points: []picture.Point{
			{X: x, Y: b.Y + b.H}, {X: x + b.H, Y: b.Y}, {X: x + b.H + wide, Y: b.Y}, {X: x + wide, Y: b.Y + b.H},
		}})
	}
}

// drawBadge draws n, the support of a side in a space. inverse swaps the colours of the badge, for a background in
// the colour of the side.
func (d *drawing) drawBadge(side engine.Side, at picture.Point, n int, inverse bool) {
	if n == 0 {
		return
	}
	style := picture.Style{Fill: colourSide[side], Stroke: colourWhite, Width: 1.5}
	ink := colourWhite
	if inverse {
		style.Fill, ink = colourWhite, colourSide[side]
		style.Stroke, style.Width = colourSide[side], 2
		if side == engine.Communist {
			ink = colourStripe
		}
	}
	d.drawToken(side, at, 14.5, style)
	size := 23.0
	if n > 9 {
		size = 19
	}
	d.drawText(picture.Point{X: at.X, Y: at.Y + size*0.36}, fmt.Sprint(n), size, true, picture.Middle, ink)
}

func (d *drawing) drawToken(side engine.Side, at picture.Point, r float64, style picture.Style) {
	if side == engine.Democrat {
		d.Add(picture.Circle{Centre: at, Radius: r, Style: style})
		return
	}
	r *= 0.95
	d.Add(picture.Rect(picture.Box{X: at.X - r, Y: at.Y - r, W: 2 * r, H: 2 * r}, 3, style))
}

// drawName draws the name of a space in one or two lines, in the largest font with which it fits.
func (d *drawing) drawName(b picture.Box, name string, ink picture.Colour) {
	x, y := b.X+b.W/2, b.Y+b.H/2
	one, two, ok := splitInTwo(name)
	if !ok || picture.TextWidth(name, twoLineSize, true) <= maxNameWidth {
		size := fitSize(name, nameSize, maxNameWidth)
		d.drawText(picture.Point{X: x, Y: y + size*0.36}, name, size, true, picture.Middle, ink)
		return
	}
	size := min(fitSize(one, twoLineSize, maxNameWidth), fitSize(two, twoLineSize, maxNameWidth))
	d.drawText(picture.Point{X: x, Y: y - 2.5}, one, size, true, picture.Middle, ink)
	d.drawText(picture.Point{X: x, Y: y + 14.5}, two, size, true, picture.Middle, ink)
}

// hyphens has the two lines of names that are too long for one line and have no place for a break.
var hyphens = map[string][2]string{
	"Székesfehérvár": {"Székes-", "fehérvár"},
	"CZECHOSLOVAKIA": {"CZECHO-", "SLOVAKIA"},
}

// splitInTwo splits a name into two lines so that the longer line is as short as possible. It splits at a blank, "-"
// or "/", and ok is false if the name has none of these.
func splitInTwo(name string) (one, two string, ok bool) {
	if h, ok := hyphens[name]; ok {
		return h[0], h[1], true
	}
	best := len(name)
	for i, r := range name {
		if !strings.ContainsRune(" -/", r) {
			continue
		}
		a, b := strings.TrimSpace(name[:i+1]), name[i+1:]
		if n := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)); n <= best {
			best, one, two, ok = n, a, b, true
		}
	}
	return one, two, ok
}

// fitSize returns the largest font size, at most size and at least minSize, with which a bold text is not wider than
// room.
func fitSize(text string, size, room float64) float64 {
	for size > minSize && picture.TextWidth(text, size, true) > room {
		size -= 0.5
	}
	return size
}

func (d *drawing) drawText(at picture.Point, words string, size float64, bold bool, anchor picture.Anchor, c picture.Colour) {
	d.Add(picture.Text{At: at, Words: words, Size: size, Bold: bold, Anchor: anchor, Colour: c})
}

// Places implements rules.Desk.Places. It returns the boxes of the spaces and of the names of the countries.
func Places(rules.View) []rules.Place {
	var out []rules.Place
	for s := engine.Space(1); s < engine.Spaces; s++ {
		out = append(out, rules.Place{Kind: "space", Code: int(s), Box: cellBox(cells[s])})
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		out = append(out, rules.Place{Kind: "country", Code: int(c), Box: cellBox(labelCells[c])})
	}
	return out
}
