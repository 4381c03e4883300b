package rules

// View is what one seat may see of a position: the public part, and what was
// dealt or shown to that seat. Everything a seat is sent is made from a View
// and from events that it is an audience of, so that hidden things cannot leak.
type View interface {
	// Seat is whose view it is; Nobody for the public one.
	Seat() Seat
	// MarshalJSON returns the view in the layout of the position, with hidden
	// members left out or replaced by counts.
	MarshalJSON() ([]byte, error)
}

// CardName is the kind of the names of cards.
const CardName NameKind = "card"

// Cards is a Game with cards that a letter can ask about. It is optional.
type Cards interface {
	// About tells what is printed on a card and what it waits for, a line each;
	// layout is the caller's affair. The name is of the kind CardName. The answer
	// is the same for every seat: it tells public facts only, not who holds the
	// card.
	About(v View, n Name) []string
}

// Scribe makes the words of a game's letters. Every line is at most 78 columns
// wide.
type Scribe interface {
	// Status says in one line where the match stands.
	Status(v View) string
	// Sentences tells events that the view's seat is an audience of, in order,
	// a sentence or two each; layout is the caller's affair.
	Sentences(v View, events []Event) []string
	// Prompt asks the view's seat for a decision. The options are those that
	// Position.Options lists.
	Prompt(v View, d Decision, options []Atom) Prompt
	// Refusal says why an atom is not an option of the decision, and what would
	// be legal near it, in a sentence or two for the seat's eyes. It knows only
	// what the view shows.
	Refusal(v View, d Decision, a Atom, options []Atom) string
	// Sections are the standing parts of a letter, in order: the hand, what is
	// known, the map.
	Sections(v View) []Section
}

// Prompt is a question as a letter asks it.
type Prompt struct {
	// Question is one or two sentences.
	Question string
	// Forms shows how the answer is written, an order each, and Offers give an answer
	// for each entry of the standing parts that can be one. All are legal as they
	// stand, and none is rash unless all answers are.
	Forms  []string
	Offers []Offer
	// Numbered means that Forms are all the answers there are, so that a letter
	// may number them and take a number for an answer. Where cards are named by
	// their numbers it is never set.
	Numbered bool
	// Notes are further lines worth knowing: which spaces are legal, what the
	// support checks would need.
	Notes []string
}

// Offer is an answer that goes with an entry of the standing parts, such as a card of
// the hand.
type Offer struct {
	// Label is the label of the entry's Block.
	Label string
	Order string
}

// Section is a titled part of a letter. Its lines are laid out already.
type Section struct {
	Title string
	Lines []string
	// Blocks say what Lines say, for pages that break lines themselves; without any a
	// page shows Lines as they stand.
	Blocks []Block
}
