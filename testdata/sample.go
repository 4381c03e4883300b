// Package testdata holds the sample turn of the 1989 rulebook: as a record to
// replay, and as the letters that players would write. "samizdat demo --sample"
// and tests play it.
package testdata

import _ "embed"

// SampleRecord is the sample turn as a record, with the dice and cards and the
// expected positions of the rulebook.
//
//go:embed sample-turn.jsonl
var SampleRecord []byte

// SampleLetters are the orders of the sample turn as a txtar archive, one letter
// for each decision. The name of a file has the number and the seat of its
// letter: "01 communist".
//
//go:embed sample-letters.txtar
var SampleLetters []byte
