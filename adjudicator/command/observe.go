package command

import (
	"context"
	"regexp"
	"strings"

	"samizdat/adjudicator/order"
)

// observe asks to watch a match, unobserve to watch it no longer. A match is watched from
// outside; a player is told so.
var (
	observe = &Entry{
		Word: Observe, Class: Setting, Do: fromOutside,
		Line: row(`OBSERVE(?:\s+(?:MATCH\s+)?\[?(?:SAMIZDAT\s+)?([a-z0-9]{1,12})\]?)?[\s.!]*`, func(m []string) (Command, string) {
			return Command{Text: strings.ToLower(m[1])}, ""
		}),
	}
	unobserve = &Entry{Word: Unobserve, Class: Setting, Do: fromOutside, Line: row(`UNOBSERVE(?:\s+[a-z0-9]{1,12})?`, nil)}
)

func fromOutside(_ context.Context, h Host, c Command) (Outcome, error) {
	f := h.Facts()
	if c.Text != "" && c.Text != strings.ToLower(f.Match) {
		return Declined("To watch another match, write a new letter to " + f.Referee + ", not a reply. This one goes to the match that you play in.")
	}
	return Declined("You play in this match: your letters tell you what those who watch are told, and more.")
}

// yes and no answer a letter that asks somebody who need not play: whether he wants to
// watch, or whether an address is his. YES answers a player too who is asked whether he means
// his orders, unless its choice is ADDRESS.
var (
	yes = &Entry{Word: Yes, Class: Acting, Line: row(`(?:(ADDRESS)[\s:=]+)?(?:YES|JA)(?:,?\s+(?:PLEASE|THANKS))?\s*[.!]*`, choice),
		Do: always(Refused("There is nothing that YES answers. It counts in reply to the letter that asks; or write the order itself."))}
	no = &Entry{Word: No, Class: Aside, Line: row(`(?:ADDRESS[\s:=]+)?(?:KEEP|NO)\s*[.!;]*`, nil)}
)

// bracketed is what we write into subjects, such as the token of a letter.
var bracketed = regexp.MustCompile(`\[[^\]]*\]`)

// Find returns the first line of a letter that is an order to the host which stands on a
// line of its own, or else its subject: mail programs that unsubscribe send no text.
func Find(text, subject string, word Word) (c Command, ok bool) {
	e := entryOf(word)
	for _, l := range append(order.Split(text), order.Line{Text: subject}, order.Line{Text: bracketed.ReplaceAllString(subject, "")}) {
		if c, _, ok = e.Line(nil, said{text: l.Text}); ok {
			break
		}
	}
	return c, ok
}
