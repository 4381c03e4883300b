// Package chart draws the board of 1789 as a picture.
package chart

import (
	"fmt"
	"math"
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
	"samizdat/templates/picture"
)

// Sizes and positions in pixels. The picture must be readable at 40 percent of its width, as on a telephone.
const (
	width, height = 1000, 720
	firstColumn   = 105
	columnWidth   = 158
	rightBankY    = 270
	leftBankY     = 500
	cardWidth     = 116
	cardHeight    = 104
	tokenRadius   = 19
	pairInset     = 24
	assemblyTop   = 56
	citizensTop   = 596
)

// The sides also differ in shape (the Monarchists have a blue circle, the Republicans an orange square), so that the
// picture is readable without colours.
var (
	background     = picture.RGB(0xfbfaf6)
	ink            = picture.RGB(0x22252b)
	muted          = picture.RGB(0x5d626b)
	white          = picture.RGB(0xffffff)
	changeEdge     = picture.RGB(0xc2188c)
	ownFill        = picture.RGB(0xf5d547)
	unresolvedFill = picture.RGB(0xd9d9d9)
	river          = picture.RGB(0xd3e8e6)
	colours        = [3]picture.Colour{muted, picture.RGB(0x1b5fa8), picture.RGB(0xd9620a)}
	tints          = [3]picture.Colour{white, picture.RGB(0xd9e4f2), picture.RGB(0xf8e0cd)}
	reforms        = [...]string{"Economical", "Social", "Political"}
	bothColours    = [...]engine.Colour{engine.Monarchist, engine.Republican}
	ministerNames  = [...]string{"nobody", "Monarchist", "Republican"}
)

// changeSet holds the parts of the board that changed since the reader's previous letter.
type changeSet struct {
	units   [engine.Units]bool
	spaces  [engine.Spaces]bool
	reforms [engine.Reforms]bool
}

func collectChanges(since []rules.Event) (c changeSet) {
	for _, e := range since {
		switch e.Kind {
		case engine.EventSeated:
			c.units[e.Args[0]] = true
		case engine.EventPurged:
			c.units[e.Args[0]] = true
		case engine.EventMinister:
			c.reforms[e.Args[0]], c.spaces[e.Args[3]] = true, true
		case engine.EventUnresolved, engine.EventVote:
			c.spaces[e.Args[0]] = true
		}
	}
	return c
}

type drawing struct {
	*picture.Picture
	view *engine.View
	changeSet
}

// Draw draws the board for the seat of a view, below the status, and marks the changes that the events made.
func Draw(rv rules.View, status string, since []rules.Event) *picture.Picture {
	v := rv.(*engine.View)
	d := drawing{&picture.Picture{Width: width, Height: height, Back: background, Title: "The board of 1789"}, v, collectChanges(since)}
	d.Words = d.altText(status)
	d.drawText(picture.Point{X: 20, Y: 36}, status, 22, true, picture.Left, ink)
	d.drawAssembly()
	d.Add(picture.Rect(picture.Box{X: 0, Y: (rightBankY+leftBankY)/2 - 34, W: width, H: 68}, 0, picture.Style{Fill: river}))
	for u := engine.Unit(1); u < engine.Units; u++ {
		d.drawLinks(u)
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		d.drawCard(s)
	}
	for u := engine.Unit(1); u < engine.Units; u++ {
		d.drawTokens(u)
	}
	d.drawCitizens()
	return d.Picture
}

func (d drawing) drawText(at picture.Point, words string, size float64, bold bool, a picture.Anchor, c picture.Colour) {
	d.Add(picture.Text{At: at, Words: words, Size: size, Bold: bold, Anchor: a, Colour: c})
}

func spaceCentre(s engine.Space) picture.Point {
	y := float64(rightBankY)
	if s > 6 {
		y = leftBankY
	}
	return picture.Point{X: firstColumn + columnWidth*float64((s-1)%6), Y: y}
}

