package demo

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"samizdat/rules"
)

// matchSummary prints a summary of a match from its letters: the turns, and the events that the game considers important.
type matchSummary struct {
	out     io.Writer
	started time.Time
	phrases []string
}

// endPhrase is a text of the referee that every summary contains.
const endPhrase = "The match is over"

func newMatchSummary(to io.Writer, g *rules.Game) matchSummary {
	d := matchSummary{out: to, started: time.Now(), phrases: []string{endPhrase}}
	if g.Chronicle != nil {
		d.phrases = append(d.phrases, g.Chronicle.KeyPhrases()...)
	}
	return d
}

// printSummary prints the turns and the important events in the text of a letter. orders is the number of letters with
// orders before it.
func (d *matchSummary) printSummary(text string, orders int) {
	for _, s := range sentencesOf(text) {
		switch {
		case strings.HasPrefix(s, "Turn "):
			fmt.Fprintf(d.out, "\n%s (%d orders, %.0f s)\n", s, orders, time.Since(d.started).Seconds())
		case slices.ContainsFunc(d.phrases, func(w string) bool { return strings.Contains(s, w) }):
			fmt.Fprintf(d.out, "  %s\n", s)
		}
	}
}

func sentencesOf(text string) []string {
	var out []string
	for _, line := range eventLines(text) {
		if s, isFirst := strings.CutPrefix(line, "- "); isFirst || len(out) == 0 {
			out = append(out, s)
		} else {
			out[len(out)-1] += " " + strings.TrimSpace(line)
		}
	}
	return out
}
