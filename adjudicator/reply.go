package adjudicator

import (
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// reply is what a letter is answered with, beside how its match stands.
type reply struct {
	// whole are the seats that get a whole letter, whether something is asked of them or not; reminded are those that
	// are reminded of what they are asked.
	whole, reminded rules.Seats
	// unlisted counts, by outcome, the lines of the letter that the answer leaves out.
	unlisted map[match.Outcome]int
	// disposition is what became of the letter: refused when a line of it was.
	disposition Disposition
	// asked are the queries of the letter; brief that there is nothing else in it.
	asked []asked
	brief bool
	// overtaken: the letter answers a question that is closed, and the match has moved on.
	overtaken bool
	// file is the record that letters bring; nil where none does.
	file *attached
	// restyled: the sender has said how his letters are to look.
	restyled bool
	// help: the sender wants the page on orders.
	help bool
	// puzzled: something in the letter was not understood. hinted: the answer says already
	// what could be written, or why an order is not legal.
	puzzled, hinted bool
	// ask is the question whether the sender means the orders that it spells out; nil when he is not
	// asked.
	ask *templates.Ask
	// mail are the messages of players to each seat.
	mail map[rules.Seat][]rules.Section
	// notices are what each seat is told of its own accord, a sentence each.
	notices map[rules.Seat][]string
	// newcomers are the seats whose players have played no match here, and are told how one
	// goes.
	newcomers rules.Seats
	// questions are the letters that pass questions on to the operator.
	questions []Dispatch
	// filed: a question is left to the operator where the letter is filed.
	filed bool
	// contact is what the letter changes of where letters go.
	contact addressChange
}

// disposed is what became of a player's letter: one with a question that goes to no address
// is filed for the operator, whatever became of its orders.
func (j *adjudication) disposed() Disposition {
	if j.reply.filed {
		return Asked
	}
	return j.reply.disposition
}
