package rules

import (
	"strings"

	"samizdat/templates/picture"
)

// View is the information of one seat: the public part of a position and the seat's own secrets.
// Every letter is made from a View and from events for that seat, so hidden facts cannot leak.
type View interface {
	// Seat is the viewer; NoSeat for the public view.
	Seat() Seat
	// MarshalJSON returns the view in the layout of the position, with hidden members left out or replaced by counts.
	MarshalJSON() ([]byte, error)
}

// CardName is the kind of the names of cards.
const CardName NameKind = "card"

// LetterTexts writes the game's parts of letters. Lines are at most 78 columns wide.
type LetterTexts interface {
	// Status says in one line the state of the match.
	Status(v View) string
	// Reason describes the purpose of an outcome of chance, for example "support check in Gdansk".
	Reason(r Reason) string
	// Sentences describes events, one or two unwrapped sentences each. The view's seat must be in
	// the audience of each event.
	Sentences(v View, events []Event) []string
	// Prompt writes the question for a decision. options are those of Position.Options.
	Prompt(v View, d Decision, options []Atom) Prompt
	// Refusal explains in a sentence or two why an atom is illegal, and names legal answers near
	// it. The text is made from the view alone.
	Refusal(v View, d Decision, a Atom, options []Atom) string
	// Sections are the fixed parts of a letter, in order: the hand, known cards, the map.
	Sections(v View) []Section
}

// MapDrawer draws maps from a view. Changes by the events since are marked; the view's seat must be
// in the audience of each event.
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
	// Forms are example orders. Offers have an order for each entry of the fixed parts that can be an answer, for
	// example a card of the hand. All are legal. No order causes a Game.Warning unless all answers do.
	Forms  []string
	Offers []Offer
	// Numbered is set when Forms lists every legal answer, so that a letter may number them.
	// Decisions whose cards are named by numbers are never numbered.
	Numbered bool
	// Notes are further lines, for example the legal spaces or the needed dice.
	Notes []string
}

// Offer is an order for an entry of the fixed parts, for example a card of the hand.
type Offer struct {
	// Label is the label of the entry's Block.
	Label string
	Order string
}

// Section is a titled part of a letter. Its lines are laid out already.
type Section struct {
	Title string
	Lines []string
	// Blocks say what Lines say, for pages that break lines themselves; without any a page shows Lines as they stand.
	Blocks []Block
}

// Query is a question about a match from any player at any time; its text is the order, for example "HAND".
type Query string

// The queries that a game answers (Game.AnswerQuery).
const (
	QueryHand     Query = "HAND"     // asks for the seat's own cards
	QueryDiscards Query = "DISCARDS" // asks for the open piles: discarded, out of the game, in play
	// QueryMap asks for the small map, QueryBigMap for the large map (Game.Map.TextMap).
	QueryMap    Query = "MAP"
	QueryBigMap Query = "MAP BIG"
	// QuerySmallMap asks for the map in about a dozen lines, which "samizdat play" shows at every move. No letter
	// asks for it.
	QuerySmallMap Query = "MAP SMALL"
)

// Topic is a short text on part of the rules.
type Topic struct {
	// Name and Aliases are the names that players may write after RULES or HELP.
	Name    string
	Aliases []string
	// Text holds one paragraph in each line, unwrapped.
	Text string
}

// TopicName is the kind of the names of topics.
const TopicName NameKind = "topic"

// Part is a titled part of a page.
type Part struct {
	Title  string
	Blocks []Block
}

// Block is a paragraph, a list entry or a table. Empty fields are skipped; the others are shown in
// the order of the struct.
type Block struct {
	// Heading is above the block.
	Heading string
	// Label is a mark before an entry, for example a number. Lead is the bold start of its first line. Aside is
	// a short remark that follows Lead.
	Label, Lead, Aside string
	// Text is a paragraph.
	Text string
	// Rows are the lines of a table.
	Rows []Row
}

// Row is a line of a table.
type Row struct {
	// Cells are the columns; all rows of a table have the same number. The first two cells name the
	// row, then follows one column for each side (Sides columns, or two if Sides is 0).
	Cells []string
	Sides int
	// Side is the owner of the row, counted from 1; 0 for none.
	Side int
	// Strong rows are important, Changed rows are new.
	Strong, Changed bool
}

// Samples are example orders for a future question, below the line Head.
type Samples struct {
	Head   string
	Orders []Sample
}

// Sample is an order with a sentence that explains it.
type Sample struct{ Order, Meaning string }

// ReadTopics parses a text file: a line "# name | alias, alias" starts a topic, and paragraphs
// follow, separated by empty lines.
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

// Chronicler adds the game's parts to the history of a match.
type Chronicler interface {
	// Episode is the name of the episode that a view belongs to, for example a power struggle; empty
	// outside episodes.
	Episode(v View) string
	// Curves are the numbers that histories plot. All views of a match have the same curves in the same order.
	Curves(v View) []Curve
	// KeyPhrases are phrases of the game's sentences. Short histories contain only sentences with a key phrase.
	KeyPhrases() []string
}

// Curve is a plotted number at one moment.
type Curve struct {
	// Name is the quantity, for example "Victory points".
	Name  string
	Value int
	// High and Low name the sides that high and low values favour; empty if unknown.
	High, Low string
}

// Fact is a name and a value in a letter, for example {"map/Gdansk", "3/0 D"}. Facts with the same
// prefix up to a slash, for example "map", form a table: a letter shows a table whole or not at all.
type Fact struct{ Name, Value string }

// FactReader compares letters with positions: it reads facts back out of the text of letters.
type FactReader interface {
	// Facts returns the facts of a view in a letter with all parts. Each name occurs once.
	Facts(v View) []Fact
	// ReadFacts reads these facts from one part of a letter, given its title and lines from the
	// text or the page. The head of a letter has an empty title. The head contains player names,
	// which may look like facts, so one name may have several values; one of them must be right.
	ReadFacts(title string, lines []string) []Fact
	// EventFacts returns the facts of events in order, for example {"die", "5"}. The view's seat must
	// be in the audience of each event.
	EventFacts(v View, events []Event) []Fact
	// ReadEventFacts reads these facts from the sentences on events in a letter.
	ReadEventFacts(sentences []string) []Fact
}

// Counter adds the game's statistics to those of dice and draws.
type Counter interface {
	// Count returns the counts that the events add. The view is from after the events.
	Count(v View, events []Event) []Count
	// Dice returns the dice of the events with their owners. The owner may differ from the seat
	// that gave the order. Each die of a match is in exactly one public event.
	Dice(v View, events []Event) []Die
	// ElementValue is the value of a drawn element and its unit, for example 3 "Ops"; false if values
	// have no meaning. The element is in the form of records.
	ElementValue(pile string, element any) (n int, of string, ok bool)
}

// Die is a rolled die and its owner.
type Die struct {
	Seat Seat
	N    int
}

// Count is a statistic of a seat: N successes of Of attempts.
type Count struct {
	// Name is a phrase before the number, in the plural: "power struggles won".
	Name  string
	Seat  Seat
	N, Of int
}
