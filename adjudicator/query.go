package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// The queries: they ask, change nothing, and are never stale. The host answers
// these; the game those of rules.Query.
const (
	queryHistory rules.Query = "HISTORY"
	queryResend  rules.Query = "RESEND"
	queryRules   rules.Query = "RULES"
	// queryPosition asks for what samizdat check needs to try orders at home.
	queryPosition rules.Query = "POSITION"
)

// query is a query as it was read: with the number of a turn or a letter, 0 when
// none was written, or with the name of a topic.
type query struct {
	what  rules.Query
	n     int
	topic string
}

// asked is a query on its way into the answer. Parts are there already for what
// does not depend on where the letter leads to.
type asked struct {
	query rules.Query
	parts []rules.Section
}

// readQuery reads a line that is a query. Queries are read only as they are
// written, so that no talk of hands and maps is taken for one.
func (s *session) readQuery(line string) (q query, ok bool) {
	words := order.Words(line)
	if len(words) > 1 && words[0] != "rules" {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "please" || w == "pls" || w == "thanks" })
	}
	if len(words) == 0 || len(words) > mostQueryWords {
		return q, false
	}
	_, informs := s.game.(rules.Informer)
	switch text := rules.Query(strings.ToUpper(strings.Join(words, " "))); {
	case slices.Contains([]rules.Query{rules.QueryHand, rules.QueryDiscards, rules.QueryMap, rules.QueryBigMap}, text):
		return query{what: text}, informs
	case text == "BIG MAP":
		return query{what: rules.QueryBigMap}, informs
	case text == queryPosition:
		return query{what: text}, canPost(s.game)
	}
	switch q.what = rules.Query(strings.ToUpper(words[0])); q.what {
	case queryHistory, queryResend:
		unit := map[rules.Query]string{queryHistory: "turn", queryResend: "letter"}[q.what]
		rest := slices.DeleteFunc(words[1:], func(w string) bool { return w == unit || w == "of" })
		switch {
		case len(rest) == 0 && len(words) == 1:
			// RESEND alone is STATUS, which the parser reads.
			return q, q.what == queryHistory
		case len(rest) != 1:
			return q, false
		}
		var err error
		q.n, err = strconv.Atoi(rest[0])
		return q, err == nil && q.n >= 0
	case queryRules:
		return s.readTopic(q, line, words[1:])
	}
	return q, false
}

const (
	// mostQueryWords is how many words a query has at most, mostTopicWords how many
	// may stand behind RULES when no topic is found: more of them are talk.
	mostQueryWords = 8
	mostTopicWords = 3
)

// readTopic reads the name of a topic, which may be shortened and misspelt. A name
// of no topic asks for the list of them.
func (s *session) readTopic(q query, line string, words []string) (query, bool) {
	librarian, ok := s.game.(rules.Librarian)
	if !ok {
		return q, false
	}
	if len(words) == 0 {
		return q, true
	}
	o, err := order.New(shelf{s.game, librarian.Topics()}).Order(line)
	if err == nil && len(o.Clauses) == 1 && o.Clauses[0].Word == string(queryRules) {
		q.topic = o.Clauses[0].Items[0].Name.Text
		return q, true
	}
	_, q.topic, _ = strings.Cut(strings.TrimSpace(line), " ")
	return q, len(words) <= mostTopicWords
}

// shelf is the language in which topics are named.
type shelf struct {
	rules.Game
	topics []rules.Topic
}

// Keywords implements rules.Language.
func (shelf) Keywords() []rules.Keyword {
	return []rules.Keyword{{Word: string(queryRules), Verb: true, Takes: []rules.NameKind{rules.TopicName}}}
}

// Names implements rules.Language.
func (s shelf) Names() []rules.Name {
	var out []rules.Name
	for i, t := range s.topics {
		out = append(out, rules.Name{Kind: rules.TopicName, Code: i + 1, Text: t.Name, Aliases: t.Aliases})
	}
	return out
}

