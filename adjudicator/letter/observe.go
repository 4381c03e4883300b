package letter

import (
	"context"
	"regexp"
	"strings"

	"samizdat/adjudicator/consent"
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

// yes and no answer the question of a letter: whether the writer means the order that it
// spells out, agrees to what another player asks for, or wants to watch. ADDRESS YES and ADDRESS
// KEEP answer whether an address is the writer's.
var (
	yes = &Entry{Word: Yes, Class: Acting, Line: consentLine(consent.Yes, addressYes),
		Do: always(Refused("No question is open that YES answers, so nothing was done."))}
	no = &Entry{Word: No, Class: Acting, Line: consentLine(consent.No, addressKeep),
		Do: always(Refused("No question is open that NO answers, so nothing was done."))}
	addressYes  = regexp.MustCompile(`(?i)^\s*ADDRESS[\s:=]+YES\s*[.!]*$`)
	addressKeep = regexp.MustCompile(`(?i)^\s*(?:ADDRESS[\s:=]+)?(?:KEEP|NO)\s*[.!;]*$`)
)

// consentLine reads YES or NO as people write them, and the form for addresses.
func consentLine(answer consent.Answer, address *regexp.Regexp) func(*Reader, said) (Command, string, bool) {
	return func(_ *Reader, l said) (c Command, why string, ok bool) {
		switch {
		case consent.Read(l.text) == answer:
			return Command{}, "", true
		case address.MatchString(l.text):
			return Command{Choice: "ADDRESS"}, "", true
		}
		return Command{}, "", false
	}
}

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
