package engine

import "samizdat/rules"

// Verb is what an atom does; an atom is a verb with a value: a unit, a space, a seat or a
// colour.
type Verb uint8

// The verbs. Among the answers to a question the first one that is possible is what silence
// means, so that declining comes before giving what the call has announced, and that before
// giving nothing more.
const (
	VerbAbstain Verb = 1 + iota
	VerbName
	VerbSeat
	// VerbNoMore ends an answer that might have gone on: the order of two votes stays that of
	// the spaces (ruling 6), a call announces no gifts (ruling 14).
	VerbNoMore
	VerbFirst
	VerbVote
	VerbPurge
	VerbHold
	VerbRevolution
	VerbDecline
	// VerbGiveListed gives what the leader's call has announced (ruling 14).
	VerbGiveListed
	// VerbGiven ends a list of gifts.
	VerbGiven
	VerbGive
)

// NewAtom makes an atom.
func NewAtom(v Verb, value int) rules.Atom { return rules.Atom(uint32(v)<<8 | uint32(value)) }

// VerbOf is an atom's verb.
func VerbOf(a rules.Atom) Verb { return Verb(a >> 8) }

// ValueOf is an atom's value.
func ValueOf(a rules.Atom) int { return int(a & 0xff) }

// The kinds of decisions.
const (
	KindName  = "name"
	KindSeat  = "seat"
	KindVote  = "vote"
	KindPurge = "purge"
	KindCall  = "call"
	KindGive  = "give"
)
