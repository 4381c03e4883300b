package adjudicator

import (
	"strings"

	"samizdat/rules"
	"samizdat/templates"
)

// explain puts a text into the answer, once: a paragraph a line, entries with a dash, and what
// is indented as it stands.
func (j *adjudication) explain(q rules.Query, title, text string) {
	var lines []string
	var blocks []rules.Block
	before := ""
	for line := range strings.SplitSeq(text, "\n") {
		dash, code := strings.HasPrefix(line, "- "), strings.HasPrefix(line, "    ")
		alike := dash && strings.HasPrefix(before, "- ") || code && strings.HasPrefix(before, "    ")
		if before != "" && !alike {
			lines = append(lines, "")
		}
		before = line
		switch {
		case dash:
			lines = append(lines, wrapped(line[2:], "- ", "  ")...)
		case code:
			lines = append(lines, wrapped(line, "    ", "      ")...)
		default:
			lines = append(lines, strings.Split(templates.Wrap(line), "\n")...)
		}
		blocks = append(blocks, rules.Block{Text: strings.TrimSpace(line)})
	}
	j.add(q, title, lines, blocks)
}
