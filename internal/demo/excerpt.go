package demo

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"samizdat/rules"
)

// digest prints a summary of a match from its letters: the turns, and the events that the game marks as important.
type digest struct {
	to      io.Writer
	began   time.Time
	phrases []string
}

// printedPhrases are texts of the referee that every summary has.
const printedPhrases = "The match is over"

func newDigest(to io.Writer, g *rules.Game) digest {
	d := digest{to: to, began: time.Now(), phrases: []string{printedPhrases}}
	if g.Chronicle != nil {
		d.phrases = append(d.phrases, g.Chronicle.KeyPhrases()...)
	}
	return d
}

// tell prints the summary of a letter, which is the answer to the given number of orders.
func (d *digest) tell(text string, orders int) {
	for _, s := range sentencesOf(text) {
		switch {
		case strings.HasPrefix(s, "Turn "):
			fmt.Fprintf(d.to, "\n%s (%d orders, %.0f s)\n", s, orders, time.Since(d.began).Seconds())
		case slices.ContainsFunc(d.phrases, func(w string) bool { return strings.Contains(s, w) }):
			fmt.Fprintf(d.to, "  %s\n", s)
		}
	}
}

// sentencesOf joins the lines of a letter's events to sentences.
func sentencesOf(text string) []string {
	var out []string
	for _, line := range eventLines(text) {
		if s, first := strings.CutPrefix(line, "- "); first || len(out) == 0 {
			out = append(out, s)
		} else {
			out[len(out)-1] += " " + strings.TrimSpace(line)
		}
	}
	return out
}
