package table

import (
	"slices"
	"strings"
)

// letterPart is a titled part of a letter; the head, which has no title, is the
// first.
type letterPart struct {
	title string
	lines []string
}

// The titles of parts that every letter may have.
const (
	partOrders   = "YOUR ORDERS"
	partHappened = "WHAT HAPPENED"
	partDecision = "YOUR DECISION"
	// partMessage stands in the titles of messages.
	partMessage = " WRITES"
)

// letterParts cuts a letter at its titles, and leaves out the mark above and the
// lines about mail below.
func letterParts(body string) []letterPart {
	for _, foot := range []string{"\nTo answer, reply to this letter", "\nThe match is over, and nothing is left to answer."} {
		body, _, _ = strings.Cut(body, foot)
	}
	rows := strings.Split(strings.TrimPrefix(body, letterMark), "\n")
	parts := []letterPart{{}}
	for i := 0; i < len(rows); i++ {
		if i+1 < len(rows) && rows[i] != "" && rows[i] == strings.ToUpper(rows[i]) && rows[i+1] == strings.Repeat("-", len([]rune(rows[i]))) {
			parts = append(parts, letterPart{title: rows[i]})
			i++
			continue
		}
		p := &parts[len(parts)-1]
		p.lines = append(p.lines, rows[i])
	}
	return parts
}

// text is a part as it stood in the letter.
func (p letterPart) text() string {
	body := strings.Trim(strings.Join(p.lines, "\n"), "\n")
	if p.title == "" {
		return body
	}
	return p.title + "\n" + strings.Repeat("-", len([]rune(p.title))) + "\n" + body
}

// without leaves out the parts of some titles.
func without(parts []letterPart, titles ...string) []letterPart {
	return slices.DeleteFunc(slices.Clone(parts), func(p letterPart) bool { return slices.Contains(titles, p.title) })
}

// only keeps the parts of some titles.
func only(parts []letterPart, titles ...string) []letterPart {
	return slices.DeleteFunc(slices.Clone(parts), func(p letterPart) bool { return !slices.Contains(titles, p.title) })
}

// joinParts writes parts one below the other.
func joinParts(parts []letterPart) string {
	var out []string
	for _, p := range parts {
		if t := p.text(); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n\n")
}

// joinLines writes the lines of parts, without their titles.
func joinLines(parts []letterPart) string {
	var out []string
	for _, p := range parts {
		out = append(out, p.lines...)
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}
