package command

import (
	"context"
	"slices"
	"strings"

	"samizdat/rules"
)

// What is asked of the game: its parts of a letter. position asks for what samizdat
// check needs to try orders at home.
var (
	hand     = part(Hand, informs, Form{Order: "HAND", Does: "shows your hand only"})
	discards = part(Word(rules.QueryDiscards), informs, Form{Order: "DISCARDS", Does: "lists the open piles"})
	theMap   = part(Word(rules.QueryMap), informs, Form{Order: "MAP", Does: "shows the map only; MAP BIG: the large one"})
	bigMap   = part(Word(rules.QueryBigMap), informs)
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
