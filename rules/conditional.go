package rules

// Finder looks up a thing by a name as players write it, among the names of one
// kind.
type Finder func(kind NameKind, text string) (Name, error)

// Planner is a Game that takes conditional orders: answers to questions that others may
// raise, plans, and the order for a seat's next action. The adjudicator keeps and
// fires them; the game says what only it can know.
type Planner interface {
	// Labels are the sources of questions, besides cards, that an answer ahead may
	// be kept for, as Decision.Source has them.
	Labels() []string
	// Plan is the label that a line is kept for which names none, because it can
	// belong nowhere else ("ATTACK ..."); empty for any other line.
	Plan(o Order) string
	// Action reports whether a decision begins an action of its seat's own: the
	// look-ahead answers those and nothing else.
	Action(d Decision) bool
	// Period numbers the stretch of the match after which conditional orders expire.
	Period(v View) int
	// Condition reads one condition. The test looks at nothing but the view, which
	// is the writer's own.
	Condition(text string, find Finder) (test func(View) bool, err error)
	// Baseline notes what of a view surprises are measured against.
	Baseline(v View) []byte
	// Surprise says what has happened that the writer of a line for the source
	// could not foresee, in a sentence for his eyes, or nothing. The events are
	// those since the last call.
	Surprise(source string, baseline []byte, v View, events []Event) string
}

// Cautious is a Game that knows answers which lose the match on the spot as far as
// the seat can tell.
type Cautious interface {
	// Rash says in a sentence what an answer would lose, or nothing.
	Rash(v View, d Decision, atoms []Atom) string
}

// Imaginer is a Game that can guess at what a view hides.
type Imaginer interface {
	// Imagine returns positions that agree with the view and are made from nothing
	// else. Whatever single card is hidden is in some of them where the others
	// cannot be told from the truth, and elsewhere in the rest, so that what is the
	// same in all of them tells nothing that the view does not.
	Imagine(v View) []Position
}

// ConditionalRobot is a Robot that writes conditional orders.
type ConditionalRobot interface {
	Robot
	// Ahead returns the lines that it would write as things stand, made from the
	// view alone.
	Ahead(v View) []string
}
