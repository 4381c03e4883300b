package command

import (
	"samizdat/adjudicator/conditional"
	"samizdat/rules"
)

// Kind is what a line of a letter is.
type Kind int

// The kinds of lines.
const (
	// Talk is no order; Why says how that was seen.
	Talk Kind = iota
	// Unreadable lines are orders that cannot be understood; Why says what is wrong.
	Unreadable
	// HostOrder lines are orders to the host.
	HostOrder
	// GameOrder lines are orders of the game.
	GameOrder
	// ConditionalOrder lines are orders for what is not asked yet.
	ConditionalOrder
)

// Line is a line of a letter as it was read.
type Line struct {
	// Text is the line as it was written, without comments.
	Text string
	Kind Kind
	// Why is the explanation for talk and unreadable lines, a sentence or more.
	Why string
	// Which of these is set goes by the kind.
	Command     Command
	Order       rules.Order
	Conditional *conditional.Line
	// Surely: the writer of a game's order knows what he would lose.
	Surely bool
}

// Is reports whether the line is this order to the host.
func (l *Line) Is(word Word) bool { return l.Kind == HostOrder && l.Command.Word == word }

// Class is the class of an order to the host, whether it can be understood or not, and
// None of any other line.
func (l *Line) Class() Class {
	if l.Command.entry == nil {
		return None
	}
	return l.Command.entry.Class
}
