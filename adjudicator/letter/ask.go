package letter

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
)

// What asks the host. status and resend send the letter as it stands, again tells an
// older one again, history tells what happened in a turn, stats what chance has done.
var (
	status = &Entry{
		Word: Status, Class: Asking, Keyword: &rules.Keyword{}, Do: resend.Do,
		Help: []Form{{Order: "STATUS", Does: "sends the letter as it stands now"}},
	}
	resend = &Entry{Word: Resend, Class: Asking, Keyword: &rules.Keyword{}, Do: always(Done("Here is the letter as it stands now."))}
	again  = &Entry{
		Word: Again, Class: Question, Line: numbered("resend", "letter"),
		Help: []Form{{Order: "RESEND 1", Does: "tells again what letter 1 told"}},
		Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Again(ctx, c.Number) },
	}
	history = &Entry{
		Word: History, Class: Question,
		Line: func(r *Reader, l said) (Command, string, bool) {
			if len(l.asked) == 1 && l.asked[0] == "history" {
				return Command{}, "", true
			}
			return numbered("history", "turn")(r, l)
		},
		Help: []Form{{Order: "HISTORY 1", Does: "tells what happened in turn 1; HISTORY alone: in the last"}},
		Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.History(ctx, c.Number) },
	}
	stats = &Entry{
		Word: Stats, Class: Question,
		Line: func(_ *Reader, l said) (Command, string, bool) {
			words := l.asked
			return Command{}, "", len(words) == 1 && (words[0] == "stats" || words[0] == "statistics")
		},
		Help: []Form{{Order: "STATS", Does: "tells dice and cards in numbers"}},
		Do:   func(ctx context.Context, h Host, _ Command) (Outcome, error) { return h.Stats(ctx) },
	}
)

// What is asked of the game: what a card does, and its parts of a letter. position asks
// for what samizdat check needs to try orders at home.
var (
	card = &Entry{
		Word: Card, Class: Asking, In: is[rules.Cards], Keyword: &rules.Keyword{Takes: []rules.NameKind{rules.CardName}},
		Help: []Form{{Order: "CARD 1", Does: "tells what card 1 does; a title may stand for the number"}},
		Do: func(_ context.Context, h Host, c Command) (Outcome, error) {
			if c.More {
				return Refused("CARD wants the number or the title of a card, and nothing else.")
			}
			return Done(strings.Join(h.Game().(rules.Cards).About(h.View(), c.Name), "\n"))
		},
	}
	hand      = part(Hand, is[rules.Informer], Form{Order: "HAND", Does: "shows your hand only"})
	discards  = part(Word(rules.QueryDiscards), is[rules.Informer], Form{Order: "DISCARDS", Does: "lists the open piles"})
	theMap    = part(Word(rules.QueryMap), is[rules.Informer], Form{Order: "MAP", Does: "shows the map only; MAP BIG: the large one"})
	bigMap    = part(Word(rules.QueryBigMap), is[rules.Informer])
	theRecord = part(Record, nil, Form{Order: "RECORD", Does: "sends the record of the match, to check dice and letters"})
	position  = part(Position, sendsPositions, Form{Order: "POSITION", Does: "sends what you see as data, to try orders at home"})
)

// part is an order that asks for one part of a letter. Its words may stand in any order.
func part(word Word, in func(rules.Game) bool, help ...Form) *Entry {
	want := strings.Fields(strings.ToLower(string(word)))
	slices.Sort(want)
	return &Entry{
		Word: word, Class: Question, In: in, Help: help,
		Line: func(_ *Reader, l said) (Command, string, bool) {
			if len(l.asked) != len(want) {
				return Command{}, "", false
			}
			return Command{}, "", slices.Equal(slices.Sorted(slices.Values(l.asked)), want)
		},
		Do: func(_ context.Context, h Host, c Command) (Outcome, error) {
			h.Part(rules.Query(c.Word))
			return Done(below)
		},
	}
}

// below says where the answer is.
const below = "It stands below."

// mostAsked is how many words a question has at most: more of them are talk.
const mostAsked = 8

// numbered reads a word with a number behind it: RESEND 12, HISTORY of turn 2. What asks
// is read only as it is written, so that no talk of hands and maps is taken for it.
func numbered(word, unit string) func(*Reader, said) (Command, string, bool) {
	return func(_ *Reader, l said) (c Command, why string, ok bool) {
		if len(l.asked) < 2 || l.asked[0] != word {
			return c, "", false
		}
		rest := slices.DeleteFunc(slices.Clone(l.asked[1:]), func(w string) bool { return w == unit || w == "of" })
		if len(rest) != 1 {
			return c, "", false
		}
		n, err := strconv.Atoi(rest[0])
		return Command{Number: n}, "", err == nil && n >= 0
	}
}

// asked are the words of a question without the polite ones; nil where there are too
// many.
func asked(words []string) []string {
	if len(words) > 1 {
		words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "please" || w == "pls" || w == "thanks" })
	}
	if len(words) > mostAsked {
		return nil
	}
	return words
}
