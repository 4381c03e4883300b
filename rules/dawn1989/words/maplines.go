package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"samizdat/rules/dawn1989/engine"
)

// The map as text: a line for each space, country by country. What a reader
// needs first stands within some 40 columns, for telephones; the neighbours
// follow, abbreviated as orders may abbreviate them.

// kindLetters are the types of spaces on the map.
const kindLetters = "EBFWISCM"

// nameWidth is the width of the longest name.
const nameWidth = 26

// mapLines draws the map.
func mapLines(v *engine.View, changed engine.Changes) []string {
	out := slices.Clone(mapKey)
	for c := engine.EastGermany; c < engine.Countries; c++ {
		out = append(out, "", fmt.Sprintf("%s  %s", strings.ToUpper(c.String()), countryNote(v, c, changed)))
		for _, l := range standings(v, c) {
			out = append(out, "  "+l)
		}
		set := engine.InCountry[c]
		for s := set.Next(); s != 0; s = set.Next() {
			out = append(out, spaceLines(v, s, changed)...)
		}
	}
	return out
}

// mapKey explains the columns.
var mapKey = []string{
	"Type and stability, ! battleground, support of Democrat and Communist,",
	"control (D or C), * changed just now, neighbours. E elite, B bureaucrat,",
	"F farmer, W worker, I intellectual, S student, C church, M minority.",
}

// countryNote is who holds Power in a country, with the mark of a change, and what the
// country would give.
func countryNote(v *engine.View, c engine.Country, changed engine.Changes) string {
	note := "Power: " + sideTitles[v.Seen.Power[c].Held] + changeMark(changed.Power[c])
	if v.Seen.Ending == engine.NotOver {
		note += fmt.Sprintf("; scored now: %s VP", signed(worth(&v.Seen, c)))
	}
	return "(" + note + ")"
}

// changeMark stands behind what has changed.
func changeMark(changed bool) string {
	if changed {
		return "*"
	}
	return ""
}

// spaceLines is a space, with a second line if it has many neighbours.
func spaceLines(v *engine.View, s engine.Space, changed engine.Changes) []string {
	p, head := &v.Seen, spaceTitles()[s]
	if s == p.Destroyed {
		return []string{fmt.Sprintf("%-*s  destroyed%s", nameWidth+4, head[:nameWidth+4], changeMark(changed.Spaces.Has(s)))}
	}
	control, mark := " ", " "
	for side := engine.Democrat; side <= engine.Communist; side++ {
		if p.Controls[side].Has(s) {
			control = sideTitles[side][:1]
		}
	}
	if changed.Spaces.Has(s) {
		mark = changeMark(true)
	}
	line := make([]byte, 0, columns)
	line = append(append(line, head...), pointColumn(p.Support[engine.Democrat][s])...)
	line = append(append(append(line, pointColumn(p.Support[engine.Communist][s])...), ' '), control...)
	line = append(line, mark...)
	var lines []string
	width := len(line)
	set := p.Neighbours(s)
	for n := set.Next(); n != 0; n = set.Next() {
		name := short(n)
		if len(line)+1+len(name) > columns {
			lines = append(lines, string(line))
			line = append(line[:0], strings.Repeat(" ", width)...)
		}
		line = append(append(line, ' '), name...)
	}
	return append(lines, string(line))
}

// spaceTitles are what stands of each space before its support, which never changes.
var spaceTitles = sync.OnceValue(func() *[engine.Spaces]string {
	var out [engine.Spaces]string
	for s := engine.Space(1); s < engine.Spaces; s++ {
		info, battle := s.Info(), " "
		if info.Battleground {
			battle = "!"
		}
		out[s] = fmt.Sprintf("%c%d%s %-*s", kindLetters[info.Kind], info.Stability, battle, nameWidth, info.Name)
	}
	return &out
})

// pointColumn is support in the map of a text, behind a space.
func pointColumn(n int16) string {
	if text := points2(n); len(text) > 1 {
		return " " + text
	} else {
		return "  " + text
	}
}

// points2 writes no support as a dot, which is easier to pass over.
func points2(n int16) string {
	if n == 0 {
		return "."
	}
	return strconv.Itoa(int(n))
}

// short is the shortest beginning that orders understand as one space; a hyphen joins
// those of two words.
func short(s engine.Space) string { return shortNames()[s] }

// shortNames takes longer to make than most commands take that show none.
var shortNames = sync.OnceValue(abbreviations)

// nearNames are the abbreviations of a space's neighbours, while none is destroyed.
var nearNames = sync.OnceValue(func() *[engine.Spaces]string {
	var out [engine.Spaces]string
	for s := engine.Space(1); s < engine.Spaces; s++ {
		out[s] = shortNamesOf(engine.Adjacent[s], " ")
	}
	return &out
})

// shortList names the spaces of a set by their abbreviations.
func shortList(set engine.SpaceSet) string { return shortNamesOf(set, ", ") }

func shortNamesOf(set engine.SpaceSet, between string) string {
	var out []string
	for s := set.Next(); s != 0; s = set.Next() {
		out = append(out, short(s))
	}
	return strings.Join(out, between)
}

// shortest is the least number of letters of an abbreviation: fewer are hard to
// read.
const shortest = 4

func abbreviations() *[engine.Spaces]string {
	var out [engine.Spaces]string
	var all [engine.Spaces][]string
	for s := engine.Space(1); s < engine.Spaces; s++ {
		all[s] = parts(s.String())
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		out[s] = abbreviate(s, &all)
	}
	return &out
}

// abbreviate tries a beginning of one word of the name, then of two words.
func abbreviate(s engine.Space, all *[engine.Spaces][]string) string {
	name, words := s.String(), all[s]
	telling := words
	if s.Info().Kind == engine.Church {
		// What country a church is of says less than which church it is.
		telling = words[1:]
	}
	for n := shortest; n < len(name); n++ {
		for _, w := range telling {
			if len(w) > n && only(s, all, w[:n]) {
				return w[:n]
			}
			if len(w) <= n && only(s, all, w) {
				return w
			}
		}
	}
	for n := shortest; n < len(name); n++ {
		var ab []string
		for _, w := range words[:min(2, len(words))] {
			ab = append(ab, w[:min(n, len(w))])
		}
		if only(s, all, ab...) {
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
func only(s engine.Space, all *[engine.Spaces][]string, ab ...string) bool {
	for t := engine.Space(1); t < engine.Spaces; t++ {
		if t != s && begun(all[t], ab) && s.String() != strings.Join(ab, " ") {
			return false
		}
	}
	return begun(all[s], ab)
}

func begun(words, ab []string) bool {
	for _, w := range words {
		if len(ab) > 0 && strings.HasPrefix(w, ab[0]) {
			ab = ab[1:]
		}
	}
	return len(ab) == 0
}
