package words

import (
	_ "embed"
	"strings"

	"samizdat/rules"
)

// topicsText holds the texts on the rules: a line "# name | another name, ..." and
// paragraphs below it, with empty lines between them.
//
//go:embed data/topics.txt
var topicsText string

// topics are the texts of topicsText.
var topics = readTopics(topicsText)

// Topics implements rules.Librarian.
func (Words) Topics() []rules.Topic { return topics }

func readTopics(text string) []rules.Topic {
	var out []rules.Topic
	for _, block := range strings.Split("\n"+text, "\n# ")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		name, others, _ := strings.Cut(head, "|")
		t := rules.Topic{Name: strings.TrimSpace(name)}
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
