// Package chart draws the map of 1989: as a picture, and in ASCII on the same grid.
package chart

import (
	"fmt"
	"math"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
	"samizdat/templates/picture"
)

// The map shows six countries as tinted shapes, spaces as boxes on a grid, tracks and a legend. The sides differ not
// only in colour but also in shape and place (the Democrat's blue circle left, the Communist's striped orange square
// right), so the map is readable without colours.

var sideNames = [...]string{"Democrat", "Communist", "neutral"}

// typeLetters are the letters of the types of spaces, indexed by engine.SpaceType.
const typeLetters = "EBFWISCM"

// Sizes in pixels. The picture is as wide as a letter on a screen. On a telephone it is shown at 40 percent of this
// width, and its important parts are still readable.
const (
	mapWidth  = 1000
	mapMargin = 10
	cellWidth = 140
	rowHeight = 96
	// borderGap is added between rows of different countries.
	borderGap = 16
	mapTop    = 124
	boxWidth  = 122
	boxHeight = 72
)

// The colours. There are at most 16, so a pixel takes 4 bits.
var (
	colourBackground = picture.RGB(0xfbfaf6)
	colourInk        = picture.RGB(0x22252b)
	colourMuted      = picture.RGB(0x5d626b)
	colourWhite      = picture.RGB(0xffffff)
	colourLine       = colourMuted
	colourBorder     = picture.RGB(0xb9b3a4)
	colourChange     = picture.RGB(0xc2188c)
	colourDestroyed  = picture.RGB(0xd9d9d9)
	colourTrack      = picture.RGB(0xe8e1cb)

	colourSide   = [2]picture.Colour{picture.RGB(0x1b5fa8), picture.RGB(0xd9620a)}
	colourStripe = picture.RGB(0xb84d00)

	colourCountry = [engine.Countries]picture.Colour{
		engine.EastGermany: picture.RGB(0xe8e1cb), engine.Poland: picture.RGB(0xecdbe2), engine.Czechoslovakia: picture.RGB(0xd9e6d8),
		engine.Hungary: picture.RGB(0xf0e6c0), engine.Romania: picture.RGB(0xdfdcef), engine.Bulgaria: picture.RGB(0xd3e8e6),
	}
)

// rowsAboveBorder are the grid rows with a border of countries below them, where borderGap is added.
var rowsAboveBorder = [...]float64{4, 6, 8, 9, 12, 13}

// countryShapes are the outlines of the countries, as corners in cells of the grid, clockwise.
var countryShapes = [engine.Countries][]cell{
	engine.EastGermany:    {{0, 0}, {3, 0}, {3, 5}, {0, 5}},
	engine.Poland:         {{3, 0}, {7, 0}, {7, 5}, {3, 5}},
	engine.Czechoslovakia: {{0, 5}, {7, 5}, {7, 7}, {1, 7}, {1, 6}, {0, 6}},
	engine.Hungary:        {{0, 7}, {6, 7}, {6, 9}, {3, 9}, {3, 10}, {1, 10}, {1, 8}, {0, 8}},
	engine.Romania:        {{4, 9}, {7, 9}, {7, 13}, {6, 13}, {6, 14}, {5, 14}, {5, 13}, {2, 13}, {2, 10}, {4, 10}},
	engine.Bulgaria:       {{2, 13}, {5, 13}, {5, 14}, {6, 14}, {6, 16}, {5, 16}, {5, 17}, {2, 17}},
}

// bendPoints has the point where the connection between two spaces bends, because a straight line would touch another
// space.
var bendPoints = map[[2]engine.Space]cell{
	{engine.FindSpace("Timisoara"), engine.FindSpace("Craiova")}: {2.3, 11.2},
}

// rowY returns the vertical centre of a grid row in pixels, and edgeY the edge above the row.
func rowY(row float64) float64 {
	y := mapTop + (row+0.5)*rowHeight
	for _, b := range rowsAboveBorder {
		if row > b {
			y += borderGap
		}
	}
	// Whole pixels keep edges sharp, and equal boxes compress well.
	return math.Round(y)
}

