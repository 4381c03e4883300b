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

// markedChance is a rules.Chance that returns the outcomes of one line's marks. Each request takes the first
// unused mark that fits it: "!roll 3 for Gdansk" fits only a die for Gdansk, "!draw to democrat 36"
// only a draw by that seat.
type markedChance struct {
	*reader
	marks []*mark
	// line is the index of the line in reader.lines; fill searches the lines from here on.
	line  int
	taken []record.Outcome
	// filledMarks are the indexes in taken of draws whose element the text does not give ("!draw ?").
	filledMarks []int
	// given counts the elements that each seat has drawn in this line.
	given map[drawn]int
	// wants describes a requested outcome that has no mark; wrong is the complaint about a mark with an impossible
	// outcome.
	wants string
	wrong *Complaint
}

// drawn is an element, folded, and the seat that has drawn it.
type drawn struct {
	seat    rules.Seat
	element string
}

// Roll implements rules.Chance.
func (mc *markedChance) Roll(why rules.Reason) (int, error) {
	reason := mc.game.Reason(why)
	var other *mark
	for _, m := range mc.marks {
		if m.used || m.roll == 0 {
			continue
		}
		if m.why != "" && !mentions(reason, m.why) {
			other = cmp.Or(other, m)
			continue
		}
		m.used = true
		o := mc.words.NewRoll(why, m.roll)
		mc.taken = append(mc.taken, o)
		return m.roll, nil
	}
	mc.wants = fmt.Sprintf("a die (%s): write \"!roll\" and what it showed", reason)
	if other != nil {
		mc.wants = fmt.Sprintf("a die (%s), and line %d has one for %q", reason, other.number, other.why)
	}
	return 0, rules.ErrNoOutcome
}

// Draw implements rules.Chance.
func (mc *markedChance) Draw(d rules.Draw) (int, error) {
	o, err := mc.words.NewDraw(d, 0)
	if err != nil {
		return 0, err
	}
	var m *mark
	for _, is := range mc.marks {
		fits := !is.used && is.roll == 0 && (is.to == rules.NoSeat || is.to == d.To) && (is.from == "" || strings.EqualFold(is.from, o.From))
		if fits && (m == nil || m.unknown() && !is.unknown()) {
			m = is
		}
	}
	if m == nil {
		mc.wants = mc.wantsDraw(o)
		return 0, rules.ErrNoOutcome
	}
	i := -1
	if m.unknown() {
		i = mc.fill(d)
		mc.filledMarks = append(mc.filledMarks, len(mc.taken))
	} else if m.used, i = true, mc.find(d, m.element); i < 0 {
		mc.wrong = &Complaint{Line: m.number, Text: mc.quoteLine(m.number),
			Wrong: fmt.Sprintf("%s cannot be drawn from %q now (%s): it is not among the %d there", m.element, o.From, o.For, len(d.Pile))}
		return 0, rules.ErrNoOutcome
	}
	if o, err = mc.words.NewDraw(d, i); err != nil {
		return 0, err
	}
	o.I = nil // A pile at a table has no documented order.
	mc.taken = append(mc.taken, o)
	mc.given[drawn{d.To, foldText(fmt.Sprint(o.Draw))}]++
	return i, nil
}

func (mc *markedChance) wantsDraw(o record.Outcome) string {
	to, example := "", ""
	if o.To != "" {
		to, example = " for "+o.To, " to "+o.To
	}
	return fmt.Sprintf("something drawn from %q%s (%s): write \"!draw%s\" and what came, or \"!draw ?\" where nobody knows", o.From, to,
		o.For, example)
}

// find returns the index in the pile of the named element, or -1. The name is the number of the element, its own
// text, or a name or alias of its number in the game. For example, "36" and the title of card 36 find the same card.
func (mc *markedChance) find(d rules.Draw, named string) int {
	want := foldText(named)
	also := map[string]bool{want: true}
	for _, n := range mc.game.Names() {
		if n.Number == 0 {
			continue
		}
		for _, text := range append([]string{n.Text}, n.Aliases...) {
			if foldText(text) == want {
				also[fmt.Sprint(n.Number)] = true
			}
		}
	}
	for i, code := range d.Pile {
		if also[mc.elementOf(d, code)] {
			return i
		}
	}
	return -1
}

// fill chooses an element for "!draw ?": the first element that the drawing seat names later in the text, or else
// an element that no later line names.
func (mc *markedChance) fill(d rules.Draw) int {
	// free counts the elements of the pile without those that later marks draw.
	free := map[string]int{}
	for _, code := range d.Pile {
		free[mc.elementOf(d, code)]++
	}
	named := map[string]bool{}
	has := maps.Clone(mc.given)
	for _, l := range mc.lines[mc.line:] {
		for _, m := range l.marks {
			if !m.used && m.roll == 0 && !m.unknown() {
				free[foldText(m.element)]--
				named[foldText(m.element)] = true
			}
		}
		if l == mc.lines[mc.line] {
			continue
		}
		for _, element := range elements(l.order) {
			named[element] = true
			owner := drawn{l.seat, element}
			switch {
			case has[owner] > 0:
				has[owner]--
			case free[element] <= 0:
			case d.To != rules.NoSeat && l.seat != rules.NoSeat && l.seat != d.To:
				free[element]--
			default:
				return mc.find(d, element)
			}
		}
	}
	return max(0, slices.IndexFunc(d.Pile, func(code int16) bool { return !named[mc.elementOf(d, code)] }))
}

func (mc *markedChance) elementOf(d rules.Draw, code int16) string {
	return foldText(fmt.Sprint(mc.game.Element(d.Kind, code)))
}

// elements lists the elements that an order names, as piles spell them: the number if there is one, otherwise the
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

func (mc *markedChance) firstUnused() *mark {
	for _, m := range mc.marks {
		if !m.used && !m.unknown() {
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
