package chart

import (
	"fmt"
	"strings"

	"samizdat/rules/dawn1989/engine"
	"samizdat/templates/picture"
)

// header draws the status and the track of victory points.
func (d *drawing) header(status string) {
	size := fitted(status, 25, mapWidth-2*mapMargin-8)
	d.write(picture.Point{X: mapMargin + 4, Y: 34}, status, size, true, picture.Left, colourInk)
	const cells, most = 41, 20
	const width = (mapWidth - 2*mapMargin) / cells
	left, top := (mapWidth-float64(cells*width))/2, 54.0
	for i := range cells {
		vp := i - most
		b := picture.Box{X: left + float64(i*width), Y: top, W: width, H: 30}
		style := picture.Style{Fill: colourTrack, Stroke: colourBorder, Width: 1}
		d.Add(picture.Rect(b, 0, style))
		at := picture.Point{X: b.X + b.W/2, Y: b.Y + b.H/2}
		if d.at(vp) {
			continue
		}
		if vp%5 == 0 {
			d.write(picture.Point{X: at.X, Y: at.Y + 5}, signed(vp), 14.5, false, picture.Middle, colourSoft)
		}
	}
	vp := min(max(int(d.p.VP), -most), most)
	at := picture.Point{X: left + (float64(vp+most)+0.5)*width, Y: top + 15}
	style, words, size := picture.Style{Fill: colourInk}, signed(int(d.p.VP)), 23.0
	if len(words) > 2 {
		size = 17 // Three signs fit into the marker.
	}
	side := engine.Neutral
	switch {
	case vp > 0:
		side = engine.Democrat
	case vp < 0:
		side = engine.Communist
	}
	if d.changed.VP {
		d.Add(picture.Circle{Centre: at, Radius: 25, Style: picture.Style{Fill: colourChange}})
	}
	if side == engine.Neutral {
		d.Add(picture.Circle{Centre: at, Radius: 19, Style: style})
	} else {
		style.Fill = colourSide[side]
		d.token(side, at, 20, style)
	}
	d.write(picture.Point{X: at.X, Y: at.Y + 0.35*size}, words, size, true, picture.Middle, colourWhite)
	// The ends say whose way is which.
	d.write(picture.Point{X: left, Y: top + 56}, "Communist", 17, true, picture.Left, colourStripe)
	d.write(picture.Point{X: mapWidth / 2, Y: top + 56}, "victory points", 16, false, picture.Middle, colourSoft)
	d.write(picture.Point{X: left + cells*width, Y: top + 56}, "Democrat", 17, true, picture.Right, colourSide[engine.Democrat])
}

// signed writes VP from the Democrat's side: +3, 0 and -2.
func signed(vp int) string {
	if vp == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", vp)
}

// at reports whether the marker covers a cell of the track.
func (d *drawing) at(vp int) bool {
	n := int(d.p.VP) - vp
	return -1 <= n && n <= 1
}

// label writes a country's name and who holds Power there.
func (d *drawing) label(c engine.Country) {
	b := boxOf(labelCells[c])
	name := strings.ToUpper(c.String())
	x, y, size := b.X+b.W/2, b.Y+24, 21.0
	if one, two, ok := halves(name); ok {
		size = 18.5
		d.write(picture.Point{X: x, Y: b.Y + 14}, one, size, true, picture.Middle, colourInk)
		name, y = two, b.Y+33
	}
	d.write(picture.Point{X: x, Y: y}, name, size, true, picture.Middle, colourInk)
	held := d.p.Power[c].Held
	at := picture.Point{X: b.X + 22, Y: b.Y + 56}
	if d.changed.Power[c] {
		d.Add(picture.Circle{Centre: at, Radius: 18, Style: picture.Style{Fill: colourChange}})
	}
	d.token(held, at, 13, picture.Style{Fill: colourSide[held]})
	d.write(picture.Point{X: at.X, Y: at.Y + 7}, sideWords[held][:1], 19, true, picture.Middle, colourWhite)
	d.write(picture.Point{X: at.X + 22, Y: at.Y + 7}, "Power", 19, false, picture.Left, colourInk)
}

// The panel with tracks and legend, left of Romania and Bulgaria.
const (
	panelLeft  = mapMargin + 4.0
	panelWidth = 2*cellWidth - 18.0
)

// row draws a track of cells, the one at mark filled; it returns the middle of
// the first cell.
func (d *drawing) row(y float64, title string, names []string, mark int) (first picture.Point, width float64) {
	d.write(picture.Point{X: panelLeft, Y: y}, title, 18, true, picture.Left, colourInk)
	width = panelWidth / float64(len(names))
	for i, n := range names {
		b := picture.Box{X: panelLeft + float64(i)*width, Y: y + 8, W: width, H: 28}
		style, ink, bold := picture.Style{Fill: colourTrack, Stroke: colourBorder, Width: 1}, colourSoft, false
		if i == mark {
			style.Fill, ink, bold = colourInk, colourWhite, true
		}
		d.Add(picture.Rect(b, 0, style))
		d.write(picture.Point{X: b.X + b.W/2, Y: b.Y + 20}, n, 17, bold, picture.Middle, ink)
	}
	return picture.Point{X: panelLeft + width/2, Y: y + 22}, width
}

func numbers(from, to int) []string {
	var out []string
	for n := from; n <= to; n++ {
		out = append(out, fmt.Sprint(n))
	}
	return out
}

// tracks draws the tracks besides that of victory points.
func (d *drawing) tracks() {
	p := d.p
	y := edgeY(10) + 22
	d.row(y, "Turn", numbers(1, engine.Turns), int(p.Turn)-1)
	y += 64
	d.row(y, "Action round", numbers(1, engine.RoundsATurn+1), int(p.Round)-1)
	y += 64
	first, width := d.row(y, "Tiananmen Square", numbers(0, engine.LastBox), -1)
	for side := engine.Democrat; side <= engine.Communist; side++ {
		at := picture.Point{X: first.X + width*float64(p.Tiananmen[side].Box), Y: first.Y + 32}
		if side == engine.Communist {
			at.Y += 30
		}
		if d.changed.Tiananmen[side] {
			d.Add(picture.Circle{Centre: at, Radius: 17, Style: picture.Style{Fill: colourChange}})
		}
		d.token(side, at, 13, picture.Style{Fill: colourSide[side]})
		d.write(picture.Point{X: at.X, Y: at.Y + 7}, sideWords[side][:1], 19, true, picture.Middle, colourWhite)
	}
	y += 126
	d.row(y, "U.S.S.R.", numbers(1, len(engine.USSRNames)), int(p.USSR))
	name := engine.USSRNames[p.USSR]
	if d.changed.USSR {
		name += " (new)"
	}
	d.write(picture.Point{X: panelLeft, Y: y + 56}, name, 17, false, picture.Left, colourInk)
	if p.Effects.Refuge != 0 {
		d.write(picture.Point{X: panelLeft, Y: y + 80}, "The Tyrant: "+p.Effects.Refuge.Info().Display, 17, false, picture.Left, colourInk)
	}
}
