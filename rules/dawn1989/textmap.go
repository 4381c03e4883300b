package dawn1989

import (
	"fmt"
	"strings"
)

// The map as text: a line for each space, country by country. What a reader
// needs first stands within some 40 columns, for telephones; the neighbours
// follow, abbreviated as orders may abbreviate them.

// kindLetters are the types of spaces on the map.
const kindLetters = "EBFWISCM"

// nameWidth is the width of the longest name.
const nameWidth = 26

// mapLines draws the map.
func (v *View) mapLines() []string {
	out := []string{
		"Type and stability, ! battleground, support of Democrat and Communist,",
		"control (D or C), neighbours. E elite, B bureaucrat, F farmer, W worker,",
		"I intellectual, S student, C church, M minority.",
	}
	for c := EastGermany; c < countries; c++ {
		out = append(out, "")
		out = append(out, v.countryLines(c)...)
	}
	return out
}

func (v *View) countryLines(c Country) []string {
	p := &v.p
	out := []string{fmt.Sprintf("%s  (Power: %s)", strings.ToUpper(c.String()), sideTitles[p.power[c].Held])}
	for s := Democrat; s <= Communist; s++ {
		level, battles := p.level(s, c)
		out = append(out, fmt.Sprintf("  %-9s controls %d, %s: %v", sideTitles[s],
			p.inCountry(s, c), count(battles, "battleground"), level))
	}
	set := inCountry[c]
	for s := set.next(); s != 0; s = set.next() {
		out = append(out, v.spaceLines(s)...)
	}
	return out
}

// spaceLines is a space, with a second line if it has many neighbours.
func (v *View) spaceLines(s Space) []string {
	p := &v.p
	info := s.Info()
	battle, control := " ", " "
	if info.Battleground {
		battle = "!"
	}
	for side := Democrat; side <= Communist; side++ {
		if p.controls[side].has(s) {
			control = sideTitles[side][:1]
		}
	}
	head := fmt.Sprintf("%c%d%s %-*s %2s %2s %s", kindLetters[info.Kind], info.Stability, battle, nameWidth, info.Name,
		points2(p.support[Democrat][s]), points2(p.support[Communist][s]), control)
	if s == p.destroyed {
		return []string{fmt.Sprintf("%-*s  destroyed", nameWidth+4, head[:nameWidth+4])}
	}
	var near []string
	set := p.neighbours(s)
	for n := set.next(); n != 0; n = set.next() {
		near = append(near, short[n])
	}
	lines := []string{head + " "}
	for _, n := range near {
		last := &lines[len(lines)-1]
		if len(*last)+1+len(n) > columns {
			lines = append(lines, strings.Repeat(" ", len(head)+1))
			last = &lines[len(lines)-1]
		}
		*last += " " + n
	}
	return lines
}

// points2 writes no support as a dot, which is easier to pass over.
func points2(n int16) string {
	if n == 0 {
		return "."
	}
	return fmt.Sprint(n)
}

// short are the shortest beginnings that orders understand as one space; a hyphen
// joins those of two words.
var short = abbreviations()

// shortList names the spaces of a set by their abbreviations.
func shortList(set SpaceSet) string {
	var out []string
	for s := set.next(); s != 0; s = set.next() {
		out = append(out, short[s])
	}
	return strings.Join(out, ", ")
}

// shortest is the least number of letters of an abbreviation: fewer are hard to
// read.
const shortest = 4

func abbreviations() [spaces]string {
	var out [spaces]string
	for s := Space(1); s < spaces; s++ {
		out[s] = abbreviate(s)
	}
	return out
}

// abbreviate tries a beginning of one word of the name, then of two words.
func abbreviate(s Space) string {
	name := s.String()
	words := parts(name)
	telling := words
	if s.Info().Kind == Church {
		// What country a church is of says less than which church it is.
		telling = words[1:]
	}
	for n := shortest; n < len(name); n++ {
		for _, w := range telling {
			if len(w) > n && only(s, w[:n]) {
				return w[:n]
			}
			if len(w) <= n && only(s, w) {
				return w
			}
		}
	}
	for n := shortest; n < len(name); n++ {
		var ab []string
		for _, w := range words[:min(2, len(words))] {
			ab = append(ab, w[:min(n, len(w))])
		}
		if only(s, ab...) {
			return strings.Join(ab, "-")
		}
	}
	return name
}

func parts(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' || r == '/' })
}

// only reports whether beginnings of words, in their order, mean just one space.
// A whole name beats beginnings.
func only(s Space, ab ...string) bool {
	for t := Space(1); t < spaces; t++ {
		if t != s && begun(parts(t.String()), ab) && s.String() != strings.Join(ab, " ") {
			return false
		}
	}
	return begun(parts(s.String()), ab)
}

func begun(words, ab []string) bool {
	for _, w := range words {
		if len(ab) > 0 && strings.HasPrefix(w, ab[0]) {
			ab = ab[1:]
		}
	}
	return len(ab) == 0
}
