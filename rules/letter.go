package rules

import (
	"strings"

	"samizdat/templates/picture"
)

// View holds the facts that a seat may know: the public part of a position and the seat's own secrets. Every letter is
// made from a View and from events for that seat, so hidden facts cannot leak. Events that are passed with a view must
// have the view's seat in their audience.
type View interface {
	// Seat returns the viewer; NoSeat for the public view.
	Seat() Seat
	// MarshalJSON returns the position's JSON without hidden facts: for hidden cards it has only their number.
	MarshalJSON() ([]byte, error)
}

// CardName is the NameKind of cards.
const CardName NameKind = "card"

// LetterTexts writes the game's parts of letters. Lines are at most 78 columns wide.
type LetterTexts interface {
	// Status describes the state of the match in one line.
	Status(v View) string
	// Reason describes the purpose of a die or a draw, for example "support check in Gdansk".
	Reason(r Reason) string
	// Sentences describes events, in one or two unwrapped sentences each.
	Sentences(v View, events []Event) []string
	// Prompt writes the question for a decision. options is the result of Position.Options.
	Prompt(v View, d Decision, options []Atom) Prompt
	// Refusal explains, from the view alone, why an atom is illegal, and names similar legal answers.
	Refusal(v View, d Decision, a Atom, options []Atom) string
	// Sections returns the parts of a letter that show the position: the hand, public cards, the map.
	Sections(v View) []Section
}

// MapDrawer draws maps from a view and marks the parts that the events in since changed.
type MapDrawer interface {
	// TextMap draws the map in plain ASCII, at most 78 columns wide.
	TextMap(v View, since []Event) []string
	Draw(v View, since []Event) *picture.Picture
}

// BigMapTitle is the title of the section that answers QueryBigMap: the large map.
const BigMapTitle = "The big map"

// Speaker writes parts of letters for players who use a screen reader (FORMAT SPOKEN).
type Speaker interface {
	// SpeakSection writes a section that has a table or a drawing as unwrapped sentences, for example "Poland: you
	// control Gdansk with 4 against 1." title is from Sections, or BigMapTitle. The result is nil for other sections.
	SpeakSection(v View, since []Event, title string) []string
	// SpeakText replaces signs and abbreviations in a text that contains no orders. For example, "2+ in Poli-Cath"
	// becomes "2 or more in Polish Catholic Church".
	SpeakText(text string) string
}

// Prompt is a question as a letter asks it.
type Prompt struct {
	// Question is one or two sentences.
	Question string
	// Forms are example orders. ItemOrders are orders for items of Sections, for example PLAY 40 for card 40 of the hand. All
	// these orders are legal. Orders with a Game.Warning are included only if every legal answer has a warning.
	Forms      []string
	ItemOrders []ItemOrder
	// IsNumbered is set if Forms lists every legal answer, so that a letter may number them. It is never set if the
	// answers are cards, which have printed numbers of their own.
	IsNumbered bool
	// OnlyForms is set if every legal answer that is not in Forms would lose the match.
	OnlyForms bool
	// Notes are further lines, for example the legal spaces or the needed die roll. TimeoutNote is a note on the default
	// answer (Silence); letters show it only if silence is the time-out policy of the match.
	Notes       []string
	TimeoutNote string
}

// ItemOrder is an order for an item of Sections, for example a card of the hand.
type ItemOrder struct {
	// Label is the Block.Label of the item.
	Label string
	Order string
}

// Section is a part of a letter with a title. Its lines are already wrapped.
type Section struct {
	Title string
	Lines []string
	// Blocks have the same text for HTML pages. If Blocks is empty, a page shows Lines.
	Blocks []Block
}

// Query is a question about a match that a player may ask at any time. Its value is the order, for example "HAND".
type Query string

// The queries that a game answers (Game.AnswerQuery).
const (
	QueryHand     Query = "HAND"     // the seat's own cards
	QueryDiscards Query = "DISCARDS" // the visible piles: discarded, out of the game, in play
	// QueryMap asks for the map of ordinary letters, QueryBigMap for the large map (Game.Map.TextMap).
	QueryMap    Query = "MAP"
	QueryBigMap Query = "MAP BIG"
	// QuerySmallMap asks for a map in about a dozen lines, for "samizdat play". Players cannot ask for it by letter.
	QuerySmallMap Query = "MAP SMALL"
)

