package rules

import "slices"

// Language is the vocabulary of a game's orders. The adjudicator splits lines into words and
// matches keywords and names with it.
type Language interface {
	// Keywords are the words that give an order its form.
	Keywords() []Keyword
	// Names are everything that can be named, in a fixed order.
	Names() []Name
	// Answers returns the answers of an order. The first answers the current question; the others
	// answer later questions of the same play. open is only used to complete what the player left
	// out; the gate checks legality. Players read the errors.
	Answers(o Order, open []Decision) ([]Answer, error)
	// FormatOrder writes the answer to one decision as an order in canonical form, for example "PLACE Gdansk 2".
	FormatOrder(atoms []Atom) string
}

// NameKind is the kind of a name, for example a space, a card or a country.
type NameKind string

// Keyword is a word or fixed phrase of the order language, for example PLACE.
type Keyword struct {
	// Word is the keyword in capitals, words separated by one space.
	Word string
	// Verb keywords may begin an order.
	Verb bool
	// Takes lists the kinds of names that may follow; none for a bare keyword.
	Takes []NameKind
	// List allows several names, separated by commas.
	List bool
	// Counts allows a number after each name (support points).
	Counts bool
	// Modifies is set for keywords that belong to the name just before them
	// ("Elite Leader AS Rally") and take exactly one name.
	Modifies bool
	// Number means that the keyword takes a bare number instead of a name.
	Number bool
	// Synonyms are other words for the keyword, in capitals. They are read and never written.
	Synonyms []string
	// ShortAnswers are phrases that mean the keyword when they are the whole answer: "No thanks" is PASS.
	ShortAnswers []string
	// Units are words that may follow a number and have no meaning of their own ("2 points").
	Units []string
	// RemovesPoints is set for keywords that take points off: only they have Units, for example "from".
	RemovesPoints bool
	// CountKeyword is the keyword that an immediate number implies: "OPS 2 in Lodz" is OPS PLACE Lodz 2.
	CountKeyword string
	// Implied verbs may be left out where a keyword that takes no name follows the verb's object ("36 EVENT").
	Implied bool
	// Exact keywords need the exact form, with no other words in the line. Orders that cannot be undone are exact.
	Exact bool
	// Final orders cannot be undone either. The order reader takes them from a sentence if every
	// word of the sentence is understood, and never proposes them otherwise.
	Final bool
}

// Name is a name that orders may contain, for example the space "Gdansk".
type Name struct {
	Kind NameKind
	// Code is the game's own number for the thing.
	Code int
	// Text is the canonical name.
	Text string
	// Aliases are other full names.
	Aliases []string
	// Number is another name for the object unless 0; players may write "84" or "#84".
	Number int
	// NoAbbreviation names are never abbreviated.
	NoAbbreviation bool
}

// Order is one parsed line. The first clause is the verb's. For example "PLAY 84 EVENT" has the
// clauses PLAY 84 and EVENT.
type Order struct {
	// Text is the line as it was written.
	Text    string
	Clauses []Clause
}

// Clause is a keyword with its items, for example PLACE with "Gdansk 2" and "Lodz".
type Clause struct {
	Word  string
	Items []Item
	// Number is the number of a keyword with Keyword.Number; nil if missing. Games must not read nil as 0.
	Number *int
}

// Item is one name in a clause.
type Item struct {
	Name Name
	// Count is the number after the name, 1 when none was written.
	Count int
	// Mods are the modifiers of the name.
	Mods []Mod
}

// Mod is a modifying keyword with its name.
type Mod struct {
	Word string
	Name Name
}

// Clause returns the clause of a keyword, if the order has it.
func (o Order) Clause(word string) (Clause, bool) {
	for _, c := range o.Clauses {
		if c.Word == word {
			return c, true
		}
	}
	return Clause{}, false
}

// Answer is the reply of an order to one decision.
type Answer struct {
	Atoms []Atom
	// Kinds are the possible kinds of decision (Decision.Kind); empty means any kind.
	Kinds []string
	// Source is the only possible Decision.Source, unless empty.
	Source string
	// Plain answers are only for decisions without a source: the move itself, and no question of an event.
	Plain bool
	// Standing answers are also meant for later questions of the same sort (Game.CountChanges).
	Standing Standing `json:",omitempty"`
	// Ballot answers are for decisions that ask for a ballot.
	Ballot bool `json:",omitempty"`
	// Ahead answers may be given before the question is asked (Game.MayStillAsk).
	Ahead bool `json:",omitempty"`
}

// Fits reports whether the answer can be meant for a decision.
func (a Answer) Fits(d Decision) bool {
	return a.Ballot == d.Ballot && (len(a.Kinds) == 0 || slices.Contains(a.Kinds, d.Kind)) &&
		(a.Source == "" || a.Source == d.Source) && !(a.Plain && d.Source != "")
}

// Finder finds a name of one kind by the text of a player.
type Finder func(kind NameKind, text string) (Name, error)

// Planner lets a game take conditional orders: answers to possible questions (ANSWER), plans, and the next move
// (NEXT). The adjudicator stores and executes these orders; Planner contributes the knowledge of the game.
type Planner interface {
	// Labels are the sources, besides cards, that ANSWER accepts (see Decision.Source).
	Labels() []string
	// PlanLabel is the implied label of a line without one, for example "STRUGGLE" for "ATTACK
	// ..."; empty for lines that need a label.
	PlanLabel(o Order) string
	// IsAction reports whether a decision starts the seat's own move. Only such decisions are answered by NEXT.
	IsAction(d Decision) bool
	// Period is the number of the view's period. Conditional orders expire when it changes; in 1989
	// a period is a turn.
	Period(v View) int
	// ParseCondition parses the condition of an IF. The test may use only the writer's own view.
	ParseCondition(text string, find Finder) (test func(View) bool, err error)
	// Baseline stores the facts of a view with which DescribeSurprise compares later views.
	Baseline(v View) []byte
	// DescribeSurprise describes an unforeseeable change since the order was given, in a sentence
	// for the player, or returns "". The events are those since the last call.
	DescribeSurprise(source string, baseline []byte, v View, events []Event) string
}
