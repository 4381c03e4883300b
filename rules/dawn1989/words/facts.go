package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"samizdat/internal/lazyregexp"
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// FactReader implements rules.FactReader.
type FactReader struct{}

// Facts implements rules.FactReader. For example, {"map/Gdansk", "W3! 4/1 D"} is the fact of a line of the map. The
// facts {"hand/", "shown"} and {"map/", "shown"} say that a letter shows the hand and the map.
func (FactReader) Facts(rv rules.View) []rules.Fact {
	v := rv.(*engine.View)
	p := &v.Visible
	out := []rules.Fact{
		{Name: "turn", Value: strconv.Itoa(int(p.Turn))}, {Name: "round", Value: strconv.Itoa(int(p.Round))},
		{Name: "VP", Value: formatSigned(int(p.VP))}, {Name: "ahead", Value: leadingSide(p)}, {Name: "winner", Value: sideTitles[winner(v)]},
		{Name: "cards in hand", Value: fmt.Sprintf("%d/%d/%d", v.PileCounts[engine.PileDemocrat], v.PileCounts[engine.PileCommunist],
			v.PileCounts[engine.PileDeck])},
	}
	if q := &p.Question; strings.Contains(sideToAnswer(p), " to ") && p.Ending == engine.NotOver {
		out = append(out, rules.Fact{Name: "to move", Value: sideTitles[q.Side]})
	}
	if side := p.SideOf(v.Seat()); side != engine.Neutral && p.Phase != engine.PhaseBid {
		out = append(out, rules.Fact{Name: "hand/", Value: "shown"})
		for _, c := range p.Piles[engine.HandPile(side)].List() {
			current := 0
			if c.Info().Scoring == engine.NoCountry {
				current = p.OpsValue(side, c.Info().Ops, false)
			}
			out = append(out, rules.Fact{Name: "hand/" + c.Info().Name, Value: handValue(int(c), c.Info().Ops, current)})
		}
	}
	out = append(out, rules.Fact{Name: "map/", Value: "shown"})
	for s := engine.Space(1); s < engine.Spaces; s++ {
		out = append(out, rules.Fact{Name: "map/" + s.String(), Value: spaceValue(p, s)})
	}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		out = append(out, rules.Fact{Name: "power/" + c.String(), Value: sideTitles[p.Power[c].Holder]},
			rules.Fact{Name: "worth of " + c.String(), Value: formatSigned(scoreChange(p, c))})
	}
	if struggle := &p.Struggle; struggle.Country != engine.NoCountry {
		if side := p.SideOf(v.Seat()); side != engine.Neutral {
			out = append(out, rules.Fact{Name: "struggle cards", Value: sortedItems(handList(struggle.Hands[side]))})
		}
		out = append(out, rules.Fact{Name: "struggle cards held", Value: fmt.Sprintf("%d/%d", v.StruggleCounts[engine.Democrat],
			v.StruggleCounts[engine.Communist])})
	}
	return out
}

func leadingSide(p *engine.Position) string {
	switch {
	case p.VP > 0:
		return sideTitles[engine.Democrat]
	case p.VP < 0:
		return sideTitles[engine.Communist]
	}
	return ""
}

// handValue returns the value of the fact of a card in the hand: its number, printed Ops and current Ops, for example
// "40 2/3".
func handValue(number, ops, current int) string { return fmt.Sprintf("%d %d/%d", number, ops, current) }

// spaceValue returns the value of the fact of a space on the map, for example "W3! 4/1 D".
func spaceValue(p *engine.Position, s engine.Space) string {
	kind := strings.Fields(spaceTitles()[s])[0]
	if s == p.Destroyed {
		return kind + " destroyed"
	}
	return fmt.Sprintf("%s %s/%s %s", kind, formatPoints(p.Support[engine.Democrat][s]), formatPoints(p.Support[engine.Communist][s]),
		controlLetter(p, s))
}

func sortedItems(list string) string {
	if list == "none" {
		return ""
	}
	return strings.Join(slices.Sorted(strings.SplitSeq(list, ", ")), ", ")
}

