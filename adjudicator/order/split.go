package order

import "strings"

// Line is one line of a letter that may be an order.
type Line struct {
	// Number is where the line begins in the letter, counted from 1.
	Number int
	// Text is the line without comments and surrounding space.
	Text string
	// Continues is set for a line that begins with AND below another one.
	Continues bool
	// Enclosed lines stand between BEGIN and END: they are orders, whatever
	// they look like.
	Enclosed bool
}

// Split cuts the text of a letter into lines. Empty lines, comments, and the
// words BEGIN and END themselves are left out. An END may be missing. A line that
// begins with AND stays by itself; Parser.Lines joins it to the list above.
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
			}
			out = append(out, Line{Number: i + 1, Text: part, Enclosed: enclosed, Continues: continues && startsWithAnd(part)})
			continues = true
		}
	}
	return out
}

func startsWithAnd(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	return strings.EqualFold(strings.TrimRight(first, ","), "and") && strings.TrimSpace(rest) != ""
}

// Lines cuts the text of a letter into lines, as Split does, and joins a line
// that begins with AND to the list above, if it can be a part of that list: "AND
// Krakow" behind PLACE is, "And see you on Sunday!" is not.
func (p *Parser) Lines(text string) []Line {
	var out []Line
	for _, l := range Split(text) {
		if !l.Continues || !l.Enclosed && !p.continues(out[len(out)-1].Text, l.Text) {
			l.Continues = false
			out = append(out, l)
			continue
		}
		head := &out[len(out)-1]
		head.Text += " " + l.Text
	}
	return out
}

// continues reports whether a line that begins with AND goes on with an order's
// list: behind the order's verb it would be an order itself.
func (p *Parser) continues(head, line string) bool {
	verb, _, _ := strings.Cut(head, " ")
	_, rest, _ := strings.Cut(line, " ")
	return p.IsOrder(verb + " " + rest)
}
