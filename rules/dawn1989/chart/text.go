package chart

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// The map as text on the same grid as the picture, with lines for connections.

const (
	// A cell is nine columns and two lines, with gaps of two columns and two lines.
	geoWidth  = 9
	geoRight  = geoWidth + 2
	geoDown   = 4
	geoMiddle = geoWidth / 2
	geoTop    = 1 // leaves a line for a name above the first row
)

// geoNames are the names of spaces in nine letters. Orders understand them.
var geoNames = [engine.Spaces]string{"", "Schwerin", "Rostock", "Berlin", "German Wr", "Ulbricht", "Lutheran", "Magdeburg",
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

// Text draws the map in ASCII, at most 78 columns wide, below the status of the match, and marks
// the changes that the events made.
func Text(rv rules.View, status string, since []rules.Event) []string {
	v := rv.(*engine.View)
	m := newTextMap()
	m.connections()
	m.drawBorders()
	c := engine.CollectChanges(since)
	for s := engine.Space(1); s < engine.Spaces; s++ {
		x, y := corner(cells[s])
		m.put(x, y, geoNames[s])
		m.put(x, y+1, geoSpace(v, s, c.Spaces.Has(s)))
	}
	for k := engine.EastGermany; k < engine.Countries; k++ {
		m.drawLabel(k, v.Visible.Power[k].Held, c.Power[k])
	}
	m.drawTracks(&v.Visible, &c)
	out := append([]string{status, ""}, m.lines()...)
	if s := v.Visible.Destroyed; s != 0 {
		out = append(out, "", fmt.Sprintf("%v is destroyed: its neighbours are adjacent to each other.", s))
	}
	return append(out, geoLegend...)
}

var geoLegend = []string{
	"",
	"Below a name: type and stability, ! battleground, support of Democrat and",
	"Communist, D or C who controls. A * in place of : or after a word marks what",
	"has changed since the last letter. Dots are borders.",
	"E elite, B bureaucrat, F farmer, W worker, I intellectual, S student,",
	"C church, M minority.",
}

// geoSpace returns the line below a space's name.
func geoSpace(v *engine.View, s engine.Space, changed bool) string {
	if s == v.Visible.Destroyed {
		return "destroyed"
	}
	info := s.Info()
	battle, between, control := " ", ":", " "
	if info.Battleground {
		battle = "!"
	}
	if changed {
		between = "*"
	}
	if side := controlOf(&v.Visible, s); side != engine.Neutral {
		control = sideWords[side][:1]
	}
	text := fmt.Sprintf("%c%d%s", typeLetters[info.Type], info.Stability, battle)
	dem, com := v.Visible.Support[engine.Democrat][s], v.Visible.Support[engine.Communist][s]
	if dem == 0 && com == 0 && !changed {
		return text
	}
	return fmt.Sprintf("%s%2d%s%-2d%s", text, dem, between, com, control)
}

type textMap [][]byte

func newTextMap() textMap {
	m := make(textMap, geoTop+(gridRows-1)*geoDown+2)
	for i := range m {
		m[i] = []byte(strings.Repeat(" ", gridColumns*geoRight))
	}
	return m
}

// corner returns the position of a cell's first character.
func corner(c cell) (x, y int) {
	return int(c.col) * geoRight, geoTop + int(c.row*geoDown+0.5)
}

func (m textMap) put(x, y int, text string) { copy(m[y][x:], text) }

// mark writes a character unless the position is occupied.
func (m textMap) mark(x, y int, c byte) {
	if y >= 0 && y < len(m) && x >= 0 && x < len(m[y]) && m[y][x] == ' ' {
		m[y][x] = c
	}
}

// drawBorders draws dots where countries meet and no connection passes.
func (m textMap) drawBorders() {
	for _, corners := range shapes {
		for i, a := range corners {
			b := corners[(i+1)%len(corners)]
			ax, ay := corner(a)
			bx, by := corner(b)
			switch {
			case ax == bx && m.inner(a, b):
				for y := min(ay, by); y < max(ay, by)-1; y++ {
					m.mark(ax-1, y, ':')
				}
			case ay == by && m.inner(a, b):
				for x := (min(ax, bx) + 1) &^ 1; x < max(ax, bx)-1; x += 2 {
					m.mark(x, ay-1, '.')
				}
			}
		}
	}
}

// inner reports whether a border is not the edge of the grid.
func (m textMap) inner(a, b cell) bool {
	return !(a.col == b.col && (a.col == 0 || a.col == gridColumns)) && !(a.row == b.row && (a.row == 0 || a.row == gridRows))
}

func (m textMap) connections() {
	for a := engine.Space(1); a < engine.Spaces; a++ {
		for _, b := range engine.Adjacent[a].List() {
			if a < b {
				m.connect(cells[a], cells[b], bends[[2]engine.Space{a, b}] != cell{})
			}
		}
	}
}

// connect draws a line. Bent lines first go straight down, then turn to their end.
func (m textMap) connect(a, b cell, bent bool) {
	if a.row > b.row || a.row == b.row && a.col > b.col {
		a, b = b, a
	}
	ax, ay := corner(a)
	bx, by := corner(b)
	switch {
	case ay == by:
		// The names at both ends cover the excess.
		for x := ax; x < bx; x++ {
			m.set(x, ay, '-')
		}
	case ax == bx:
		for y := ay + 2; y < by; y++ {
			m.set(ax+geoMiddle, y, '|')
		}
	default:
		step, c, x := 1, byte('\\'), ax+geoWidth
		if bx < ax {
			step, c, x = -1, '/', ax-1
		}
		y, n := ay+2, by-ay-2
		if bent {
			// The last diagonal is as long as the way between two rows.
			for ; n > geoDown-2; n-- {
				m.set(x-step, y, '|')
				y++
			}
		}
		// The way between two columns is two characters: a longer diagonal begins and ends below and above the boxes.
		x -= step * ((n - 1) / 2)
		for range n {
			m.set(x, y, c)
			x, y = x+step, y+1
		}
	}
}

func (m textMap) set(x, y int, c byte) { m[y][x] = c }

func (m textMap) drawLabel(c engine.Country, held engine.Side, changed bool) {
	x, y := corner(labelCells[c])
	lines := []string{strings.ToUpper(c.String())}
	if one, two, ok := halves(lines[0]); ok {
		lines = []string{one, two}
	}
	power := "Power " + sideWords[held][:1]
	if changed {
		power += "*"
	}
	if c == engine.Poland {
		// A connection runs through this label.
		m.put(x, y-1, lines[0])
		m.put(x, y+1, power)
		return
	}
	for i, l := range append(lines, power) {
		m.put(x, y+i, l)
	}
}

// drawTracks draws the tracks beside Romania and Bulgaria.
func (m textMap) drawTracks(p *engine.Position, c *engine.Changes) {
	star := func(changed bool) string {
		if changed {
			return "*"
		}
		return ""
	}
	x, y := corner(cell{0, 11})
	lines := []string{
		fmt.Sprintf("Turn %d of %d, round %d", p.Turn, engine.Turns, p.Round),
		fmt.Sprintf("VP %s%s", signed(int(p.VP)), star(c.VP)),
		"",
		"Tiananmen Square:",
		fmt.Sprintf("  Democrat %d%s", p.Tiananmen[engine.Democrat].Box, star(c.Tiananmen[engine.Democrat])),
		fmt.Sprintf("  Communist %d%s", p.Tiananmen[engine.Communist].Box, star(c.Tiananmen[engine.Communist])),
		"",
		fmt.Sprintf("U.S.S.R.: box %d%s", p.USSR+1, star(c.USSR)),
	}
	if s := p.Effects.Refuge; s != 0 {
		lines = append(lines, "The Tyrant:", "  "+geoNames[s])
	}
	for i, l := range lines {
		m.put(x, y+i, l)
	}
}

// lines returns the grid without trailing blanks.
func (m textMap) lines() []string {
	out := make([]string, len(m))
	for i, l := range m {
		out[i] = strings.TrimRight(string(l), " ")
	}
	return out
}
