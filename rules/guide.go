package rules

// Guide is a Game that explains how its orders are written. It is optional: without it
// a letter has the forms of a question alone.
type Guide interface {
	// Manual lists texts on the orders, in the order in which they are best read. Each
	// is asked for by the verbs that it explains: they are its name and aliases.
	Manual() []Topic
	// Meaning says in a sentence what an order means that answers a decision of the
	// view's seat. The answers are those that it stands for.
	Meaning(v View, d Decision, answers []Answer) string
}

// Exemplar is a Guide that shows orders also while nothing of their sort is asked.
type Exemplar interface {
	// Samples are orders that a page of the manual is about, made of what the view's seat sees.
	Samples(v View, page Topic) Samples
}

// Samples are orders for a question that may come. Head says what they are.
type Samples struct {
	Head   string
	Orders []Sample
}

// Sample is an order, and in a sentence what it means.
type Sample struct{ Order, Meaning string }
