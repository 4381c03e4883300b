package order

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"samizdat/rules"
)

// This file reads an order without an open question: an order ahead, an example of HELP, an order that the rules do not allow now. Each
// word has to be accounted for, as in a letter, and the line has to be one order, whatever is asked.

// Order reads one line: exactly as written, or else by its words. Errors are of the type *Unclear. For example, "I'll play The July
// Concept for the event please" is an order.
func (p *Parser) Order(text string) (rules.Order, error) {
	if p.found == nil || len(text) > maxOrderLength {
		return p.order(text)
	}
	r := p.found.orders.get(text, func() (r reads) {
		r.order, r.err = p.order(text)
		return r
	})
	r.order.Clauses = slices.Clone(r.order.Clauses)
	return r.order, r.err
}

func (p *Parser) order(text string) (rules.Order, error) {
	o, err := p.Plain(text)
	if err == nil || len(text) > maxOrderLength {
		return o, err
	}
	for _, legal := range []bool{true, false} { // The host's orders and the pages of HELP answer nothing of the game.
		if again, failed := p.spokenOrder(text, legal); failed == nil || legal && failed != errNone {
			return again, failed
		}
	}
	return o, err
}

// errNone means that a line has no order whose words are all accounted for.
var errNone = errors.New("no order")

// spokenOrder reads a line by the words that it is made of. Legal means that it has to be an answer of the game.
func (p *Parser) spokenOrder(text string, legal bool) (rules.Order, error) {
	q := p.unasked(text, legal)
	list, ok := p.sentences(q, []string{text})
	said := slices.ContainsFunc(list, func(s sentence) bool {
		return slices.ContainsFunc(s.tokens, func(t token) bool { return t.part == partWord })
	})
	if !ok || !said || slices.ContainsFunc(list, func(s sentence) bool { return !s.accounted() }) {
		return rules.Order{}, errNone
	}
	var in Interpretation
	in.Used = []bool{false}
	p.vocabulary.read(q, list, &in, sentence.orders)
	switch {
	case len(in.Orders) == 1 && len(in.Left) == 0 && in.twoWays:
		return rules.Order{}, &Unclear{Text: text, Part: text, Ambiguous: true,
			problem: "can be meant in two ways, as a number may be for one name or for several; write one after each name"}
	case len(in.Orders) == 1 && len(in.Left) == 0:
		in.Orders[0].Text = text
		return in.Orders[0], nil
	case len(in.Choices) > 0:
		return rules.Order{}, &Unclear{Text: text, Part: text, problem: "can be meant in several ways", Ambiguous: true, Candidates: in.Choices}
	}
	return rules.Order{}, errNone
}

// unasked is a question that is answered by any order with the verbs of a line, or with those that may be left out.
func (p *Parser) unasked(text string, legal bool) *Question {
	q := &Question{nameSet: map[nameID]bool{}, Try: func(o rules.Order) *Trial {
		if _, err := p.vocabulary.lang.Answers(o, nil); legal && err != nil {
			return nil
		}
		return &Trial{Answer: Write(o), Whole: true}
	}}
	ws, implied := p.wordsOf(text), true
	for i := range ws {
		if k, ok := p.vocabulary.keywords.at(ws[i:]); ok && k.Verb && !k.Exact && len(q.verbs) == 0 {
			q.verbs, implied = append(q.verbs, k.Word), i > 0 // "36 ops" leaves PLAY out.
		}
	}
	for _, k := range p.vocabulary.listed {
		switch {
		case k.Implied && implied && !slices.Contains(q.verbs, k.Word):
			q.verbs = append(q.verbs, k.Word)
		case !k.Verb && len(k.Takes) == 0:
			q.words = append(q.words, k.Word)
		}
	}
	return q
}

// IsOrder reports whether a line is an order, and not talk: it can be read as one, or begins with a verb in capitals.
func (p *Parser) IsOrder(line string) bool {
	ws := p.wordsOf(line)
	k, ok := p.vocabulary.keywords.verb(ws)
	if len(line) > maxOrderLength {
		return false
	}
	if !ok {
		_, err := p.Order(line)
		return err == nil
	}
	if head := line[ws[0].start:ws[len(k.words)-1].end]; head == strings.ToUpper(head) && (len(ws) > len(k.words) || len(k.Takes) == 0) {
		return true
	}
	_, err := p.Order(line)
	return err == nil
}

// Exact returns the keyword that a line may mean but does not say exactly, where the keyword has to be written as it
// is: "I concede", "surender power". It is empty where there is none.
func (p *Parser) Exact(line string) string {
	if len(line) > maxOrderLength {
		return ""
	}
	for _, w := range p.wordsOf(line) {
		if len(w.text) < 4 {
			continue
		}
		for _, k := range p.vocabulary.keywords.exact {
			if wrong(w, k.words[0]) <= 1 {
				return k.Word
			}
		}
	}
	return ""
}

// Number reads a line that is a number and nothing more: "2", "2.", "#2", "option 2 please".
func Number(line string) (n int, ok bool) {
	n = -1
	for _, w := range words(line) {
		switch {
		case strings.Contains(line, "?"):
			return 0, false
		case w.number >= 0 && w.text[0] != 'x' && n < 0:
			n = w.number
		case w.text != "option" && w.text != "answer" && w.text != "number" && w.text != "please" && w.text != "thanks":
			return 0, false
		}
	}
	return n, n >= 0
}

// Sentences cuts a line behind its stops, and behind question and exclamation marks.
func Sentences(line string) []string {
	var out []string
	start := 0
	for i, r := range line {
		if !strings.ContainsRune(".?!", r) || i+1 < len(line) && !unicode.IsSpace(rune(line[i+1])) {
			continue
		}
		out = append(out, strings.TrimSpace(line[start:i+1]))
		start = i + 1
	}
	if rest := strings.TrimSpace(line[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// Words lists the words of a sentence without its courtesies.
func (p *Parser) Words(sentence string) []string {
	var out []string
	for i, f := range pieces(sentence) {
		ws := p.wordsOf(f.text)
		if ws = ws[p.vocabulary.greeted(f.text, ws, i == 0):]; !p.vocabulary.closes(f.text, ws) {
			out = append(out, texts(ws)...)
		}
	}
	return out
}

// Named finds the things of a kind that a text names in full, or so that nothing else
// of the kind can be meant, and returns the other words.
func (p *Parser) Named(text string, kind rules.NameKind) (names []rules.Name, rest []string) {
	ws := p.wordsOf(text)
	kinds, none := []rules.NameKind{kind}, &Question{}
	for i := 0; i < len(ws); {
		n, found, _ := p.vocabulary.matchName(none, kinds, ws[i:])
		if n == 0 && ws[i].number > 0 {
			found, _ = p.vocabulary.names.find(kinds, ws[i:i+1])
			n = len(found)
		}
		if len(found) != 1 {
			rest = append(rest, ws[i].text)
			i++
			continue
		}
		if !slices.ContainsFunc(names, func(o rules.Name) bool { return o.Code == found[0].Code }) {
			names = append(names, found[0])
		}
		i += n
	}
	return names, rest
}
