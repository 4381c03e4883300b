// Package engine is the rules of 1789: positions, views, what may be answered and what
// follows. It has no word of what players read.
//
// # The way of a turn
//
//	SetUp → Naming → ┌ Seating → ( Voting → [Purging] → [Calling] )×0..2 → [Calling] → next ┐
//	                 └──────────── no legal unit: the ministers decide ←────────────────────┘
//	                 Calling with a call → Giving (first) → Giving (second) → over
//
// The Chairman takes a unit (rule 5.1). Each crisis that it fills is voted on by its three
// holders with ballots that are never opened (5.2). After a split vote the three point at
// one another, and who is pointed at by both others loses his token (5.4). The winning
// colour's reform gets a minister (5.3). Once all reforms have one, everybody is asked
// whether he calls a revolution (5.5), at the end of each turn and between two votes of one.
//
// Places where the rule book is silent are settled by the numbered rulings of
// docs/rulings-1789.md; comments name them.
package engine
