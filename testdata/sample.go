// Package testdata holds the sample turn of the 1989 rulebook. "samizdat demo --sample" and tests play it.
package testdata

import _ "embed"

// SampleRecord is the sample turn as a record, with dice, cards and the expected positions.
//
//go:embed sample-turn.jsonl
var SampleRecord []byte

// SampleLetters are the orders of the sample turn as a txtar archive. A file has the number and the seat of a decision
// as its name: "01 communist".
//
//go:embed sample-letters.txtar
var SampleLetters []byte
