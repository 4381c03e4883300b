// Package dawn1989 is 1989: Dawn of Freedom, a game for two by Jason Matthews and Ted Torgerson, published by GMT
// Games. Game assembles it from packages that import the engine and not each other:
//
//	engine   the rules: positions, views, legal answers and events
//	words    texts: the order language, sentences, questions, refusals, cards and rules
//	chart    the map as a picture and as text
//	robot    the robots
//
// Game passes texts between the packages, for example the status line above a map. Packages words, chart and robot get
// views without hidden facts, never the position of a match.
package dawn1989
