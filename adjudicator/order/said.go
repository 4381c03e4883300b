package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// What a letter says again of the text of the question that it answers says nothing new.

// saidIn is how many words begin ws that name something which the text of the question names.
func (p *Parser) saidIn(q *Question, ws []word) int {
	n, _ := p.saidAt(q, ws)
	return n
}

// saidAt is saidIn, with what is named.
func (p *Parser) saidAt(q *Question, ws []word) (int, rules.Name) {
	if q.Said == "" {
		return 0, rules.Name{}
	}
	for n := p.names.spelt(ws); n > 0; n-- {
		for _, k := range p.names.kindsOf[strings.Join(texts(ws[:n]), " ")] {
			if names, _ := p.names.find([]rules.NameKind{k}, ws[:n]); len(names) == 1 && strings.Contains(q.Said, names[0].Text) {
				return n, names[0]
			}
		}
	}
	return 0, rules.Name{}
}

// repeats reports whether a word stands in the text of the question, and says neither no nor
// when.
func (p *Parser) repeats(q *Question, w word) bool {
	return !w.digits && !remarks().against[w.text] && !remarks().turning[w.text] && p.grasp(q).says(q, w.text)
}

// unsaid is what so many words name, unless it is no answer, and only said again as the question has
// it: "For Consumerism I take Debrecen".
func (p *Parser) unsaid(q *Question, t *token, ws []word, n int) *token {
	if t != nil && t.part == partName && !p.leads(q) && len(q.own(t.names)) == 0 && p.saidIn(q, ws) == n {
		return nil
	}
	return t
}

// ofCard is how many words at i only say which card an order is of, where no answer is the number of one:
// "Pecs 2, Szeged 1 with card 10". Another card than that of the question is a doubt.
func (s *scanned) ofCard(p *Parser, q *Question, ws []word, i int) int {
	if q.Said == "" || slices.ContainsFunc(q.Names, func(n rules.Name) bool { return n.Number > 0 }) {
		return 0
	}
	n, asked := p.cardAt(q, ws[i:])
	switch {
	case n == 0:
	case !asked:
		s.against()
	case i == 0 || using[ws[i].text]:
		s.again += n
	default:
		return 0 // "skip card 10"
	}
	return n
}

// onlyAgain reports whether words say no more than which card an order is of: "Cult of Personality: ...".
func (s *scanned) onlyAgain(f piece, ws []word) bool {
	return s.again > 0 && s.again == len(ws) && f.end != '?'
}

// cardAt is how many words begin ws that are for a card, and whether it is that of the question: "card 10",
// "with card no. 10", "10 Cult of Personality", "by Cult of Personality".
func (p *Parser) cardAt(q *Question, ws []word) (n int, asked bool) {
	at := 0
	if using[ws[at].text] {
		at++
	}
	first := at
	for at < len(ws) && !ws[at].comma && (ws[at].text == "card" || at > first && numbering[ws[at].text]) {
		at++ // "Number 4" alone is an answer of a list.
	}
	if at > first && at < len(ws) && ws[at].digits {
		return at + 1, p.isAsked(q, ws[at])
	}
	at = first
	if at < len(ws) && ws[at].digits {
		at++
	}
	if n, name := p.saidAt(q, ws[at:]); name.Number > 0 && (at == first || ws[first].number == name.Number) {
		return at + n, true
	}
	return 0, false
}

// using words stand before the card that something is done with.
var using = wordSet("with by for from of using")

// isAsked reports whether a number is that of a card which the text of the question names.
func (p *Parser) isAsked(q *Question, n word) bool {
	if !p.grasp(q).says(q, n.text) {
		return false
	}
	for _, k := range p.names.byKind {
		if slices.ContainsFunc(k, func(e *entry) bool { return e.name.Number == n.number && strings.Contains(q.Said, e.name.Text) }) {
			return true
		}
	}
	return false
}
