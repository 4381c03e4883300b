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

// marked is a rules.Chance that returns the outcomes of one line's marks. Each request takes the first
// unused mark that fits it: "!roll 3 for Gdansk" fits only a die for Gdansk, "!draw to democrat 36"
// only a draw by that seat.
type marked struct {
	*reader
	marks []*mark
	// line is the index of the line in reader.lines; fill searches the lines from here on.
	line  int
	taken []record.Outcome
	// filled are the indexes in taken of draws whose element the text does not give ("!draw ?").
	filled []int
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
		o := c.words.NewRoll(why, m.roll)
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
	o, err := c.words.NewDraw(d, 0)
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
	if o, err = c.words.NewDraw(d, i); err != nil {
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

// find returns the index in the pile of the named element, or -1. The name is the number of the element, its own
// text, or a name or alias of its number in the game. For example, "36" and the title of card 36 find the same
// card.
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

// fill chooses an element for "!draw ?": the first element that the drawing seat names later in the text, or else
// an element that no later line names.
func (c *marked) fill(d rules.Draw) int {
	// free counts the elements of the pile without those that later marks draw.
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

func (c *marked) elementOf(d rules.Draw, code int16) string {
	return folded(fmt.Sprint(c.game.Element(d.Kind, code)))
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
				out = append(out, folded(item.Name.Text))
			}
		}
	}
	return out
}

func (c *marked) left() *mark {
	for _, m := range c.marks {
		if !m.used && !m.unknown() {
			return m
		}
	}
	return nil
}

func mentions(reason, words string) bool { return strings.Contains(folded(reason), folded(words)) }

// folded returns the letters and digits of a text in lower case. For example: "Early Years: 5" becomes
// "earlyyears5".
func folded(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, text)
}
