// Package gate checks every answer of a player before the engine sees it. Letters, previews,
// robots, replay and verification use it, so a game never gets an answer from a seat without an
// open decision, or an illegal atom.
//
// # Guarantees of the gate
//
//   - An answer takes effect as a whole or not at all, on a copy of the position.
//   - The answer goes to an open decision of its own seat of a kind of the answer and, if
//     given, its source. Of several such decisions it goes to the first for which the first atom is
//     legal.
//   - Each atom is legal at its moment.
//   - Further atoms continue the same answer: they go to the seat's midway decision, which may be new
//     (the Operations of a played card). Atoms after the end of the answer are too many (*TooLong).
//     If the decision is midway after the last atom, the answer is too short (*TooShort), unless the
//     decision offers a Stop, which is added.
//   - If chance runs out after the last atom, the answer stands and the position is stalled
//     (Result.Stalled).
//   - The engine may not ask for chance in the middle of an answer: the rest could still be refused,
//     and the player would know the outcome. The gate reports this engine with ErrMidwayChance.
//
// For example, "PLACE Gdansk 2" with three points to place is refused as *TooShort.
//
// The types of refusals are *NoOpenDecision, *NotAsked, *Illegal, *TooShort and *TooLong. Refusal
// turns them into words of the game.
package gate