// Patterns that find facts in the text of letters. eventFactPattern finds dice and changes of VP, for example "rolled
// 4" or "by +2 (scoring): VP 5". sumPattern finds sums, for example "rolled 4 + 2 Ops: total 6". Some patterns begin
// with a word instead of \b, which makes them several times as fast.
var (
	turnPattern      = lazyregexp.New(`Turn (\d+)\b`)
	finalTurnPattern = lazyregexp.New(`Final position: turn (\d+)\b`)
	roundPattern     = lazyregexp.New(`round (\d+)\b`)
	vpPattern        = lazyregexp.New(`VP:? ([+-]?\d+)`)
	aheadPattern     = lazyregexp.New(`\((Democrat|Communist) ahead\)`)
	toMovePattern    = lazyregexp.New(`\b(Democrat|Communist) (?:is to [a-z]|to (?:move|play|attack|defend)\b)`)
	winnerPattern    = lazyregexp.New(`\b(Democrat|Communist) wins:`)
	countsPattern    = lazyregexp.New(`Democrat (\d+), Communist (\d+)(?:; \D*(\d+))?`)
	handPattern      = lazyregexp.New(`^ {0,2}(\d+)\s+(.+?)\s+(?:(\d+) Ops?(?:, now (\d+))?|scoring)\b`)
	powerPattern     = lazyregexp.New(`\s\(\w+: (\w+)\*?(?:; .*?([+-]?\d+) VP)?\)`)
	eventFactPattern = lazyregexp.New(`\b(?:die|rolled) (\d+)\b|\brolls (\d+)\b|\bsecond (\d+)\b|, the (?:Democrat|Communist) (\d+) \+|\bby ([+-]?\d+) \(.*?\): VP ([+-]?\d+)|: ([+-]?\d+) VP, now ([+-]?\d+)`)
	sumPattern       = lazyregexp.New(`(?:\bdie|\brolls|\brolled|, the (?:Democrat|Communist)) (\d+)((?: [+-] \d[^=:]*?)?)(?: =|: total) (-?\d+)`)
	termPattern      = lazyregexp.New(`[+-] \d+`)
	olderCounts      = lazyregexp.New(` \((\d)\)`) // Older letters have "Rally (2)" for "Rally x2".
)

// ReadFacts implements rules.FactReader. For example, the first line of a letter, "Turn 1 of 10, round 3 of 7. ...",
// yields {"turn", "1"} and {"round", "3"}.
func (FactReader) ReadFacts(title string, lines []string) []rules.Fact {
	title = strings.ToLower(title)
	text := strings.Join(lines, " ")
	switch {
	case title == "":
		return findFacts(text, headPatterns)
	case title == "what is known":
		return slices.Concat(readScoreFacts(lines), readCountFacts(text))
	case title == "your hand":
		return readHandFacts(lines)
	case title == "the map":
		return readMapFacts(lines)
	case strings.HasPrefix(title, "the power struggle in"):
		return readStruggleFacts(lines)
	}
	return nil
}

type factPattern struct {
	name    string
	pattern *lazyregexp.Regexp
}

// scorePatterns find the facts "VP" and "ahead", and headPatterns the facts in the first lines of a letter.
var (
	scorePatterns = []factPattern{{"VP", vpPattern}, {"ahead", aheadPattern}}
	headPatterns  = append(slices.Clip(scorePatterns), []factPattern{{"round", roundPattern}, {"to move", toMovePattern},
		{"turn", turnPattern}, {"turn", finalTurnPattern}, {"winner", winnerPattern}}...)
)

func findFacts(text string, patterns []factPattern) (out []rules.Fact) {
	for _, p := range patterns {
		for _, m := range p.pattern.FindAllStringSubmatch(text, -1) {
			out = append(out, rules.Fact{Name: p.name, Value: m[1]})
		}
	}
	return out
}

func readScoreFacts(lines []string) (out []rules.Fact) {
	for _, l := range lines {
		if strings.HasPrefix(l, "VP:") {
			out = append(out, findFacts(l, scorePatterns)...)
		}
	}
	return out
}

func readCountFacts(text string) (out []rules.Fact) {
	if m := countsPattern.FindStringSubmatch(text); m != nil && m[3] != "" {
		out = append(out, rules.Fact{Name: "cards in hand", Value: m[1] + "/" + m[2] + "/" + m[3]})
	}
	return out
}

// readHandFacts parses the lines of the hand. For example, " 40  Hungarian Democratic Forum  2 Ops, now 3" gives
// {"hand/Hungarian Democratic Forum", "40 2/3"}.
func readHandFacts(lines []string) []rules.Fact {
	out := []rules.Fact{{Name: "hand/", Value: "shown"}}
	for _, l := range lines {
		m := handPattern.FindStringSubmatch(l)
		if m == nil || !cardTitles()[m[2]] {
			continue
		}
		number, _ := strconv.Atoi(m[1])
		ops, _ := strconv.Atoi(m[3])
		current := ops
		if m[4] != "" {
			current, _ = strconv.Atoi(m[4])
		}
		out = append(out, rules.Fact{Name: "hand/" + m[2], Value: handValue(number, ops, current)})
	}
	return out
}

var cardTitles = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for c := engine.Card(1); c < engine.Cards; c++ {
		out[c.Info().Name] = true
	}
	return out
})

var countryTitles = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for c := engine.EastGermany; c < engine.Countries; c++ {
		out[strings.ToUpper(c.String())] = c.String()
	}
	return out
})

func readMapFacts(lines []string) []rules.Fact {
	out := []rules.Fact{{Name: "map/", Value: "shown"}}
	for _, l := range lines {
		if m := powerPattern.FindStringSubmatch(l); m != nil {
			title, _, _ := strings.Cut(l, "(")
			if c := countryTitles()[strings.ToUpper(strings.TrimSpace(title))]; c != "" {
				if out = append(out, rules.Fact{Name: "power/" + c, Value: m[1]}); m[2] != "" {
					out = append(out, rules.Fact{Name: "worth of " + c, Value: m[2]})
				}
			}
		}
		if f, ok := readSpaceFact(strings.Fields(l)); ok {
			out = append(out, f)
		}
	}
	return out
}

