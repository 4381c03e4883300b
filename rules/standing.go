package rules

// Standing says how long an answer stands that is also meant for the questions to
// come.
type Standing uint8

// How long answers stand. Players write the words of String behind an order.
const (
	// StandsOnce is an answer to one question.
	StandsOnce Standing = iota
	// StandsUntilChange is one until something changes, see Repeater.
	StandsUntilChange
	// StandsAlways is one until its writer says something else.
	StandsAlways
)

// String is what is written behind an order.
func (s Standing) String() string { return [...]string{"", "UNTIL CHANGE", "ALWAYS"}[s] }

// Repeater is a Game that asks everybody the same sealed question again and again
// (Decision.Repeats). An answer to it may stand: then it answers such questions at
// once, and nobody else can tell that it did.
type Repeater interface {
	// Changes counts the changes that end an answer which stands until there is one.
	Changes(v View) int
}
