package demo

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// digest tells a match in short, out of the letters: turns, power struggles,
// victory points.
type digest struct {
	to    io.Writer
	began time.Time
}

// tell prints what is worth telling of a letter, which is the answer to so many orders.
func (d *digest) tell(text string, orders int) {
	for _, s := range sentencesOf(text) {
		switch {
		case strings.HasPrefix(s, "Turn ") && strings.HasSuffix(s, "begins."):
			fmt.Fprintf(d.to, "\n%s (%d orders, %.0f s)\n", s, orders, time.Since(d.began).Seconds())
		case worthTelling(s):
			fmt.Fprintf(d.to, "  %s\n", s)
		}
	}
}

// tellingWords mark the sentences that a digest keeps: the referee's own words
// for what decides a match.
var tellingWords = []string{
	"A power struggle begins", "wins the power struggle", "takes Power", "surrenders Power", "keeps Power", " is scored:", ": VP ",
	"The match is over", "declares the end",
}

func worthTelling(s string) bool {
	return slices.ContainsFunc(tellingWords, func(w string) bool { return strings.Contains(s, w) })
}

// sentencesOf joins the lines of what happened to sentences again.
func sentencesOf(text string) []string {
	var out []string
	for _, line := range happened(text) {
		if s, first := strings.CutPrefix(line, "- "); first || len(out) == 0 {
			out = append(out, s)
		} else {
			out[len(out)-1] += " " + strings.TrimSpace(line)
		}
	}
	return out
}
