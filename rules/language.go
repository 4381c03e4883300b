package rules

import "slices"

// Language is what a game adds to the order language. The adjudicator reads
// lines with it: it splits them into words, finds keywords and matches names.
type Language interface {
	// Keywords are the words that give an order its form.
	Keywords() []Keyword
	// Names are everything that can be named, in a fixed order.
	Names() []Name
	// Answers says which answers an order stands for. The first answers the
	// question that is asked now, the others are for later questions of the
	// same play. The writer's open decisions only settle what may be left out:
	// whether an answer is legal is the adjudicator's gate's affair. Errors are
	// for the writer's eyes.
	Answers(o Order, owed []Decision) ([]Answer, error)
	// FormatOrder writes the answer to one question as an order in canonical form.
	FormatOrder(atoms []Atom) string
}

// NameKind sorts names: spaces, cards, countries and so on.
type NameKind string

// Keyword is a word, or a fixed phrase, that gives an order its form.
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
	// Synonyms are other words and phrases for the keyword, in capitals. They are
	// read and never written.
	Synonyms []string
	// ShortAnswers are words and phrases that mean it where they are all the answer to a
	// question which it answers: "No thanks" is PASS.
	ShortAnswers []string
	// Units are words for what a number counts ("points"); behind a number they
	// say nothing.
	Units []string
	// RemovesPoints means that points are taken off behind this keyword: Units such as "from" belong to no other.
	RemovesPoints bool
	// CountKeyword names the keyword that is meant where a count stands right behind
	// this one ("OPS 2 in Lodz" is OPS PLACE Lodz 2).
	CountKeyword string
	// Implied verbs may be left out where a keyword that takes no name follows the
	// verb's object ("36 EVENT").
	Implied bool
	// Exact keywords are read only as they are written, with nothing around
	// them: what cannot be undone is never understood from less.
	Exact bool
	// Final orders cannot be undone either: they are read in a sentence of which each word is accounted for,
	// and never proposed from one that is not.
	Final bool
}

// Name is something that can be named in an order.
type Name struct {
	Kind NameKind
	// Code is the game's own number for the thing.
	Code int
	// Text is the canonical name.
	Text string
	// Aliases are other full names.
	Aliases []string
	// Number names the thing as well when it is not 0, with or without "#".
	Number int
	// NoAbbreviation names are never abbreviated.
	NoAbbreviation bool
}

// Order is one line of orders as the adjudicator read it: a verb's clause first.
type Order struct {
	// Text is the line as it was written.
	Text    string
	Clauses []Clause
}

// Clause is a keyword with what it takes.
type Clause struct {
	Word  string
	Items []Item
	// Number is the bare number of a keyword that takes one (Keyword.Number); nil where the
	// writer gave none, which no game may take for 0.
	Number *int
}

// Item is one name in a clause.
type Item struct {
	Name Name
	// Count is the number behind the name, 1 when none was written.
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

// Answer is what an order says to one question.
type Answer struct {
	Atoms []Atom
	// Kinds are the kinds of decision that the answer can be meant for; the
	// adjudicator matches orders given ahead by them.
	Kinds []string
	// Source, when set, is the only source whose question it answers.
	Source string
	// Plain answers are for a question without a source only: the action
	// itself, and nothing that an event asks meanwhile.
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

// Finder looks up a thing by a name as players write it, among the names of one
// kind.
type Finder func(kind NameKind, text string) (Name, error)

// Planner lets a game take conditional orders: answers to questions that others may
// raise, plans, and the order for a seat's next action. The adjudicator keeps and
// fires them; the game says what only it can know.
type Planner interface {
	// Labels are the sources of questions, besides cards, that an answer ahead may
	// be kept for, as Decision.Source has them.
	Labels() []string
	// PlanLabel is the label that a line is kept for which names none, because it can
	// belong nowhere else ("ATTACK ..."); empty for any other line.
	PlanLabel(o Order) string
	// IsAction reports whether a decision begins an action of its seat's own: the
	// look-ahead answers those and nothing else.
	IsAction(d Decision) bool
	// Period numbers the stretch of the match after which conditional orders expire.
	Period(v View) int
	// ParseCondition reads one condition. The test looks at nothing but the view, which
	// is the writer's own.
	ParseCondition(text string, find Finder) (test func(View) bool, err error)
	// Baseline notes what of a view surprises are measured against.
	Baseline(v View) []byte
	// DescribeSurprise says what has happened that the writer of a line for the source
	// could not foresee, in a sentence for his eyes, or nothing. The events are
	// those since the last call.
	DescribeSurprise(source string, baseline []byte, v View, events []Event) string
}
