package rules

// Ender is a Game that says how players may end a match before the rules do. It is
// optional: without it nobody can agree on a draw, and whoever resigns loses to all others.
type Ender interface {
	// Draws reports whether the players may agree on a draw.
	Draws(s Setup) bool
	// Resigned says how a match ends when the players of these seats have resigned, or
	// false where it goes on without them: then silence answers for them, so each of their
	// questions has to say what silence means. Of a match that the rules have ended it is the
	// result without these seats, or false where they may have won as the match's revision of
	// the rules is.
	Resigned(p Position, seats Seats) (Result, bool)
}