// Topic is a help text.
type Topic struct {
	// Name and Aliases are the names that players may write after RULES or HELP.
	Name    string
	Aliases []string
	// Text holds one paragraph in each line, unwrapped.
	Text string
}

// TopicName is the NameKind of topics.
const TopicName NameKind = "topic"

// PageSection is a part of an HTML page with a title.
type PageSection struct {
	Title  string
	Blocks []Block
}

// Block is a paragraph, a list item or a table. It shows the fields that are not empty, in the order of the struct.
type Block struct {
	Heading string
	// Label is a mark before a list item, for example the number of a card. Lead is the start of the first line, in bold.
	// Aside is a short remark after Lead.
	Label, Lead, Aside string
	Text               string
	Rows               []Row
}

// Row is a line of a table.
type Row struct {
	// Cells are the texts of the columns; all rows of a table have the same number of cells. The first two cells name
	// the row; the next Sides cells hold a value for each side. If Sides is 0, there are two sides.
	Cells []string
	Sides int
	// Side is the owner of the row, counted from 1; 0 for none.
	Side int
	// Strong is set for important rows, Changed for rows with changes since the last letter.
	Strong, Changed bool
}

// Samples are example orders for a decision that is not open now, with an introduction in Head.
type Samples struct {
	Head   string
	Orders []Sample
}

// Sample is an example order and a sentence on its meaning.
type Sample struct{ Order, Meaning string }

// ReadTopics parses a text. A line "# name | alias, alias" starts a topic; empty lines separate its paragraphs.
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

// Chronicler adds episodes and curves to the page of a match's history.
type Chronicler interface {
	// Episode returns the name of the episode that a view belongs to, for example a power struggle, or "".
	Episode(v View) string
	// Curves returns the numbers that histories plot. All views of a match have the same curves in the same order.
	Curves(v View) []CurvePoint
	// KeyPhrases returns phrases of the game's sentences. Short histories contain only sentences with a key phrase.
	KeyPhrases() []string
}

// CurvePoint is a point of a curve in histories: the value of a plotted number in one position.
type CurvePoint struct {
	// Name is the quantity, for example "Victory points".
	Name  string
	Value int
	// High and Low are the sides that high and low values favour; empty if unknown.
	High, Low string
}

// Fact is a name and a value in a letter, for example {"map/Gdansk", "3/0 D"}. Facts with the same prefix before a
// slash, for example "map", form a table, which a letter shows completely or not at all.
type Fact struct{ Name, Value string }

// FactReader returns the facts of positions and parses the facts in letters, so that both can be compared.
type FactReader interface {
	// Facts returns the facts of a view that a letter with all sections states. Each name occurs once.
	Facts(v View) []Fact
	// ReadFacts parses these facts from a section of a letter, given its title and its lines in the text or on the page.
	// The title is "" for the text before the first section. There, the names of players may look like facts, so
	// ReadFacts may return several values for a fact; the letter is correct if any value is right.
	ReadFacts(title string, lines []string) []Fact
	// EventFacts returns the facts of events in order, for example {"die", "5"}.
	EventFacts(v View, events []Event) []Fact
	// ReadEventFacts parses these facts from the sentences on events in a letter.
	ReadEventFacts(sentences []string) []Fact
}

// Counter adds the game's own statistics to the statistics of dice and draws.
type Counter interface {
	// Count returns the counts that the events add. v is the view after the events.
	Count(v View, events []Event) []Count
	// Dice returns the dice of the events with their owners. The owner of a die need not be the player who gave the
	// order. Each die of a match is in exactly one public event.
	Dice(v View, events []Event) []Die
	// ElementValue returns the value of a drawn element and its unit, for example 3 "Ops", or false if elements
	// have no value. element is in the form of Engine.Element.
	ElementValue(pile string, element any) (n int, unit string, ok bool)
}

// Use is a choice of a player, for the statistics of a club: the use of a card, or points placed on the board.
type Use struct {
	Seat Seat
	// Card is the printed number of a card, 0 for a placement. How is the use of the card, for example "event".
	Card int
	How  string
	// Place is the name of the space of a placement, and N the number of points.
	Place string
	N     int
}

// Die is a rolled die and its owner.
type Die struct {
	Seat Seat
	N    int
}

// Count is a statistic of a seat, for example 3 Successes in 5 Attempts.
type Count struct {
	// Name is a phrase in the plural, for example "power struggles won".
	Name                string
	Seat                Seat
	Successes, Attempts int
}
