package rules

import "slices"

// Language is the vocabulary of a game's orders. The adjudicator matches the words of a line with it.
type Language interface {
	Keywords() []Keyword
	// Names returns everything that orders can name, for example cards, in a fixed order.
	Names() []Name
	// Answers converts an order into answers: the first is for the current decision, the others are for later decisions
	// of the same play. The open decisions serve only to complete a short order. Package gate checks that the answers are
	// legal. Errors are shown to the player.
	Answers(o Order, open []Decision) ([]Answer, error)
	// FormatOrder returns the answer to one decision as an order in canonical form, for example "PLACE Gdansk 2".
	FormatOrder(atoms []Atom) string
}

// NameKind is the kind of a name, for example a space, a card or a country.
type NameKind string

// Keyword is a word or fixed phrase of the order language, for example PLACE.
type Keyword struct {
	// Word is the keyword in capitals, for example "EVENT FIRST".
	Word string
	// IsVerb is set for keywords that may begin an order.
	IsVerb    bool
	NameKinds []NameKind
	// AllowsList allows several names, separated by commas.
	AllowsList bool
	// AllowsCounts allows a number after each name, for example of support points.
	AllowsCounts bool
	// IsModifier is set for keywords that follow a name and take exactly one name: in "Elite Leader AS Rally", AS Rally
	// modifies Elite Leader.
	IsModifier bool
	// TakesNumber is set for keywords that a number follows instead of a name, for example "GIVE 3".
	TakesNumber bool
	// Synonyms are other words for the keyword, in capitals. They are accepted but never written.
	Synonyms []string
	// ShortAnswers are phrases that mean the keyword if they are the whole answer: "No thanks" is PASS.
	ShortAnswers []string
	// Units are words that may follow a number and add no meaning ("2 points").
	Units []string
	// RemovesPoints is set for a keyword that takes points away. Its Units are understood only if the decision allows it.
	RemovesPoints bool
	// CountKeyword is inserted if the player writes a number after the keyword. For OPS it is PLACE: "OPS 2 in Lodz"
	// is OPS PLACE Lodz 2.
	CountKeyword string
	// Implied is set for verbs that may be left out if a keyword without names follows the verb's object ("36
	// EVENT" is PLAY 36 EVENT).
	Implied bool
	// Exact is set for orders that cannot be undone. They must be written exactly, with no other words in the line.
	Exact bool
	// Final is set for orders that cannot be undone but may be part of a sentence, if every word of the sentence is
	// understood. The referee never proposes such an order as the meaning of an unclear line.
	Final bool
}

// Name is a name that orders may contain, for example the space "Gdansk".
type Name struct {
	Kind NameKind
	// Code is the number of the named object in the game, for example of a space.
	Code int
	// Text is the canonical name.
	Text string
	// Aliases are other full names.
	Aliases []string
	// Number is the printed number of the object, or 0; players may write "84" or "#84".
	Number         int
	NoAbbreviation bool
}

// Order is one parsed line. The first clause has the verb: "PLAY 84 EVENT" has the clauses PLAY 84 and EVENT.
type Order struct {
	// Text is the line as the player wrote it.
	Text    string
	Clauses []Clause
}

// Clause is a keyword with its items, for example PLACE with "Gdansk 2" and "Lodz".
type Clause struct {
	Word  string
	Items []Item
	// Number is the number after a keyword with Keyword.TakesNumber; nil if it is missing.
	Number *int
}

// Item is one name in a clause.
type Item struct {
	Name Name
	// Count is the number after the name, 1 if there is none.
	Count     int
	Modifiers []Modifier
}

// Modifier is a modifying keyword (Keyword.IsModifier) with its name, for example AS Rally.
type Modifier struct {
	Word string
	Name Name
}

// Clause returns the clause of a keyword, and whether the order has it.
func (o Order) Clause(word string) (Clause, bool) {
	for _, c := range o.Clauses {
		if c.Word == word {
			return c, true
		}
	}
	return Clause{}, false
}

// Answer is the reply of an order to one decision. It may be stored as JSON.
type Answer struct {
	Atoms []Atom
	// Kinds are the kinds of decision (Decision.Kind) that the answer can answer; empty means all.
	Kinds []string
	// Source is the Decision.Source that the answer is for; empty means any.
	Source string
	// Plain is set for answers that fit only decisions without a Source: plain moves, which no card or rule asks for.
	Plain bool
	// Standing says how long the answer stands for later decisions of the same kind; with StandsOnce it answers only one
	// decision.
	Standing Standing `json:",omitempty"`
	// Ballot is set for answers to decisions that ask for a ballot.
	Ballot bool `json:",omitempty"`
	// Ahead is set for answers that may be given before the decision is open (Game.MayStillAsk).
	Ahead bool `json:",omitempty"`
}

// Fits reports whether the answer can answer a decision.
func (a Answer) Fits(d Decision) bool {
	return a.Ballot == d.Ballot && (len(a.Kinds) == 0 || slices.Contains(a.Kinds, d.Kind)) &&
		(a.Source == "" || a.Source == d.Source) && !(a.Plain && d.Source != "")
}

// Finder finds a name of a kind from the text of a player, for example the space "Gdansk" from "danzig".
type Finder func(kind NameKind, text string) (Name, error)

// Planner parses and checks conditional orders: answers to decisions that may come later (ANSWER, IF) and the next move
// (NEXT). The adjudicator stores and executes them.
type Planner interface {
	// Labels returns the sources, besides cards, that ANSWER accepts (Decision.Source), for example "STAKES".
	Labels() []string
	// PlanLabel returns the label (see Labels) that an order ahead gets if the player wrote none, for example "STRUGGLE"
	// for "ATTACK ..."; it is empty if the player must write a label.
	PlanLabel(o Order) string
	// IsAction reports whether a decision starts a move of the seat. NEXT answers only such decisions.
	IsAction(d Decision) bool
	// Period returns the number of the current period, for example of the turn. A conditional order expires at the
	// end of the period in which it was given.
	Period(v View) int
	// ParseCondition parses the condition of an IF, for example "VP 3 OR MORE". test gets views of the order's writer.
	ParseCondition(text string, find Finder) (test func(View) bool, err error)
	// DescribeDoubt describes why an order could not be carried out now, for example "Card 14 ... is not in your hand now.", or
	// returns "". The order is saved all the same.
	DescribeDoubt(v View, answers []Answer) string
	// Baseline returns as JSON the facts of a view that DescribeSurprise compares with later views.
	Baseline(v View) []byte
	// DescribeSurprise compares a view with the baseline of an order. It returns a sentence about a change that the
	// player could not expect, or "". events are the events since the last call.
	DescribeSurprise(source string, baseline []byte, v View, events []Event) string
}
