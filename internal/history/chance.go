package history

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match/record"
)

// Purpose is what an outcome of chance is for.
type Purpose struct {
	// From is the pile of a draw, To the seat that receives what is drawn, Hand the one that
	// loses it; all are empty for a die. For is the purpose in words.
	From, To, Hand, For string
}

// Die is a die that was rolled.
type Die struct {
	Roll int
	Purpose
}

// Draw is what was drawn for one purpose, in its order, as a reader may know it.
type Draw struct {
	Purpose
	// Drawn are the elements that the reader may know, Hidden is how many he may not.
	Drawn  []any
	Hidden int
}

// String says it in a line.
func (d Die) String() string { return d.Purpose.with(fmt.Sprint(d.Roll)) }

// String says it in a line.
func (d Draw) String() string {
	var parts []string
	for _, x := range d.Drawn {
		parts = append(parts, fmt.Sprint(x))
	}
	if d.Hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d hidden", d.Hidden))
	}
	return d.with(strings.Join(parts, ", "))
}

// with writes what came, and what it was for.
func (p Purpose) with(what string) string {
	var about []string
	for _, part := range [...][2]string{{"", p.For}, {"from ", p.From}, {"out of the hand of ", p.Hand}, {"to ", p.To}} {
		if part[1] != "" {
			about = append(about, part[0]+part[1])
		}
	}
	if len(about) == 0 {
		return what
	}
	return what + " (" + strings.Join(about, ", ") + ")"
}

// chance lists the dice of an entry, and its draws, together where they are for one purpose.
func (t *teller) chance(m *Move, e *record.Entry) {
	for _, o := range e.Chance {
		p := Purpose{From: o.From, To: o.To, Hand: o.Hand, For: o.For}
		if o.Roll > 0 {
			m.Dice = append(m.Dice, Die{o.Roll, p})
			continue
		}
		i := slices.IndexFunc(m.Draws, func(d Draw) bool { return d.Purpose == p })
		if i < 0 {
			i, m.Draws = len(m.Draws), append(m.Draws, Draw{Purpose: p})
		}
		if o.Hidden && !t.Reader.hears(t.seat(o.To)) {
			m.Draws[i].Hidden++
			continue
		}
		m.Draws[i].Drawn = append(m.Draws[i].Drawn, o.Draw)
	}
}
