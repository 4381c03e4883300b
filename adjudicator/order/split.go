package order

import "strings"

// Line is one line of a letter that may be an order.
type Line struct {
	// Number is where the line begins in the letter, counted from 1.
	Number int
	// Text is the line without comments and surrounding space.
	Text string
	// Enclosed lines stand between BEGIN and END: they are orders, whatever
	// they look like.
	Enclosed bool
}

// Split cuts the text of a letter into lines. Empty lines, comments, and the
// words BEGIN and END themselves are left out. An END may be missing.
func Split(text string) []Line {
	var out []Line
	enclosed, continues := false, false
	for i, row := range strings.Split(strings.ReplaceAll(text, "\r", ""), "\n") {
		row, _, _ = strings.Cut(row, "//")
		if strings.TrimSpace(row) == "" {
			continues = false
			continue
		}
		for _, part := range strings.Split(row, ";") {
			part = strings.TrimSpace(part)
			switch word := strings.ToUpper(strings.Trim(part, ".:! ")); {
			case part == "":
				continue
			case word == "BEGIN":
				enclosed, continues = true, false
				continue
			case word == "END":
				enclosed, continues = false, false
				continue
			case continues && startsWithAnd(part):
				out[len(out)-1].Text += " " + part
				continue
			}
			out = append(out, Line{Number: i + 1, Text: part, Enclosed: enclosed})
			continues = true
		}
	}
	return out
}

func startsWithAnd(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	return strings.EqualFold(strings.TrimRight(first, ","), "and") && strings.TrimSpace(rest) != ""
}
