// Package ahead stores conditional orders (orders ahead) and executes them: answers to possible
// questions (ANSWER), plans for a contest of cards, and the next move (NEXT). The game's part is
// rules.Planner.
//
// # Lines
//
//	line      = ["IF" condition ":"] body ["ELSE" (order | "ASK")] {word}
//	body      = "ANSWER" source order | "NEXT" ["IF" condition ":"] order | order
//	condition = test {"AND" test}
//	test      = ["NOT"] a test of the game
//	word      = "ALWAYS" | "ANYWAY"
//
// For example:
//
//	ANSWER 54 PLACE Bucuresti 2
//	NEXT IF Gdansk MINE: PLAY 36 OPS ELSE ASK
//
// The game chooses the place of a line without ANSWER or NEXT: a further move is a NEXT, a list for
// a contest belongs to the contest. The line is stored in its canonical form with full names, so
// the player sees at once how it was understood, and its meaning never changes.
//
// # Safety
//
// A line sees only its owner's view. It answers one question, one step of the game, and is then
// used up, so no line can loop. If a line is for a question but none of its entries is legal, all
// lines of the seat are dropped and the player is asked. Lines are dropped at the end of their
// period, and after a surprise (rules.Planner.DescribeSurprise).
package ahead
