package compose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// Paragraphs lays a text out, with an empty line between its lines.
func Paragraphs(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, strings.Split(templates.Wrap(line), "\n")...)
	}
	return out
}

// Bulleted lays sentences out as in the part of a letter that tells what happened.
func Bulleted(sentences []string) []string {
	var out []string
	for _, t := range sentences {
		out = append(out, Wrapped(t, "- ", "  ")...)
	}
	return out
}

// Wrapped breaks a line at spaces, and what has none where it must. The first row
// begins with first, the others with rest, which is as wide.
func Wrapped(text, first, rest string) []string {
	return WrappedTo(templates.Width, text, first, rest)
}

// WrappedTo does so for rows of so many columns.
func WrappedTo(width int, text, first, rest string) []string {
	most := width - utf8.RuneCountInString(rest)
	var out []string
	row := []rune{}
	flush := func() {
		head := rest
		if out == nil {
			head = first
		}
		out, row = append(out, strings.TrimRight(head+string(row), " ")), row[:0]
	}
	for _, w := range strings.Fields(text) {
		word := []rune(w)
		if len(row) > 0 && len(row)+1+len(word) > most {
			flush()
		}
		if len(row) > 0 {
			row = append(row, ' ')
		}
		for len(row)+len(word) > most {
			n := most - len(row)
			row, word = append(row, word[:n]...), word[n:]
			flush()
		}
		row = append(row, word...)
	}
	flush()
	return out
}

// Note lays a short text out below the mark. A paragraph that begins with a space, such as "    YES", is not wrapped.
func Note(mark string, paragraphs ...string) string {
	out := mark + "\n"
	for _, p := range paragraphs {
		if !strings.HasPrefix(p, " ") {
			p = templates.Wrap(p)
		}
		out += "\n" + p + "\n"
	}
	return out
}

// Printed writes the names of a game as they are printed: by the first other name
// that is the same but for its accents.
func Printed(g *rules.Game) func(string) string {
	as := map[string]string{}
	var names []string
	for _, n := range g.Names() {
		for _, other := range n.Aliases {
			if other != n.Text && order.ASCII(other) == n.Text {
				as[n.Text] = other
				names = append(names, regexp.QuoteMeta(n.Text))
				break
			}
		}
	}
	if len(names) == 0 {
		return func(s string) string { return s }
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	re := regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)\b`)
	return func(s string) string { return re.ReplaceAllStringFunc(s, func(n string) string { return as[n] }) }
}

// LineCount writes a number of lines.
func LineCount(n int) string {
	if n == 1 {
		return "one line"
	}
	return fmt.Sprintf("%d lines", n)
}

// Barred lays out what a player writes. The bar keeps it apart from what Samizdat writes.
func Barred(text string) (lines []string) {
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, WrappedTo(mostColumns, l, "| ", "| ")...)
	}
	return lines
}

// mostColumns is how wide a row of a player's words is at most, with its bar; where two columns stand
// before that, it is 54. A mail program that quotes it again and again still need not break
// it, and nothing of it comes back as if its reader had written it.
const mostColumns = 52
