package adjudicator

import (
	"fmt"
	"strings"
)

// mostMessages is how many messages a seat may send in a day for each of the others, so
// that one to all counts once for each.
const mostMessages = 5

// mostAsked is how many questions a seat may have passed on in a day.
const mostAsked = 5

// talkOff refuses messages in a match without talk.
const talkOff = "This match is played without talk: no message is carried. It was sent to nobody."

// ParseTalk reads "on" or "off", and reports whether messages are carried.
func ParseTalk(text string) (on bool, err error) {
	if text != "on" && text != "off" {
		return false, fmt.Errorf("%q is neither on nor off", text)
	}
	return text == "on", nil
}

// barred lays out what a player writes. The bar keeps it apart from what Samizdat writes.
func barred(text string) (lines []string) {
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrappedTo(mostColumns, l, "| ", "| ")...)
	}
	return lines
}

// mostColumns is how wide a row of a player's words is at most, with its bar; where two columns stand
// before that, it is 54. A mail program that quotes it again and again still need not break
// it, and nothing of it comes back as if its reader had written it.
const mostColumns = 52

func lineCount(n int) string {
	if n == 1 {
		return "one line"
	}
	return fmt.Sprintf("%d lines", n)
}
