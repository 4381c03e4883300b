// Package pairing pairs the players of a tournament and computes the table. It is pure: equal
// players and results give equal pairings.
//
//   - [Swiss] pairs players with equal points, without rematches, with balanced sides.
//   - [RoundRobin] pairs all players with each other.
//   - [Bracket] and [NextRound] pair the players of a knock-out.
//   - [Table] is the table of results with tie-breaks.
package pairing

// ID is the ID of a player; 0 is none.
type ID = int64

// Pair is a match of two players: First takes the first seat of the game, Second the second.
type Pair struct {
	First  ID `json:"first"`
	Second ID `json:"second"`
}

// Round has the pairs of a round. Bye is the player without an opponent, or 0.
type Round struct {
	Pairs []Pair `json:"pairs"`
	Bye   ID     `json:"bye,omitempty"`
}
