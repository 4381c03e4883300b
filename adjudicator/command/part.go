package command

import (
	"context"
	"slices"
	"strings"

	"samizdat/rules"
)

// What is asked of the game: its parts of a letter. Position asks for what samizdat
// check needs to try orders at home.
const (
	Hand     = Word(rules.QueryHand)
	Discards = Word(rules.QueryDiscards)
	Map      = Word(rules.QueryMap)
	BigMap   = Word(rules.QueryBigMap)
	Position = Word("POSITION")
)

var (
	hand     = part(Hand, informs, Form{Order: "HAND", Does: "shows your hand only"})
	discards = part(Discards, informs, Form{Order: "DISCARDS", Does: "lists the open piles"})
	theMap   = part(Map, informs, Form{Order: "MAP", Does: "shows the map only; MAP BIG: the large one"})
	bigMap   = part(BigMap, informs)
	position = part(Position, SendsPositions, Form{Order: "POSITION", Does: "sends what you see as data, to try orders at home"})
)

// part is an order that asks for one part of a letter. Its words may stand in any order.
func part(word Word, in func(rules.Game) bool, help ...Form) *Entry {
	want := strings.Fields(strings.ToLower(string(word)))
	slices.Sort(want)
	return &Entry{
		Word: word, Class: Question, In: in, Help: help,
		Line: func(_ *Reader, l said) (Command, string, bool) {
			words := l.asked()
			slices.Sort(words)
			return Command{}, "", slices.Equal(words, want)
		},
		Do: func(_ context.Context, h Host, c Command) (Outcome, error) {
			h.Part(rules.Query(c.Word))
			return Done(below)
		},
	}
}

// below says where the answer is.
const below = "It stands below."
