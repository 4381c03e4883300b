package words

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// This file writes the map as text: a line for each space, grouped by country. The important columns fit in 40
// characters, so that a telephone shows them. Behind them are the neighbours, abbreviated; players may use the
// abbreviations in orders.

// typeLetters are the letters of the types of spaces, indexed by engine.SpaceType.
const typeLetters = "EBFWISCM"

const nameWidth = 26

func mapLines(v *engine.View, changed engine.Changes) []string {
	out := slices.Clone(mapLegend)
	for c := engine.EastGermany; c < engine.Countries; c++ {
		out = append(out, "", fmt.Sprintf("%s  %s", strings.ToUpper(c.String()), countryNote(v, c, changed)))
		for _, l := range currentScores(v, c) {
			out = append(out, "  "+l)
		}
		for _, s := range engine.InCountry[c].List() {
			out = append(out, spaceLines(v, s, changed)...)
		}
	}
	return out
}

// smallMap writes the map in about a dozen lines. For each country it lists first the spaces with support and then
// those without, for example "Hungary (Communist, 0 VP): Hung-Cath 1-0, Misk! 0-1, Debr! 0-1; Gyor Tata Pecs".
func smallMap(v *engine.View) (out []string) {
	for c := engine.EastGermany; c < engine.Countries; c++ {
		var supported, others []string
		for _, s := range engine.InCountry[c].List() {
			name, p := abbreviation(s), &v.Visible
			if s.Info().Battleground {
				name += "!"
			}
			democrat, communist := p.Support[engine.Democrat][s], p.Support[engine.Communist][s]
			switch {
			case s == p.Destroyed:
				supported = append(supported, name+" destroyed")
			case democrat == 0 && communist == 0:
				others = append(others, name)
			default:
				supported = append(supported, strings.TrimSpace(fmt.Sprintf("%s %d-%d %s", name, democrat, communist, controlLetter(p, s))))
			}
		}
		lists := []string{strings.Join(supported, ", "), strings.Join(others, " ")}
		lists = slices.DeleteFunc(lists, func(list string) bool { return list == "" })
		title := fmt.Sprintf("%s (%s, %s VP)", c, sideTitles[v.Visible.Power[c].Holder], formatSigned(scoreChange(&v.Visible, c)))
		out = append(out, formatItem(title, strings.Join(lists, "; "))...)
	}
	return out
}

var mapLegend = []string{
	"In each line: type and stability (! marks a battleground), name, support of",
	"Democrat and Communist, who controls it (D or C), * if something there has",
	"just changed, and its neighbours. Types: E elite, B bureaucrat, F farmer,",
	"W worker, I intellectual, S student, C church, M minority.",
}

func countryNote(v *engine.View, c engine.Country, changed engine.Changes) string {
	note := "Power: " + sideTitles[v.Visible.Power[c].Holder] + changeMark(changed.Power[c])
	if v.Visible.Ending == engine.NotOver {
		note += fmt.Sprintf("; if scored now: %s VP", formatSigned(scoreChange(&v.Visible, c)))
	}
	return "(" + note + ")"
}

func changeMark(hasChanged bool) string {
	if hasChanged {
		return "*"
	}
	return ""
}

// spaceLines returns the line of a space. If not all its neighbours fit in the line, a second line follows.
func spaceLines(v *engine.View, s engine.Space, changed engine.Changes) []string {
	p, title := &v.Visible, spaceTitles()[s]
	if s == p.Destroyed {
		return []string{fmt.Sprintf("%-*s  destroyed%s", nameWidth+4, title[:nameWidth+4], changeMark(changed.Spaces.Has(s)))}
	}
	control, mark := cmp.Or(controlLetter(p, s), " "), " "
	if changed.Spaces.Has(s) {
		mark = changeMark(true)
	}
	line := make([]byte, 0, lineWidth)
	line = append(append(line, title...), formatPointColumn(p.Support[engine.Democrat][s])...)
	line = append(append(append(line, formatPointColumn(p.Support[engine.Communist][s])...), ' '), control...)
	line = append(line, mark...)
	var lines []string
	width := len(line)
	for _, n := range p.Neighbours(s).List() {
		name := abbreviation(n)
		if len(line)+1+len(name) > lineWidth {
			lines = append(lines, string(line))
			line = append(line[:0], strings.Repeat(" ", width)...)
		}
		line = append(append(line, ' '), name...)
	}
	return append(lines, string(line))
}

// spaceTitles has, for each space, the columns at the beginning of its line that never change, for example "W3!
// Gdansk".
var spaceTitles = sync.OnceValue(func() *[engine.Spaces]string {
	var out [engine.Spaces]string
	for s := engine.Space(1); s < engine.Spaces; s++ {
		info, battle := s.Info(), " "
		if info.Battleground {
			battle = "!"
		}
		out[s] = fmt.Sprintf("%c%d%s %-*s", typeLetters[info.Type], info.Stability, battle, nameWidth, info.Name)
	}
	return &out
})