// tokenPositions returns the positions of the tokens of a unit: one between its two spaces. A unit with spaces at
// opposite ends of the board has two tokens, at the left and the right edge of the picture.
func tokenPositions(u engine.Unit) []picture.Point {
	a, b := u.Spaces()
	p, q := spaceCentre(a), spaceCentre(b)
	if !u.IsPair() {
		return []picture.Point{{X: math.Round((p.X + q.X) / 2), Y: math.Round((p.Y + q.Y) / 2)}}
	}
	return []picture.Point{{X: pairInset, Y: p.Y}, {X: width - pairInset, Y: q.Y}}
}

func (d drawing) drawLinks(u engine.Unit) {
	a, b := u.Spaces()
	at := tokenPositions(u)
	if len(at) == 1 {
		d.Add(picture.Line(3, muted, spaceCentre(a), spaceCentre(b)))
		return
	}
	d.Add(picture.Line(3, muted, spaceCentre(a), at[0]), picture.Line(3, muted, spaceCentre(b), at[1]))
}

// drawTokens draws the holder of a unit, and below the holder the citizens who lost the unit in purges.
func (d drawing) drawTokens(u engine.Unit) {
	h := d.view.Holders[u]
	fill, edge := white, muted
	if h != rules.NoSeat {
		edge = ink
		if h == d.view.Seat() {
			fill = ownFill
		}
	}
	if d.units[u] {
		edge = changeEdge
	}
	for _, p := range tokenPositions(u) {
		d.Add(picture.Circle{Centre: p, Radius: tokenRadius, Style: picture.Style{Fill: fill, Stroke: edge, Width: 3}})
		if h != rules.NoSeat {
			d.drawText(picture.Point{X: p.X, Y: p.Y + 6}, engine.CitizenName(int(h))[:2], 16, true, picture.Middle, ink)
		}
		n := 0
		for _, s := range d.view.Traces[u] {
			if s != rules.NoSeat {
				n++
				d.drawText(picture.Point{X: p.X, Y: p.Y + tokenRadius + 14*float64(n)}, "x "+engine.CitizenName(int(s))[:2], 13, false,
					picture.Middle, muted)
			}
		}
	}
}

func (d drawing) drawCard(s engine.Space) {
	centre := spaceCentre(s)
	box := picture.Box{X: centre.X - cardWidth/2, Y: centre.Y - cardHeight/2, W: cardWidth, H: cardHeight}
	verdict := d.view.Verdicts[s]
	style := picture.Style{Fill: white, Stroke: ink, Width: 2}
	switch verdict {
	case engine.VotedMonarchist, engine.VotedRepublican:
		style.Fill = tints[verdict]
	case engine.Unresolved:
		style.Fill = unresolvedFill
	}
	if d.spaces[s] {
		style.Stroke, style.Width = changeEdge, 4
	}
	d.Add(picture.Rect(box, 8, style))
	d.drawText(picture.Point{X: centre.X, Y: box.Y + 20}, fmt.Sprint(s), 13, true, picture.Middle, muted)
	c := d.view.Cards[s]
	if c == 0 {
		return
	}
	d.drawText(picture.Point{X: centre.X, Y: box.Y + 40}, c.Name(), 13, true, picture.Middle, ink)
	for i, colour := range bothColours {
		y := box.Y + 62 + 26*float64(i)
		d.drawSymbol(picture.Point{X: box.X + 16, Y: y - 5}, colour, 7)
		bold := verdict == uint8(colour)
		d.drawText(picture.Point{X: box.X + 30, Y: y}, reforms[c.Reform(colour)], 14, bold, picture.Left, ink)
	}
}

func (d drawing) drawSymbol(at picture.Point, c engine.Colour, r float64) {
	style := picture.Style{Fill: colours[c]}
	if c == engine.Monarchist {
		d.Add(picture.Circle{Centre: at, Radius: r, Style: style})
		return
	}
	d.Add(picture.Rect(picture.Box{X: at.X - r, Y: at.Y - r, W: 2 * r, H: 2 * r}, 0, style))
}

