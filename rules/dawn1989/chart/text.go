package chart

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file draws the map as text, on the grid of the picture and with lines for connections.

const (
	// A cell is nine characters wide and two lines high; gaps are two characters and two lines.
	textCellWidth  = 9
	textStepX      = textCellWidth + 2
	textStepY      = 4
	textCellMiddle = textCellWidth / 2
	textTopMargin  = 1 // leaves a line for a name above the first row
)

// shortNames are names of the spaces with at most nine characters. Players may use them in orders.
var shortNames = [engine.Spaces]string{"", "Schwerin", "Rostock", "Berlin", "German Wr", "Ulbricht", "Lutheran", "Magdeburg",
	"Halle", "Leipzig", "Erfurt", "Karl-Marx", "Dresden",
	"Szczecin", "Gdansk", "Bydgoszcz", "Poznan", "Warszawa", "Bialystok", "Wroclaw", "Polish Ch", "Lodz", "Katowice",
	"Krakow", "Lublin", "Jagiellon", "Polish Wr",
	"Plzen", "Ceske Bud", "Praha", "Charles U", "Czech Wri", "Brno", "Ostrava", "Bratislav", "Czech Cat", "Presov", "Kosice",
	"Hungar Ch", "Gyor", "Tatabanya", "Miskolc", "Debrecen", "Szombathe", "Szekesfeh", "Budapest", "Hungar Wr", "Eotvos",
	"Szeged", "Pecs",
	"Timisoara", "Cluj-Napo", "Targu Mur", "Iasi", "Babes", "Romani Wr", "Harghita", "Brasov", "Roma Orth", "Ploiesti",
	"Craiova", "Bucuresti", "Galati", "Constanta",
	"Pleven", "Bulg Orth", "Ruse", "Sofia Uni", "Sofia", "Stara Zag", "Razgrad", "Burgas", "Varna", "Bulgar Wr", "Plovdiv",
	"Sliven"}

// Text draws the map in ASCII, at most 78 columns wide, below the status of the match. It marks the changes that the
// events in since have made.
func Text(rv rules.View, status string, since []rules.Event) []string {
	v := rv.(*engine.View)
	grid := newTextMap()
	grid.drawConnections()
	grid.drawBorders()
	c := engine.CollectChanges(since)
	for s := engine.Space(1); s < engine.Spaces; s++ {
		x, y := corner(cells[s])
		grid.writeText(x, y, shortNames[s])
		grid.writeText(x, y+1, formatSpace(v, s, c.Spaces.Has(s)))
	}
	for k := engine.EastGermany; k < engine.Countries; k++ {
		grid.drawLabel(k, v.Visible.Power[k].Holder, c.Power[k])
	}
	grid.drawTracks(&v.Visible, &c)
	out := append([]string{status, ""}, grid.lines()...)
	if s := v.Visible.Destroyed; s != 0 {
		out = append(out, "", fmt.Sprintf("%v is destroyed: its neighbours are adjacent to each other.", s))
	}
	return append(out, textLegend...)
}

var textLegend = []string{
	"",
	"Below a name: type and stability, ! battleground, support of Democrat and",
	"Communist, D or C who controls. A * in place of : or after a word marks what",
	"has changed since the last letter. Dots are borders.",
	"E elite, B bureaucrat, F farmer, W worker, I intellectual, S student,",
	"C church, M minority.",
}

// formatSpace returns the line below the name of a space, for example "W3! 4:1 D".
func formatSpace(v *engine.View, s engine.Space, hasChanged bool) string {
	if s == v.Visible.Destroyed {
		return "destroyed"
	}
	info := s.Info()
	mark, separator, control := " ", ":", " "
	if info.Battleground {
		mark = "!"
	}
	if hasChanged {
		separator = "*"
	}
	if side := controlOf(&v.Visible, s); side != engine.Neutral {
		control = sideNames[side][:1]
	}
	text := fmt.Sprintf("%c%d%s", typeLetters[info.Type], info.Stability, mark)
	democrat, communist := v.Visible.Support[engine.Democrat][s], v.Visible.Support[engine.Communist][s]
	if democrat == 0 && communist == 0 && !hasChanged {
		return text
	}
	return fmt.Sprintf("%s%2d%s%-2d%s", text, democrat, separator, communist, control)
}

type textMap [][]byte

func newTextMap() textMap {
	m := make(textMap, textTopMargin+(gridRows-1)*textStepY+2)
	for i := range m {
		m[i] = []byte(strings.Repeat(" ", gridColumns*textStepX))
	}
	return m
}

// corner returns the column (x) and the line (y) of the first character of a cell.
func corner(c cell) (x, y int) {
	return int(c.col) * textStepX, textTopMargin + int(c.row*textStepY+0.5)
}

func (m textMap) writeText(x, y int, text string) { copy(m[y][x:], text) }

