package letter

import (
	"context"
	"fmt"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// topic tells about a part of the game's rules, or lists the parts.
var topic = &Entry{
	Word: Rules, Class: Question, In: is[rules.Librarian], Line: readTopic,
	Help: []Form{{Order: "RULES turn", Does: "explains a part of the rules; RULES alone lists the parts"}},
	Do:   explain,
}

// mostTopicWords is how many words may stand behind RULES when no topic is found.
const mostTopicWords = 3

// readTopic reads the name of a topic, which may be shortened and misspelt. A name
// of no topic asks for the list of them.
func readTopic(r *Reader, l said) (c Command, why string, ok bool) {
	words := l.words
	if len(words) > 0 && words[0] != "rules" {
		words = l.asked // Behind RULES no word is passed over.
	}
	if len(words) == 0 || len(words) > mostAsked || words[0] != "rules" {
		return c, "", false
	}
	if len(words) == 1 {
		return c, "", true
	}
	o, err := r.topics.Order(l.text)
	if err == nil && len(o.Clauses) == 1 && o.Clauses[0].Word == string(Rules) {
		return Command{Text: o.Clauses[0].Items[0].Name.Text}, "", true
	}
	_, c.Text, _ = strings.Cut(strings.TrimSpace(l.text), " ")
	return c, "", len(words) <= mostTopicWords+1
}

// shelf is the language in which topics are named behind a word.
type shelf struct {
	rules.Game
	word   Word
	topics []rules.Topic
}

// topicParser reads the names of a game's topics; nil where it has none.
func topicParser(g rules.Game) *order.Parser {
	if l, ok := g.(rules.Librarian); ok {
		return order.New(shelf{g, Rules, l.Topics()})
	}
	return nil
}

// Keywords implements rules.Language.
func (s shelf) Keywords() []rules.Keyword {
	return []rules.Keyword{{Word: string(s.word), Verb: true, Takes: []rules.NameKind{rules.TopicName}}}
}

// Names implements rules.Language.
func (s shelf) Names() []rules.Name {
	var out []rules.Name
	for i, t := range s.topics {
		out = append(out, rules.Name{Kind: rules.TopicName, Code: i + 1, Text: t.Name, Aliases: t.Aliases})
	}
	return out
}

// explain answers with the text on a topic, or with the list of topics.
func explain(_ context.Context, h Host, c Command) (Outcome, error) {
	var names []string
	for _, t := range h.Game().(rules.Librarian).Topics() {
		if t.Name == c.Text {
			h.Show(rules.Query(Rules), "Rules: "+t.Name, t.Text)
			return Done(below)
		}
		names = append(names, t.Name)
	}
	note := "There are texts on: " + strings.Join(names, ", ") + ". Write RULES and one of these."
	if c.Text != "" {
		note = fmt.Sprintf("There is no text on %q. %s", Echo(c.Text), note)
	}
	return Done(note)
}
