// Package revolution1789 is 1789, a game of secret ballots and hidden roles for four to twelve players, by Nicholas
// Hjelmberg, published by Nova Suecia Games. Game assembles it from these packages. They import the engine, but do
// not import each other:
//
//	engine   the rules: positions, views, legal answers and events
//	words    texts: the order language, sentences, questions, refusals, cards and rules
//	chart    the board as a picture
//	robot    the robots
package revolution1789
