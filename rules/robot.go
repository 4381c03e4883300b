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

// RobotMaker makes the robots of a name.
type RobotMaker struct {
	Name string
	// Thinks is set for a robot that plays its options out: a match takes it seconds, and
	// not milliseconds.
	Thinks bool
	// New makes one. The seed is its only source of chance.
	New func(seed uint64) Robot
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
	return options[Below(r.source, len(options))]
}

// Below takes a number from 0 to n-1 from a source, the same on machines of 32 and of 64
// bits. With n below 1,000 no number is likelier than another by more than one in a million.
func Below(source rand.Source, n int) int { return int(source.Uint64() >> 32 * uint64(n) >> 32) }

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
	// View returns what the seat that is asked may see, valid until the next
	// Answer.
	View() View
	// Answer answers the decision that Ask returned with one of its options, and
	// plays on to the next.
	Answer(a Atom) error
	// Turn is the number of the turn, or of whatever the game counts, that the
	// match has reached.
	Turn() int
	// Figures appends what else was counted of the match so far, in the same order in every match.
	Figures(dst []Figure) []Figure
	// Result returns how the match ended, and false while it goes on.
	Result() (Result, bool)
}

// Figure is a number that a Table counts, such as how often there was a vote.
type Figure struct {
	Name string
	N    int
}
