package chart

import (
	"samizdat/rules/dawn1989/engine"
	"samizdat/templates/picture"
)

// legend explains the signs: samples below the tracks, the types of spaces
// right of Bulgaria.
func (d *drawing) legend() {
	top := edgeY(gridRows) - 338
	d.samples(top)
	d.types(edgeY(13) + 66)
}

// samples are spaces as they may stand, with what that means.
func (d *drawing) samples(y float64) {
	plain := engine.SpaceInfo{Display: "space", Kind: engine.Elite, Stability: 4}
	battle := engine.SpaceInfo{Display: "battleground", Kind: engine.Worker, Stability: 3, Battleground: true}
	for _, l := range []struct {
		info  *engine.SpaceInfo
		look  look
		words [2]string
		ink   picture.Colour
	}{
		{&battle, look{points: [2]int{4, 1}, control: engine.Democrat}, [2]string{"Democrat", "controls"}, colourSide[engine.Democrat]},
		{&plain, look{points: [2]int{1, 5}, control: engine.Communist}, [2]string{"Communist", "controls"}, colourStripe},
		{&plain, look{points: [2]int{1, 2}, control: engine.Neutral, changed: true}, [2]string{"changed since", "the last letter"}, colourChange},
	} {
		b := picture.Box{X: panelLeft + 5, Y: y, W: boxWidth, H: boxHeight}
		d.box(l.info, b, l.look)
		x := b.X + b.W + 14
		d.write(picture.Point{X: x, Y: y + 30}, l.words[0], 17, true, picture.Left, l.ink)
		d.write(picture.Point{X: x, Y: y + 50}, l.words[1], 17, true, picture.Left, l.ink)
		y += boxHeight + 16
	}
	y += 14
	d.Add(picture.Line(6, colourLine, picture.Point{X: panelLeft + 3, Y: y - 5}, picture.Point{X: panelLeft + 37, Y: y - 5}))
	d.write(picture.Point{X: panelLeft + 48, Y: y}, "to another country", 17, false, picture.Left, colourInk)
	y += 26
	for _, dy := range [...]float64{-1, 1} {
		d.Add(picture.Line(5, colourInk, picture.Point{X: panelLeft + 8, Y: y - 6 - 7*dy}, picture.Point{X: panelLeft + 32, Y: y - 6 + 7*dy}))
	}
	d.write(picture.Point{X: panelLeft + 48, Y: y}, "destroyed", 17, false, picture.Left, colourInk)
}

// types are the letters of the types of spaces.
func (d *drawing) types(y float64) {
	const x = mapMargin + 6*cellWidth + 14
	d.write(picture.Point{X: x, Y: y}, "W3", 21, true, picture.Left, colourInk)
	for _, line := range []string{"type and", "stability"} {
		d.write(picture.Point{X: x + 36, Y: y}, line, 17, false, picture.Left, colourInk)
		y += 20
	}
	y += 12
	for k := range engine.Kinds {
		d.write(picture.Point{X: x, Y: y}, typeLetters[k:k+1], 18, true, picture.Left, colourInk)
		d.write(picture.Point{X: x + 24, Y: y}, k.String(), 17, false, picture.Left, colourInk)
		y += 25
	}
	y += 14
	for side := engine.Democrat; side <= engine.Communist; side++ {
		at := picture.Point{X: x + 11, Y: y - 6}
		d.token(side, at, 13, picture.Style{Fill: colourSide[side]})
		d.write(picture.Point{X: at.X, Y: at.Y + 7}, sideWords[side][:1], 19, true, picture.Middle, colourWhite)
		d.write(picture.Point{X: x + 32, Y: y}, sideWords[side], 17, false, picture.Left, colourInk)
		y += 34
	}
}
