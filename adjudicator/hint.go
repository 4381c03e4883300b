package adjudicator

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/command"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// mostExamples is how many orders an answer names to a letter that was not understood.
const mostExamples = 2

// mostNear is how many slips in a name are looked at.
const mostNear = 4

// suchAs names some whole orders that a seat may give now, in a sentence; it is empty where
// nothing is asked of the seat.
func (c *account) suchAs(seat rules.Seat) string {
	if c.m.State != Playing || c.pos.Stalled() {
		return ""
	}
	view := c.pos.View(seat)
	for _, d := range c.owed(seat) {
		p := c.game.Prompt(view, d, c.pos.Options(nil, d.ID))
		if len(p.Forms) > 0 {
			return "You may write " + strings.Join(p.Forms[:min(mostExamples, len(p.Forms))], ", or ") + "."
		}
	}
	return ""
}

// why says why a line is no order. What it seems to mean is named only where it would be
// carried out as it stands.
func (j *adjudication) why(l command.Line) string {
	if len(j.lines[j.seat]) > mostListed {
		return l.Why // A long letter must not cost more than its answer shows.
	}
	if w := club.Addressed(l.Text); w != "" && j.a.Club != nil {
		return fmt.Sprintf("%s is an order to the club, not to a match. Write it in answer to a letter of the club, or in a letter to %s.", w, j.a.Post.Referee())
	}
	if row := j.wouldDo(l.Seems); row != "" {
		j.hinted = true
		return l.Why + " If you mean " + row + ", write just that on a line of its own."
	}
	if len(l.Near) == 0 || command.Begins(l.Text, command.Card) || j.suchAs(j.seat) == "" {
		return l.Why
	}
	var rows []string
	for _, near := range l.Near[:min(len(l.Near), mostNear)] {
		if row := j.wouldDo(near); row != "" && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return l.Plainly
	}
	j.hinted = true
	return l.Plainly + " You may write " + strings.Join(rows[:min(len(rows), mostExamples)], ", or ") + "."
}

// wouldDo writes an order as it would be carried out now; it is empty where it would not.
func (j *adjudication) wouldDo(text string) string {
	if text == "" || j.m.State != Playing || j.pos.Stalled() {
		return ""
	}
	o, err := j.reader.Orders.Order(text)
	if err != nil {
		return ""
	}
	given, err := j.game.Answers(o, j.owed(j.seat))
	if err != nil || j.rash(given[0]) != "" {
		return ""
	}
	if _, err := gate.Check(j.pos, j.seat, given[0]); err != nil {
		return ""
	}
	return order.Write(o)
}

// guide ends the answer to a letter of which nothing was understood with orders that can
// be given.
func (j *adjudication) guide() {
	own := j.lines[j.seat]
	nothing := !slices.ContainsFunc(own, func(l lineReport) bool {
		return l.Outcome != outcomeIgnored && l.Outcome != outcomeRefused && l.Outcome != outcomeNotReached
	})
	if text := j.suchAs(j.seat); text != "" && nothing && j.puzzled && !j.hinted {
		j.tell(j.seat, "", outcomeIgnored, text)
	}
}

// sure says how to give an order that loses what its writer may not have seen.
func sure(why string, l command.Line) string {
	l.Surely = true
	row, _ := proposal(l)
	return why + " If you mean it, write " + row + "."
}

// sentences joins sentences, some of which may be empty.
func sentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}
