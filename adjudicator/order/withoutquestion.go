package order

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"samizdat/rules"
)

// This file parses orders without an open question: orders ahead, examples for HELP, and orders that are not legal now.

// ParseOrder parses a line as an order. If the line does not follow the grammar, its words are interpreted as in a letter, e.g. "I'll play
// The July Concept for the event please" -> PLAY 36 EVENT. Errors are of type *UnclearError.
func (p *Parser) ParseOrder(text string) (rules.Order, error) {
	if p.cache == nil || len(text) > maxOrderLength {
		return p.parse(text)
	}
	r := p.cache.orders.get(text, func() (r orderResult) {
		r.order, r.err = p.parse(text)
		return r
	})
	r.order.Clauses = slices.Clone(r.order.Clauses)
	return r.order, r.err
}

func (p *Parser) parse(text string) (rules.Order, error) {
	o, err := p.ParsePlain(text)
	if err == nil || len(text) > maxOrderLength {
		return o, err
	}
	// The second try also accepts orders that answer no question of the game, e.g. orders to the referee.
	for _, mustAnswerGame := range []bool{true, false} {
		if parsed, meaningErr := p.parseByMeaning(text, mustAnswerGame); meaningErr == nil || mustAnswerGame && meaningErr != errNoOrder {
			return parsed, meaningErr
		}
	}
	return o, err
}

// errNoOrder means that the words of the line are not a single order.
var errNoOrder = errors.New("no order")

// parseByMeaning interprets the words of a line as a single order. With mustAnswerGame, the order must be a possible
// answer in the game, and not an order to the referee.
func (p *Parser) parseByMeaning(text string, mustAnswerGame bool) (rules.Order, error) {
	q := p.newPermissiveQuestion(text, mustAnswerGame)
	sentences, ok := p.readSentences(q, []string{text})
	hasKeyword := slices.ContainsFunc(sentences, func(s sentence) bool {
		return slices.ContainsFunc(s.tokens, func(t token) bool { return t.kind == tokenKeyword })
	})
	if !ok || !hasKeyword || slices.ContainsFunc(sentences, func(s sentence) bool { return !s.isUnderstood() }) {
		return rules.Order{}, errNoOrder
	}
	var result Interpretation
	result.UsedLines = []bool{false}
	p.vocabulary.findOrders(q, sentences, &result, sentence.hasTokens)
	switch {
	case len(result.Orders) == 1 && len(result.Added) == 0 && result.isCountAmbiguous:
		return rules.Order{}, &UnclearError{Text: text, Part: text, Ambiguous: true,
			problem: "can be meant in two ways, because the number may belong to one name or to several; write a number after each name"}
	case len(result.Orders) == 1 && len(result.Added) == 0:
		result.Orders[0].Text = text
		return result.Orders[0], nil
	case len(result.Choices) > 0:
		return rules.Order{}, &UnclearError{Text: text, Part: text, problem: "can be meant in several ways", Ambiguous: true,
			Candidates: result.Choices}
	}
	return rules.Order{}, errNoOrder
}

// newPermissiveQuestion returns a question that accepts any order with the first verb of the line. If the line does not
// begin with a verb, the question also accepts any order with an implied verb.
func (p *Parser) newPermissiveQuestion(text string, mustAnswerGame bool) *Question {
	q := &Question{nameSet: map[nameID]bool{}, Try: func(o rules.Order) *Trial {
		if _, err := p.vocabulary.lang.Answers(o, nil); mustAnswerGame && err != nil {
			return nil
		}
		return &Trial{Answer: Format(o), IsSingleAnswer: true}
	}}
	ws, verbIsImplied := p.wordsOf(text), true
	for i := range ws {
		if k, ok := p.vocabulary.keywords.longestKeyword(ws[i:]); ok && k.IsVerb && !k.Exact && len(q.verbs) == 0 {
			q.verbs, verbIsImplied = append(q.verbs, k.Word), i > 0 // "36 ops" omits PLAY
		}
	}
	for _, k := range p.vocabulary.keywordList {
		switch {
		case k.Implied && verbIsImplied && !slices.Contains(q.verbs, k.Word):
			q.verbs = append(q.verbs, k.Word)
		case !k.IsVerb && len(k.NameKinds) == 0:
			q.keywords = append(q.keywords, k.Word)
		}
	}
	return q
}

// IsOrder reports whether a line is an order and not talk. An order can be parsed, or begins with a verb in capitals.
func (p *Parser) IsOrder(line string) bool {
	ws := p.wordsOf(line)
	k, ok := p.vocabulary.keywords.longestVerb(ws)
	if len(line) > maxOrderLength {
		return false
	}
	if !ok {
		_, err := p.ParseOrder(line)
		return err == nil
	}
	if head := line[ws[0].start:ws[len(k.words)-1].end]; head == strings.ToUpper(head) && (len(ws) > len(k.words) || len(k.NameKinds) == 0) {
		return true
	}
	_, err := p.ParseOrder(line)
	return err == nil
}

// ExactKeyword returns a keyword that must be written exactly (rules.Keyword.Exact), if a word of the line is its first
// word or a misspelling of it, e.g. SURRENDER POWER for "surender power". It returns "" if there is none.
func (p *Parser) ExactKeyword(line string) string {
	if len(line) > maxOrderLength {
		return ""
	}
	for _, w := range p.wordsOf(line) {
		if len(w.text) < 4 {
			continue
		}
		for _, k := range p.vocabulary.keywords.exact {
			if countWrongLetters(w, k.words[0]) <= 1 {
				return k.Word
			}
		}
	}
	return ""
}

// ParseNumber reads a line that contains only a number and courtesy: "2", "2.", "#2", "option 2 please".
func ParseNumber(line string) (n int, ok bool) {
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

// SplitSentences splits a line after full stops, question marks and exclamation marks.
func SplitSentences(line string) []string {
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

// WordsWithoutCourtesies returns the words of a sentence without salutation and closing.
func (p *Parser) WordsWithoutCourtesies(sentence string) []string {
	var out []string
	for i, part := range splitPieces(sentence) {
		ws := p.wordsOf(part.text)
		if ws = ws[p.vocabulary.salutationLength(part.text, ws, i == 0):]; !p.vocabulary.isFarewellText(part.text, ws) {
			out = append(out, texts(ws)...)
		}
	}
	return out
}

// FindNames returns the names of a kind in a text, and the remaining words. An ambiguous name counts as remaining words.
func (p *Parser) FindNames(text string, kind rules.NameKind) (names []rules.Name, rest []string) {
	ws := p.wordsOf(text)
	kinds, noQuestion := []rules.NameKind{kind}, &Question{}
	for i := 0; i < len(ws); {
		n, found, _ := p.vocabulary.matchName(noQuestion, kinds, ws[i:])
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
