package transcript

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// markedChance is a rules.Chance that returns the outcomes in the marks of one line. Each request uses the first
// unused mark that fits: "!roll 3 for Gdansk" fits only a die for Gdansk, and "!draw to democrat 36" only a draw by the
// Democrat.
type markedChance struct {
	*reader
	marks []*mark
	// line is the index of the line in reader.lines. chooseElement searches the lines from this line on.
	line     int
	outcomes []record.Outcome
	// chosenIndexes are indexes in the slice outcomes: the draws of an unknown element ("!draw ?"), which was then chosen.
	chosenIndexes []int
	// drawnCounts counts the elements that each seat has drawn in this line.
	drawnCounts map[seatElement]int
	// missingOutcome describes a requested outcome without a mark; complaint is about a mark with an impossible outcome.
	missingOutcome string
	complaint      *Complaint
}

// seatElement is an element (see foldText) and the seat that has drawn it.
type seatElement struct {
	seat    rules.Seat
	element string
}

func (mc *markedChance) Roll(purpose rules.Reason) (int, error) {
	reason := mc.game.Reason(purpose)
	var mismatched *mark
	for _, m := range mc.marks {
		if m.isUsed || m.roll == 0 {
			continue
		}
		if m.reason != "" && !mentions(reason, m.reason) {
			mismatched = cmp.Or(mismatched, m)
			continue
		}
		m.isUsed = true
		o := mc.names.NewRoll(purpose, m.roll)
		mc.outcomes = append(mc.outcomes, o)
		return m.roll, nil
	}
	mc.missingOutcome = fmt.Sprintf("a die (%s): write \"!roll\" and its number", reason)
	if mismatched != nil {
		mc.missingOutcome = fmt.Sprintf("a die (%s); the die in line %d is for %q", reason, mismatched.line, mismatched.reason)
	}
	return 0, rules.ErrNoOutcome
}

func (mc *markedChance) Draw(d rules.Draw) (int, error) {
	o, err := mc.names.NewDraw(d, 0)
	if err != nil {
		return 0, err
	}
	var m *mark
	for _, candidate := range mc.marks {
		fits := !candidate.isUsed && candidate.roll == 0 && (candidate.seat == rules.NoSeat || candidate.seat == d.To) &&
			(candidate.pile == "" || strings.EqualFold(candidate.pile, o.From))
		if fits && (m == nil || m.isUnknown() && !candidate.isUnknown()) {
			m = candidate
		}
	}
	if m == nil {
		mc.missingOutcome = mc.describeMissingDraw(o)
		return 0, rules.ErrNoOutcome
	}
	i := -1
	if m.isUnknown() {
		i = mc.chooseElement(d)
		mc.chosenIndexes = append(mc.chosenIndexes, len(mc.outcomes))
	} else if m.isUsed, i = true, mc.findElement(d, m.element); i < 0 {
		mc.complaint = &Complaint{Line: m.line, Text: mc.quoteLine(m.line),
			Problem: fmt.Sprintf("%s cannot be drawn from %q now (%s): it is not among the %d elements of the pile", m.element, o.From,
				o.For, len(d.Pile))}
		return 0, rules.ErrNoOutcome
	}
	if o, err = mc.names.NewDraw(d, i); err != nil {
		return 0, err
	}
	o.I = nil // In a game played face to face the order of the pile was not written down.
	mc.outcomes = append(mc.outcomes, o)
	mc.drawnCounts[seatElement{d.To, foldText(fmt.Sprint(o.Draw))}]++
	return i, nil
}

func (mc *markedChance) describeMissingDraw(o record.Outcome) string {
	to, example := "", ""
	if o.To != "" {
		to, example = " for "+o.To, " to "+o.To
	}
	return fmt.Sprintf("a draw from %q%s (%s): write \"!draw%s\" and the element, or \"!draw ?\" if it is unknown", o.From, to, o.For,
		example)
}

// findElement returns the index in the pile of an element, or -1. The element is given by its number, its text, or a
// name or alias of its number in the game. For example, "36" and the title of card 36 find the same card.
func (mc *markedChance) findElement(d rules.Draw, named string) int {
	folded := foldText(named)
	spellings := map[string]bool{folded: true}
	for _, n := range mc.game.Names() {
		if n.Number == 0 {
			continue
		}
		for _, text := range append([]string{n.Text}, n.Aliases...) {
			if foldText(text) == folded {
				spellings[fmt.Sprint(n.Number)] = true
			}
		}
	}
	for i, code := range d.Pile {
		if spellings[mc.elementOf(d, code)] {
			return i
		}
	}
	return -1
}

// chooseElement chooses an element for "!draw ?": the first element that later lines of the drawing seat mention, or an
// element that no later line mentions.
func (mc *markedChance) chooseElement(d rules.Draw) int {
	// unmarkedCounts counts the elements that remain in the pile after those drawn by later marks are subtracted.
	unmarkedCounts := map[string]int{}
	for _, code := range d.Pile {
		unmarkedCounts[mc.elementOf(d, code)]++
	}
	namedElements := map[string]bool{}
	// remaining counts the elements that each seat has drawn before and that later lines have not named yet.
	remaining := maps.Clone(mc.drawnCounts)
	for _, l := range mc.lines[mc.line:] {
		for _, m := range l.marks {
			if !m.isUsed && m.roll == 0 && !m.isUnknown() {
				unmarkedCounts[foldText(m.element)]--
				namedElements[foldText(m.element)] = true
			}
		}
		if l == mc.lines[mc.line] {
			continue
		}
		for _, element := range elements(l.order) {
			namedElements[element] = true
			owner := seatElement{l.seat, element}
			switch {
			case remaining[owner] > 0:
				remaining[owner]--
			case unmarkedCounts[element] <= 0:
			case d.To != rules.NoSeat && l.seat != rules.NoSeat && l.seat != d.To:
				unmarkedCounts[element]--
			default:
				return mc.findElement(d, element)
			}
		}
	}
	return max(0, slices.IndexFunc(d.Pile, func(code int16) bool { return !namedElements[mc.elementOf(d, code)] }))
}

func (mc *markedChance) elementOf(d rules.Draw, code int16) string {
	return foldText(fmt.Sprint(mc.game.Element(d.Kind, code)))
}

// elements returns the elements that an order names, spelled as in piles: the number if there is one, otherwise the
// folded text.
func elements(o rules.Order) []string {
	var out []string
	for _, clause := range o.Clauses {
		for _, item := range clause.Items {
			if item.Name.Number > 0 {
				out = append(out, fmt.Sprint(item.Name.Number))
			} else {
				out = append(out, foldText(item.Name.Text))
			}
		}
	}
	return out
}

// firstUnused returns the first mark of an outcome that was not requested, or nil.
func (mc *markedChance) firstUnused() *mark {
	for _, m := range mc.marks {
		if !m.isUsed && !m.isUnknown() {
			return m
		}
	}
	return nil
}

func mentions(reason, words string) bool { return strings.Contains(foldText(reason), foldText(words)) }

// foldText returns the letters and digits of a text in lower case. For example: "Early Years: 5" becomes
// "earlyyears5".
func foldText(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, text)
}
