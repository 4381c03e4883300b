// Package dawn1989 is the rules engine of 1989: Dawn of Freedom, a game for two
// by Jason Matthews and Ted Torgerson, published by GMT Games.
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
//	view.go, json.go                what a seat sees; the documented JSON
//	language.go, prompt.go, ...     the words of orders and letters
package dawn1989
