package history

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match/record"
)

// Purpose describes the reason for a die or a draw.
type Purpose struct {
	// From is the pile of a draw; empty for a die.
	From string
	// To is the seat that receives the drawn element, and Hand is the seat that loses it; both may be empty.
	To, Hand string
	// For is the purpose in words, for example "support check".
	For string
}

// Die is a rolled die.
type Die struct {
	Roll int
	Purpose
}

// Draw holds the elements drawn for one purpose, in order.
type Draw struct {
	Purpose
	// Drawn are the elements that the reader may see. Hidden counts the other elements.
	Drawn  []any
	Hidden int
}

// String returns the die with its purpose. For example: "4 (support check)".
func (d Die) String() string { return d.Purpose.describe(fmt.Sprint(d.Roll)) }

// String returns the draw with its purpose. For example: "36, 2 hidden (from deck, to democrat)".
func (d Draw) String() string {
	var parts []string
	for _, x := range d.Drawn {
		parts = append(parts, fmt.Sprint(x))
	}
	if d.Hidden > 0 {
		parts = append(parts, fmt.Sprintf("%d hidden", d.Hidden))
	}
	return d.describe(strings.Join(parts, ", "))
}

// describe appends the purpose in parentheses to a description of the outcome.
func (p Purpose) describe(outcome string) string {
	var details []string
	for _, part := range [...][2]string{{"", p.For}, {"from ", p.From}, {"out of the hand of ", p.Hand}, {"to ", p.To}} {
		if part[1] != "" {
			details = append(details, part[0]+part[1])
		}
	}
	if len(details) == 0 {
		return outcome
	}
	return outcome + " (" + strings.Join(details, ", ") + ")"
}

// addChance adds the dice and draws of an entry to a move. All draws with the same purpose become one Draw.
func (w *storyWriter) addChance(m *Move, e *record.Entry) {
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
		if o.Hidden && !w.Reader.mayKnow(w.seatOf(o.To)) {
			m.Draws[i].Hidden++
			continue
		}
		m.Draws[i].Drawn = append(m.Draws[i].Drawn, o.Draw)
	}
}
