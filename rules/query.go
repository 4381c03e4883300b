package rules

// Query is a question about a match that a letter may ask whoever is to move. Its
// text is the order that asks it.
type Query string

// The queries that a game answers.
const (
	// QueryHand asks for the seat's own cards.
	QueryHand Query = "HAND"
	// QueryDiscards asks for the open piles: discarded, out of the game, in play.
	QueryDiscards Query = "DISCARDS"
	// QueryMap asks for the map in its compact form, QueryBigMap for the large one.
	QueryMap    Query = "MAP"
	QueryBigMap Query = "MAP BIG"
)

// Informer is a Game that answers queries. It is optional: without it none but
// those that the history answers are known.
type Informer interface {
	// Inform answers a query with parts of a letter, laid out like Sections. They
	// are made from nothing but the view. None means that the game, or the seat,
	// has nothing of the sort.
	Inform(v View, q Query) []Section
	// Turn numbers the turn that a view stands in, or whatever the game counts: a
	// history is told turn by turn. It is at least 1.
	Turn(v View) int
}

// Topic is a short text on a part of a game's rules, in our own words.
type Topic struct {
	// Name is what it is asked for by, Aliases are other names.
	Name    string
	Aliases []string
	// Text is a paragraph a line; layout is the caller's affair.
	Text string
}

// TopicName is the kind of the names of topics.
const TopicName NameKind = "topic"

// Librarian is a Game that has texts on its rules. It is optional.
type Librarian interface {
	// Topics lists the texts in the order in which they are best read.
	Topics() []Topic
}

// ViewReader is a Game that reads back what a seat sees. It is optional: with it, and
// as an Imaginer, a game lets a player try orders at home.
type ViewReader interface {
	// DecodeView reads what View.MarshalJSON wrote for a seat.
	DecodeView(data []byte, seat Seat) (View, error)
}
