// Package pairing says who meets whom in a tournament, and who stands where. It is pure: the
// same players and results give the same pairings.
//
//   - [Swiss] pairs a round: those of equal points, nobody twice, sides in balance.
//   - [RoundRobin] pairs everybody with everybody.
//   - [Bracket] and [NextRound] pair those who are still in a knock-out.
//   - [Table] is the table of results, with tie-breaks.
package pairing

// ID names a player; 0 is nobody.
type ID = int64

// Pair is a match between two: First takes the first seat of the game, Second the second.
type Pair struct {
	First  ID `json:"first"`
	Second ID `json:"second"`
}

// Round is who meets whom in a round, and who has nobody to meet; Bye is 0 where everybody
// meets somebody.
type Round struct {
	Pairs []Pair `json:"pairs"`
	Bye   ID     `json:"bye,omitempty"`
}
