package rules

import "strings"

// ReadTopics reads the texts of a file: a line "# name | another name, ..." and paragraphs
// below it, with empty lines between them.
func ReadTopics(text string) []Topic {
	var out []Topic
	for _, block := range strings.Split("\n"+text, "\n# ")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		name, others, _ := strings.Cut(head, "|")
		t := Topic{Name: strings.TrimSpace(name)}
		for o := range strings.SplitSeq(others, ",") {
			if o = strings.TrimSpace(o); o != "" {
				t.Aliases = append(t.Aliases, o)
			}
		}
		var paragraphs []string
		for p := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
			paragraphs = append(paragraphs, strings.Join(strings.Fields(p), " "))
		}
		t.Text = strings.Join(paragraphs, "\n")
		out = append(out, t)
	}
	return out
}
