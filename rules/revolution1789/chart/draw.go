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

// Sizes in pixels. The important parts are readable at 40 percent of the width, on a telephone.
const (
	width, height = 1000, 720
	firstColumn   = 105
	columnWidth   = 158
	rightBank     = 270
	leftBank      = 500
	cardWidth     = 116
	cardHeight    = 104
	tokenRadius   = 19
	ends          = 24
	assemblyTop   = 56
	citizensTop   = 596
)

// Sides differ in colour, shape and place (the Monarchists' blue circle left, the Republicans'
// orange square right), so that the picture is readable without colours.
var (
	ground    = picture.RGB(0xfbfaf6)
	ink       = picture.RGB(0x22252b)
	soft      = picture.RGB(0x5d626b)
	white     = picture.RGB(0xffffff)
	change    = picture.RGB(0xc2188c)
	own       = picture.RGB(0xf5d547)
	done      = picture.RGB(0xd9d9d9)
	river     = picture.RGB(0xd3e8e6)
	colours   = [3]picture.Colour{soft, picture.RGB(0x1b5fa8), picture.RGB(0xd9620a)}
	tints     = [3]picture.Colour{white, picture.RGB(0xd9e4f2), picture.RGB(0xf8e0cd)}
	reforms   = [...]string{"Economical", "Social", "Political"}
	bySides   = [...]engine.Colour{engine.Monarchist, engine.Republican}
	sideWords = [...]string{"nobody", "Monarchist", "Republican"}
)

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
	v *engine.View
	changeSet
}

