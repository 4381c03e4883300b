package command

import (
	"context"
	"slices"
	"strconv"
)

// history tells what happened in a turn.
var history = &Entry{
	Word: History, Class: Question,
	Line: func(r *Reader, l said) (Command, string, bool) {
		if words := l.asked(); len(words) == 1 && words[0] == "history" {
			return Command{}, "", true
		}
		return numbered("history", "turn")(r, l)
	},
	Help: []Form{{Order: "HISTORY 2", Does: "tells what happened in turn 2; HISTORY alone: in the last"}},
	Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.History(ctx, c.Number) },
}

// mostAsked is how many words a question has at most: more of them are talk.
const mostAsked = 8

// numbered reads a word with a number behind it: RESEND 12, HISTORY of turn 2. What asks
// is read only as it is written, so that no talk of hands and maps is taken for it.
func numbered(word, unit string) func(*Reader, said) (Command, string, bool) {
	return func(_ *Reader, l said) (c Command, why string, ok bool) {
		words := l.asked()
		if len(words) < 2 || words[0] != word {
			return c, "", false
		}
		rest := slices.DeleteFunc(words[1:], func(w string) bool { return w == unit || w == "of" })
		if len(rest) != 1 {
			return c, "", false
		}
		n, err := strconv.Atoi(rest[0])
		return Command{Number: n}, "", err == nil && n >= 0
	}
}

// asked are the words of a question without the polite ones; nil where there are too
// many.
func (l said) asked() []string {
	words := slices.Clone(l.words)
	if len(words) > 1 {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "please" || w == "pls" || w == "thanks" })
	}
	if len(words) > mostAsked {
		return nil
	}
	return words
}
