package command

import (
	"context"
	"strings"
)

// Observe asks to watch a match, Unobserve to watch it no longer.
const (
	Observe   Word = "OBSERVE"
	Unobserve Word = "UNOBSERVE"
)

// named is the name of a match behind OBSERVE.
const named = `\s+(?:MATCH\s+)?\[?(?:SAMIZDAT\s+)?([a-z0-9]{1,12})\]?`

func observed(m []string) (Command, string) { return Command{Text: strings.ToLower(m[1])}, "" }

var observe = &Entry{
	Word: Observe, Class: Setting,
	Line: row(`OBSERVE(?:`+named+`)?[\s.!]*`, observed),
	Do:   fromOutside,
}

var unobserve = &Entry{
	Word: Unobserve, Class: Setting,
	Line: row(`UNOBSERVE(?:\s+[a-z0-9]{1,12})?`, nil),
	Do:   fromOutside,
}

// fromOutside answers a player: a match is watched from outside.
func fromOutside(_ context.Context, h Host, c Command) (Outcome, error) {
	f := h.Facts()
	if c.Text != "" && c.Text != strings.ToLower(f.Match) {
		return Declined("To watch another match, write a new letter to " + f.Referee + ", not a reply. This one goes to the match that you play in.")
	}
	return Declined("You play in this match: your letters tell you what those who watch are told, and more.")
}
