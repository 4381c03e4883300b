package chart

import (
	"fmt"
	"strings"

	"samizdat/rules/dawn1989/engine"
	"samizdat/templates/picture"
)

// drawHeader draws the status line and the victory point track.
func (d *drawing) drawHeader(status string) {
	size := fitSize(status, 25, mapWidth-2*mapMargin-8)
	d.drawText(picture.Point{X: mapMargin + 4, Y: 34}, status, size, true, picture.Left, colourInk)
	const cells, limit = 41, 20
	const width = (mapWidth - 2*mapMargin) / cells
	left, top := (mapWidth-float64(cells*width))/2, 54.0
	for i := range cells {
		vp := i - limit
		b := picture.Box{X: left + float64(i*width), Y: top, W: width, H: 30}
		style := picture.Style{Fill: colourTrack, Stroke: colourBorder, Width: 1}
		d.Add(picture.Rect(b, 0, style))
		at := picture.Point{X: b.X + b.W/2, Y: b.Y + b.H/2}
		if d.markerCovers(vp) {
			continue
		}
		if vp%5 == 0 {
			d.drawText(picture.Point{X: at.X, Y: at.Y + 5}, formatVP(vp), 14.5, false, picture.Middle, colourMuted)
		}
	}
	vp := min(max(int(d.pos.VP), -limit), limit)
	at := picture.Point{X: left + (float64(vp+limit)+0.5)*width, Y: top + 15}
	style, words, size := picture.Style{Fill: colourInk}, formatVP(int(d.pos.VP)), 23.0
	if len(words) > 2 {
		size = 17 // smaller, because three characters must fit
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
		d.drawToken(side, at, 20, style)
	}
	d.drawText(picture.Point{X: at.X, Y: at.Y + 0.35*size}, words, size, true, picture.Middle, colourWhite)
	// Each end of the track shows the side that it favours.
	d.drawText(picture.Point{X: left, Y: top + 56}, "Communist", 17, true, picture.Left, colourStripe)
	d.drawText(picture.Point{X: mapWidth / 2, Y: top + 56}, "victory points", 16, false, picture.Middle, colourMuted)
	d.drawText(picture.Point{X: left + cells*width, Y: top + 56}, "Democrat", 17, true, picture.Right, colourSide[engine.Democrat])
}

// formatVP returns, for example, +3, 0 or -2; positive is good for the Democrat.
func formatVP(vp int) string {
	if vp == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", vp)
}

func (d *drawing) markerCovers(vp int) bool {
	n := int(d.pos.VP) - vp
	return -1 <= n && n <= 1
}

func (d *drawing) drawLabel(c engine.Country) {
	b := cellBox(labelCells[c])
	name := strings.ToUpper(c.String())
	x, y, size := b.X+b.W/2, b.Y+24, 21.0
	if one, two, ok := splitInTwo(name); ok {
		size = 18.5
		d.drawText(picture.Point{X: x, Y: b.Y + 14}, one, size, true, picture.Middle, colourInk)
		name, y = two, b.Y+33
	}
	d.drawText(picture.Point{X: x, Y: y}, name, size, true, picture.Middle, colourInk)
	holder := d.pos.Power[c].Holder
	at := picture.Point{X: b.X + 22, Y: b.Y + 56}
	if d.changed.Power[c] {
		d.Add(picture.Circle{Centre: at, Radius: 18, Style: picture.Style{Fill: colourChange}})
	}
	d.drawToken(holder, at, 13, picture.Style{Fill: colourSide[holder]})
	d.drawText(picture.Point{X: at.X, Y: at.Y + 7}, sideNames[holder][:1], 19, true, picture.Middle, colourWhite)
	d.drawText(picture.Point{X: at.X + 22, Y: at.Y + 7}, "Power", 19, false, picture.Left, colourInk)
}

// The panel with tracks and legend, left of Romania and Bulgaria.
const (
	panelLeft  = mapMargin + 4.0
	panelWidth = 2*cellWidth - 18.0
)

