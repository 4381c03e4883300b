// Package testdata holds the sample turn of the 1989 rulebook, which is the
// demonstration and the first test of the whole program: as a record to replay,
// and as the letters that players would write.
//
// The program is cmd/samizdat. The way of a letter through the packages is
// mail -> adjudicator -> rules -> storage -> mail.
package testdata

import _ "embed"

// SampleRecord is the sample turn as a record with its chance, and with lines
// that say what the rulebook expects.
//
//go:embed sample-turn.jsonl
var SampleRecord []byte

// SampleLetters are the orders of the sample turn, one letter a decision, as a
// txtar archive. A file is named by its number and the seat that writes it.
//
//go:embed sample-letters.txtar
var SampleLetters []byte
