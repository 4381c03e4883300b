package rules

import "math/rand/v2"

// Robot answers for one seat. It sees what a player at that seat would see and
// nothing more, and it has neither a clock nor a random source but the seed that
// it was made with: the same seed and the same views give the same answers.
//
// A robot serves one match at a time and is not safe for concurrent use.
type Robot interface {
	// Choose returns one of the options of a decision that its seat owes. look
	// returns the view of that seat; a robot that does not look saves the making
	// of it. The options and the view are valid only during the call.
	Choose(look func() View, d Decision, options []Atom) Atom
}

// RobotMaker is a Game that has robots.
type RobotMaker interface {
	// Robots names the robots that there are, the simplest first.
	Robots() []string
	// Robot makes one.
	Robot(name string, seed uint64) (Robot, error)
}

// RandomRobot is a robot for any game: it gives any option, each as likely as the
// others, and never looks.
type RandomRobot struct{ source *rand.PCG }

// NewRandomRobot returns the random robot of a seed.
func NewRandomRobot(seed uint64) RandomRobot {
	// The second half keeps its numbers apart from dice of the same seed.
	return RandomRobot{rand.NewPCG(seed, 0x726f626f74)}
}

// Choose implements Robot.
func (r RandomRobot) Choose(_ func() View, _ Decision, options []Atom) Atom {
	// The high half of the number, scaled: with some hundred options at most, no
	// option is likelier than another by more than one in a million.
	return options[(r.source.Uint64()>>32)*uint64(len(options))>>32]
}

// Table is a match in memory together with the space that playing it needs, for
// playing many matches one after the other without garbage. It plays by the same
// rules as the Position, and is not safe for concurrent use.
type Table interface {
	// Begin sets up a new match, with the chance that it is to be played with, and
	// plays on to the first decision.
	Begin(c Chance) error
	// Ask returns an open decision and its options, in ascending order and valid
	// until the next Answer. It returns false when no decision is open.
	Ask() (d Decision, options []Atom, open bool)
	// Look returns what the seat that is asked may see, valid until the next
	// Answer.
	Look() View
	// Answer answers the decision that Ask returned with one of its options, and
	// plays on to the next.
	Answer(a Atom) error
	// Turn is the number of the turn, or of whatever the game counts, that the
	// match has reached.
	Turn() int
	// Result returns how the match ended, and false while it goes on.
	Result() (Result, bool)
}

// Reckoner is a Table that counts more of a match than its turns.
type Reckoner interface {
	Table
	// Figures appends what was counted of the match so far, in the same order in every match.
	Figures(dst []Figure) []Figure
}

// Figure is a number that a Reckoner counts, such as how often there was a vote.
type Figure struct {
	Name string
	N    int
}

// TableMaker is a Game that has a Table of its own.
type TableMaker interface {
	// Table returns a table for matches of one set-up.
	Table(s Setup) (Table, error)
}

// Ender is a Game that says how players may end a match before the rules do. It is
// optional: without it nobody can agree on a draw, and whoever resigns loses to all others.
type Ender interface {
	// Draws reports whether the players may agree on a draw.
	Draws(s Setup) bool
	// Resigned says how a match ends when the players of these seats have resigned, or
	// false where it goes on without them: then silence answers for them, so each of their
	// questions has to say what silence means. Of a match that the rules have ended it is the
	// result without these seats, or false where they may have won as the match's revision of
	// the rules is.
	Resigned(p Position, seats Seats) (Result, bool)
}

// Bidder is a Game whose players may bid for their sides. It is optional.
type Bidder interface {
	// Bidding are the options of a match that begins with bids.
	Bidding() map[string]string
}
