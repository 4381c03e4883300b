package command

import (
	"regexp"
	"slices"

	"samizdat/adjudicator/order"
)

// Yes and No answer a letter that asks somebody who is not, or not yet, known to write
// for a seat: whether he wants to watch, or whether an address is his.
const (
	Yes Word = "YES"
	No  Word = "NO"
)

// outside are the orders of those who play in no match.
var outside = []*Entry{
	unobserve,
	{Word: Observe, Line: row(`OBSERVE`+named+`[\s.!]*`, observed)},
	{Word: Yes, Line: row(`(?:ADDRESS[\s:=]+)?YES(?:,?\s+PLEASE)?\s*[.!]*`, nil)},
	{Word: No, Line: row(`(?:ADDRESS[\s:=]+)?(?:KEEP|NO)\s*[.!;]*`, nil)},
}

// bracketed is what we write into subjects, such as the token of a letter.
var bracketed = regexp.MustCompile(`\[[^\]]*\]`)

// Find returns the first line of a letter that is one of some orders of outsiders,
// or else its subject: mail programs that unsubscribe send no text.
func Find(text, subject string, words ...Word) (c Command, ok bool) {
	for _, l := range order.Split(text) {
		if c, ok = outsiders(l.Text, words); ok {
			return c, true
		}
	}
	if c, ok = outsiders(subject, words); ok {
		return c, true
	}
	return outsiders(bracketed.ReplaceAllString(subject, ""), words)
}

func outsiders(text string, words []Word) (c Command, ok bool) {
	for _, e := range outside {
		if !slices.Contains(words, e.Word) {
			continue
		}
		if c, _, ok = e.Line(nil, said{text: text}); ok {
			c.Word, c.entry = e.Word, e
			return c, true
		}
	}
	return Command{}, false
}
