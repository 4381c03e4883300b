package letter

import (
	"context"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// call says what its writer wants to be called in the match.
var call = &Entry{
	Word: CallMe, Class: Setting, Alone: true,
	Line: func(_ *Reader, l said) (c Command, why string, ok bool) {
		m := callText.FindStringSubmatch(l.text)
		if m == nil || m[1] != string(CallMe) && !capitals(m[2]) {
			return c, "", false
		}
		return Command{As: m[2]}, "", true
	},
	Help: []Form{{Order: "CALL ME ...", Does: "says what the others call you: CALL ME Ben"}},
	Do:   func(_ context.Context, h Host, c Command) (Outcome, error) { return h.Call(c.As) },
}

var callText = regexp.MustCompile(`^\s*((?i:call\s+me))\s*[:=]?\s+"?([^",;:!?]+?)"?[.!]?\s*$`)

// capitals reports whether each word begins with a capital, as in names: to be called back
// tomorrow is another thing.
func capitals(text string) bool {
	for _, word := range strings.Fields(text) {
		if first, _ := utf8.DecodeRuneInString(word); !unicode.IsUpper(first) {
			return false
		}
	}
	return true
}
