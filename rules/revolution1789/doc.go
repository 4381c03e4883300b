// Package revolution1789 is 1789, a game of secret ballots and hidden roles for four to twelve players, by Nicholas
// Hjelmberg, published by Nova Suecia Games. The function Game assembles it from these packages. The others import the
// engine, but not each other:
//
//	engine   the rules: positions, views, legal answers and events
//	words    texts: the order language, sentences, questions, refusals, cards and rules
//	chart    the board as a picture
//	robot    the robots
package revolution1789
