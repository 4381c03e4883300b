// Package docs embeds the pages about orders, and converts them to plain text for the order HELP.
package docs

import (
	"embed"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed orders*.md
var pages embed.FS

// Section is the part of a page below a heading, for example below "Orders ahead".
type Section struct {
	Title  string
	Blocks []Block
}

// Kind is the layout of a block.
type Kind int

// The kinds of blocks: a paragraph, a list entry or table row, and an indented line.
const (
	Paragraph Kind = iota
	Entry
	Code
)

// Block is a paragraph, a list entry, a table row or an indented line, without markup and on one line:
// "| `HAND` | sends your hand |" becomes `"HAND": sends your hand`.
type Block struct {
	Kind Kind
	Text string
	// source is the Markdown of the block, e.g. "| `HAND` | sends your hand |".
	source string
}

// Mentions reports whether a block is about an order, such as MESSAGE. It looks for `MESSAGE` or `MESSAGE ...`
// in the first cell of a table row, and anywhere in other text.
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

// Orders returns docs/orders.md, section by section. Callers must not change it.
var Orders = sync.OnceValue(func() []Section { return parsePage("orders.md") })

// GameOrders returns the page about the orders of a game, for example docs/orders-1989.md for "1989".
// It returns nil for a game without a page.
func GameOrders(game string) []Section { return parsePage("orders-" + game + ".md") }

// parsePage parses a page; nil if the page does not exist.
func parsePage(name string) []Section {
	text, err := pages.ReadFile(name)
	if err != nil {
		return nil
	}
	var out []Section
	for part := range strings.SplitSeq("\n"+string(text), "\n#") {
		title, body, _ := strings.Cut(part, "\n")
		if title = strings.TrimLeft(title, "# "); title != "" {
			out = append(out, Section{title, parseBlocks(body)})
		}
	}
	return out
}

func parseBlocks(text string) []Block {
	var out []Block
	var open []string
	end := func() {
		if source := strings.Join(open, " "); source != "" {
			kind := Paragraph
			if strings.HasPrefix(source, "- ") {
				kind = Entry
			}
			out = append(out, Block{kind, removeMarkup(strings.TrimPrefix(source, "- ")), source})
		}
		open = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "|"):
			end()
			if row := formatTableRow(line); row != "" {
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

// formatTableRow joins the cells of a table row: "| `HAND` | sends your hand |" becomes `"HAND": sends your hand`.
// It returns "" for the header of the table and the line below the header.
func formatTableRow(line string) string {
	var cells []string
	for cell := range strings.SplitSeq(strings.Trim(line, "| "), "|") {
		cells = append(cells, strings.TrimSpace(cell))
	}
	if strings.Trim(cells[0], "-") == "" && len(cells) > 1 && strings.Trim(cells[1], "-") == "" || !strings.Contains(line, "`") {
		return ""
	}
	for i, c := range cells {
		cells[i] = removeMarkup(c)
	}
	return strings.TrimPrefix(strings.Join(cells, ": "), ": ")
}

var (
	linkPattern = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	codePattern = regexp.MustCompile("`([^`]*)`")
)

// removeMarkup converts Markdown to plain text: "**See** `MAP` in [orders](orders.md)" becomes `See "MAP" in orders`.
func removeMarkup(text string) string {
	text = linkPattern.ReplaceAllString(text, "$1")
	text = codePattern.ReplaceAllString(text, `"$1"`)
	return strings.ReplaceAll(text, "**", "")
}
