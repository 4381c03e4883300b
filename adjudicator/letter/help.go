package letter

import (
	"errors"
	"slices"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/docs"
	"samizdat/rules"
)

// CompletePage is the name of the page of HELP that contains all pages.
const CompletePage = "ALL"

// Manual returns the pages of HELP: pages about the game, pages about the orders to the referee, and the parts of
// docs/orders.md. The last page contains all of docs/orders.md and all of the game's page in docs, e.g.
// docs/orders-1989.md. If two pages have the same name, the first is used.
func Manual(g *rules.Game) []rules.Topic {
	var out []rules.Topic
	usedNames := map[string]bool{}
	addPage := func(t rules.Topic) {
		claim := func(name string) bool {
			key := strings.ToLower(name)
			defer func() { usedNames[key] = true }()
			return !usedNames[key]
		}
		if !claim(t.Name) {
			return
		}
		t.Aliases = slices.DeleteFunc(slices.Clone(t.Aliases), func(a string) bool { return !claim(a) })
		out = append(out, t)
	}
	if g.Manual != nil {
		for _, t := range g.Manual() {
			addPage(t)
		}
	}
	general := docs.Orders()
	sections := slices.Concat(general, docs.GameOrders(g.Name()))
	for _, f := range Help(g) {
		addPage(rules.Topic{Name: f.pageName(), Text: f.pageText(sections)})
	}
	var all []string
	for i, s := range sections {
		text := formatBlocks(s.Blocks)
		all = append(all, strings.ToUpper(s.Title), text)
		if 0 < i && i < len(general) {
			addPage(rules.Topic{Name: s.Title, Text: text})
		}
	}
	addPage(rules.Topic{Name: CompletePage, Aliases: []string{"everything"}, Text: strings.Join(all, "\n")})
	return out
}

// pageName returns the name of a form's page: the words that all forms of the order begin with.
func (f Form) pageName() string {
	words := strings.Fields(f.Order)
	if len(words) > 1 && (words[1] == "TOKEN" || words[1] == "ORDERS") {
		return words[0] + " " + words[1]
	}
	return words[0]
}

func (f Form) pageText(sections []docs.Section) string {
	return formatBlocks(append([]docs.Block{{Kind: docs.Entry, Text: f.Order + ": " + f.Effect}}, findMentions(f.pageName(), sections)...))
}

// FindMentions returns everything that docs/orders.md says about a word without a page of its own, e.g. THEN.
func FindMentions(word string) string {
	return formatBlocks(findMentions(strings.ToUpper(word), docs.Orders()))
}

func findMentions(word string, sections []docs.Section) (out []docs.Block) {
	for _, s := range sections {
		for _, b := range s.Blocks {
			if b.Mentions(word) {
				out = append(out, b)
			}
		}
	}
	return out
}

func formatBlocks(blocks []docs.Block) string {
	var out []string
	for _, b := range blocks {
		switch b.Kind {
		case docs.Entry:
			out = append(out, "- "+b.Text)
		case docs.Code:
			out = append(out, "    "+b.Text)
		default:
			out = append(out, b.Text)
		}
	}
	return strings.Join(out, "\n")
}

var helpFillers = []string{"me", "on", "with", "about", "for", "please", "pls", "the", "order", "orders", "thanks"}

// readHelp reads HELP with the name of a page, which may be shortened or misspelt. After a single unknown word HELP
// lists the pages; a line with more words is talk.
func readHelp(r *Reader, l lineText) (c Command, reason string, ok bool) {
	if len(l.words) < 2 || len(l.words) > maxQuestionWords || l.words[0] != "help" {
		return c, "", len(l.words) == 1 && l.words[0] == "help"
	}
	words := slices.DeleteFunc(slices.Clone(l.words[1:]), func(w string) bool { return slices.Contains(helpFillers, w) })
	if len(words) == 0 {
		return c, "", true
	}
	o, err := r.manualParser().ParseOrder(string(HelpWord) + " " + strings.Join(words, " "))
	if err == nil && len(o.Clauses) == 1 && o.Clauses[0].Word == string(HelpWord) && len(o.Clauses[0].Items) == 1 {
		return Command{Text: o.Clauses[0].Items[0].Name.Text}, "", true
	}
	return Command{Text: l.words[1]}, "", len(l.words) == 2
}

// FormsOfPage returns those of the orders in forms that belong to a page of HELP, e.g. the orders with PLAY for the page PLAY.
func (r *Reader) FormsOfPage(page rules.Topic, forms []string) []string {
	return slices.DeleteFunc(slices.Clone(forms), func(form string) bool {
		o, err := r.Orders.ParseOrder(form)
		return err != nil || !slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool {
			return c.Word == page.Name || slices.Contains(page.Aliases, c.Word)
		})
	})
}

// maxTopicWords is the maximum number of words of an unknown topic after RULES. A longer line is talk.
const maxTopicWords = 3

// readTopic reads RULES with the name of a topic, which may be shortened or misspelt. After an unknown name RULES
// lists the topics.
func readTopic(r *Reader, l lineText) (c Command, reason string, ok bool) {
	words := l.words
	if len(words) > 0 && words[0] != "rules" {
		words = l.questionWords
	}
	if len(words) == 0 || len(words) > maxQuestionWords || words[0] != "rules" {
		return c, "", false
	}
	if len(words) == 1 {
		return c, "", true
	}
	o, err := r.topicsParser.ParseOrder(l.text)
	if err == nil && len(o.Clauses) == 1 && o.Clauses[0].Word == string(Rules) {
		return Command{Text: o.Clauses[0].Items[0].Name.Text}, "", true
	}
	_, c.Text, _ = strings.Cut(strings.TrimSpace(l.text), " ")
	return c, "", len(words) <= maxTopicWords+1
}

// findCardTopic returns the topic of RULES that a CARD line asks for, if the line names a card that a topic
// explains. For example, "CARD Support Falters" asks for the topic of power struggles. err is the error of parsing the line as an order.
func (r *Reader) findCardTopic(line string, err error) (topic string, ok bool) {
	var unclear *order.UnclearError
	if !StartsWith(line, Card) || r.topicsParser == nil || !errors.As(err, &unclear) || unclear.Ambiguous {
		return "", false
	}
	_, name, _ := strings.Cut(strings.TrimSpace(line), " ")
	o, err := r.topicsParser.ParsePlain(string(Rules) + " " + strings.TrimRight(name, " .!?"))
	if err != nil {
		return "", false
	}
	return o.Clauses[0].Items[0].Name.Text, true
}

// topicLanguage implements rules.Language for a verb with the name of a topic, e.g. "RULES turn".
type topicLanguage struct {
	rules.Language
	verb   Word
	topics []rules.Topic
}

func newTopicsParser(g *rules.Game) *order.Parser {
	if hasTopics(g) {
		return order.New(topicLanguage{g, Rules, g.Topics()})
	}
	return nil
}

func (l topicLanguage) Keywords() []rules.Keyword {
	return []rules.Keyword{{Word: string(l.verb), IsVerb: true, NameKinds: []rules.NameKind{rules.TopicName}}}
}

func (l topicLanguage) Names() []rules.Name {
	var out []rules.Name
	for i, t := range l.topics {
		out = append(out, rules.Name{Kind: rules.TopicName, Code: i + 1, Text: t.Name, Aliases: t.Aliases})
	}
	return out
}