func (m textMap) setIfBlank(x, y int, c byte) {
	if y >= 0 && y < len(m) && x >= 0 && x < len(m[y]) && m[y][x] == ' ' {
		m[y][x] = c
	}
}

// drawBorders draws dots and colons where countries meet, except where a connection crosses the border.
func (m textMap) drawBorders() {
	for _, corners := range countryShapes {
		for i, a := range corners {
			b := corners[(i+1)%len(corners)]
			ax, ay := corner(a)
			bx, by := corner(b)
			switch {
			case ax == bx && m.isInnerBorder(a, b):
				for y := min(ay, by); y < max(ay, by)-1; y++ {
					m.setIfBlank(ax-1, y, ':')
				}
			case ay == by && m.isInnerBorder(a, b):
				for x := (min(ax, bx) + 1) &^ 1; x < max(ax, bx)-1; x += 2 {
					m.setIfBlank(x, ay-1, '.')
				}
			}
		}
	}
}

func (m textMap) isInnerBorder(a, b cell) bool {
	return !(a.col == b.col && (a.col == 0 || a.col == gridColumns)) && !(a.row == b.row && (a.row == 0 || a.row == gridRows))
}

func (m textMap) drawConnections() {
	for a := engine.Space(1); a < engine.Spaces; a++ {
		for _, b := range engine.Adjacent[a].List() {
			if a < b {
				m.drawConnection(cells[a], cells[b], bendPoints[[2]engine.Space{a, b}] != cell{})
			}
		}
	}
}

// drawConnection draws a line between two cells. A bent line first goes straight down, then diagonally.
func (m textMap) drawConnection(a, b cell, isBent bool) {
	if a.row > b.row || a.row == b.row && a.col > b.col {
		a, b = b, a
	}
	ax, ay := corner(a)
	bx, by := corner(b)
	switch {
	case ay == by:
		// The names at both ends overwrite the rest of the line.
		for x := ax; x < bx; x++ {
			m.setAt(x, ay, '-')
		}
	case ax == bx:
		for y := ay + 2; y < by; y++ {
			m.setAt(ax+textCellMiddle, y, '|')
		}
	default:
		step, c, x := 1, byte('\\'), ax+textCellWidth
		if bx < ax {
			step, c, x = -1, '/', ax-1
		}
		y, n := ay+2, by-ay-2
		if isBent {
			// The diagonal is as long as the gap between two rows.
			for ; n > textStepY-2; n-- {
				m.setAt(x-step, y, '|')
				y++
			}
		}
		// The gap between two columns is two characters wide, so a longer diagonal starts under the upper cell and ends
		// above the lower cell.
		x -= step * ((n - 1) / 2)
		for range n {
			m.setAt(x, y, c)
			x, y = x+step, y+1
		}
	}
}

func (m textMap) setAt(x, y int, c byte) { m[y][x] = c }

func (m textMap) drawLabel(c engine.Country, holder engine.Side, hasChanged bool) {
	x, y := corner(labelCells[c])
	lines := []string{strings.ToUpper(c.String())}
	if one, two, ok := splitInTwo(lines[0]); ok {
		lines = []string{one, two}
	}
	power := "Power " + sideNames[holder][:1]
	if hasChanged {
		power += "*"
	}
	if c == engine.Poland {
		// A connection runs through this label.
		m.writeText(x, y-1, lines[0])
		m.writeText(x, y+1, power)
		return
	}
	for i, l := range append(lines, power) {
		m.writeText(x, y+i, l)
	}
}

func (m textMap) drawTracks(p *engine.Position, c *engine.Changes) {
	mark := func(hasChanged bool) string {
		if hasChanged {
			return "*"
		}
		return ""
	}
	x, y := corner(cell{0, 11})
	lines := []string{
		fmt.Sprintf("Turn %d of %d, round %d", p.Turn, engine.Turns, p.Round),
		fmt.Sprintf("VP %s%s", formatVP(int(p.VP)), mark(c.VP)),
		"",
		"Tiananmen Square:",
		fmt.Sprintf("  Democrat %d%s", p.Tiananmen[engine.Democrat].Box, mark(c.Tiananmen[engine.Democrat])),
		fmt.Sprintf("  Communist %d%s", p.Tiananmen[engine.Communist].Box, mark(c.Tiananmen[engine.Communist])),
		"",
		fmt.Sprintf("U.S.S.R.: box %d%s", p.USSR+1, mark(c.USSR)),
	}
	if s := p.Effects.Refuge; s != 0 {
		lines = append(lines, "The Tyrant:", "  "+shortNames[s])
	}
	for i, l := range lines {
		m.writeText(x, y+i, l)
	}
}

func (m textMap) lines() []string {
	out := make([]string, len(m))
	for i, l := range m {
		out[i] = strings.TrimRight(string(l), " ")
	}
	return out
}
