package rules

import (
	"strings"

	"samizdat/templates/picture"
)

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

// LetterTexts makes the words of a game's letters. Every line is at most 78 columns
// wide.
type LetterTexts interface {
	// Status says in one line where the match stands.
	Status(v View) string
	// Reason says in words what an outcome of chance is for.
	Reason(r Reason) string
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

// MapDrawer draws maps. They are made from a view, so that they show what its seat
// may see; since are events that the seat is an audience of, and what they changed
// is marked. Without events nothing is.
type MapDrawer interface {
	// TextMap draws the map in plain ASCII, at most 78 columns wide.
	TextMap(v View, since []Event) []string
	// Draw draws the map as a picture.
	Draw(v View, since []Event) *picture.Picture
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

// Query is a question about a match that a letter may ask whoever is to move. Its
// text is the order that asks it.
type Query string

// The queries that a game answers (Game.AnswerQuery).
const (
	// QueryHand asks for the seat's own cards.
	QueryHand Query = "HAND"
	// QueryDiscards asks for the open piles: discarded, out of the game, in play.
	QueryDiscards Query = "DISCARDS"
	// QueryMap asks for the map in its compact form, QueryBigMap for the large one, which is
	// Game.Map.TextMap where a game has it.
	QueryMap    Query = "MAP"
	QueryBigMap Query = "MAP BIG"
	// QuerySmallMap asks for the map in about a dozen lines, which "samizdat play" shows at every move. No letter
	// asks for it.
	QuerySmallMap Query = "MAP SMALL"
)

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

// Part is a titled part of a page.
type Part struct {
	Title  string
	Blocks []Block
}

// Block is a piece of a part: a paragraph, an entry of a list, or a table. What
// is empty is left out, and what there is stands in the order of the fields.
type Block struct {
	// Heading stands above the block.
	Heading string
	// Lead begins the first line of an entry or a paragraph: what the rest is
	// about. Label is a mark before it, such as a number, Aside a short remark
	// behind it.
	Label, Lead, Aside string
	// Text is a paragraph.
	Text string
	// Rows are the lines of a table.
	Rows []Row
}

// Row is a line of a table.
type Row struct {
	// Cells are the columns; all rows of a table have equally many. The first two
	// say what the row is about. Then comes a column for each side: as many as Sides
	// says, two where it is 0.
	Cells []string
	Sides int
	// Side numbers, from 1, the side that the row belongs to; 0 is nobody.
	Side int
	// Strong rows matter more than others, Changed ones show something new.
	Strong, Changed bool
}

// Samples are orders for a question that may come. Head says what they are.
type Samples struct {
	Head   string
	Orders []Sample
}

// Sample is an order, and in a sentence what it means.
type Sample struct{ Order, Meaning string }

// ReadTopics reads the texts of a file: a line "# name | another name, ..." and paragraphs
// below it, with empty lines between them.
func ReadTopics(text string) []Topic {
	var out []Topic
	for _, block := range strings.Split("\n"+text, "\n# ")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		name, others, _ := strings.Cut(head, "|")
		t := Topic{Name: strings.TrimSpace(name)}
		for o := range strings.SplitSeq(others, ",") {
			if o = strings.TrimSpace(o); o != "" {
				t.Aliases = append(t.Aliases, o)
			}
		}
		var paragraphs []string
		for p := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
			paragraphs = append(paragraphs, strings.Join(strings.Fields(p), " "))
		}
		t.Text = strings.Join(paragraphs, "\n")
		out = append(out, t)
	}
	return out
}

// Chronicler tells a match as a whole.
type Chronicler interface {
	// Episode names the part of the match that a view stands in, if it is one that a
	// history sets apart, such as a battle; empty for the rest.
	Episode(v View) string
	// Curves are the numbers whose course through the match is drawn. All views of a
	// match have the same ones in the same order.
	Curves(v View) []Curve
	// KeyPhrases are phrases of the game's own sentences: a sentence with one of them is told
	// where a match is told in short.
	KeyPhrases() []string
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

// Fact is one thing that a letter states of a match, such as {"map/Gdansk", "3/0 D"}. Facts whose
// names have the same beginning up to a slash, such as "map", are a table: a letter that states
// one of them states all.
type Fact struct{ Name, Value string }

// FactReader holds letters against positions: their facts can be read back out of the text, whatever
// words stand around them.
type FactReader interface {
	// Facts are what a letter with all standing parts states of a view, each name once.
	Facts(v View) []Fact
	// ReadFacts reads such facts out of one part of a letter: its title and lines, as the text or the
	// page has them, in plain letters. The part without a title is the head of the letter; names of
	// players stand there too, so that one fact may be read more than once, and one of them counts.
	ReadFacts(title string, lines []string) []Fact
	// EventFacts are the facts of events that the view's seat is an audience of, in order, such as
	// {"die", "5"}.
	EventFacts(v View, events []Event) []Fact
	// ReadEventFacts reads such facts out of the sentences in which a letter tells what happened.
	ReadEventFacts(sentences []string) []Fact
}

// Counter has more to count in matches than dice and draws.
type Counter interface {
	// Count says what events add to the counts of a match. The view is one from after
	// them; both are only what its seat may know.
	Count(v View, events []Event) []Count
	// Dice are the dice that the events tell of, with whose they were: it need not be the
	// seat whose order they followed. Every die of a match is in one event, which all may
	// know.
	Dice(v View, events []Event) []Die
	// ElementValue is what an element of a pile is worth to whoever draws it, and of what, such
	// as Ops; false where that says nothing. The element is as records write it.
	ElementValue(pile string, element any) (n int, of string, ok bool)
}

// Die is a die and whose it was.
type Die struct {
	Seat Seat
	N    int
}

// Count is something that a seat has tried: in N cases of Of it came off.
type Count struct {
	// Name is a phrase in the plural that goes on with a number: "power struggles won".
	Name  string
	Seat  Seat
	N, Of int
}
