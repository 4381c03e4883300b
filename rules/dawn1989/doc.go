// Package dawn1989 is 1989: Dawn of Freedom, a game for two by Jason Matthews and Ted
// Torgerson, published by GMT Games.
//
// Game is the door, and all that the rest of the program knows of. Behind it are four
// rooms, of which each imports the engine and none another:
//
//	engine   the rules: positions, views, what may be answered and what follows
//	words    the order language, sentences, questions, refusals, the texts on cards
//	         and rules: whatever a player reads
//	chart    the map, as a picture and in plain characters
//	robot    the robots
//
// What needs two of them (the status above a map, the orders that a robot writes) is
// handed over at the door. Words, chart and robot are given views, in which everything
// is left out that is hidden from a seat, and never a match's position.
package dawn1989