// answer answers a query. What it adds stands in the reply, below the question.
func (s *session) answer(ctx context.Context, text string, q query) error {
	switch q.what {
	case queryHistory:
		return s.history(ctx, text, q.n)
	case queryResend:
		return s.resend(ctx, text, q.n)
	case queryRules:
		s.rules(text, q.topic)
		return nil
	}
	if !slices.ContainsFunc(s.asked, func(a asked) bool { return a.query == q.what }) {
		s.asked = append(s.asked, asked{query: q.what})
	}
	s.report(text, fateDone, "It stands below.")
	return nil
}

// rules answers with the text on a topic, or with the list of topics.
func (s *session) rules(text, topic string) {
	topics := s.game.(rules.Librarian).Topics()
	for _, t := range topics {
		if t.Name == topic {
			s.add(queryRules, "Rules: "+t.Name, paragraphs(t.Text))
			s.report(text, fateDone, "It stands below.")
			return
		}
	}
	var names []string
	for _, t := range topics {
		names = append(names, t.Name)
	}
	note := "There are texts on: " + strings.Join(names, ", ") + ". Write RULES and one of these."
	if topic != "" {
		note = fmt.Sprintf("There is no text on %q. %s", echo(topic), note)
	}
	s.report(text, fateDone, note)
}

// paragraphs lays a text out, with an empty line between its lines.
func paragraphs(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, strings.Split(templates.Wrap(line), "\n")...)
	}
	return out
}

// add puts a part into the answer, once.
func (s *session) add(q rules.Query, title string, lines []string) {
	if slices.ContainsFunc(s.asked, func(a asked) bool {
		return slices.ContainsFunc(a.parts, func(p rules.Section) bool { return p.Title == title })
	}) {
		return
	}
	s.asked = append(s.asked, asked{q, []rules.Section{{Title: title, Lines: lines}}})
}

// onlyAsks reports whether the letter did nothing but ask, so that its answer may
// leave out the standing parts of a letter.
func onlyAsks(tasks []task) bool {
	asks := false
	for _, t := range tasks {
		switch {
		case t.query != nil:
			asks = true
		case t.fate != fateIgnored:
			return false
		}
	}
	return asks
}

// answers are the parts that answer the queries of a reader, who is the writer of the
// letter.
func (s *session) answers(reader rules.Seat) []rules.Section {
	var out []rules.Section
	for _, a := range s.asked {
		if a.parts == nil {
			a.parts = s.inform(s.pos.View(reader), a.query)
		}
		out = append(out, a.parts...)
	}
	return out
}

// inform is the game's answer to a query; a line that says so where there is none.
func (s *session) inform(view rules.View, q rules.Query) []rules.Section {
	if q == queryPosition {
		return []rules.Section{{Title: "Your position", Lines: s.posted(view)}}
	}
	if c, ok := s.game.(Cartographer); ok && q == rules.QueryBigMap {
		return []rules.Section{{Title: "The big map", Lines: c.TextMap(view, nil)}}
	}
	if parts := s.game.(rules.Informer).Inform(view, q); parts != nil {
		return parts
	}
	return []rules.Section{{Title: strings.ToLower(string(q)), Lines: []string{"There is nothing of the sort now."}}}
}

// bulleted lays sentences out as in the part of a letter that tells what happened.
func bulleted(sentences []string) []string {
	var out []string
	for _, t := range sentences {
		out = append(out, wrapped(t, "- ", "  ")...)
	}
	return out
}

// wrapped breaks a line at spaces, and what has none where it must. The first row
// begins with first, the others with rest, which is as wide.
func wrapped(text, first, rest string) []string {
	most := templates.Width - utf8.RuneCountInString(rest)
	var out []string
	row := []rune{}
	flush := func() {
		head := rest
		if out == nil {
			head = first
		}
		out, row = append(out, strings.TrimRight(head+string(row), " ")), row[:0]
	}
	for _, w := range strings.Fields(text) {
		word := []rune(w)
		if len(row) > 0 && len(row)+1+len(word) > most {
			flush()
		}
		if len(row) > 0 {
			row = append(row, ' ')
		}
		for len(row)+len(word) > most {
			n := most - len(row)
			row, word = append(row, word[:n]...), word[n:]
			flush()
		}
		row = append(row, word...)
	}
	flush()
	return out
}
