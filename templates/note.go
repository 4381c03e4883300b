package templates

import (
	"strings"
	"unicode/utf8"
)

// Note is a letter that is about no match, such as one of the club.
type Note struct {
	// Mark is the line above everything that we write.
	Mark string
	// Ask asks whether the reader means the orders of his letter; nil where it does not.
	Ask *Ask
	// Says begins it, a paragraph each.
	Says []string
	// Lines say what became of the reader's orders, line by line; Problems are parts of his
	// letter that could not be read.
	Lines    []Line
	Problems []string
	// Parts are the parts that follow, each under its title.
	Parts []Part
	// Ends are the last paragraphs.
	Ends []string
}

// Part is a part of a note: paragraphs that are broken into lines, or rows that stand as they
// are.
type Part struct {
	Title string
	Says  []string
	// Rows are a table, or orders: they are indented.
	Rows []string
}

// Text lays the note out.
func (n Note) Text() string {
	var out []string
	add := func(text string) { out = append(out, text) }
	add(n.Mark)
	if n.Ask != nil {
		var t text
		t.ask(*n.Ask)
		add(strings.TrimSpace(t.String()))
	}
	for _, s := range n.Says {
		add(Wrap(s))
	}
	if len(n.Lines)+len(n.Problems) > 0 {
		add(heading("Your letter"))
	}
	for _, l := range n.Lines {
		text := wrap(l.Note, "- ", "  ")
		if l.Text != "" {
			text = wrap(l.Text+": "+l.Outcome, "- ", "  ")
			if l.Note != "" {
				text += "\n" + wrap(l.Note, "  ", "  ")
			}
		}
		add(text)
	}
	for _, p := range n.Problems {
		add(wrap(p, "- ", "  "))
	}
	for _, p := range n.Parts {
		if p.Title != "" {
			add(heading(p.Title))
		}
		for _, s := range p.Says {
			add(Wrap(s))
		}
		if len(p.Rows) > 0 {
			rows := make([]string, len(p.Rows))
			for i, r := range p.Rows {
				if rows[i] = "    " + r; utf8.RuneCountInString(rows[i]) > Width {
					rows[i] = wrap(r, "    ", "      ")
				}
			}
			add(strings.Join(rows, "\n"))
		}
	}
	for _, s := range n.Ends {
		add(Wrap(s))
	}
	return tidy(strings.Join(out, "\n\n"))
}

func heading(title string) string {
	return strings.ToUpper(title) + "\n" + strings.Repeat("-", utf8.RuneCountInString(title))
}

// Columns lays rows of cells out below each other; the last cell of a row may be long.
func Columns(rows [][]string) []string {
	var width []int
	for _, r := range rows {
		for i, c := range r {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	out := make([]string, len(rows))
	for n, r := range rows {
		for i, c := range r {
			out[n] += c
			if i < len(r)-1 {
				out[n] += strings.Repeat(" ", width[i]-utf8.RuneCountInString(c)+2)
			}
		}
		out[n] = strings.TrimRight(out[n], " ")
	}
	return out
}
