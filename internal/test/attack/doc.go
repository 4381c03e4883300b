// Package attack tests the proof of fairness. Its tests cheat as a player, as the operator, as both
// together and as the thief of a backup, and check that `samizdat verify` finds the fraud.
// docs/fairness.md lists the attacks.
//
// The package has its own writer of records (writer_test.go), based on docs/record.md and the
// standard library alone, so that writer and verifier share no bugs. Moves are legal and come from
// the games. The package has only tests.
package attack
