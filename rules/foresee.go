package rules

// Foreseer is a Game whose players may answer a question before it is asked: such an answer
// is kept, like a sealed one, until the question comes (Answer.Ahead).
type Foreseer interface {
	// Awaits reports whether what an answer is for may still be asked of the view's seat, or
	// is asked now.
	Awaits(v View, a Answer) bool
}
