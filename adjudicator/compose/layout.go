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

// Paragraphs wraps each line of a text as a paragraph, with an empty line between paragraphs.
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

// FormatList formats sentences as a list with dashes.
func FormatList(sentences []string) []string {
	var out []string
	for _, t := range sentences {
		out = append(out, Wrap(t, "- ", "  ")...)
	}
	return out
}

// Wrap wraps a text. The first row begins with firstPrefix, the others with otherPrefix, which must have the same width.
func Wrap(text, firstPrefix, otherPrefix string) []string {
	return WrapTo(templates.Width, text, firstPrefix, otherPrefix)
}

func WrapTo(width int, text, firstPrefix, otherPrefix string) []string {
	maxRunes := width - utf8.RuneCountInString(otherPrefix)
	var out []string
	row := []rune{}
	flush := func() {
		prefix := otherPrefix
		if out == nil {
			prefix = firstPrefix
		}
		out, row = append(out, strings.TrimRight(prefix+string(row), " ")), row[:0]
	}
	for _, w := range strings.Fields(text) {
		word := []rune(w)
		if len(row) > 0 && len(row)+1+len(word) > maxRunes {
			flush()
		}
		if len(row) > 0 {
			row = append(row, ' ')
		}
		for len(row)+len(word) > maxRunes {
			n := maxRunes - len(row)
			row, word = append(row, word[:n]...), word[n:]
			flush()
		}
		row = append(row, word...)
	}
	flush()
	return out
}

// FormatNote formats a short text below the marker line (the line "Write above this line"). A paragraph that begins with
// a space, e.g. an indented YES, is not wrapped.
func FormatNote(markerLine string, paragraphs ...string) string {
	out := markerLine + "\n"
	for _, p := range paragraphs {
		if !strings.HasPrefix(p, " ") {
			p = templates.Wrap(p)
		}
		out += "\n" + p + "\n"
	}
	return out
}

// NamePrinter returns a function that replaces ASCII names of a game by their printed form, e.g. Gdansk by Gdańsk.
func NamePrinter(g *rules.Game) func(string) string {
	printed := map[string]string{}
	var names []string
	for _, n := range g.Names() {
		for _, other := range n.Aliases {
			if other != n.Text && order.ASCII(other) == n.Text {
				printed[n.Text] = other
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
	return func(s string) string { return re.ReplaceAllStringFunc(s, func(n string) string { return printed[n] }) }
}

// FormatLineCount formats a number of lines, e.g. "3 lines".
func FormatLineCount(n int) string {
	if n == 1 {
		return "one line"
	}
	return fmt.Sprintf("%d lines", n)
}

// FormatQuote formats a player's text with a bar before each row, e.g. "| Well played!".
func FormatQuote(text string) (lines []string) {
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, WrapTo(quoteWidth, l, quoteBar+" ", quoteBar+" ")...)
	}
	return lines
}

const quoteBar = "|"

// quoteWidth is the width of a player's text with its bar. It leaves room for several levels of "> ": if a mail
// program broke a quoted row, its second part, without "> ", would look like the reader's own text.
const quoteWidth = 52