func (d drawing) drawAssembly() {
	for r, c := range d.view.Ministers {
		box := picture.Box{X: 20 + 325*float64(r), Y: assemblyTop, W: 310, H: 96}
		style := picture.Style{Fill: tints[c], Stroke: muted, Width: 2}
		if d.reforms[r] {
			style.Stroke, style.Width = changeEdge, 4
		}
		d.Add(picture.Rect(box, 10, style))
		d.drawText(picture.Point{X: box.X + box.W/2, Y: box.Y + 32}, reforms[r], 20, true, picture.Middle, ink)
		textAt := picture.Point{X: box.X + box.W/2, Y: box.Y + 72}
		if c == engine.NoColour {
			d.drawText(textAt, "no minister", 17, false, picture.Middle, muted)
			continue
		}
		d.drawSymbol(picture.Point{X: box.X + 62, Y: textAt.Y - 6}, c, 12)
		d.drawText(textAt, ministerNames[c], 18, true, picture.Middle, ink)
	}
}

func (d drawing) drawCitizens() {
	for place, s := range d.view.Order[:d.view.SeatsPlaced] {
		at := citizenAt(place)
		fill := white
		if s == d.view.Seat() {
			fill = ownFill
		}
		style := picture.Style{Fill: fill, Stroke: muted, Width: 2}
		if s == d.view.ChairmanSeat() {
			style.Stroke, style.Width = ink, 5
		}
		d.Add(picture.Circle{Centre: picture.Point{X: at.X, Y: at.Y}, Radius: 16, Style: style})
		name := engine.CitizenName(int(s))
		d.drawText(picture.Point{X: at.X, Y: at.Y + 5}, name[:2], 14, true, picture.Middle, ink)
		if d.view.ShownSeats.Has(s) {
			name += ": " + d.view.Objectives[s].Name()
		}
		size := 16.0
		for picture.TextWidth(name, size, false) > 200 {
			size--
		}
		d.drawText(picture.Point{X: at.X + 24, Y: at.Y + 5}, name, size, false, picture.Left, ink)
	}
}

func (d drawing) altText(status string) string {
	out := []string{status}
	for r, c := range d.view.Ministers {
		out = append(out, fmt.Sprintf("%s reforms: %s.", reforms[r], ministerNames[c]))
	}
	for u := engine.Unit(1); u < engine.Units; u++ {
		if h := d.view.Holders[u]; h != rules.NoSeat {
			out = append(out, fmt.Sprintf("%s holds seat %s.", engine.CitizenName(int(h)), u))
		}
	}
	return strings.Join(out, " ")
}

// Places implements rules.Desk.Places: the seats, the crises on their spaces and the citizens.
func Places(rv rules.View) []rules.Place {
	v := rv.(*engine.View)
	var out []rules.Place
	addPlace := func(kind rules.NameKind, code int, centre picture.Point, w, h float64) {
		out = append(out, rules.Place{Kind: kind, Code: code, Box: picture.Box{X: centre.X - w/2, Y: centre.Y - h/2, W: w, H: h}})
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		addPlace("space", int(s), spaceCentre(s), cardWidth, cardHeight)
	}
	for u := engine.Unit(1); u < engine.Units; u++ {
		for _, p := range tokenPositions(u) {
			addPlace("seat", int(u), p, 2*tokenRadius+6, 2*tokenRadius+6)
		}
	}
	for place, s := range v.Order[:v.SeatsPlaced] {
		at := citizenAt(place)
		addPlace("citizen", int(s), picture.Point{X: at.X + 92, Y: at.Y}, 225, 38)
	}
	return out
}

func citizenAt(place int) picture.Point {
	return picture.Point{X: 30 + 245*float64(place%4), Y: citizensTop + 42*float64(place/4)}
}
