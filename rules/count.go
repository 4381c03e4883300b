package rules

// Counter is a Game that has more to count in matches than dice and draws. It is optional.
type Counter interface {
	// Count says what events add to the counts of a match. The view is one from after
	// them; both are only what its seat may know.
	Count(v View, events []Event) []Count
	// Dice are the dice that the events tell of, with whose they were: it need not be the
	// seat whose order they followed. Every die of a match is in one event, which all may
	// know.
	Dice(v View, events []Event) []Die
	// Worth is what an element of a pile is worth to whoever draws it, and of what, such
	// as Ops; false where that says nothing. The element is as records write it.
	Worth(pile string, element any) (n int, of string, ok bool)
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
