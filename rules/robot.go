package rules

import "math/rand/v2"

// Robot answers for one seat. It gets the view of that seat and has no clock. Its only random source is its seed: the
// same seed and views give the same answers.
//
// A robot plays one match at a time and is not safe for concurrent use.
type Robot interface {
	// Choose returns an option of a decision. look returns the view of the seat; a robot that does not need the
	// view saves the cost of making it. options and view are valid only during the call.
	Choose(look func() View, d Decision, options []Atom) Atom
}

// RobotMaker makes robots of one kind.
type RobotMaker struct {
	Name string
	// IsSlow is set for a robot that simulates matches and needs seconds for a match, not milliseconds.
	IsSlow bool
	New    func(seed uint64) Robot
}

// Analyst judges a finished match. Chances are whole numbers from 0 to AnalystCertain.
type Analyst interface {
	// WinChance returns the chance that the first seat wins from a position, if all cards are known.
	WinChance(p Position) int
	// Compare compares the option that a seat took with the option that a robot would take with the same view. The
	// results are the seat's chances to win after each option.
	Compare(v View, options []Atom, taken Atom) Comparison
}

// AnalystCertain is the chance of a sure win.
const AnalystCertain = 1 << 16

// Comparison compares a chosen option with the best option.
type Comparison struct {
	Best                    Atom
	BestChance, TakenChance int
}

// RandomRobot plays any game: it chooses among the options with equal probability.
type RandomRobot struct{ source *rand.PCG }

// NewRandomRobot returns the random robot with a seed.
func NewRandomRobot(seed uint64) RandomRobot {
	// The constant separates the robot's stream from dice with the same seed.
	return RandomRobot{rand.NewPCG(seed, 0x726f626f74)}
}

// Choose implements Robot.
func (r RandomRobot) Choose(_ func() View, _ Decision, options []Atom) Atom {
	return options[RandomBelow(r.source, len(options))]
}

// RandomBelow returns a random number from 0 to n-1, the same on 32-bit and 64-bit machines. If n is below 1,000, the
// probabilities of two numbers differ by at most one in a million.
func RandomBelow(source rand.Source, n int) int { return int(source.Uint64() >> 32 * uint64(n) >> 32) }

// Simulation is a match in memory with reusable buffers, for playing many matches without garbage. It follows the
// same rules as Position and is not safe for concurrent use.
type Simulation interface {
	// Begin starts a new match with a source of chance and continues to the first decision.
	Begin(c Chance) error
	// Ask returns an open decision and its options in ascending order, valid until the next Answer. isOpen is false if
	// there is none.
	Ask() (d Decision, options []Atom, isOpen bool)
	// View returns the view of the seat to move. It is valid until the next Answer.
	View() View
	// Answer answers the decision that Ask returned, with an option, and continues to the next decision.
	Answer(a Atom) error
	Turn() int
	// Statistics appends the game's own statistics of the match, always in the same order.
	Statistics(dst []Statistic) []Statistic
	// Result returns the result, and false if the match is not over.
	Result() (Result, bool)
}

// Statistic is a statistic of a Simulation, for example the number of votes.
type Statistic struct {
	Name string
	N    int
}
