// Package attack cheats. Its tests try what a player, whoever runs the referee, both of
// them together, or the thief of a backup could try, and hold `samizdat verify` to finding
// it. docs/fairness.md lists them.
//
// The records are made by a writer of its own (writer_test.go), from docs/record.md and the
// standard library alone, so that no fault of the verifier is a fault of its adversary too.
// Moves are legal ones, from the games themselves. Only tests are in this package.
package attack