func controlLetter(p *engine.Position, s engine.Space) string {
	switch {
	case p.Controlled[engine.Democrat].Has(s):
		return "D"
	case p.Controlled[engine.Communist].Has(s):
		return "C"
	}
	return ""
}

func formatPointColumn(n int16) string {
	text := formatPoints(n)
	if len(text) > 1 {
		return " " + text
	}
	return "  " + text
}

func formatPoints(n int16) string {
	if n == 0 {
		return "."
	}
	return strconv.Itoa(int(n))
}

// abbreviation returns the shortest unique abbreviation of a space: the beginning of a word of its name, or the
// beginnings of two words with a hyphen, for example "Poli-Cath".
func abbreviation(s engine.Space) string { return abbreviationNames()[s] }

// abbreviationNames is computed only when it is first needed, because most commands of the program need no
// abbreviations.
var abbreviationNames = sync.OnceValue(newAbbreviations)

// neighbourNames has the abbreviated neighbours of each space, as long as no space is destroyed.
var neighbourNames = sync.OnceValue(func() *[engine.Spaces]string {
	var out [engine.Spaces]string
	for s := engine.Space(1); s < engine.Spaces; s++ {
		out[s] = shortNamesOf(engine.Adjacent[s], " ")
	}
	return &out
})

func abbreviatedList(set engine.SpaceSet) string { return shortNamesOf(set, ", ") }

func shortNamesOf(set engine.SpaceSet, separator string) string {
	return strings.Join(mapTexts(set.List(), abbreviation), separator)
}

// minAbbreviation is the minimum length of an abbreviated word, because shorter abbreviations would be hard to read.
const minAbbreviation = 4

func newAbbreviations() *[engine.Spaces]string {
	var out [engine.Spaces]string
	var all [engine.Spaces][]string
	for s := engine.Space(1); s < engine.Spaces; s++ {
		all[s] = splitName(s.String())
	}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		out[s] = abbreviate(s, &all)
	}
	return &out
}

// abbreviate returns the abbreviation of a space (see abbreviation). all has the words of all names of spaces.
func abbreviate(s engine.Space, all *[engine.Spaces][]string) string {
	name, words := s.String(), all[s]
	distinctive := words
	if s.Info().Type == engine.Church {
		// The first word of a church's name is the country, which other names contain too.
		distinctive = words[1:]
	}
	for n := minAbbreviation; n < len(name); n++ {
		for _, w := range distinctive {
			if len(w) > n && isUnique(s, all, w[:n]) {
				return w[:n]
			}
			if len(w) <= n && isUnique(s, all, w) {
				return w
			}
		}
	}
	for n := minAbbreviation; n < len(name); n++ {
		var prefixes []string
		for _, w := range words[:min(2, len(words))] {
			prefixes = append(prefixes, w[:min(n, len(w))])
		}
		if isUnique(s, all, prefixes...) {
			return strings.Join(prefixes, "-")
		}
	}
	return name
}

func splitName(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '-' || r == '/' })
}

// isUnique reports whether s is the only space with words that begin with these prefixes, in this order. A complete
// name is always unique.
func isUnique(s engine.Space, all *[engine.Spaces][]string, prefixes ...string) bool {
	for t := engine.Space(1); t < engine.Spaces; t++ {
		if t != s && matchesPrefixes(all[t], prefixes) && s.String() != strings.Join(prefixes, " ") {
			return false
		}
	}
	return matchesPrefixes(all[s], prefixes)
}

func matchesPrefixes(words, prefixes []string) bool {
	for _, w := range words {
		if len(prefixes) > 0 && strings.HasPrefix(w, prefixes[0]) {
			prefixes = prefixes[1:]
		}
	}
	return len(prefixes) == 0
}

// The functions below compute scores. Positive VP are good for the Democrat, negative VP for the Communist.

// scoreNow returns how a country would be scored now for a side: its level, the number of its battlegrounds, and the
// VP for both together (total).
func scoreNow(p *engine.Position, s engine.Side, c engine.Country) (level engine.Level, battlegrounds, total int) {
	level, battlegrounds = p.CountryLevel(s, c)
	return level, battlegrounds, engine.CountryValues[c].Levels[level] + battlegrounds
}

// scoreChange returns by how much the VP would change if the country were scored now.
func scoreChange(p *engine.Position, c engine.Country) int {
	_, _, democrat := scoreNow(p, engine.Democrat, c)
	_, _, communist := scoreNow(p, engine.Communist, c)
	return democrat - communist
}

// currentScores returns a line for each side that controls a space in the country. The line shows the VP that the
// side would get if the country were scored now.
func currentScores(v *engine.View, c engine.Country) []string {
	p := &v.Visible
	var out []string
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if n := p.CountControlled(s, c); n > 0 {
			level, battlegrounds, total := scoreNow(p, s, c)
			out = append(out, fmt.Sprintf("%-9s controls %d (%s): %v %d + %d = %d", sideTitles[s], n, pluralize(battlegrounds, "battleground"),
				level, total-battlegrounds, battlegrounds, total))
		}
	}
	return out
}

