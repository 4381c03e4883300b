// Package engine is the rules of 1989. It has no word of English for players: what it
// names (sides, cards, spaces, kinds of questions) it names as records do.
//
// Rule numbers in comments are those of the second edition's rulebook; cards
// are named by number. Card text beats the rulebook.
//
// A Position is a flat value. It keeps the procedures under way on a stack of
// frames (frame.go), so that it can stop at any question or outcome of chance,
// be stored, and go on in another process. The files follow the rulebook:
//
//	board.go, cards.go, hands.go    the map and both decks, read from data/
//	position.go, frame.go, run.go   the state and the machine that moves it
//	setup.go, turn.go, round.go     rules 3 to 5: set-up, the turn, an action round
//	operations.go, placing.go,      rule 6: Ops value, placement, support checks,
//	check.go, tiananmen.go          the Tiananmen Square track
//	event.go, step*.go, events.go   rule 7: the vocabulary of events and the cards
//	struggle.go, aftermath.go       rule 8: power struggles
//	scoring.go, victory.go          rules 9 and 10
//	match.go, table.go              the position and the table of package rules
//	json.go, decode.go, viewjson.go the documented JSON
//	view.go, imagine.go, draft.go   what a seat sees, and may suppose
//
// A View holds a Position too, with nothing in it that its seat may not see: words,
// maps and robots read that, and robots play it on. Everything that a position holds
// can be read by them; what changes a match goes through Apply and Resume.
package engine
