package letter

import (
	"samizdat/adjudicator/order"
	"samizdat/docs"
	"samizdat/rules"
	"slices"
	"strings"
)

// Whole is the name of the page on everything.
const Whole = "ALL"

// Manual lists the pages that HELP and a word behind it asks for: the game's, those on the
// host's orders, and the parts of docs/orders.md, which the last page is as a whole. A name
// that is taken already is not given twice.
func Manual(g *rules.Game) []rules.Topic {
	var out []rules.Topic
	taken := map[string]bool{}
	add := func(t rules.Topic) {
		free := func(name string) bool {
			key := strings.ToLower(name)
			defer func() { taken[key] = true }()
			return !taken[key]
		}
		if !free(t.Name) {
			return
		}
		t.Aliases = slices.DeleteFunc(slices.Clone(t.Aliases), func(a string) bool { return !free(a) })
		out = append(out, t)
	}
	if g.Manual != nil {
		for _, t := range g.Manual() {
			add(t)
		}
	}
	sections := docs.Orders()
	for _, f := range Help(g) {
		add(rules.Topic{Name: f.name(), Text: f.page(sections)})
	}
	var all []string
	for i, s := range sections {
		text := formatBlocks(s.Blocks)
		all = append(all, strings.ToUpper(s.Title), text)
		if i > 0 && s.Title != g.Title() {
			add(rules.Topic{Name: s.Title, Text: text})
		}
	}
	add(rules.Topic{Name: Whole, Aliases: []string{"everything"}, Text: strings.Join(all, "\n")})
	return out
}

// name is what a page on a form is asked for by: the words in front that every form of
// the order has.
func (f Form) name() string {
	words := strings.Fields(f.Order)
	if len(words) > 1 && (words[1] == "TOKEN" || words[1] == "ORDERS") {
		return words[0] + " " + words[1]
	}
	return words[0]
}

// page is all that the page on orders says of a form's order.
func (f Form) page(sections []docs.Section) string {
	return formatBlocks(append([]docs.Block{{Kind: docs.Entry, Text: f.Order + ": " + f.Does}}, mentions(f.name(), sections)...))
}

// Mentions is all that the page on orders says of a word in it that has no page: THEN, IF.
func Mentions(word string) string {
	return formatBlocks(mentions(strings.ToUpper(word), docs.Orders()))
}

// mentions are the blocks that mention a word.
func mentions(word string, sections []docs.Section) (out []docs.Block) {
	for _, s := range sections {
		for _, b := range s.Blocks {
			if b.Mentions(word) {
				out = append(out, b)
			}
		}
	}
	return out
}

// formatBlocks writes blocks as the text of a topic: entries with a dash, code indented.
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

// helpless are words between HELP and what it is about.
var helpless = []string{"me", "on", "with", "about", "for", "please", "pls", "the", "order", "orders", "thanks"}

// readHelp reads the name of a page, which may be shortened and misspelt. One word that
// names no page asks for the list of them; more are talk.
func readHelp(r *Reader, l said) (c Command, why string, ok bool) {
	if len(l.words) < 2 || len(l.words) > mostAsked || l.words[0] != "help" {
		return c, "", len(l.words) == 1 && l.words[0] == "help"
	}
	words := slices.DeleteFunc(slices.Clone(l.words[1:]), func(w string) bool { return slices.Contains(helpless, w) })
	if len(words) == 0 {
		return c, "", true
	}
	o, err := r.manual().Order(string(HelpWord) + " " + strings.Join(words, " "))
	if err == nil && len(o.Clauses) == 1 && o.Clauses[0].Word == string(HelpWord) && len(o.Clauses[0].Items) == 1 {
		return Command{Text: o.Clauses[0].Items[0].Name.Text}, "", true
	}
	return Command{Text: l.words[1]}, "", len(l.words) == 2
}

// Forms are the orders of a question that a page is about: those with a word of its name.
func (r *Reader) Forms(page rules.Topic, forms []string) []string {
	return slices.DeleteFunc(slices.Clone(forms), func(form string) bool {
		o, err := r.Orders.Order(form)
		return err != nil || !slices.ContainsFunc(o.Clauses, func(c rules.Clause) bool {
			return c.Word == page.Name || slices.Contains(page.Aliases, c.Word)
		})
	})
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

// topicLanguage is the language in which topics are named behind a word.
type topicLanguage struct {
	rules.Language
	word   Word
	topics []rules.Topic
}

// topicParser reads the names of a game's topics; nil where it has none.
func topicParser(g *rules.Game) *order.Parser {
	if explains(g) {
		return order.New(topicLanguage{g, Rules, g.Topics()})
	}
	return nil
}

// Keywords implements rules.Language.
func (s topicLanguage) Keywords() []rules.Keyword {
	return []rules.Keyword{{Word: string(s.word), Verb: true, Takes: []rules.NameKind{rules.TopicName}}}
}

// Names implements rules.Language.
func (s topicLanguage) Names() []rules.Name {
	var out []rules.Name
	for i, t := range s.topics {
		out = append(out, rules.Name{Kind: rules.TopicName, Code: i + 1, Text: t.Name, Aliases: t.Aliases})
	}
	return out
}
