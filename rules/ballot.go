package rules

// Teller is a Position that asks for ballots (Decision.Ballot): sealed answers
// that are never opened. Apply is never called for one. When all of a group are
// in, the game counts them, and what it publishes is all that ever takes effect:
// a match is played again without the ballots, since nobody has them any more.
type Teller interface {
	Position
	// Tally counts the ballots of a group, one of each of its open decisions, in
	// the order of seats, and changes nothing. The outcome is a JSON object of all
	// that may be known of the ballots; it is published.
	Tally(ballots []Ballot) (outcome []byte, err error)
	// Declare applies the outcome of a group, closes its decisions and plays on
	// like Apply. An outcome that no ballots have is refused and changes nothing.
	Declare(group uint32, outcome []byte, c Chance, dst []Event) ([]Event, error)
}

// Ballot is the answer to one decision of a group of ballots.
type Ballot struct {
	Decision Decision
	Atom     Atom
}
