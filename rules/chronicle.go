package rules

// Chronicler is a Game that has more to say where a match is told as a whole. It is
// optional: without it a history has neither curves nor episodes.
type Chronicler interface {
	// Episode names the part of the match that a view stands in, if it is one that a
	// history sets apart, such as a battle; empty for the rest.
	Episode(v View) string
	// Curves are the numbers whose course through the match is drawn. All views of a
	// match have the same ones in the same order.
	Curves(v View) []Curve
	// Telling are phrases of the game's own sentences: a sentence with one of them is told
	// where a match is told in short.
	Telling() []string
}

// Curve is a number of a game at one time.
type Curve struct {
	// Name is what is counted, such as "Victory points".
	Name  string
	Value int
	// High and Low say for whom high and low values are good; empty where nothing of the
	// sort can be said.
	High, Low string
}
