package engine

// Proc is a procedure of the rules that can be under way.
type Proc uint8

// The procedures.
const (
	// ProcMatch runs set-up and the turns; it is always at the bottom.
	ProcMatch Proc = iota
	// ProcRound is an action round.
	ProcRound
	// ProcOps is a card's Operations.
	ProcOps
	// ProcEvent is a card's event.
	ProcEvent
	// ProcStruggle is a power struggle with its aftermath.
	ProcStruggle
	// ProcAward is what a box of the Tiananmen track gives at once.
	ProcAward
	procs
)

var procNames = [...]string{"match", "round", "ops", "event", "struggle", "award"}

// frames is the most procedures that can be under way at once: the match, a
// round, an event, events that it plays, and one procedure of the last. Only
// cards 6, 20, 36, 46, 67, 71 and 89 play others, and each of them once.
const frames = 12

// Frame is one procedure under way.
type Frame struct {
	Proc Proc
	// Step is where the procedure stands. In JSON it is a label.
	Step uint8
	Card Card
	// Side carries the procedure out.
	Side Side
	// Mode is how the card is played.
	Mode Mode
	// With is the second card in use: of a play with Common European Home, or the one
	// that was given up for Deutsche Marks.
	With Card
	// Source is what a question of the procedure names as its source.
	Source Source
	// N counts what the step counts: points spent, checks made.
	N int8
	// Country and Space were chosen by an earlier step, or bound it.
	Country Country
	Space   Space
	// Border: so far every point went to East Germany, or the bonus of card 58
	// is claimed.
	Border bool
	// Midway: the question belongs to the answer under way (a PLAY line).
	Midway bool
	// Open: granted Operations may be a Tiananmen attempt.
	Open bool
	// May: granted Operations may be declined. Take: instead, one of the enemy's
	// cards with red titles may be taken (card 46).
	May, Take bool
	// Result is what a die or a draw came to in an earlier step: points to
	// place, cards to draw, the value of Operations that no card gives.
	Result int8
	// Won counts the rounds of a contest that each side has won.
	Won [2]int8
}