// drawRow draws a track of cells and fills the cell with the index current (-1: none). It returns the centre of the
// first cell and the width of a cell.
func (d *drawing) drawRow(y float64, title string, names []string, current int) (first picture.Point, width float64) {
	d.drawText(picture.Point{X: panelLeft, Y: y}, title, 18, true, picture.Left, colourInk)
	width = panelWidth / float64(len(names))
	for i, n := range names {
		b := picture.Box{X: panelLeft + float64(i)*width, Y: y + 8, W: width, H: 28}
		style, ink, bold := picture.Style{Fill: colourTrack, Stroke: colourBorder, Width: 1}, colourMuted, false
		if i == current {
			style.Fill, ink, bold = colourInk, colourWhite, true
		}
		d.Add(picture.Rect(b, 0, style))
		d.drawText(picture.Point{X: b.X + b.W/2, Y: b.Y + 20}, n, 17, bold, picture.Middle, ink)
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

func (d *drawing) drawTracks() {
	p := d.pos
	y := edgeY(10) + 22
	d.drawRow(y, "Turn", numbers(1, engine.Turns), int(p.Turn)-1)
	y += 64
	d.drawRow(y, "Action round", numbers(1, engine.RoundsPerTurn+1), int(p.Round)-1)
	y += 64
	first, width := d.drawRow(y, "Tiananmen Square", numbers(0, engine.LastBox), -1)
	for side := engine.Democrat; side <= engine.Communist; side++ {
		at := picture.Point{X: first.X + width*float64(p.Tiananmen[side].Box), Y: first.Y + 32}
		if side == engine.Communist {
			at.Y += 30
		}
		if d.changed.Tiananmen[side] {
			d.Add(picture.Circle{Centre: at, Radius: 17, Style: picture.Style{Fill: colourChange}})
		}
		d.drawToken(side, at, 13, picture.Style{Fill: colourSide[side]})
		d.drawText(picture.Point{X: at.X, Y: at.Y + 7}, sideNames[side][:1], 19, true, picture.Middle, colourWhite)
	}
	y += 126
	d.drawRow(y, "U.S.S.R.", numbers(1, len(engine.USSRNames)), int(p.USSR))
	name := engine.USSRNames[p.USSR]
	if d.changed.USSR {
		name += " (new)"
	}
	d.drawText(picture.Point{X: panelLeft, Y: y + 56}, name, 17, false, picture.Left, colourInk)
	if p.Effects.Refuge != 0 {
		d.drawText(picture.Point{X: panelLeft, Y: y + 80}, "The Tyrant: "+p.Effects.Refuge.Info().Display, 17, false, picture.Left, colourInk)
	}
}

// drawLegend explains the symbols: it draws example spaces below the tracks, and the types of spaces right of
// Bulgaria.
func (d *drawing) drawLegend() {
	top := edgeY(gridRows) - 338
	d.drawSamples(top)
	d.drawTypes(edgeY(13) + 66)
}

func (d *drawing) drawSamples(y float64) {
	plain := engine.SpaceInfo{Display: "space", Type: engine.Elite, Stability: 4}
	battleground := engine.SpaceInfo{Display: "battleground", Type: engine.Worker, Stability: 3, Battleground: true}
	for _, l := range []struct {
		info  *engine.SpaceInfo
		state boxState
		words [2]string
		ink   picture.Colour
	}{
		{&battleground, boxState{points: [2]int{4, 1}, control: engine.Democrat}, [2]string{"Democrat", "controls"}, colourSide[engine.Democrat]},
		{&plain, boxState{points: [2]int{1, 5}, control: engine.Communist}, [2]string{"Communist", "controls"}, colourStripe},
		{&plain, boxState{points: [2]int{1, 2}, control: engine.Neutral, changed: true}, [2]string{"changed since",
			"the last letter"}, colourChange},
	} {
		b := picture.Box{X: panelLeft + 5, Y: y, W: boxWidth, H: boxHeight}
		d.drawBox(l.info, b, l.state)
		x := b.X + b.W + 14
		d.drawText(picture.Point{X: x, Y: y + 30}, l.words[0], 17, true, picture.Left, l.ink)
		d.drawText(picture.Point{X: x, Y: y + 50}, l.words[1], 17, true, picture.Left, l.ink)
		y += boxHeight + 16
	}
	y += 14
	d.Add(picture.Line(6, colourLine, picture.Point{X: panelLeft + 3, Y: y - 5}, picture.Point{X: panelLeft + 37, Y: y - 5}))
	d.drawText(picture.Point{X: panelLeft + 48, Y: y}, "to another country", 17, false, picture.Left, colourInk)
	y += 26
	for _, dy := range [...]float64{-1, 1} {
		d.Add(picture.Line(5, colourInk, picture.Point{X: panelLeft + 8, Y: y - 6 - 7*dy}, picture.Point{X: panelLeft + 32, Y: y - 6 + 7*dy}))
	}
	d.drawText(picture.Point{X: panelLeft + 48, Y: y}, "destroyed", 17, false, picture.Left, colourInk)
}

func (d *drawing) drawTypes(y float64) {
	const x = mapMargin + 6*cellWidth + 14
	d.drawText(picture.Point{X: x, Y: y}, "W3", 21, true, picture.Left, colourInk)
	for _, line := range []string{"type and", "stability"} {
		d.drawText(picture.Point{X: x + 36, Y: y}, line, 17, false, picture.Left, colourInk)
		y += 20
	}
	y += 12
	for k := range engine.SpaceTypes {
		d.drawText(picture.Point{X: x, Y: y}, typeLetters[k:k+1], 18, true, picture.Left, colourInk)
		d.drawText(picture.Point{X: x + 24, Y: y}, k.String(), 17, false, picture.Left, colourInk)
		y += 25
	}
	y += 14
	for side := engine.Democrat; side <= engine.Communist; side++ {
		at := picture.Point{X: x + 11, Y: y - 6}
		d.drawToken(side, at, 13, picture.Style{Fill: colourSide[side]})
		d.drawText(picture.Point{X: at.X, Y: at.Y + 7}, sideNames[side][:1], 19, true, picture.Middle, colourWhite)
		d.drawText(picture.Point{X: x + 32, Y: y}, sideNames[side], 17, false, picture.Left, colourInk)
		y += 34
	}
}

// cell is a place in the grid of the map, counted from 0. The grid has seven columns. Almost all connections join
// neighbouring cells.
type cell struct{ col, row float64 }

// Poland has four rows of spaces beside the five grid rows of East Germany. polandB and polandC are its second and
// third rows, which lie between grid rows.
const (
	polandB = 4. / 3
	polandC = 8. / 3
)

const (
	gridColumns = 7
	gridRows    = 17
)

// cells has the cell of each space, by the number of the space.
var cells = [engine.Spaces]cell{
	// East Germany.
	1: {1, 0}, 2: {2, 0},
	4: {0, 1}, 5: {1, 1}, 3: {2, 1},
	6: {1, 2},
	7: {0, 3}, 8: {1, 3}, 9: {2, 3},
	10: {0, 4}, 11: {1, 4}, 12: {2, 4},
	// Poland.
	13: {3, 0}, 14: {4, 0}, 18: {6, 0},
	16: {3, polandB}, 15: {4, polandB}, 17: {5, polandB}, 24: {6, polandB},
	20: {4, polandC}, 21: {5, polandC}, 26: {6, polandC},
	19: {3, 4}, 22: {4, 4}, 23: {5, 4}, 25: {6, 4},
	// Czechoslovakia.
	27: {1, 5}, 29: {2, 5}, 32: {3, 5}, 33: {4, 5}, 36: {6, 5},
	28: {1, 6}, 30: {2, 6}, 31: {3, 6}, 34: {4, 6}, 35: {5, 6}, 37: {6, 6},
	// Hungary.
	38: {1, 7}, 39: {2, 7}, 40: {3, 7}, 41: {4, 7}, 42: {5, 7},
	43: {1, 8}, 44: {2, 8}, 45: {3, 8}, 47: {4, 8}, 46: {5, 8},
	49: {1, 9}, 48: {2, 9},
	// Romania.
	54: {4, 9}, 55: {5, 9}, 56: {6, 9},
	50: {2, 10}, 51: {4, 10}, 52: {5, 10}, 53: {6, 10},
	58: {3, 11}, 57: {5, 11},
	60: {3, 12}, 61: {4, 12}, 59: {5, 12}, 62: {6, 12},
	63: {5, 13},
	// Bulgaria.
	70: {4, 13},
	64: {2, 14}, 65: {3, 14}, 66: {4, 14}, 72: {5, 14},
	67: {2, 15}, 68: {3, 15}, 69: {4, 15}, 71: {5, 15},
	73: {2, 16}, 74: {3, 16}, 75: {4, 16},
}

// labelCells has the cell where the name of each country is drawn. These cells have no space.
var labelCells = [engine.Countries]cell{
	engine.EastGermany: {0, 0}, engine.Poland: {5, 0}, engine.Czechoslovakia: {0, 5}, engine.Hungary: {0, 7},
	engine.Romania: {2, 12}, engine.Bulgaria: {2, 13},
}
