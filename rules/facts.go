package rules

// Fact is one thing that a letter states of a match, such as {"map/Gdansk", "3/0 D"}. Facts whose
// names have the same beginning up to a slash, such as "map", are a table: a letter that states
// one of them states all.
type Fact struct{ Name, Value string }

// Stater is a Game whose letters can be held against its positions: their facts can be read back
// out of the text, whatever words stand around them. It is optional.
type Stater interface {
	// Facts are what a letter with all standing parts states of a view, each name once.
	Facts(v View) []Fact
	// Stated reads such facts out of one part of a letter: its title and lines, as the text or the
	// page has them, in plain letters. The part without a title is the head of the letter; names of
	// players stand there too, so that one fact may be read more than once, and one of them counts.
	Stated(title string, lines []string) []Fact
	// Told are the facts of events that the view's seat is an audience of, in order, such as
	// {"die", "5"}.
	Told(v View, events []Event) []Fact
	// Tells reads such facts out of the sentences in which a letter tells what happened.
	Tells(sentences []string) []Fact
}
