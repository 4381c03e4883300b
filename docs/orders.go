// Package docs holds the documents, and gives those that are sent by mail as text.
package docs

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed orders.md
var orders string

// Section is what stands under a heading of a document.
type Section struct {
	Title  string
	Blocks []Block
}

// Kind is what a block of a document is.
type Kind int

// The kinds of blocks.
const (
	Paragraph Kind = iota
	// Entry is an entry of a list, or a row of a table; Code is a line as it stands.
	Entry
	Code
)

// Block is a piece of a document without its markup. Text is one line; layout is the
// caller's affair.
type Block struct {
	Kind Kind
	Text string
	// source is what it was made of.
	source string
}

// Mentions reports whether an order stands in a block: as what the block is about, or,
// in a paragraph, anywhere.
func (b Block) Mentions(word string) bool {
	if b.Kind == Code {
		return false
	}
	text := b.source
	if b.Kind == Entry {
		text, _, _ = strings.Cut(strings.TrimPrefix(text, "|"), "|")
	}
	return strings.Contains(text, "`"+word+"`") || strings.Contains(text, "`"+word+" ")
}

// Orders is the page on orders, section by section. It is read once, and is only looked at.
var Orders = sync.OnceValue(func() []Section { return sections(orders) })

func sections(text string) []Section {
	var out []Section
	for part := range strings.SplitSeq("\n"+text, "\n#") {
		title, body, _ := strings.Cut(part, "\n")
		if title = strings.TrimLeft(title, "# "); title != "" {
			out = append(out, Section{title, blocks(body)})
		}
	}
	return out
}

// blocks reads what stands under a heading, paragraph by paragraph.
func blocks(text string) []Block {
	var out []Block
	var open []string
	end := func() {
		if source := strings.Join(open, " "); source != "" {
			kind := Paragraph
			if strings.HasPrefix(source, "- ") {
				kind = Entry
			}
			out = append(out, Block{kind, plain(strings.TrimPrefix(source, "- ")), source})
		}
		open = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "|"):
			end()
			if row := tableRow(line); row != "" {
				out = append(out, Block{Entry, row, line})
			}
		case strings.HasPrefix(line, "    "):
			end()
			out = append(out, Block{Code, strings.TrimSpace(line), line})
		case line == "", strings.HasPrefix(line, "- "):
			end()
			fallthrough
		default:
			if line = strings.TrimSpace(line); line != "" {
				open = append(open, line)
			}
		}
	}
	end()
	return slices.DeleteFunc(out, func(b Block) bool { return b.Text == "" })
}

// tableRow is a row of a table as a sentence: what it is about, and what it says of that.
// The rows that name the columns and draw the rule say nothing.
func tableRow(line string) string {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(line, "| "), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	if strings.Trim(cells[0], "-") == "" && len(cells) > 1 && strings.Trim(cells[1], "-") == "" || !strings.Contains(line, "`") {
		return ""
	}
	for i, c := range cells {
		cells[i] = plain(c)
	}
	return strings.TrimPrefix(strings.Join(cells, ": "), ": ")
}

var (
	link   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	quoted = regexp.MustCompile("`([^`]*)`")
)

// plain takes the markup out of a line.
func plain(text string) string {
	text = link.ReplaceAllString(text, "$1")
	text = quoted.ReplaceAllString(text, `"$1"`)
	return strings.ReplaceAll(text, "**", "")
}
