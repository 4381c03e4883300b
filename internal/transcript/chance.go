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

// marked is a rules.Chance that gives the outcomes of one line's marks, each to the first
// that asks for it: dice and draws apart, and of each those that fit what is written of
// them. Their order counts only among marks that say nothing more than what came out.
type marked struct {
	*reader
	marks []*mark
	// line is the place of the line in the text; what follows tells what is unknown.
	line  int
	taken []record.Outcome
	// filled are the places in taken of draws that nobody wrote down.
	filled []int
	// given counts what each seat has drawn here.
	given map[drawn]int
	// wants says what was asked for and is not there, wrong what does not fit.
	wants string
	wrong *Complaint
}

// drawn is an element, folded, and who has drawn it.
type drawn struct {
	seat    rules.Seat
	element string
}

// Roll implements rules.Chance.
func (c *marked) Roll(why rules.Reason) (int, error) {
	reason := c.game.Reason(why)
	var other *mark
	for _, m := range c.marks {
		if m.used || m.roll == 0 {
			continue
		}
		if m.why != "" && !mentions(reason, m.why) {
			other = cmp.Or(other, m)
			continue
		}
		m.used = true
		o := c.words.Rolled(why, m.roll)
		c.taken = append(c.taken, o)
		return m.roll, nil
	}
	c.wants = fmt.Sprintf("a die (%s): write \"!roll\" and what it showed", reason)
	if other != nil {
		c.wants = fmt.Sprintf("a die (%s), and line %d has one for %q", reason, other.number, other.why)
	}
	return 0, rules.ErrNoOutcome
}

// Draw implements rules.Chance.
func (c *marked) Draw(d rules.Draw) (int, error) {
	o, err := c.words.Drawn(d, 0)
	if err != nil {
		return 0, err
	}
	var m *mark
	for _, is := range c.marks {
		fits := !is.used && is.roll == 0 && (is.to == rules.NoSeat || is.to == d.To) && (is.from == "" || strings.EqualFold(is.from, o.From))
		if fits && (m == nil || m.unknown() && !is.unknown()) {
			m = is
		}
	}
	if m == nil {
		c.wants = c.wantsDraw(o)
		return 0, rules.ErrNoOutcome
	}
	i := -1
	if m.unknown() {
		i = c.fill(d)
		c.filled = append(c.filled, len(c.taken))
	} else if m.used, i = true, c.find(d, m.element); i < 0 {
		c.wrong = &Complaint{Line: m.number, Text: c.shown(m.number),
			Wrong: fmt.Sprintf("%s cannot be drawn from %q now (%s): it is not among the %d there", m.element, o.From, o.For, len(d.Pile))}
		return 0, rules.ErrNoOutcome
	}
	if o, err = c.words.Drawn(d, i); err != nil {
		return 0, err
	}
	o.I = nil // A pile at a table has no documented order.
	c.taken = append(c.taken, o)
	c.given[drawn{d.To, folded(fmt.Sprint(o.Draw))}]++
	return i, nil
}

func (c *marked) wantsDraw(o record.Outcome) string {
	to, example := "", ""
	if o.To != "" {
		to, example = " for "+o.To, " to "+o.To
	}
	return fmt.Sprintf("something drawn from %q%s (%s): write \"!draw%s\" and what came, or \"!draw ?\" where nobody knows", o.From, to,
		o.For, example)
}

// find is where an element of some name is in a pile; -1 where it is not. A number is the
// element's own, words are its own or those of a name with its number.
func (c *marked) find(d rules.Draw, named string) int {
	want := folded(named)
	also := map[string]bool{want: true}
	for _, n := range c.game.Names() {
		if n.Number == 0 {
			continue
		}
		for _, text := range append([]string{n.Text}, n.Aliases...) {
			if folded(text) == want {
				also[fmt.Sprint(n.Number)] = true
			}
		}
	}
	for i, code := range d.Pile {
		if also[c.elementOf(d, code)] {
			return i
		}
	}
	return -1
}

// fill chooses for a draw that nobody wrote down: what its seat is the first to name later,
// and otherwise what nobody names any more.
func (c *marked) fill(d rules.Draw) int {
	// free counts what is not spoken for of each element of the pile.
	free := map[string]int{}
	for _, code := range d.Pile {
		free[c.elementOf(d, code)]++
	}
	named := map[string]bool{}
	has := maps.Clone(c.given)
	for _, l := range c.lines[c.line:] {
		for _, m := range l.marks {
			if !m.used && m.roll == 0 && !m.unknown() {
				free[folded(m.element)]--
				named[folded(m.element)] = true
			}
		}
		if l == c.lines[c.line] {
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
				return c.find(d, element)
			}
		}
	}
	return max(0, slices.IndexFunc(d.Pile, func(code int16) bool { return !named[c.elementOf(d, code)] }))
}

// elementOf is an element of a pile, folded.
func (c *marked) elementOf(d rules.Draw, code int16) string {
	return folded(fmt.Sprint(c.game.Element(d.Kind, code)))
}

// elements are what an order names, as piles have it: by number where there is one, and
// folded.
func elements(o rules.Order) []string {
	var out []string
	for _, clause := range o.Clauses {
		for _, it := range clause.Items {
			if it.Name.Number > 0 {
				out = append(out, fmt.Sprint(it.Name.Number))
			} else {
				out = append(out, folded(it.Name.Text))
			}
		}
	}
	return out
}

// left is the first outcome that nobody asked for; nil where there is none.
func (c *marked) left() *mark {
	for _, m := range c.marks {
		if !m.used && !m.unknown() {
			return m
		}
	}
	return nil
}

// mentions reports whether words stand in a reason.
func mentions(reason, words string) bool { return strings.Contains(folded(reason), folded(words)) }

// folded is a text without case, and with its letters and digits only.
func folded(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, text)
}
