package report

import (
	"slices"
	"strings"
)

// part is a part of a letter: its title in small letters, and its lines. The head has no title.
type part struct {
	title string
	lines []string
}

// happened is the title of the part that tells what happened.
const happened = "what happened"

// textParts takes the text of a letter apart. A title is underlined:
//
//	WHAT HAPPENED
//	-------------
func textParts(text string) []part {
	lines := strings.Split(text, "\n")
	out := []part{{}}
	for i, l := range lines {
		if l != "" && i+1 < len(lines) && underlines(lines[i+1], l) {
			out = append(out, part{title: strings.ToLower(l)})
			continue
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, l)
	}
	return out
}

// underlines reports whether a line is nothing but hyphens, under a title.
func underlines(line, title string) bool {
	return len(line) >= 3 && len(line) <= len(title)+1 && strings.Trim(line, "-") == ""
}

// pageParts takes the page of a letter apart, where titles are lines of their own.
func pageParts(page string, titles []string) []part {
	out := []part{{}}
	for l := range strings.SplitSeq(page, "\n") {
		title := strings.ToLower(strings.TrimSpace(l))
		if title != "" && slices.Contains(titles, title) {
			out = append(out, part{title: title})
			continue
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, l)
	}
	return out
}

// sentences are the lines of a part, with those put together that a text has broken.
func (p part) sentences() (out []string) {
	for _, l := range p.lines {
		switch more, broken := strings.CutPrefix(l, "  "); {
		case broken && len(out) > 0:
			out[len(out)-1] += " " + strings.TrimSpace(more)
		default:
			out = append(out, l)
		}
	}
	return out
}
