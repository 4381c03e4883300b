// Package revolution1789 is 1789, a game of secret ballots and hidden roles for four to
// twelve by Nicholas Hjelmberg, published by Nova Suecia Games.
//
// Game is the door, and all that the rest of the program knows of. Behind it are four
// rooms, of which each imports the engine and none another:
//
//	engine   the rules: positions, views, what may be answered and what follows
//	words    the order language, sentences, questions, refusals, the texts on cards
//	         and rules: whatever a player reads
//	chart    the board, as a picture
//	robot    the robots
package revolution1789
