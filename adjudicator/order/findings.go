package order

import (
	"slices"

	"samizdat/rules"
)

// findings are what was found out of the lines of one letter, which are looked at several times.
type findings struct {
	orders memo[reads]
	words  memo[[]word]
}

// reads is what Order found.
type reads struct {
	order rules.Order
	err   error
}

// Letter is a parser for one letter, whose lines are looked at several times: it remembers
// what it found out of them. Called is what its writer is called.
func (p *Parser) Letter(called ...string) *Parser {
	l := *p
	l.found, l.own = &findings{}, map[string]bool{}
	for _, c := range called {
		for _, w := range Words(c) {
			l.own[w] = true
		}
	}
	return &l
}

// wordsOf are the words of a text, which are not to be changed: those of a line are looked at in
// some thirty ways.
func (p *Parser) wordsOf(text string) []word {
	if p.found == nil {
		return words(text)
	}
	return p.found.words.get(text, func() []word { return slices.Clip(words(text)) })
}

// Texts are the words of a line of a letter, as Words has them.
func (p *Parser) Texts(line string) []string { return texts(p.wordsOf(line)) }