func vpLine(p *engine.Position) string {
	goal := ""
	if p.Ending == engine.NotOver {
		goal = "; the Democrat wins at +20, the Communist at -20"
	}
	return fmt.Sprintf("VP: %s%s%s", formatSigned(int(p.VP)), describeLead(p), goal)
}

// scoreLines returns lines with the VP that each country would give if it were scored now, and with the result of a
// final scoring now.
func scoreLines(p *engine.Position) []string {
	var list []string
	sum := 0
	for c := engine.EastGermany; c < engine.Countries; c++ {
		n := scoreChange(p, c)
		sum += n
		list = append(list, fmt.Sprintf("%v %s", c, formatSigned(n)))
	}
	power := engine.FinalPowerVP * p.CountPowers(engine.Communist)
	text := fmt.Sprintf("VP %s, countries %s, Power held %s", formatSigned(int(p.VP)), formatSigned(sum), formatSigned(power))
	total := int(p.VP) + sum + power
	if p.Effects.Refuge != 0 {
		text += fmt.Sprintf(", the Tyrant %d", engine.FinalRefugeVP)
		total += engine.FinalRefugeVP
	}
	return append(formatItem("VP of each country if scored now", joinComma(list)),
		formatItem(fmt.Sprintf("Final scoring (turn %d), if it came now", engine.Turns), fmt.Sprintf("%s; total "+
			"%s", text, formatSigned(total)))...)
}

// Status implements rules.LetterTexts. If the line would be too long, it leaves out less important facts.
func (Words) Status(rv rules.View) string {
	v := rv.(*engine.View)
	p := &v.Visible
	if p.Ending != engine.NotOver {
		return fmt.Sprintf("%s: VP %s%s.", capitalize(p.Ending.String()), formatSigned(int(p.VP)), describeLead(p))
	}
	if p.Phase == engine.PhaseBid {
		return "The players are bidding for sides. " + sideToAnswer(p) + "."
	}
	moment := fmt.Sprintf("Turn %d of %d, %s.", p.Turn, engine.Turns, describeMoment(p))
	answering := sideToAnswer(p) + "."
	for _, line := range []string{
		fmt.Sprintf("%s %s VP %s%s.", moment, answering, formatSigned(int(p.VP)), describeLead(p)),
		fmt.Sprintf("Turn %d, %s. %s VP %s%s.", p.Turn, describeMoment(p), answering, formatSigned(int(p.VP)), describeLead(p)),
		fmt.Sprintf("%s %s VP %s.", moment, answering, formatSigned(int(p.VP))),
	} {
		if len(line) <= lineWidth {
			return line
		}
	}
	return moment + " " + answering
}

// describeMoment describes the moment in the turn, for example "round 3 of 7".
func describeMoment(p *engine.Position) string {
	if c := p.Struggle.Country; c != engine.NoCountry {
		return fmt.Sprintf("power struggle in %v", c)
	}
	switch p.Phase {
	case engine.PhaseSetup:
		return "set-up"
	case engine.PhaseDeal:
		return "the deal"
	case engine.PhaseExchange:
		return "before the action rounds"
	case engine.PhaseFreeCheck, engine.PhaseHeldCards, engine.PhaseFinalStruggle:
		return "after the action rounds"
	case engine.PhaseFinal:
		return "final scoring"
	}
	if p.Round > engine.RoundsPerTurn {
		return fmt.Sprintf("extra round %d", p.Round)
	}
	return fmt.Sprintf("round %d%s", p.Round, ofRoundsText)
}

var ofRoundsText = fmt.Sprintf(" of %d", engine.RoundsPerTurn)

// sideToAnswer says which side must answer, and what kind of answer is expected, for example "Communist to attack",
// or "Democrat to play" if a card must be played.
func sideToAnswer(p *engine.Position) string {
	q := &p.Question
	switch q.Kind {
	case engine.AskNothing:
		if p.Phase == engine.PhaseDeal {
			return "The referee deals next"
		}
		return "The referee deals or rolls next"
	case engine.AskBid:
		return "Both players bid at the same time"
	case engine.AskSide:
		return bidderNames[q.Side] + " chooses"
	case engine.AskRound, engine.AskExtraRound, engine.AskStrike:
		return sideTitles[q.Side] + " to play"
	case engine.AskAttack:
		return sideTitles[q.Side] + " to attack"
	case engine.AskDefend:
		return sideTitles[q.Side] + " to defend"
	}
	return sideTitles[q.Side] + " to move"
}

func describeLead(p *engine.Position) string {
	switch {
	case p.VP > 0:
		return " (Democrat ahead)"
	case p.VP < 0:
		return " (Communist ahead)"
	}
	return ""
}
