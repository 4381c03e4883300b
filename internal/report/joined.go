package report

import (
	"fmt"
	"io"
	"strings"

	"samizdat/internal/lazyregexp"
	"samizdat/mail/message"
)

// joinedWords finds the words in the letter that confirms that its reader has joined. What other
// players write never begins a row.
var joinedWords = lazyregexp.New(`(?m)^  You\s+have\s+joined\b[^|]{0,200}?\bYour\s+words\s+for\s+the\s+dice:((?:[ \t]*\S.*)?(?:\n  \S.*)*)`)

// readWords reads them, without white space: letters break rows.
func readWords(text string) string {
	if m := joinedWords.FindStringSubmatch(text); m != nil {
		return unspaced(m[1])
	}
	return ""
}

func unspaced(text string) string { return strings.Join(strings.Fields(text), "") }

// words holds the words of each seat against the newest letter that confirmed them to its
// player, and returns how many are others: who exchanges words between seats has a choice of
// dice. Of somebody who was replaced before the match began there is no letter from then on.
func (c letterCheck) words(out io.Writer) (bad int) {
	for i, s := range c.list {
		if s.words == "" || s.name.Kind != message.Seat || s.name.Holder >= len(c.rec.Header.Words) || s.words == unspaced(c.rec.Header.Words[s.name.Holder]) {
			continue
		}
		plays := false
		for _, o := range c.list[i+1:] {
			if !sameReader(o.name, s.name) {
				break
			}
			if o.words != "" {
				plays = false
				break
			}
			p, known := c.places[o.head]
			plays = plays || known && p.seq >= 0
		}
		if plays {
			bad++
			fmt.Fprintf(out, "  %s: the words that it confirms are not those of that seat in the record.\n", c.called(s))
		}
	}
	return bad
}