// readSpaceFact parses the words of a line of the map. For example, "W3! Gdansk 4 1 D Szcz Bydg" gives {"map/Gdansk",
// "W3! 4/1 D"}.
func readSpaceFact(words []string) (f rules.Fact, ok bool) {
	if len(words) < 3 {
		return f, false
	}
	for _, name := range spaceNames()[words[1]] {
		cells := words[1:]
		if len(cells) <= len(name) || !slices.Equal(cells[:len(name)], name) {
			continue
		}
		cells = cells[len(name):]
		f.Name = "map/" + strings.Join(name, " ")
		if strings.HasPrefix(cells[0], "destroyed") {
			f.Value = words[0] + " destroyed"
			return f, true
		}
		if len(cells) < 2 {
			return f, false
		}
		control := ""
		if len(cells) > 2 && len(strings.TrimRight(cells[2], "*")) == 1 {
			control = strings.TrimRight(cells[2], "*")
		}
		f.Value = words[0] + " " + cells[0] + "/" + cells[1] + " " + control
		return f, true
	}
	return f, false
}

// spaceNames has, for the first word of a name, all names of spaces that begin with it. A name is a list of its
// words, and the longest name is first.
var spaceNames = sync.OnceValue(func() map[string][][]string {
	out := map[string][][]string{}
	for s := engine.Space(1); s < engine.Spaces; s++ {
		name := strings.Fields(s.String())
		out[name[0]] = append(out[name[0]], name)
	}
	for _, names := range out {
		slices.SortFunc(names, func(a, b []string) int { return len(b) - len(a) })
	}
	return out
})

func readStruggleFacts(lines []string) (out []rules.Fact) {
	for i, l := range lines {
		if list, ok := strings.CutPrefix(l, "Your cards: "); ok {
			for _, more := range lines[i+1:] {
				if !strings.HasPrefix(more, "  ") {
					break
				}
				list += " " + strings.TrimSpace(more)
			}
			out = append(out, rules.Fact{Name: "struggle cards", Value: sortedItems(olderCounts.ReplaceAllString(list, " x$1"))})
		}
		if m := countsPattern.FindStringSubmatch(l); m != nil {
			out = append(out, rules.Fact{Name: "struggle cards held", Value: m[1] + "/" + m[2]})
		}
	}
	return out
}

// EventFacts implements rules.FactReader. It returns a fact for each die, and for each change of the VP.
func (FactReader) EventFacts(rv rules.View, events []rules.Event) (out []rules.Fact) {
	for i, e := range events {
		for _, d := range (Words{}).Dice(rv, events[i:i+1]) {
			out = append(out, rules.Fact{Name: "die", Value: strconv.Itoa(d.N)})
		}
		if e.Kind == engine.EvVP {
			out = append(out, rules.Fact{Name: "VP", Value: formatSigned(int(e.Args[0])) + " to " + formatSigned(int(e.Args[1]))})
		}
	}
	return out
}

// ReadEventFacts implements rules.FactReader. If a letter has a wrong sum, it returns a fact "sum", which EventFacts
// never returns, so that the difference is reported.
func (FactReader) ReadEventFacts(sentences []string) (out []rules.Fact) {
	for _, s := range sentences {
		if !mayHaveEventFacts(s) {
			continue
		}
		s = strings.ReplaceAll(s, spokenMinus, " - ") // Letters for screen readers have spokenMinus.
		for _, m := range eventFactPattern.FindAllStringSubmatch(s, -1) {
			if m[6]+m[8] != "" {
				out = append(out, rules.Fact{Name: "VP", Value: m[5] + m[7] + " to " + m[6] + m[8]})
				continue
			}
			out = append(out, rules.Fact{Name: "die", Value: m[1] + m[2] + m[3] + m[4]})
		}
		for _, m := range sumPattern.FindAllStringSubmatch(s, -1) {
			if total, _ := strconv.Atoi(m[3]); total != sumTerms(m[1], m[2]) {
				out = append(out, rules.Fact{Name: "sum", Value: m[0]})
			}
		}
	}
	return out
}

// mayHaveEventFacts reports whether a sentence contains a word without which the slow patterns for events find no
// facts.
func mayHaveEventFacts(sentence string) bool {
	return slices.ContainsFunc([]string{"die ", "roll", "second ", ", the ", "VP"},
		func(w string) bool { return strings.Contains(sentence, w) })
}

// sumTerms returns the sum of a die and the terms after it. For example, "4" and " + 2 Ops - 1" give 5.
func sumTerms(die, terms string) int {
	sum, _ := strconv.Atoi(die)
	for _, t := range termPattern.FindAllString(terms, -1) {
		n, _ := strconv.Atoi(strings.ReplaceAll(t, " ", ""))
		sum += n
	}
	return sum
}