// Draw draws the board for the seat of a view, below the status, and marks the changes that the events made.
func Draw(rv rules.View, status string, since []rules.Event) *picture.Picture {
	v := rv.(*engine.View)
	d := drawing{&picture.Picture{Width: width, Height: height, Back: ground, Title: "The board of 1789"}, v, collectChanges(since)}
	d.Words = d.words(status)
	d.drawText(picture.Point{X: 20, Y: 36}, status, 22, true, picture.Left, ink)
	d.drawAssembly()
	d.Add(picture.Rect(picture.Box{X: 0, Y: (rightBank+leftBank)/2 - 34, W: width, H: 68}, 0, picture.Style{Fill: river}))
	for u := engine.Unit(1); u < engine.Units; u++ {
		d.links(u)
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

func centre(s engine.Space) picture.Point {
	y := float64(rightBank)
	if s > 6 {
		y = leftBank
	}
	return picture.Point{X: firstColumn + columnWidth*float64((s-1)%6), Y: y}
}

// places returns where the tokens of a unit lie: one between two cards, or one at each end of a bank.
func places(u engine.Unit) []picture.Point {
	a, b := u.Spaces()
	p, q := centre(a), centre(b)
	if !u.IsPair() {
		return []picture.Point{{X: math.Round((p.X + q.X) / 2), Y: math.Round((p.Y + q.Y) / 2)}}
	}
	// The end at a space is the seat there.
	return []picture.Point{{X: ends, Y: p.Y}, {X: width - ends, Y: q.Y}}
}

func (d drawing) links(u engine.Unit) {
	a, b := u.Spaces()
	at := places(u)
	if len(at) == 1 {
		d.Add(picture.Line(3, soft, centre(a), centre(b)))
		return
	}
	d.Add(picture.Line(3, soft, centre(a), at[0]), picture.Line(3, soft, centre(b), at[1]))
}

// drawTokens draws the holder of a unit and the traces of purged tokens.
func (d drawing) drawTokens(u engine.Unit) {
	h := d.v.Holders[u]
	fill, edge := white, soft
	if h != rules.NoSeat {
		edge = ink
		if h == d.v.Seat() {
			fill = own
		}
	}
	if d.units[u] {
		edge = change
	}
	for _, p := range places(u) {
		d.Add(picture.Circle{Centre: p, Radius: tokenRadius, Style: picture.Style{Fill: fill, Stroke: edge, Width: 3}})
		if h != rules.NoSeat {
			d.drawText(picture.Point{X: p.X, Y: p.Y + 6}, engine.CitizenName(int(h))[:2], 16, true, picture.Middle, ink)
		}
		n := 0
		for _, s := range d.v.Traces[u] {
			if s != rules.NoSeat {
				n++
				d.drawText(picture.Point{X: p.X, Y: p.Y + tokenRadius + 14*float64(n)}, "x "+engine.CitizenName(int(s))[:2], 13, false,
					picture.Middle, soft)
			}
		}
	}
}

func (d drawing) drawCard(s engine.Space) {
	m := centre(s)
	box := picture.Box{X: m.X - cardWidth/2, Y: m.Y - cardHeight/2, W: cardWidth, H: cardHeight}
	verdict := d.v.Verdicts[s]
	style := picture.Style{Fill: white, Stroke: ink, Width: 2}
	switch verdict {
	case engine.VotedMonarchist, engine.VotedRepublican:
		style.Fill = tints[verdict]
	case engine.Unresolved:
		style.Fill = done
	}
	if d.spaces[s] {
		style.Stroke, style.Width = change, 4
	}
	d.Add(picture.Rect(box, 8, style))
	d.drawText(picture.Point{X: m.X, Y: box.Y + 20}, fmt.Sprint(s), 13, true, picture.Middle, soft)
	c := d.v.Cards[s]
	if c == 0 {
		return
	}
	d.drawText(picture.Point{X: m.X, Y: box.Y + 40}, c.Name(), 13, true, picture.Middle, ink)
	for i, colour := range bySides {
		y := box.Y + 62 + 26*float64(i)
		d.mark(picture.Point{X: box.X + 16, Y: y - 5}, colour, 7)
		bold := verdict == uint8(colour)
		d.drawText(picture.Point{X: box.X + 30, Y: y}, reforms[c.Reform(colour)], 14, bold, picture.Left, ink)
	}
}

// mark draws a colour's sign: a circle for the Monarchists, a square for the Republicans.
func (d drawing) mark(at picture.Point, c engine.Colour, r float64) {
	style := picture.Style{Fill: colours[c]}
	if c == engine.Monarchist {
		d.Add(picture.Circle{Centre: at, Radius: r, Style: style})
		return
	}
	d.Add(picture.Rect(picture.Box{X: at.X - r, Y: at.Y - r, W: 2 * r, H: 2 * r}, 0, style))
}

func (d drawing) drawAssembly() {
	for r, c := range d.v.Ministers {
		box := picture.Box{X: 20 + 325*float64(r), Y: assemblyTop, W: 310, H: 96}
		style := picture.Style{Fill: tints[c], Stroke: soft, Width: 2}
		if d.reforms[r] {
			style.Stroke, style.Width = change, 4
		}
		d.Add(picture.Rect(box, 10, style))
		d.drawText(picture.Point{X: box.X + box.W/2, Y: box.Y + 32}, reforms[r], 20, true, picture.Middle, ink)
		who := picture.Point{X: box.X + box.W/2, Y: box.Y + 72}
		if c == engine.NoColour {
			d.drawText(who, "no minister", 17, false, picture.Middle, soft)
			continue
		}
		d.mark(picture.Point{X: box.X + 62, Y: who.Y - 6}, c, 12)
		d.drawText(who, sideWords[c], 18, true, picture.Middle, ink)
	}
}

// drawCitizens lists the seats clockwise, with the Chairman and the shown cards.
func (d drawing) drawCitizens() {
	for place, s := range d.v.Order[:d.v.Placed] {
		at := citizenAt(place)
		fill := white
		if s == d.v.Seat() {
			fill = own
		}
		style := picture.Style{Fill: fill, Stroke: soft, Width: 2}
		if s == d.v.ChairmanSeat() {
			style.Stroke, style.Width = ink, 5
		}
		d.Add(picture.Circle{Centre: picture.Point{X: at.X, Y: at.Y}, Radius: 16, Style: style})
		name := engine.CitizenName(int(s))
		d.drawText(picture.Point{X: at.X, Y: at.Y + 5}, name[:2], 14, true, picture.Middle, ink)
		if d.v.Shown.Has(s) {
			name += ": " + d.v.Objectives[s].Name()
		}
		size := 16.0
		for picture.TextWidth(name, size, false) > 200 {
			size--
		}
		d.drawText(picture.Point{X: at.X + 24, Y: at.Y + 5}, name, size, false, picture.Left, ink)
	}
}

// words describe the picture for readers who cannot see it.
func (d drawing) words(status string) string {
	out := []string{status}
	for r, c := range d.v.Ministers {
		out = append(out, fmt.Sprintf("%s reforms: %s.", reforms[r], sideWords[c]))
	}
	for u := engine.Unit(1); u < engine.Units; u++ {
		if h := d.v.Holders[u]; h != rules.NoSeat {
			out = append(out, fmt.Sprintf("%s holds seat %s.", engine.CitizenName(int(h)), u))
		}
	}
	return strings.Join(out, " ")
}

// Places implements rules.Desk.Places: the seats, the crises on their spaces and the citizens.
func Places(rv rules.View) []rules.Place {
	v := rv.(*engine.View)
	var out []rules.Place
	around := func(kind rules.NameKind, code int, m picture.Point, w, h float64) {
		out = append(out, rules.Place{Kind: kind, Code: code, Box: picture.Box{X: m.X - w/2, Y: m.Y - h/2, W: w, H: h}})
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		around("space", int(s), centre(s), cardWidth, cardHeight)
	}
	for u := engine.Unit(1); u < engine.Units; u++ {
		for _, p := range places(u) {
			around("seat", int(u), p, 2*tokenRadius+6, 2*tokenRadius+6)
		}
	}
	for place, s := range v.Order[:v.Placed] {
		at := citizenAt(place)
		around("citizen", int(s), picture.Point{X: at.X + 92, Y: at.Y}, 225, 38)
	}
	return out
}

// citizenAt returns where the citizen in a place of the order stands.
func citizenAt(place int) picture.Point {
	return picture.Point{X: 30 + 245*float64(place%4), Y: citizensTop + 42*float64(place/4)}
}
