// Package gate is the one gate between what players write and a game's engine.
// Submission, preview, programs, replay and verification all pass here, so that
// a game package never sees an answer from a seat that does not owe it, nor an
// atom that is not an option.
//
// # What the gate guarantees
//
//   - An answer takes effect whole or not at all, and always on a copy: the
//     position that was handed in never changes.
//   - It is given to an open decision of its own seat, of one of the answer's
//     kinds and of its source if it names one; of several such decisions to the
//     first for which the first atom is an option.
//   - Every atom is an option at the moment that it is given.
//   - The atoms after the first go on with the same answer: they go to the
//     decision of the seat that is midway, which may be a new one (the operation
//     behind a card played). Atoms that are left when nothing is midway are too
//     many, and a decision that is still midway after the last atom is too few,
//     unless it offers a Stop, which is then given.
//   - Chance that runs out after the last atom is no refusal: the answer stands
//     and the position is stalled (Result.Stalled).
//   - No outcome is asked for in the middle of an answer: the rest of the line
//     could still be refused, and its writer would have learnt the outcome. An
//     engine that does so is broken, and the gate says so (ErrMidwayChance).
//
// Refusals have a type each: *NothingOwed, *NotAsked, *Illegal, *Short, *Long.
// They hold what a caller needs to tell the player what is wrong, and to ask the
// game for the words (rules.LetterTexts.Refusal).
package gate