func edgeY(row float64) float64 {
	if row == 0 {
		return mapTop
	}
	return math.Round((rowY(row-1) + rowY(row)) / 2)
}

func cellCentre(c cell) picture.Point {
	return picture.Point{X: mapMargin + (c.col+0.5)*cellWidth, Y: rowY(c.row)}
}

func cellBox(c cell) picture.Box {
	m := cellCentre(c)
	return picture.Box{X: m.X - boxWidth/2, Y: m.Y - boxHeight/2, W: boxWidth, H: boxHeight}
}

type drawing struct {
	*picture.Picture
	view    *engine.View
	pos     *engine.Position
	changed engine.Changes
}

// Draw draws the map, below the status of the match. It marks the changes that the events in since have made.
func Draw(rv rules.View, status string, since []rules.Event) *picture.Picture {
	v := rv.(*engine.View)
	d := &drawing{
		Picture: &picture.Picture{Width: mapWidth, Height: int(edgeY(gridRows)) + mapMargin, Back: colourBackground, Title: "1989: the map"},
		view:    v, pos: &v.Visible, changed: engine.CollectChanges(since),
	}
	d.Words = d.altText(status)
	d.drawHeader(status)
	d.drawRegions()
	for _, path := range d.connections() {
		d.Add(path)
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		d.drawSpace(s)
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		d.drawLabel(c)
	}
	d.drawTracks()
	d.drawLegend()
	return d.Picture
}

func (d *drawing) altText(status string) string {
	out := []string{status}
	for side := engine.Democrat; side <= engine.Communist; side++ {
		var names []string
		for _, s := range d.pos.Controlled[side].And(d.pos.ExistingSpaces()).List() {
			names = append(names, s.String())
		}
		out = append(out, fmt.Sprintf("The %s controls %s.", sideNames[side], strings.Join(names, ", ")))
	}
	return strings.Join(out, " ")
}

func (d *drawing) drawRegions() {
	for c := engine.EastGermany; c < engine.Countries; c++ {
		path := picture.Path{Closed: true, Round: 34, Style: picture.Style{Fill: colourCountry[c], Stroke: colourBorder, Width: 2}}
		corners := countryShapes[c]
		for i, k := range corners {
			// Corners move inwards, so that a line of background separates neighbouring countries.
			before, after := corners[(i+len(corners)-1)%len(corners)], corners[(i+1)%len(corners)]
			in := inward(before, k, after)
			path.Points = append(path.Points, picture.Point{X: mapMargin + k.col*cellWidth + 3*in.col, Y: edgeY(k.row) + 3*in.row})
		}
		d.Add(path)
	}
}

// inward returns the direction from a corner of a shape (at) to the inside of the shape. before and after are its
// neighbouring corners, clockwise.
func inward(before, at, after cell) cell {
	inwardNormal := func(a, b cell) cell {
		// The inside is to the right of the line from a to b.
		switch {
		case b.col > a.col:
			return cell{0, 1}
		case b.col < a.col:
			return cell{0, -1}
		case b.row > a.row:
			return cell{-1, 0}
		}
		return cell{1, 0}
	}
	first, second := inwardNormal(before, at), inwardNormal(at, after)
	return cell{first.col + second.col, first.row + second.row}
}

// connections returns the lines between spaces. A line to another country is thicker.
func (d *drawing) connections() []picture.Path {
	var out []picture.Path
	for a := engine.Space(1); a < engine.Spaces; a++ {
		for _, b := range engine.Adjacent[a].List() {
			if b < a {
				continue
			}
			width := 4.0
			if a.Info().Country != b.Info().Country {
				width = 6
			}
			points := []picture.Point{cellCentre(cells[a])}
			if bend, ok := bendPoints[[2]engine.Space{a, b}]; ok {
				points = append(points, cellCentre(bend))
			}
			points = append(points, cellCentre(cells[b]))
			out = append(out, picture.Line(width, colourLine, points...))
		}
	}
	return out
}
